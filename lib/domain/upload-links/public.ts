import { and, eq, gt, isNull, or, sql } from 'drizzle-orm'
import { z } from 'zod'
import { newId } from '@/db/schema/columns'
import { agencies, users } from '@/db/schema/directory'
import { files } from '@/db/schema/files'
import { uploadLinks, uploadSessions } from '@/db/schema/upload-links'
import { manifestInShort } from '../batches/manifest'
import { assertTakesFiles } from '../batches/rules'
import type { ManifestInShort } from '../batches/schema'
import { checkAll } from '../files/check'
import { expectationsOf, fileValidation, rulesOf, storeFile } from '../files/intake'
import { allowedExtensions } from '../files/media-types'
import type { FileRow } from '../files/present'
import { bytesLeft, type Expectations, suggestedNames } from '../files/rules'
import { CheckedFiles, CheckFiles } from '../files/schema'
import { forbidden, notFound } from '../kernel/errors'
import { intake } from '../kernel/intake'
import { hasLinkKey, keyForPassword, passwordMatches } from '../kernel/link-password'
import { command, type Finder, query, type Tx } from '../kernel/operation'
import { isoOrNull, isUuid, text } from '../kernel/shapes'
import { describeTemplate } from '../naming/describe'
import { assertRunning } from '../projects/rules'
import { authenticateLink, byToken, enterByLink, type LinkInBatch, type LinkRow } from './find'
import { rejectedFiles } from './rejected'
import { assertReadable, assertUsable, isSessionOpen, statusForHolder, usesLeft } from './rules'
import { type ExpectedFile, ReceivedByLink, type RejectedFile, UploadLinkForHolder } from './schema'

/** Links as their holders use them, without an account. */

const asHolder = { permission: 'anyone', resource: byToken, authenticateAs: authenticateLink } as const

export const getPublicUploadLink = query({
  ...asHolder,
  name: 'getPublicUploadLink',
  summary:
    'What the holder of an upload link may know: who asks for what, until when, named how; of a link that is over only its label and status, of one behind a password the same until it is given',
  output: UploadLinkForHolder,
  async run(tx, { resource }): Promise<UploadLinkForHolder> {
    const { link, batch, project } = resource
    const { label } = link
    const status = statusForHolder(link, batch, tx.now)
    const isRunning = status === 'used_up' && (await holdsUse(tx, link.id, tx.credentials.uploadSession))
    if (status !== 'active' && !isRunning) return { label, status }
    if (!(await isUnlocked(tx, link))) return { label, status, password_required: true }
    const rules = await rulesOf(tx, resource, 'upload_link')
    const [agency] = await tx.db
      .select({ id: agencies.id, name: agencies.name })
      .from(agencies)
      .where(eq(agencies.id, project.agencyId))
    const [contact] = await tx.db.select({ name: users.name }).from(users).where(eq(users.id, link.createdBy))
    const extensions = allowedExtensions(rules.mediaTypes)
    const context = { agencyCode: rules.agencyCode, campaignCodes: rules.campaignCodes, extensions }
    const naming = rules.template ? describeTemplate(rules.template, context) : null
    const rejected = batch.status === 'awaiting_resupply' ? await rejectedFiles(tx, link, batch.id) : null
    // Only a resupply depends on what the batch holds.
    const expectations = rejected && (await expectationsOf(tx, resource, 'upload_link'))
    const manifest = await manifestInShort(tx, batch.id, Number.MAX_SAFE_INTEGER)
    const { expected, received, missing } = manifest.counts
    return {
      label,
      note: link.note,
      agency: agency ?? { id: project.agencyId, name: '' },
      project: { name: project.name, status: project.status },
      batch: { name: batch.name, status: batch.status },
      status,
      expires_at: isoOrNull(link.expiresAt),
      uses_left: usesLeft(link),
      password_required: false,
      contact: { name: contact?.name ?? '' },
      naming: {
        template: rules.template,
        example: naming?.example ?? null,
        agency_code: context.agencyCode,
        campaign_codes: context.campaignCodes,
        extensions,
        tokens: naming?.tokens ?? [],
      },
      expected_files: expectedFiles(rejected, manifest, expectations),
      rejected_files: rejected,
      manifest: expected > 0 ? { expected, received, missing } : null,
      limits: {
        max_file_size: rules.maxFileSize,
        bytes_left: bytesLeft(rules.quotas),
        media_types: [...rules.mediaTypes],
      },
    }
  },
})

/** What is still awaited: the rejected files while a resupply is, and what is missing of a manifest. */
function expectedFiles(
  rejected: readonly RejectedFile[] | null,
  manifest: ManifestInShort,
  expectations: Expectations | null,
): ExpectedFile[] | null {
  const missing = manifest.lines
    .filter(({ status }) => status === 'missing')
    .map(({ name, note }) => ({ name, reason: note, file_id: null, suggested_name: name, changeable_tokens: [] }))
  if (!rejected || !expectations) return manifest.counts.expected > 0 ? missing : null
  const names = suggestedNames(expectations)
  const resupplied = rejected.map(({ name, reason, file_id }) => ({
    name,
    reason,
    file_id,
    suggested_name: names.get(file_id) ?? name,
    changeable_tokens: [...(expectations.current.find(({ id }) => id === file_id)?.changes.changeable ?? [])],
  }))
  return [...resupplied, ...missing]
}

/** The right to a link's address is the right to the images of what was rejected, and of nothing else. */
const onRejected: Finder<'token' | 'file_id', FileRow> = {
  params: ['token', 'file_id'],
  async find(tx, { token, file_id }) {
    const on = await byToken.find(tx, { token }, false)
    await assertOpened(tx, on)
    const { batch } = on
    const [file] =
      batch.status === 'awaiting_resupply' && isUuid(file_id)
        ? await tx.db
            .select()
            .from(files)
            .where(
              and(
                eq(files.id, file_id),
                eq(files.batchId, batch.id),
                eq(files.isCurrent, true),
                eq(files.decision, 'rejected'),
              ),
            )
        : []
    if (!file?.previews?.preview || file.integrity === 'quarantined') throw notFound('image of a rejected file')
    return file
  },
}

export const openRejectedFile = query({
  name: 'openRejectedFile',
  summary: 'An image of a file that was rejected, while a new version of it is awaited',
  permission: 'anyone',
  resource: onRejected,
  authenticateAs: (ctx, { token }) => authenticateLink(ctx, { token }),
  run: async (_tx, { resource }): Promise<FileRow> => resource,
})

/** Whether the holder may view anything behind the link: it is not over, and its password was given. */
async function assertOpened(tx: Tx, { link, batch }: LinkInBatch) {
  assertReadable(link, batch, tx.now, await holdsUse(tx, link.id, tx.credentials.uploadSession))
  await assertUnlocked(tx, link)
}

/** Whether files may come through the link at this moment. */
function assertOpen(tx: Tx, { link, batch, project }: LinkInBatch, sessionHoldsUse: boolean) {
  assertUsable(link, tx.now, sessionHoldsUse)
  assertRunning(project)
  assertTakesFiles(batch.status, 'upload_link')
}

export const checkFiles = query({
  ...asHolder,
  name: 'checkFiles',
  summary: 'A dry run: which of these files would be accepted, by name, size and hash; nothing is stored',
  input: CheckFiles,
  output: CheckedFiles,
  inputInBody: true,
  async run(tx, { resource, input }) {
    await assertOpened(tx, resource)
    return checkAll(tx, resource, 'upload_link', input)
  },
})

async function findSession(tx: Tx, linkId: string, key: string | null) {
  if (!key || !isUuid(key)) return null
  const [session] = await tx.db
    .select()
    .from(uploadSessions)
    .where(and(eq(uploadSessions.linkId, linkId), eq(uploadSessions.key, key)))
  return session ?? null
}

async function holdsUse(tx: Tx, linkId: string, key: string | null) {
  const session = await findSession(tx, linkId, key)
  return session !== null && session.fileCount > 0 && isSessionOpen(session, tx.now)
}

export const receiveFileByLink = intake({
  name: 'receiveFileByLink',
  summary:
    'Upload a file through a link: validated before it is stored; the first accepted file of a session is one use',
  permission: 'anyone',
  resource: byToken,
  enter: enterByLink,
  output: ReceivedByLink,
  created: (_result, { token }) => `/api/public/upload-links/${token}`,
  // A used-up link still serves what was begun through it.
  assertReadable: (tx, { link, batch }) => assertReadable(link, batch, tx.now, true),
  async expect(tx, where) {
    const isRunning = await holdsUse(tx, where.link.id, tx.credentials.uploadSession)
    assertUsable(where.link, tx.now, isRunning)
    await assertUnlocked(tx, where.link, isRunning)
    assertOpen(tx, where, isRunning)
    return expectationsOf(tx, where, 'upload_link')
  },
  validate: fileValidation,
  async store(tx, file) {
    const { link: before } = file.resource
    const link = await takeUse(tx, file.resource, tx.credentials.uploadSession)
    const id = await storeFile(tx, file, { label: before.label, notify: before.notify })
    const [stored] = await tx.db
      .select({ name: files.name, size: files.size, version: files.version, sha256: files.sha256 })
      .from(files)
      .where(eq(files.id, id))
    if (!stored) throw new Error('A stored file did not come back.')
    return { file: stored, uses_left: usesLeft(link) }
  },
})

/**
 * A file of a session that already holds a use goes with it; any other takes one of the link's uses, by one conditional
 * update, so that with N left and any number at once exactly N get in.
 */
async function takeUse(tx: Tx, on: LinkInBatch, sessionKey: string | null) {
  const session = await findSession(tx, on.link.id, sessionKey)
  const isRunning = session !== null && session.fileCount > 0 && isSessionOpen(session, tx.now)
  assertOpen(tx, on, isRunning)
  const [link] = await tx.db
    .update(uploadLinks)
    .set({ lastUsedAt: tx.now, ...(!isRunning && { useCount: sql`${uploadLinks.useCount} + 1` }) })
    .where(
      and(
        eq(uploadLinks.id, on.link.id),
        isNull(uploadLinks.deactivatedAt),
        or(isNull(uploadLinks.expiresAt), gt(uploadLinks.expiresAt, tx.now)),
        isRunning ? undefined : or(isNull(uploadLinks.maxUses), sql`${uploadLinks.useCount} < ${uploadLinks.maxUses}`),
      ),
    )
    .returning()
  if (!link) throw new Error('A link that was locked and found usable was not.')
  if (sessionKey && isUuid(sessionKey)) {
    await tx.db
      .insert(uploadSessions)
      .values({
        id: newId(tx.now),
        linkId: link.id,
        key: sessionKey,
        fileCount: 1,
        lastFileAt: tx.now,
        createdAt: tx.now,
      })
      .onConflictDoUpdate({
        target: [uploadSessions.linkId, uploadSessions.key],
        // A session that was closed or ran out begins anew, with the use just taken.
        set: { fileCount: isRunning ? sql`${uploadSessions.fileCount} + 1` : 1, lastFileAt: tx.now, closedAt: null },
      })
  }
  return link
}

/** Asked when a visit begins; opening a session writes nothing until its first file is accepted. */
export const openUploadSession = query({
  ...asHolder,
  name: 'openUploadSession',
  summary: 'Whether a session of the link may begin, or the one presented go on',
  run: async (tx, { resource: { link, batch } }) =>
    assertReadable(link, batch, tx.now, await holdsUse(tx, link.id, tx.credentials.uploadSession)),
})

const NOTED_EVERY_MS = 3_600_000

/**
 * A person has the page of the link before them: browsers say so, what only fetches the address (previews of mails and
 * messengers) does not. On the trail once an hour at most, however often it is opened.
 */
export const noteLinkOpened = command({
  ...asHolder,
  name: 'noteLinkOpened',
  summary: 'Note that the page of the link was opened; once an hour at most',
  output: z.object({ noted: z.boolean() }),
  async run(tx, { resource: { link, batch } }) {
    assertReadable(link, batch, tx.now, await holdsUse(tx, link.id, tx.credentials.uploadSession))
    if (link.openedAt && tx.now.getTime() - link.openedAt.getTime() < NOTED_EVERY_MS) return { noted: false }
    await tx.db.update(uploadLinks).set({ openedAt: tx.now }).where(eq(uploadLinks.id, link.id))
    await tx.record({
      type: 'upload_link.opened',
      projectId: batch.projectId,
      batchId: batch.id,
      subjectId: link.id,
      data: { label: link.label, name: batch.name },
    })
    return { noted: true }
  },
})

/** "Done": the session ends, and a later upload under its key is a new use. */
export const closeUploadSession = command({
  ...asHolder,
  name: 'closeUploadSession',
  summary: 'End the upload session that is presented',
  output: z.object({ closed: z.boolean() }),
  async run(tx, { resource }) {
    assertReadable(resource.link, resource.batch, tx.now, true)
    const session = await findSession(tx, resource.link.id, tx.credentials.uploadSession)
    if (session && !session.closedAt)
      await tx.db.update(uploadSessions).set({ closedAt: tx.now }).where(eq(uploadSessions.id, session.id))
    return { closed: session !== null }
  },
})

/** Changes nothing: what it returns is a key that the browser keeps. */
export const unlockUploadLink = query({
  ...asHolder,
  name: 'unlockUploadLink',
  summary: 'Give the password of a protected link',
  input: z.strictObject({ password: text(200) }),
  output: z.object({ key: z.string() }),
  inputInBody: true,
  async run(tx, { resource: { link, batch }, input }) {
    assertReadable(link, batch, tx.now, await holdsUse(tx, link.id, tx.credentials.uploadSession))
    return { key: await keyForPassword(tx, link, input.password) }
  },
})

/** `sessionHoldsUse`, where it is known already. */
async function isUnlocked(tx: Tx, link: LinkRow, sessionHoldsUse?: boolean): Promise<boolean> {
  if (link.passwordHash === null) return true
  const { linkPassword } = tx.credentials
  if (hasLinkKey(tx, link)) return true
  // A session that holds a use had the password when it took it, and belongs to the client that knows its key.
  if (sessionHoldsUse ?? (await holdsUse(tx, link.id, tx.credentials.uploadSession))) return true
  return linkPassword !== null && passwordMatches(tx, link, linkPassword)
}

async function assertUnlocked(tx: Tx, link: LinkRow, sessionHoldsUse?: boolean) {
  if (await isUnlocked(tx, link, sessionHoldsUse)) return
  throw forbidden(
    'This link is protected by a password. Send it as “Upload-Link-Password”, or open the link in a browser and type it there.',
  )
}

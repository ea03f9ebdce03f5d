import { and, eq, gt, isNull, or, sql } from 'drizzle-orm'
import { z } from 'zod'
import { newId } from '@/db/schema/columns'
import { agencies, users } from '@/db/schema/directory'
import { uploadLinks, uploadSessions } from '@/db/schema/upload-links'
import { manifestInShort } from '../batches/manifest'
import { assertTakesFiles } from '../batches/rules'
import type { ManifestInShort } from '../batches/schema'
import { checkAll } from '../files/check'
import { expectationsOf, fileValidation, isStoredTogether, rulesOf, storeFile } from '../files/intake'
import { allowedExtensions } from '../files/media-types'
import type { FileRow } from '../files/present'
import { bytesLeft, type Expectations, suggestedNames } from '../files/rules'
import { CheckedFiles, CheckFiles } from '../files/schema'
import { intake } from '../kernel/intake'
import { keyForPassword } from '../kernel/link-password'
import { command, query, type Tx } from '../kernel/operation'
import { isoOrNull, isUuid, text } from '../kernel/shapes'
import { describeTemplate } from '../naming/describe'
import { assertRunning } from '../projects/rules'
import { assertOpened, assertUnlocked, holdsUse, isUnlocked, sessionOf } from './access'
import { authenticateLink, byToken, enterByLink, type LinkInBatch, type LinkRow } from './find'
import { rejectedFiles, rejectedNames } from './rejected'
import { assertReadable, assertUsable, linkStatus, sessionsEndedBy, statusForHolder, usesLeft } from './rules'
import { type ExpectedFile, ReceivedByLink, UploadLinkForHolder } from './schema'

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
    const isRunning = await holdsUse(tx, resource)
    if (status !== 'active' && !(status === 'used_up' && isRunning)) return { label, status }
    if (!(await isUnlocked(tx, link, isRunning))) return { label, status, password_required: true }
    const rules = await rulesOf(tx, resource, 'upload_link')
    const [agency] = await tx.db
      .select({ id: agencies.id, name: agencies.name })
      .from(agencies)
      .where(eq(agencies.id, project.agencyId))
    const [contact] = await tx.db.select({ name: users.name }).from(users).where(eq(users.id, link.createdBy))
    const extensions = allowedExtensions(rules.mediaTypes)
    const context = { agencyCode: rules.agencyCode, campaignCodes: rules.campaignCodes, extensions }
    const naming = rules.template ? describeTemplate(rules.template, context) : null
    const rejected = batch.status === 'awaiting_resupply' ? await rejectedNames(tx, batch.id) : null
    const described = rejected && (await rejectedFiles(tx, link, batch.id))
    // Only a resupply depends on what the batch holds.
    const expectations = rejected && (await expectationsOf(tx, resource, 'upload_link'))
    const manifest = await manifestInShort(tx, batch.id, Number.MAX_SAFE_INTEGER, { withUnexpected: false })
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
      rejected_files: described?.files ?? null,
      rejected_next_cursor: described?.next_cursor ?? null,
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
  rejected: Awaited<ReturnType<typeof rejectedNames>> | null,
  manifest: ManifestInShort,
  expectations: Expectations | null,
): ExpectedFile[] | null {
  const missing = manifest.lines
    .filter(({ status }) => status === 'missing')
    .map(({ name, note }) => ({ name, reason: note, file_id: null, suggested_name: name, changeable_tokens: [] }))
  if (!rejected || !expectations) return manifest.counts.expected > 0 ? missing : null
  const names = suggestedNames(expectations)
  const changes = new Map(expectations.current.map((file) => [file.id, file.changes]))
  const resupplied = rejected.map(({ id, name, reason }) => ({
    name,
    reason,
    file_id: id,
    suggested_name: names.get(id) ?? name,
    changeable_tokens: [...(changes.get(id)?.changeable ?? [])],
  }))
  return [...resupplied, ...missing]
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
    const isRunning = await holdsUse(tx, where)
    assertUsable(where.link, tx.now, isRunning)
    await assertUnlocked(tx, where.link, isRunning)
    assertOpen(tx, where, isRunning)
    return rulesOf(tx, where, 'upload_link')
  },
  validate: fileValidation,
  isShared: isStoredTogether,
  async store(tx, file, besideEvent) {
    const { label, notify } = file.resource.link
    const link = await takeUse(tx, file.resource)
    const present = ({ name, size, version, sha256 }: FileRow) => ({
      file: { name, size, version, sha256 },
      uses_left: usesLeft(link),
    })
    const beside = (row: FileRow) => besideEvent(present(row))
    return present(await storeFile(tx, { ...file, data: { label, notify }, beside }))
  },
})

/**
 * A file of a session that already holds a use goes with it; any other takes one of the link's uses, by one conditional
 * update, so that with N left and any number at once exactly N get in.
 */
async function takeUse(tx: Tx, on: LinkInBatch): Promise<LinkRow> {
  // Only of a link that is used up does it matter already whether the session holds a use.
  const isUsedUp = linkStatus(on.link, tx.now) === 'used_up'
  assertOpen(tx, on, isUsedUp && (await holdsUse(tx, on)))
  const { uploadSession } = tx.credentials
  const session = uploadSession !== null && isUuid(uploadSession) ? countedSession(tx, on, uploadSession) : null
  // It counts from one again when it took a use.
  const isRunning = session ? sql`exists (select from session where file_count > 1)` : sql`false`
  const [link] = await tx.db
    .with(...(session ? [session] : []))
    .update(uploadLinks)
    .set({ lastUsedAt: tx.now, useCount: sql`${uploadLinks.useCount} + case when ${isRunning} then 0 else 1 end` })
    .where(
      and(
        eq(uploadLinks.id, on.link.id),
        isNull(uploadLinks.deactivatedAt),
        or(isNull(uploadLinks.expiresAt), gt(uploadLinks.expiresAt, tx.now)),
        or(isRunning, isNull(uploadLinks.maxUses), sql`${uploadLinks.useCount} < ${uploadLinks.maxUses}`),
      ),
    )
    .returning()
  if (!link) throw new Error('A link that was locked and found usable was not.')
  return link
}

/** For the `with` of a statement: counts a file of the session, which begins with it, or anew where it was closed or ran out. */
function countedSession(tx: Tx, { link }: LinkInBatch, key: string) {
  const goesOn = sql`${uploadSessions.fileCount} > 0 and ${uploadSessions.closedAt} is null
    and coalesce(${uploadSessions.lastFileAt} > ${sessionsEndedBy(tx.now).toISOString()}, true)`
  return tx.db.$with('session').as(
    tx.db
      .insert(uploadSessions)
      .values({ id: newId(tx.now), linkId: link.id, key, fileCount: 1, lastFileAt: tx.now, createdAt: tx.now })
      .onConflictDoUpdate({
        target: [uploadSessions.linkId, uploadSessions.key],
        set: {
          fileCount: sql`case when ${goesOn} then ${uploadSessions.fileCount} + 1 else 1 end`,
          // Files that come at the same time may be counted in another order than they came.
          lastFileAt: sql`greatest(${uploadSessions.lastFileAt}, excluded.last_file_at)`,
          createdAt: sql`least(${uploadSessions.createdAt}, excluded.created_at)`,
          closedAt: null,
        },
      })
      .returning(),
  )
}

/** Asked when a visit begins; opening a session writes nothing until its first file is accepted. */
export const openUploadSession = query({
  ...asHolder,
  name: 'openUploadSession',
  summary: 'Whether a session of the link may begin, or the one presented go on',
  run: async (tx, { resource }) => assertReadable(resource.link, resource.batch, tx.now, await holdsUse(tx, resource)),
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
  async run(tx, { resource }) {
    const { link, batch } = resource
    assertReadable(link, batch, tx.now, await holdsUse(tx, resource))
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
    const session = await sessionOf(tx, resource)
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
  async run(tx, { resource, input }) {
    const { link, batch } = resource
    assertReadable(link, batch, tx.now, await holdsUse(tx, resource))
    return { key: await keyForPassword(tx, link, input.password) }
  },
})

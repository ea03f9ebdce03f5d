import { verify } from '@node-rs/argon2'
import { and, eq, gt, isNull, or, sql } from 'drizzle-orm'
import { z } from 'zod'
import { newId } from '@/db/schema/columns'
import { agencies, users } from '@/db/schema/directory'
import { files } from '@/db/schema/files'
import { uploadLinks, uploadSessions } from '@/db/schema/upload-links'
import { manifestOf } from '../batches/queries'
import { assertTakesFiles } from '../batches/rules'
import type { Manifest } from '../batches/schema'
import { discardKept, expectationsOf, findSameContent, judgeAndKeep, writeFile } from '../files/intake'
import type { FileRow } from '../files/present'
import { allowedExtensions, type Expectations, judgeBeforeBytes, judgeBytes, suggestedNames } from '../files/rules'
import { ReceivedUpload } from '../files/schema'
import { forbidden, invalidField, notFound } from '../kernel/errors'
import { command, type Finder, query, reading, type Tx } from '../kernel/operation'
import { LIMITS, takeShared } from '../kernel/rate-limit'
import { isoOrNull, isUuid } from '../kernel/shapes'
import { describeTemplate } from '../naming/describe'
import { assertRunning } from '../projects/rules'
import { becomeLink, byToken, type LinkInBatch, type LinkRow } from './find'
import { rejectedFiles } from './rejected'
import { assertUsable, isSessionOpen, linkStatus, usesLeft } from './rules'
import {
  CheckedFiles,
  CheckFiles,
  type ExpectedFile,
  PublicUploadLink,
  ReceivedByLink,
  type RejectedFile,
} from './schema'

/** Links as their holders use them, without an account. */

const asHolder = { may: 'anyone', on: byToken, become: becomeLink } as const

export const getPublicUploadLink = query({
  ...asHolder,
  name: 'getPublicUploadLink',
  summary: 'What the holder of an upload link may know: who asks for what, until when, named how',
  output: PublicUploadLink,
  async run(tx, { on }): Promise<PublicUploadLink> {
    const { link, batch, project } = on
    const isShown = await isUnlocked(tx, link)
    const expectations = await expectationsOf(tx, on, 'upload_link')
    const [agency] = await tx.db
      .select({ id: agencies.id, name: agencies.name })
      .from(agencies)
      .where(eq(agencies.id, project.agencyId))
    const [contact] = await tx.db.select({ name: users.name }).from(users).where(eq(users.id, link.createdBy))
    const extensions = allowedExtensions(expectations.mediaTypes)
    const context = { agencyCode: expectations.agencyCode, campaignCodes: expectations.campaignCodes, extensions }
    const naming = isShown && expectations.template ? describeTemplate(expectations.template, context) : null
    const rejected = batch.status === 'awaiting_resupply' ? await rejectedFiles(tx, link, batch.id) : null
    const manifest = await manifestOf(tx, batch.id)
    const { expected, received, missing } = manifest.counts
    return {
      label: link.label,
      note: isShown ? link.note : null,
      agency: agency ?? { id: project.agencyId, name: '' },
      project: { name: project.name, status: project.status },
      batch: { name: batch.name, status: batch.status },
      status: linkStatus(link, tx.now),
      expires_at: isoOrNull(link.expiresAt),
      uses_left: usesLeft(link),
      password_required: !isShown,
      contact: { name: contact?.name ?? '' },
      naming: {
        template: isShown ? expectations.template : null,
        example: naming?.example ?? null,
        agency_code: isShown ? context.agencyCode : null,
        campaign_codes: isShown ? context.campaignCodes : [],
        extensions,
        tokens: naming?.tokens ?? [],
      },
      expected_files: isShown ? expectedFiles(rejected, manifest, expectations) : null,
      rejected_files: isShown ? rejected : null,
      manifest: isShown && expected > 0 ? { expected, received, missing } : null,
      limits: { max_file_size: expectations.maxFileSize, media_types: [...expectations.mediaTypes] },
    }
  },
})

/** What is still awaited: the rejected files while a resupply is, and what is missing of a manifest. */
function expectedFiles(
  rejected: readonly RejectedFile[] | null,
  manifest: Manifest,
  expectations: Expectations,
): ExpectedFile[] | null {
  const missing = manifest.files
    .filter(({ status }) => status === 'missing')
    .map(({ name, note }) => ({ name, reason: note, file_id: null, suggested_name: name, changeable_tokens: [] }))
  if (!rejected) return manifest.counts.expected > 0 ? missing : null
  const names = suggestedNames(expectations)
  const resupplied = rejected.map(({ name, reason, file_id }) => ({
    name,
    reason,
    file_id,
    suggested_name: names.get(file_id) ?? name,
    changeable_tokens: [...(expectations.held.find(({ id }) => id === file_id)?.changes.changeable ?? [])],
  }))
  return [...resupplied, ...missing]
}

/** The right to a link's address is the right to the pictures of what was rejected, and of nothing else. */
const onRejected: Finder<'token' | 'file_id', FileRow> = {
  params: ['token', 'file_id'],
  async find(tx, { token, file_id }) {
    const { link, batch } = await byToken.find(tx, { token }, false)
    await assertUnlocked(tx, link)
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
    if (!file?.previews?.preview || file.integrity === 'quarantined') throw notFound('picture of a rejected file')
    return file
  },
}

export const openRejectedFile = query({
  name: 'openRejectedFile',
  summary: 'A picture of a file that was rejected, while a new version of it is awaited',
  may: 'anyone',
  on: onRejected,
  become: (ctx, { token }) => becomeLink(ctx, { token }),
  run: async (_tx, { on }): Promise<FileRow> => on,
})

/** Whether files may come through the link at this moment. */
function assertOpen(tx: Tx, { link, batch, project }: LinkInBatch, sessionHoldsUse: boolean) {
  assertUsable(link, tx.now, sessionHoldsUse)
  assertRunning(project)
  assertTakesFiles(batch.status, 'upload_link')
}

export const checkFiles = query({
  ...asHolder,
  name: 'checkFiles',
  summary: 'A dry run: which of these files would be taken, judged by name, size and hash; nothing is stored',
  input: CheckFiles,
  output: CheckedFiles,
  bodied: true,
  async run(tx, { on, input }) {
    await assertUnlocked(tx, on.link)
    const expectations = await expectationsOf(tx, on, 'upload_link')
    const checked = await Promise.all(
      input.files.map(async (file) => {
        const violations = judgeBeforeBytes(expectations, file)
        if (file.sha256) {
          const sha256 = file.sha256.toLowerCase()
          violations.push(
            ...judgeBytes(
              expectations,
              { name: file.name, sha256, inspection: { mediaType: '', violations: [] } },
              await findSameContent(tx, on, sha256),
            ).filter((v) => v.rule !== 'media_type'),
          )
        }
        return { name: file.name, accepted: violations.length === 0, violations }
      }),
    )
    return { files: checked }
  },
})

/** Asked before a byte is read: may files come through this link now, and what is expected? */
export const expectFileByLink = query({
  ...asHolder,
  name: 'expectFileByLink',
  summary: 'What a link takes now',
  async run(tx, { on }) {
    await assertUnlocked(tx, on.link)
    assertOpen(tx, on, await holdsUse(tx, on.link.id, tx.presented.uploadSession))
    return { where: on, expectations: await expectationsOf(tx, on, 'upload_link') }
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

export const receiveFileByLink = command({
  ...asHolder,
  name: 'receiveFileByLink',
  summary: 'Upload a file through a link: judged before it is stored; the first accepted file of a session is one use',
  input: ReceivedUpload,
  output: ReceivedByLink,
  created: (_answer, { token }) => `/api/public/upload-links/${token}`,
  async prepare(ctx, { on, input }) {
    await assertUnlocked(reading(ctx), on.link)
    return { ...(await judgeAndKeep(ctx, on, 'upload_link', input)), on, upload: input }
  },
  undo: (ctx, { on, upload, ...judged }, refusal) => discardKept(ctx, on, upload, judged, refusal),
  async run(tx, { on, input, prepared }) {
    const link = await takeUse(tx, on, tx.presented.uploadSession)
    const id = await writeFile(tx, on, 'upload_link', input, prepared, { label: on.link.label, notify: on.link.notify })
    const [file] = await tx.db
      .select({ name: files.name, size: files.size, version: files.version, sha256: files.sha256 })
      .from(files)
      .where(eq(files.id, id))
    if (!file) throw new Error('A stored file did not come back.')
    return { file, uses_left: usesLeft(link) }
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

/** "Done": the session ends, and a later upload under its key is a new use. */
export const closeUploadSession = command({
  ...asHolder,
  name: 'closeUploadSession',
  summary: 'End the upload session that is presented',
  output: z.object({ closed: z.boolean() }),
  async run(tx, { on }) {
    const session = await findSession(tx, on.link.id, tx.presented.uploadSession)
    if (session && !session.closedAt)
      await tx.db.update(uploadSessions).set({ closedAt: tx.now }).where(eq(uploadSessions.id, session.id))
    return { closed: session !== null }
  },
})

export const unlockUploadLink = command({
  ...asHolder,
  name: 'unlockUploadLink',
  summary: 'Give the password of a protected link',
  input: z.strictObject({ password: z.string().max(200) }),
  output: z.object({ key: z.string() }),
  async run(tx, { on: { link }, input }) {
    if (link.passwordHash && !(await passwordMatches(tx, link, input.password))) {
      throw invalidField(
        'password',
        'wrong_password',
        'That is not the password of this link. Ask whoever sent it to you.',
      )
    }
    return { key: linkKeyOf(tx, link) }
  },
})

/** What a browser keeps instead of the password: worthless for any other link, and once the password changes. */
const linkKeyOf = (tx: Tx, link: LinkRow) => tx.outside.secrets.encrypt(lockOf(link))
const lockOf = (link: LinkRow) => `${link.id}:${link.passwordHash?.slice(-22) ?? ''}`

async function passwordMatches(tx: Tx, link: LinkRow, password: string) {
  await takeShared(tx.db, LIMITS.linkPassword, link.id, tx.now)
  return link.passwordHash !== null && (await verify(link.passwordHash, password))
}

async function isUnlocked(tx: Tx, link: LinkRow): Promise<boolean> {
  if (link.passwordHash === null) return true
  const { linkKey, linkPassword } = tx.presented
  if (linkKey !== null && opens(tx, linkKey, link)) return true
  return linkPassword !== null && passwordMatches(tx, link, linkPassword)
}

function opens(tx: Tx, key: string, link: LinkRow) {
  try {
    return tx.outside.secrets.decrypt(key) === lockOf(link)
  } catch {
    return false
  }
}

async function assertUnlocked(tx: Tx, link: LinkRow) {
  if (await isUnlocked(tx, link)) return
  throw forbidden(
    'This link is protected by a password. Send it as “Upload-Link-Password”, or open the link in a browser and type it there.',
  )
}

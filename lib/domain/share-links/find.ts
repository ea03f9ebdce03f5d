import { and, eq, isNull, lt, or, sql } from 'drizzle-orm'
import { files } from '@/db/schema/files'
import { batches, projects } from '@/db/schema/projects'
import { shareLinkFiles, shareLinks } from '@/db/schema/share-links'
import { type BatchInProject, findBatchById } from '../batches/find'
import type { FileRow } from '../files/present'
import { assertEntered, authenticateBy, visitsEndedBy } from '../guest-links/enter'
import { invalidState, notFound, quote } from '../kernel/errors'
import { type Context, type Finder, inTransaction, type Tx } from '../kernel/operation'
import { findRow } from '../kernel/rows'
import { sha256Hex } from '../kernel/sha256'
import { isUuid } from '../kernel/shapes'
import { WITHHELD_WORDS, type Withheld } from './rules'

export type ShareLinkRow = typeof shareLinks.$inferSelect
export type ShareLinkFileRow = typeof shareLinkFiles.$inferSelect
export type ShareLinkInBatch = BatchInProject & { link: ShareLinkRow }

/** Why a shared file is not offered now; of `share_link_files` joined with `share_links` and, from the left, with `files`. */
export const withheld = sql<Withheld | null>`case
  when ${files.id} is null or ${files.removedAt} is not null then 'removed'
  when ${files.decision} <> 'approved' or ${files.sha256} <> ${shareLinkFiles.sha256}
    or ${files.batchId} <> ${shareLinks.batchId} then 'not_approved'
  when ${files.integrity} <> 'sound' then 'not_sound' end`

type ShareCounts = { files: number; offered: number; size: number }

/**
 * What each of these links of one batch shared, and what of it can be had now: what `withheld` says nothing of, as the bytes
 * of a stored file never change. Counted from indexes alone. The files that may be had are listed once (`offset 0` sees to
 * that), and each shared file is looked up in that list, whatever the planner thinks of their number.
 */
export async function countsOf(tx: Tx, batchId: string, ids: readonly string[]): Promise<Map<string, ShareCounts>> {
  if (ids.length === 0) return new Map()
  const isOffered = sql`batch_id = ${batchId} and decision = 'approved' and integrity = 'sound' and removed_at is null`
  const rows = await tx.db.execute<{ id: string } & ShareCounts>(sql`
    select link_id as id, count(*)::int as files, (count(*) filter (where is_offered))::int as offered,
      coalesce(sum(size) filter (where is_offered), 0)::float8 as size
    from (
      select link_id, size, file_id in (
        select id from files where is_current and ${isOffered} union all select id from files where not is_current and ${isOffered}
      ) as is_offered
      from share_link_files where link_id in ${ids} offset 0
    ) shared group by link_id`)
  return new Map(rows.map(({ id, ...counts }) => [id, counts]))
}

/** For staff: a link of a batch they may see. */
export const onShareLink: Finder<'share_link_id', ShareLinkInBatch> = {
  params: ['share_link_id'],
  async find(tx, { share_link_id }, lock) {
    const link = await findRow(tx, shareLinks, 'share link', share_link_id, false)
    const where = await findBatchById(tx, link.batchId, lock).catch((error) => {
      throw error.code === 'not_found' ? notFound('share link', share_link_id) : error
    })
    return { ...where, link: lock ? await findRow(tx, shareLinks, 'share link', share_link_id, true) : link }
  },
}

// Unknown and malformed: one response for both, and it repeats nothing of what was asked.
const noSuchLink = () => notFound('share link')

async function findByToken(tx: Tx, token: string, lock: boolean): Promise<ShareLinkInBatch> {
  // Always hashed and looked up, so that a malformed token takes as long as an unknown one.
  const [found] = await tx.db
    .select({ link: shareLinks, batch: batches, project: projects })
    .from(shareLinks)
    .innerJoin(batches, eq(batches.id, shareLinks.batchId))
    .innerJoin(projects, eq(projects.id, batches.projectId))
    .where(eq(shareLinks.tokenHash, sha256Hex(token)))
  if (!found) throw noSuchLink()
  if (!lock) return found
  // What a receiver does changes nothing but the numbers of the link.
  const [link] = await tx.db.select().from(shareLinks).where(eq(shareLinks.id, found.link.id)).for('no key update')
  if (!link) throw noSuchLink()
  return { ...found, link }
}

/** For the receiver: the token in the path is the right to what the link shares. */
export const byToken: Finder<'token', ShareLinkInBatch> = {
  params: ['token'],
  find: (tx, { token }, lock) => findByToken(tx, token, lock),
}

/** The receiver acts as the link, signed in or not. */
export const authenticateReceiver = authenticateBy(byToken.find)

/** Counts that the receiver looked at what is shared, once for each visit. */
export async function noteVisit(ctx: Context, { link, batch, project }: ShareLinkInBatch): Promise<void> {
  const before = visitsEndedBy(ctx.now)
  if (link.lastOpenedAt && link.lastOpenedAt > before) return
  await inTransaction(ctx, async (tx) => {
    const noted = await tx.db
      .update(shareLinks)
      .set({ lastOpenedAt: tx.now, openCount: sql`${shareLinks.openCount} + 1` })
      .where(and(eq(shareLinks.id, link.id), or(isNull(shareLinks.lastOpenedAt), lt(shareLinks.lastOpenedAt, before))))
      .returning({ id: shareLinks.id })
    if (noted.length === 0) return
    await tx.record({
      type: 'share_link.opened',
      projectId: project.id,
      batchId: batch.id,
      subjectId: link.id,
      data: { name: batch.name },
    })
  })
}

export type FileOfShare = ShareLinkInBatch & { file: FileRow }

/** A file that the link offers; of one it does not offer any more it says why, any other is not there for the receiver. */
export const onSharedFile: Finder<'token' | 'file_id', FileOfShare> = {
  params: ['token', 'file_id'],
  async find(tx, { token, file_id }, lock) {
    const on = await findByToken(tx, token, lock)
    assertEntered('share link', tx, on)
    const [found] = await tx.db
      .select({ file: files, withheld })
      .from(shareLinkFiles)
      .innerJoin(shareLinks, eq(shareLinks.id, shareLinkFiles.linkId))
      .innerJoin(files, eq(files.id, shareLinkFiles.fileId))
      .where(and(eq(shareLinks.id, on.link.id), eq(shareLinkFiles.fileId, isUuid(file_id) ? file_id : on.link.id)))
    if (!found) throw notFound('file')
    if (found.withheld)
      throw invalidState(
        `${quote(found.file.name)} is not offered any more. ${WITHHELD_WORDS[found.withheld]}`,
        found.withheld,
        ['offered'],
      )
    return { ...on, file: found.file }
  },
}

import { and, eq, isNull, lt, or } from 'drizzle-orm'
import { files } from '@/db/schema/files'
import { batches, projects } from '@/db/schema/projects'
import { reviewLinks } from '@/db/schema/review-links'
import { type BatchInProject, findBatchById } from '../batches/find'
import type { FileRow } from '../files/present'
import { assertEntered, authenticateBy, visitsEndedBy } from '../guest-links/enter'
import { notFound } from '../kernel/errors'
import { type Context, type Finder, inTransaction, type Tx } from '../kernel/operation'
import { findRow } from '../kernel/rows'
import { sha256Hex } from '../kernel/sha256'
import { isUuid } from '../kernel/shapes'

export type ReviewLinkRow = typeof reviewLinks.$inferSelect
export type ReviewLinkInBatch = BatchInProject & { link: ReviewLinkRow }

/** For staff: a link of a batch they may see. */
export const onReviewLink: Finder<'review_link_id', ReviewLinkInBatch> = {
  params: ['review_link_id'],
  async find(tx, { review_link_id }, lock) {
    const link = await findRow(tx, reviewLinks, 'review link', review_link_id, false)
    const where = await findBatchById(tx, link.batchId, lock).catch((error) => {
      throw error.code === 'not_found' ? notFound('review link', review_link_id) : error
    })
    return { ...where, link: lock ? await findRow(tx, reviewLinks, 'review link', review_link_id, true) : link }
  },
}

// Unknown and malformed: one response for both, and it repeats nothing of what was asked.
const noSuchLink = () => notFound('review link')

async function findByToken(tx: Tx, token: string, lock: boolean): Promise<ReviewLinkInBatch> {
  // Always hashed and looked up, so that a malformed token takes as long as an unknown one.
  const [found] = await tx.db
    .select({ link: reviewLinks, batch: batches, project: projects })
    .from(reviewLinks)
    .innerJoin(batches, eq(batches.id, reviewLinks.batchId))
    .innerJoin(projects, eq(projects.id, batches.projectId))
    .where(eq(reviewLinks.tokenHash, sha256Hex(token)))
  if (!found) throw noSuchLink()
  if (!lock) return found
  // Locked in one order everywhere: project, batch, link.
  const [project] = await tx.db.select().from(projects).where(eq(projects.id, found.project.id)).for('share')
  const [batch] = await tx.db.select().from(batches).where(eq(batches.id, found.batch.id)).for('no key update')
  const [link] = await tx.db.select().from(reviewLinks).where(eq(reviewLinks.id, found.link.id)).for('no key update')
  if (!project || !batch || !link) throw noSuchLink()
  return { project, batch, link }
}

/** For the holder of the link: the token in the path is the right to it. */
export const byToken: Finder<'token', ReviewLinkInBatch> = {
  params: ['token'],
  find: (tx, { token }, lock) => findByToken(tx, token, lock),
}

/** The holder of a link acts as the link, signed in or not. */
export const authenticateGuest = authenticateBy(byToken.find)

/** Writes down that the holder looked at what the link shows, once for each visit. */
export async function noteVisit(ctx: Context, { link, batch, project }: ReviewLinkInBatch): Promise<void> {
  const before = visitsEndedBy(ctx.now)
  if (link.lastUsedAt && link.lastUsedAt > before) return
  await inTransaction(ctx, async (tx) => {
    const noted = await tx.db
      .update(reviewLinks)
      .set({ lastUsedAt: tx.now })
      .where(and(eq(reviewLinks.id, link.id), or(isNull(reviewLinks.lastUsedAt), lt(reviewLinks.lastUsedAt, before))))
      .returning({ id: reviewLinks.id })
    if (noted.length === 0) return
    await tx.record({
      type: 'review_link.opened',
      projectId: project.id,
      batchId: batch.id,
      subjectId: link.id,
      data: { batch: batch.name },
    })
  })
}

/** Whether a link shows a version: those it names, or every current one; never what is in quarantine. */
const isShownBy = (link: Pick<ReviewLinkRow, 'fileIds'>, file: FileRow) =>
  file.integrity !== 'quarantined' && (link.fileIds ? link.fileIds.includes(file.id) : file.isCurrent)

export type FileOfLink = ReviewLinkInBatch & { file: FileRow }

/** A file that the link shows; any other is not there for its holder. */
export const onRoomFile: Finder<'token' | 'file_id', FileOfLink> = {
  params: ['token', 'file_id'],
  async find(tx, { token, file_id }, lock) {
    const on = await findByToken(tx, token, lock)
    assertEntered('review link', tx, on)
    const select = tx.db
      .select()
      .from(files)
      .where(and(eq(files.id, isUuid(file_id) ? file_id : on.link.id), eq(files.batchId, on.batch.id)))
    const [file] = await (lock ? select.for('no key update') : select)
    if (!file || !isShownBy(on.link, file)) throw notFound('file')
    return { ...on, file }
  },
}

import { and, eq, type SQL, sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import { batches, projects } from '@/db/schema/projects'
import { uploadLinks, uploadSessions } from '@/db/schema/upload-links'
import { type BatchInProject, conventionBeside, findBatchById, lockedBatch, lockedProject } from '../batches/find'
import { notFound } from '../kernel/errors'
import { type Context, type Finder, reading, type Tx } from '../kernel/operation'
import type { Actor } from '../kernel/permissions'
import { findByLink } from '../kernel/rate-limit'
import { findRow } from '../kernel/rows'
import { sha256Hex } from '../kernel/sha256'
import { isUuid } from '../kernel/shapes'

export type LinkRow = typeof uploadLinks.$inferSelect
export type SessionRow = typeof uploadSessions.$inferSelect
/** `session`: of the one who asks, where it was read with the link; not read where the link is locked. */
export type LinkInBatch = BatchInProject & { link: LinkRow; session?: SessionRow | null }

/** For staff: a link of a batch they may see. */
export const onUploadLink: Finder<'link_id', LinkInBatch> = {
  params: ['link_id'],
  async find(tx, { link_id }, lock) {
    const link = await findRow(tx, uploadLinks, 'upload link', link_id, lock)
    const where = await findBatchById(tx, link.batchId, false).catch((error) => {
      throw error.code === 'not_found' ? notFound('upload link', link_id) : error
    })
    return { ...where, link }
  },
}

// Unknown, malformed, of a deleted link: one response for all, and it repeats nothing of what was asked.
const noSuchLink = () => notFound('upload link')

async function findByToken(tx: Tx, token: string, lock: boolean): Promise<LinkInBatch> {
  // Always hashed and looked up, so that a malformed token takes as long as an unknown one.
  const byHash = eq(uploadLinks.tokenHash, sha256Hex(token))
  const [found] = await (lock ? locked(tx, byHash) : unlocked(tx, byHash))
  if (!found) throw noSuchLink()
  return found
}

const unlocked = (tx: Tx, byHash: SQL) =>
  tx.db
    .select({
      link: uploadLinks,
      batch: batches,
      project: projects,
      session: uploadSessions,
      convention: conventionBeside,
    })
    .from(uploadLinks)
    .innerJoin(batches, eq(batches.id, uploadLinks.batchId))
    .innerJoin(projects, eq(projects.id, batches.projectId))
    .leftJoin(uploadSessions, isSession(uploadLinks.id, tx.credentials.uploadSession))
    .where(byHash)

/** In one statement, and in the one order in which all lock: project, batch, link. */
function locked(tx: Tx, byHash: SQL) {
  const ofLink = sql`(select batch_id from ${uploadLinks} where ${byHash})`
  const isOfLink = sql`${projects.id} = (select b.project_id from batches b where b.id = ${ofLink})`
  const project = lockedProject(tx, isOfLink, 'no key update')
  const batch = lockedBatch(tx, sql`${batches.id} = ${ofLink}`)
  const link = tx.db.$with('link').as(
    tx.db
      .select()
      .from(uploadLinks)
      .where(and(byHash, sql`${uploadLinks.batchId} = (select id from batch)`))
      .for('no key update'),
  )
  return tx.db.with(project, batch, link).select().from(link).innerJoin(batch, sql`true`).innerJoin(project, sql`true`)
}

/** The upload session that goes by this key; no condition is met where there is no key. */
export const isSession = (linkId: PgColumn | string, key: string | null) =>
  key !== null && isUuid(key) ? and(eq(uploadSessions.linkId, linkId), eq(uploadSessions.key, key)) : sql`false`

/** For the holder of the link: the token in the path is the right to it. */
export const byToken: Finder<'token', LinkInBatch> = {
  params: ['token'],
  find: (tx, { token }, lock) => findByToken(tx, token, lock),
}

/** The holder of a link acts as the link. */
export async function enterByLink(
  ctx: Context,
  { token }: Record<'token', string>,
): Promise<{ actor: Actor; resource: LinkInBatch }> {
  const resource = await findByLink(
    ctx,
    () => findByToken(reading(ctx), token, false),
    (found) => found.link.id,
  )
  const { id, label } = resource.link
  return { actor: { type: 'upload_link', id, name: label }, resource }
}

export const authenticateLink = async (ctx: Context, params: Record<'token', string>): Promise<Actor> =>
  (await enterByLink(ctx, params)).actor

import { eq } from 'drizzle-orm'
import { batches, projects } from '@/db/schema/projects'
import { uploadLinks } from '@/db/schema/upload-links'
import { type BatchInProject, findBatchById } from '../batches/find'
import { notFound } from '../kernel/errors'
import { type Context, type Finder, reading, type Tx } from '../kernel/operation'
import type { Actor } from '../kernel/permissions'
import { findByLink } from '../kernel/rate-limit'
import { findRow } from '../kernel/rows'
import { sha256Hex } from '../kernel/sha256'

export type LinkRow = typeof uploadLinks.$inferSelect
export type LinkInBatch = BatchInProject & { link: LinkRow }

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
  const [found] = await tx.db
    .select({ link: uploadLinks, batch: batches, project: projects })
    .from(uploadLinks)
    .innerJoin(batches, eq(batches.id, uploadLinks.batchId))
    .innerJoin(projects, eq(projects.id, batches.projectId))
    .where(eq(uploadLinks.tokenHash, sha256Hex(token)))
  if (!found) throw noSuchLink()
  if (!lock) return found
  // Locked in one order everywhere: project, batch, link.
  const [project] = await tx.db.select().from(projects).where(eq(projects.id, found.project.id)).for('share')
  const [batch] = await tx.db.select().from(batches).where(eq(batches.id, found.batch.id)).for('no key update')
  const [link] = await tx.db.select().from(uploadLinks).where(eq(uploadLinks.id, found.link.id)).for('no key update')
  if (!project || !batch || !link) throw noSuchLink()
  return { project, batch, link }
}

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

import { createHash } from 'node:crypto'
import { and, eq } from 'drizzle-orm'
import { costEstimates } from '@/db/schema/cost-estimates'
import { projects } from '@/db/schema/projects'
import { notFound } from '../kernel/errors'
import { type Context, type Finder, reading, type Tx } from '../kernel/operation'
import type { Actor } from '../kernel/permissions'
import { assertNotExhausted, LIMITS, takeShared } from '../kernel/rate-limit'
import { isUuid } from '../kernel/shapes'
import { visibleTo } from '../kernel/visibility'
import type { ProjectRow } from '../projects/find'

export type EstimateRow = typeof costEstimates.$inferSelect
export type EstimateInProject = { estimate: EstimateRow; project: ProjectRow }
/** With the estimate as it stood when somebody asked, which may be before another decision that was under way. */
export type AskedEstimate = EstimateInProject & { asked: EstimateRow }

/** The estimate as the actor may see it; locked: its project's status and the estimate itself hold still. */
export const onEstimate: Finder<'estimate_id', AskedEstimate> = {
  params: ['estimate_id'],
  async find(tx, { estimate_id }, lock) {
    const select = tx.db
      .select({ estimate: costEstimates, project: projects })
      .from(costEstimates)
      .innerJoin(projects, eq(projects.id, costEstimates.projectId))
      .where(and(eq(costEstimates.id, estimate_id), visibleTo(tx.actor)))
    const [found] = isUuid(estimate_id) ? await select : []
    if (!found) throw notFound('cost estimate', estimate_id)
    return { ...(lock ? await locked(tx, found) : found), asked: found.estimate }
  },
}

/** Locked in one order everywhere: project, then estimate. */
async function locked(tx: Tx, found: EstimateInProject): Promise<EstimateInProject> {
  const [project] = await tx.db.select().from(projects).where(eq(projects.id, found.project.id)).for('share')
  const [estimate] = await tx.db
    .select()
    .from(costEstimates)
    .where(eq(costEstimates.id, found.estimate.id))
    .for('no key update')
  if (!project || !estimate) throw notFound('cost estimate', found.estimate.id)
  return { project, estimate }
}

export const hashOf = (token: string) => createHash('sha256').update(token).digest('hex')

async function findByToken(tx: Tx, token: string, lock: boolean): Promise<EstimateInProject> {
  // Always hashed and looked up: a malformed token takes as long as an unknown one, and the answer repeats neither.
  const [found] = await tx.db
    .select({ estimate: costEstimates, project: projects })
    .from(costEstimates)
    .innerJoin(projects, eq(projects.id, costEstimates.projectId))
    .where(eq(costEstimates.tokenHash, hashOf(token)))
  if (!found) throw notFound('estimate link')
  return lock ? locked(tx, found) : found
}

/** For whoever holds the link: the token in the path is the right to it. */
export const byToken: Finder<'token', EstimateInProject> = {
  params: ['token'],
  find: (tx, { token }, lock) => findByToken(tx, token, lock),
}

/** The holder of the link acts as the client. Wrong tokens are counted by address. */
export async function becomeClient(ctx: Context, { token }: Record<'token', string>): Promise<Actor> {
  const address = ctx.address ?? 'unknown'
  await assertNotExhausted(ctx.db, LIMITS.publicLookUp, address, ctx.now)
  try {
    const { estimate } = await findByToken(reading(ctx), token, false)
    return { type: 'client', id: estimate.id, name: 'The client' }
  } catch (error) {
    await takeShared(ctx.db, LIMITS.publicLookUp, address, ctx.now)
    throw error
  }
}

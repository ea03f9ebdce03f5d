import { and, eq, or, type SQL, sql } from 'drizzle-orm'
import { costEstimates } from '@/db/schema/cost-estimates'
import { projects } from '@/db/schema/projects'
import { ROLES } from '@/lib/vocabulary'
import { forbidden, notFound, quote } from '../kernel/errors'
import { type Context, type Finder, reading, type Tx } from '../kernel/operation'
import type { Actor } from '../kernel/permissions'
import { findByLink } from '../kernel/rate-limit'
import { sha256Hex } from '../kernel/sha256'
import { isUuid } from '../kernel/shapes'
import { visibleTo } from '../kernel/visibility'
import type { ProjectRow } from '../projects/find'

export type EstimateRow = typeof costEstimates.$inferSelect
export type EstimateInProject = { estimate: EstimateRow; project: ProjectRow }
export type AskedEstimate = EstimateInProject & {
  /** The estimate as it stood when it was read, which may be before another decision that was under way. */
  asked: EstimateRow
  /** Whether the actor sees its project, and not this estimate alone because a step of its approval names them. */
  isInside: boolean
}

const stepsAs = (name: string) =>
  sql.raw(`jsonb_array_elements(cost_estimates.steps) with ordinality ${name}(step, at)`)

/**
 * A user whom a step of the approval names sees that estimate, in the project or not: they could not decide about it else.
 * A person from their step on; a role while its step is waited for, and afterwards the user who decided. What is being
 * written, and what never came to their step, they do not see.
 */
function namedApprover(actor: Actor): SQL | undefined {
  if (actor.type !== 'user') return undefined
  const named = JSON.stringify([{ user: { id: actor.id } }])
  const byName = sql`(${costEstimates.steps} @> ${named}::jsonb and exists (
    select 1 from ${stepsAs('theirs')} where theirs.step->'user'->>'id' = ${actor.id} and not exists (
      select 1 from ${stepsAs('before')} where before.at < theirs.at and before.step->>'status' <> 'approved')))`
  const roles = sql.join(
    ROLES.slice(0, ROLES.indexOf(actor.role) + 1).map((role) => sql`${role}`),
    sql`, `,
  )
  const byRole = sql`(${costEstimates.status} = 'awaiting_internal_approval'
    and (select now.step->>'role' from ${stepsAs('now')} where now.step->>'status' = 'pending' order by now.at limit 1) in (${roles})
    and (${costEstimates.allowOwn} or ${actor.id} not in (${costEstimates.createdBy}, coalesce(${costEstimates.submittedBy}, ${costEstimates.createdBy}))))`
  const decided = JSON.stringify([{ by: { id: actor.id } }])
  return or(byName, byRole, sql`${costEstimates.steps} @> ${decided}::jsonb`)
}

/** The condition by which an estimate is seen. */
export function visibleEstimate(actor: Actor): SQL | undefined {
  const inProject = visibleTo(actor, costEstimates.projectId)
  return inProject && or(inProject, namedApprover(actor))
}

/** Whether the project of a row is seen; for the columns of a query. */
const inSight = (actor: Actor) => sql<boolean>`${visibleTo(actor, costEstimates.projectId) ?? sql`true`}`

/** The estimate as the actor may see it; locked: its project's status and the estimate itself hold still. */
export const onEstimate: Finder<'estimate_id', AskedEstimate> = {
  params: ['estimate_id'],
  async find(tx, { estimate_id }, lock) {
    const select = tx.db
      .select({ estimate: costEstimates, project: projects, isInside: inSight(tx.actor) })
      .from(costEstimates)
      .innerJoin(projects, eq(projects.id, costEstimates.projectId))
      .where(and(eq(costEstimates.id, estimate_id), visibleEstimate(tx.actor)))
    const [found] = isUuid(estimate_id) ? await select : []
    if (!found) throw notFound('cost estimate', estimate_id)
    return { ...found, ...(lock ? await locked(tx, found) : {}), asked: found.estimate }
  },
}

/** The same for what is done with an estimate of one's own project. */
export const onOwnEstimate: Finder<'estimate_id', AskedEstimate> = {
  params: onEstimate.params,
  async find(tx, params, lock) {
    const on = await onEstimate.find(tx, params, lock)
    assertInside(on)
    return on
  },
}

/** @throws `forbidden` for a user who sees this estimate only because a step of its approval names them */
export function assertInside({ estimate, isInside }: AskedEstimate) {
  if (isInside) return
  throw forbidden(
    `You see the estimate ${quote(estimate.number)} because a step of its approval names you or your role; anything but that step is for members of its project. Ask one of them, or an administrator to make you a member.`,
  )
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

async function findByToken(tx: Tx, token: string, lock: boolean): Promise<EstimateInProject> {
  // Always hashed and looked up: a malformed token takes as long as an unknown one, and the response repeats neither.
  const [found] = await tx.db
    .select({ estimate: costEstimates, project: projects })
    .from(costEstimates)
    .innerJoin(projects, eq(projects.id, costEstimates.projectId))
    .where(eq(costEstimates.tokenHash, sha256Hex(token)))
  if (!found) throw notFound('estimate link')
  return lock ? locked(tx, found) : found
}

/** For the holder of the link: the token in the path is the right to it. */
export const byToken: Finder<'token', EstimateInProject> = {
  params: ['token'],
  find: (tx, { token }, lock) => findByToken(tx, token, lock),
}

/** The holder of the link acts as the client. */
export async function authenticateClient(ctx: Context, { token }: Record<'token', string>): Promise<Actor> {
  const { estimate } = await findByLink(
    ctx,
    () => findByToken(reading(ctx), token, false),
    (found) => found.estimate.id,
  )
  return { type: 'client', id: estimate.id, name: 'The client' }
}

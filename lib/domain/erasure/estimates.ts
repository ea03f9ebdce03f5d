import { and, eq, isNull, type SQL, sql } from 'drizzle-orm'
import { costEstimateDecisions, costEstimateRevisions, costEstimates } from '@/db/schema/cost-estimates'
import { ERASED_PERSON } from '@/lib/vocabulary'
import { type AskedEstimate, onEstimate } from '../cost-estimates/find'
import { invalidState } from '../kernel/errors'
import { command, query, type Tx } from '../kernel/operation'
import { assertNotHeld, holdOn } from '../projects/holds'
import { Erasure } from './schema'
import { countsOf, forget, rewriteTexts } from './texts'

/** What an estimate and its earlier revisions say of people. */

type Json = Record<string, unknown>
const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)

/** A copy in which each object that is the person has no name any more. */
function withoutName<T>(value: T, isPerson: (object: Json) => boolean): T {
  if (Array.isArray(value)) return value.map((each) => withoutName(each, isPerson)) as T
  if (!isObject(value)) return value
  const inner = Object.fromEntries(Object.entries(value).map(([key, each]) => [key, withoutName(each, isPerson)]))
  return (isPerson(value) ? { ...inner, name: ERASED_PERSON } : inner) as T
}

/** Whether a step names the user, or was decided by them; as the index of steps has it. */
function inSteps(userId: string): SQL {
  const [named, decided] = [{ user: { id: userId } }, { by: { id: userId } }].map((part) => JSON.stringify([part]))
  return sql`(${costEstimates.steps} @> ${named}::jsonb or ${costEstimates.steps} @> ${decided}::jsonb)`
}

/** The ids of the estimates that name the user, now or in an earlier revision, or that the user decided on; as a SELECT. */
export const estimatesNaming = (userId: string): SQL => sql`
  select id from ${costEstimates} where ${inSteps(userId)}
  union select estimate_id from ${costEstimateRevisions} where ${costEstimateRevisions.snapshot}::text like ${`%${userId}%`}
  union select estimate_id from ${costEstimateDecisions} where ${costEstimateDecisions.userId} = ${userId}`

/** The user's name in the steps of estimates, and in their earlier revisions. */
export async function rewriteEstimates(tx: Tx, userId: string) {
  const isUser = (object: Json) => object.id === userId && typeof object.name === 'string'
  const mentions = `%${userId}%`
  const waiting = await tx.db
    .select({ id: costEstimates.id, steps: costEstimates.steps })
    .from(costEstimates)
    .where(inSteps(userId))
    .orderBy(costEstimates.id)
    .for('no key update')
  for (const { id, steps } of waiting)
    await tx.db
      .update(costEstimates)
      .set({ steps: withoutName(steps, isUser) })
      .where(eq(costEstimates.id, id))
  const revisions = await tx.db
    .select({ id: costEstimateRevisions.id, snapshot: costEstimateRevisions.snapshot })
    .from(costEstimateRevisions)
    .where(sql`${costEstimateRevisions.snapshot}::text like ${mentions}`)
  for (const { id, snapshot } of revisions)
    await tx.db
      .update(costEstimateRevisions)
      .set({ snapshot: withoutName(snapshot, isUser) })
      .where(eq(costEstimateRevisions.id, id))
}

const byClient = (estimateId: string) =>
  and(
    eq(costEstimateDecisions.estimateId, estimateId),
    eq(costEstimateDecisions.side, 'client'),
    isNull(costEstimateDecisions.userId),
  )

/** The events in which the client of the estimate decided; as a condition on `e`. */
const ofClient = (estimateId: string) =>
  sql`e.subject_id = ${estimateId} and (e.actor_type = 'client' or e.type in ('estimate.approved', 'estimate.rejected'))`

async function survey(tx: Tx, { estimate, project }: AskedEstimate) {
  const decisions = await tx.db.select().from(costEstimateDecisions).where(byClient(estimate.id))
  const names = [...new Set(decisions.map(({ name }) => name))].filter((name) => name !== ERASED_PERSON)
  if (names.length === 0)
    throw invalidState('No client has decided on this estimate under a name that could be erased.', 'none', ['decided'])
  const [counted] = await tx.db.execute<Record<string, number>>(sql`
    with events_of as (select e.id, e.data::text like '%"sealed:1:%' as is_sealed from events e where ${ofClient(estimate.id)})
    select
      (select count(*)::int from notifications n join events_of e on e.id = n.event_id) as others_notifications,
      (select count(*)::int from webhook_deliveries d join events_of e on e.id = d.event_id) as webhook_deliveries,
      (select count(*)::int from events_of where is_sealed) as audit_events,
      (select count(*)::int from events_of where not is_sealed) as earlier_audit_events`)
  const of = <Place extends string>(place: Place) => ({ place, count: counted?.[place] ?? 0 })
  const hold = await holdOn(tx, project)
  const erasure: Erasure = {
    person: { id: estimate.id, name: names.join(', ') },
    erased: [
      { place: 'estimates', count: decisions.length },
      of('others_notifications'),
      of('webhook_deliveries'),
      of('audit_events'),
    ],
    kept: [of('earlier_audit_events')],
    held_projects: hold ? [{ id: project.id, name: project.name }] : [],
  }
  return { erasure, names }
}

export const previewClientErasure = query({
  name: 'previewClientErasure',
  summary: 'What erasing the client who decided on an estimate would erase and where, and what it cannot reach',
  permission: 'users.manage',
  resource: onEstimate,
  output: Erasure,
  run: async (tx, { resource }) => (await survey(tx, resource)).erasure,
})

export const eraseClient = command({
  name: 'eraseClient',
  summary: 'Erase the names and addresses under which a client decided on an estimate; the decisions stay',
  permission: 'users.manage',
  resource: onEstimate,
  output: Erasure,
  async run(tx, { resource }) {
    const { estimate, project } = resource
    await assertNotHeld(tx, project)
    const { erasure, names } = await survey(tx, resource)
    await rewriteTexts(tx, ofClient(estimate.id), names)
    await tx.db.update(costEstimateDecisions).set({ name: ERASED_PERSON, address: null }).where(byClient(estimate.id))
    const revisions = await tx.db
      .select({ id: costEstimateRevisions.id, snapshot: costEstimateRevisions.snapshot })
      .from(costEstimateRevisions)
      .where(eq(costEstimateRevisions.estimateId, estimate.id))
    // A client has no id; users always do.
    const isClient = ({ id, name }: Json) => id === null && typeof name === 'string' && names.includes(name)
    for (const { id, snapshot } of revisions)
      await tx.db
        .update(costEstimateRevisions)
        .set({ snapshot: withoutName(snapshot, isClient) })
        .where(eq(costEstimateRevisions.id, id))
    await forget(tx, estimate.id)
    await tx.record({
      type: 'estimate.client_erased',
      projectId: project.id,
      subjectId: estimate.id,
      data: { number: estimate.number, erased: countsOf(erasure.erased), kept: countsOf(erasure.kept) },
    })
    return { ...erasure, person: { id: estimate.id, name: ERASED_PERSON } }
  },
})

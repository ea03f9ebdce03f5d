import { and, asc, min, sql } from 'drizzle-orm'
import { events } from '@/db/schema/events'
import { projects } from '@/db/schema/projects'
import { uploadLinks } from '@/db/schema/upload-links'
import type { Holder, ProjectStatus } from '@/lib/vocabulary'
import type { Tx } from '../kernel/operation'
import { idArray, isAnyOf } from '../kernel/rows'
import { iso, isoOrNull } from '../kernel/shapes'
import type { BatchRow } from './find'
import { holderOf } from './rules'
import type { Turn } from './schema'

/** From this time on the batch was with this side, or with neither. */
type Step = { at: Date; holder: Holder | null }
/** From this time on the project was active, or not. */
type Change = { at: Date; isActive: boolean }

/**
 * Whose turn it is, since when, and what each side has used: the clock of one side runs only while it holds the batch,
 * and both stand while the project is not active. Seconds count up to `as_of`, the last time a clock was started or
 * stopped, so that the response changes only when something happened.
 */
export function turnOf(steps: readonly Step[], changes: readonly Change[]): Turn {
  const timeline = [
    ...steps.map((step) => ({ at: step.at, step })),
    ...changes.map((change) => ({ at: change.at, change })),
  ].sort((a, b) => a.at.getTime() - b.at.getTime())
  const used = { agency: 0, service: 0 }
  let holder: Holder | null = null
  let since: Date | null = null
  let pausedSince: Date | null = null
  let last = timeline[0]?.at ?? null
  for (const entry of timeline) {
    if (last && holder && !pausedSince) used[holder] += entry.at.getTime() - last.getTime()
    last = entry.at
    if ('change' in entry) {
      if (entry.change.isActive) pausedSince = null
      else pausedSince ??= entry.at
    } else if (since === null || entry.step.holder !== holder) {
      // Submitted once more while it is with us: no new turn.
      holder = entry.step.holder
      since = entry.at
    }
  }
  return {
    holder,
    since: isoOrNull(since),
    paused_since: holder ? isoOrNull(pausedSince) : null,
    agency_seconds: Math.round(used.agency / 1000),
    service_seconds: Math.round(used.service / 1000),
    as_of: last ? iso(last) : null,
  }
}

/** Written out: by parameters the database would not see that `events_turned_index` has them all. */
const TURNING = sql`${events.type} in ('batch.submitted', 'batch.review_completed', 'batch.resupplied', 'batch.cancelled')`

/** What the agency is asked for while it cannot send by any link is with us: a batch is with it from its first link on. */
function withLinks(steps: readonly Step[], linkedAt: Date | null): Step[] {
  return steps.flatMap((step, index): Step[] => {
    if (step.holder !== 'agency' || (linkedAt && linkedAt <= step.at)) return [step]
    const until = steps[index + 1]?.at
    const ours: Step = { at: step.at, holder: 'service' }
    return linkedAt && (!until || linkedAt < until) ? [ours, { at: linkedAt, holder: 'agency' }] : [ours]
  })
}

/** What a batch shows of its project, and what its turn depends on. */
type ProjectNow = Pick<typeof projects.$inferSelect, 'id' | 'name' | 'agencyId' | 'status' | 'updatedAt'>

/** The projects of these batches as they are now, by their ids. */
export async function projectsOf(tx: Tx, rows: readonly BatchRow[]): Promise<Map<string, ProjectNow>> {
  const { id, name, agencyId, status, updatedAt } = projects
  const found = await tx.db
    .select({ id, name, agencyId, status, updatedAt })
    .from(projects)
    .where(
      isAnyOf(
        id,
        rows.map(({ projectId }) => projectId),
      ),
    )
  return new Map(found.map((project) => [project.id, project]))
}

/** The turns of these batches, read from what happened to them and to their projects: a few questions for all of them. */
export async function turnsOf(
  tx: Tx,
  rows: readonly BatchRow[],
  projectOf: ReadonlyMap<string, ProjectNow>,
): Promise<Map<string, Turn>> {
  if (rows.length === 0) return new Map()
  const batchIds = rows.map(({ id }) => id)
  const happened = await tx.db
    .select({ batchId: events.batchId, type: events.type, data: events.data, at: events.createdAt })
    .from(events)
    // Past the planner, which would take many of a batch's events for these where it has many, and read all of these types.
    .where(and(sql`${events.batchId} = any(array(select unnest(${idArray(batchIds)})))`, TURNING))
    .orderBy(asc(events.createdAt), asc(events.sequence))
  const statusAfter = sql<ProjectStatus | null>`${events.data} -> 'after' ->> 'status'`
  const changed = await tx.db
    .select({ projectId: events.projectId, status: statusAfter, at: events.createdAt })
    .from(events)
    .where(
      and(
        isAnyOf(events.projectId, projectOf.keys()),
        sql`${events.type} = 'project.updated'`,
        sql`${statusAfter} is not null`,
      ),
    )
    .orderBy(asc(events.createdAt), asc(events.sequence))
  const linked = await tx.db
    .select({ batchId: uploadLinks.batchId, at: min(uploadLinks.createdAt) })
    .from(uploadLinks)
    .where(isAnyOf(uploadLinks.batchId, batchIds))
    .groupBy(uploadLinks.batchId)
  const linkedAt = new Map(linked.map(({ batchId, at }) => [batchId, at]))
  const happenedIn = byKey(happened, ({ batchId }) => batchId)
  const changedIn = byKey(changed, ({ projectId }) => projectId)
  return new Map(
    rows.map((batch) => {
      const steps: Step[] = [{ at: batch.createdAt, holder: 'agency' }]
      let isResupplied = false
      for (const { type, data, at } of happenedIn.get(batch.id) ?? []) {
        const isOurs = type === 'batch.submitted' || type === 'batch.resupplied'
        const holder = isOurs ? 'service' : data.outcome === 'awaiting_resupply' ? 'agency' : null
        steps.push({ at, holder })
        isResupplied = type === 'batch.resupplied'
      }
      const changes: Change[] = (changedIn.get(batch.projectId) ?? []).map(({ status, at }) => ({
        at,
        isActive: status === 'active',
      }))
      const project = projectOf.get(batch.projectId)
      // What holds now is in the rows; where no event says since when, the row's own time does.
      const isUnchanged = isResupplied && batch.status === 'awaiting_resupply'
      if (!isUnchanged && steps.at(-1)?.holder !== holderOf(batch.status))
        steps.push({ at: batch.reviewedAt ?? batch.submittedAt ?? batch.updatedAt, holder: holderOf(batch.status) })
      const isActive = project?.status === 'active'
      if (project && (changes.at(-1)?.isActive ?? true) !== isActive) changes.push({ at: project.updatedAt, isActive })
      return [batch.id, turnOf(withLinks(steps, linkedAt.get(batch.id) ?? null), changes)] as const
    }),
  )
}

function byKey<T>(rows: readonly T[], keyOf: (row: T) => string | null): Map<string | null, T[]> {
  const found = new Map<string | null, T[]>()
  for (const row of rows) {
    const known = found.get(keyOf(row))
    if (known) known.push(row)
    else found.set(keyOf(row), [row])
  }
  return found
}

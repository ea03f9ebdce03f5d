import { and, inArray, sql } from 'drizzle-orm'
import { batches, projects } from '@/db/schema/projects'
import { type BatchStatus, type DueState, WORK_PARTS, WORK_TASKS, type WorkPart, type WorkTask } from '@/lib/vocabulary'
import { query, type Tx } from '../kernel/operation'
import { isAmong } from '../kernel/rows'
import { foreignCursor, page } from '../kernel/shapes'
import { visibleTo } from '../kernel/visibility'
import { countsById, NOTHING } from './counts'
import { projectsWhere, RUNNING } from './find'
import { presentPlaced } from './queries'
import { dueStateOf, partOfWork, taskOf } from './rules'
import { FindNextWork, ListMyWork, MyWork, NextWork, type WorkItem } from './schema'

const UNFINISHED = ['open', 'in_review', 'awaiting_resupply'] as const
const URGENCY: readonly (DueState | null)[] = ['late', 'at_risk', 'on_track', 'met', null]

/** A batch of theirs. By `place`, a text, they are in order: what waits for them first, the most urgent before the others. */
type Mine = { id: string; task: WorkTask; part: WorkPart; place: string }
const PLACE = /^\d{3} \d{4}-\d\d-\d\d \S+ \S+ [\da-f-]{36}$/

type Row = {
  id: string
  status: BatchStatus
  operator_id: string | null
  coordinator_id: string | null
  due_on: string | null
  since: string
}

/** The unfinished batches the actor is operator or coordinator of, in order, without what a page shows of them. */
async function workOf(tx: Tx): Promise<Mine[]> {
  if (tx.actor.type !== 'user') throw new Error('Work is done by people.')
  const me = tx.actor
  // Found from the indexes of people alone: most of a person's batches may be in projects that do not go on.
  const running = projectsWhere(and(inArray(projects.status, [...RUNNING]), visibleTo(me)))
  const theirs = [batches.operatorId, batches.coordinatorId].map(
    (person) => sql`select id, status, operator_id, coordinator_id, due_on::text as due_on,
        greatest(created_at, submitted_at, reviewed_at)::text as since
      from ${batches} where ${person} = ${me.id} and ${inArray(batches.status, [...UNFINISHED])}
        and ${isAmong(batches.projectId, sql`select id from running`)}`,
  )
  const rows: Row[] = await tx.db.execute<Row>(
    sql`with running as materialized (${running}) ${sql.join(theirs, sql` union `)}`,
  )
  // What is in review waits for its operator, whatever it holds.
  const counts = await countsById(
    tx,
    rows.flatMap(({ id, status }) => (status === 'in_review' ? [] : [id])),
  )
  return rows
    .map((row) => {
      const { files, rejected } = counts.get(row.id) ?? NOTHING
      const isResupplied = row.status === 'awaiting_resupply' && rejected === 0
      const people = { operatorId: row.operator_id, coordinatorId: row.coordinator_id }
      const task = taskOf({ status: row.status, files, isResupplied, ...people }, me)
      const due = dueStateOf({ dueOn: row.due_on, status: row.status, reviewedAt: null }, tx.now)
      const part = partOfWork(task, due)
      const urgency = [WORK_PARTS.indexOf(part), WORK_TASKS.indexOf(task), URGENCY.indexOf(due)].join('')
      return { id: row.id, task, part, place: `${urgency} ${row.due_on ?? '0000-00-00'} ${row.since} ${row.id}` }
    })
    .sort((a, b) => (a.place < b.place ? -1 : 1))
}

async function presentWork(tx: Tx, work: readonly Mine[]): Promise<WorkItem[]> {
  const taskById = new Map(work.map(({ id, task }) => [id, task]))
  const placed = await presentPlaced(tx, [...taskById.keys()])
  return placed.map((batch) => ({ ...batch, task: taskById.get(batch.id) ?? 'wait' }))
}

/** @throws `invalid_query` for a cursor that is not ours */
function placeOf(cursor: string): string {
  const place = Buffer.from(cursor, 'base64url').toString()
  if (!PLACE.test(place)) throw foreignCursor(cursor)
  return place
}

export const listMyWork = query({
  name: 'listMyWork',
  summary: 'The unfinished batches you are operator or coordinator of: what waits for you first, the most urgent first',
  permission: 'projects.read',
  input: ListMyWork,
  output: MyWork,
  async run(tx, { input }) {
    const work = await workOf(tx)
    const after = input.cursor === undefined ? '' : placeOf(input.cursor)
    const { rows, next_cursor } = page(
      work.filter(({ place }) => place > after),
      input.limit,
      ({ place }) => Buffer.from(place).toString('base64url'),
    )
    const count = (part: WorkPart) => work.filter((batch) => batch.part === part).length
    return {
      batches: await presentWork(tx, rows),
      counts: { late: count('late'), review: count('review'), submit: count('submit'), wait: count('wait') },
      next_cursor,
    }
  },
})

/** For the screen of a batch: what to go on with once nothing of it waits for the reader. */
export const findNextWork = query({
  name: 'findNextWork',
  summary: 'The most urgent batch that waits for you; none while this one does',
  permission: 'projects.read',
  input: FindNextWork,
  output: NextWork,
  async run(tx, { input }) {
    const waiting = (await workOf(tx)).filter(({ task }) => task !== 'wait')
    if (waiting.some(({ id }) => id === input.after)) return { batch: null }
    const [batch = null] = await presentWork(tx, waiting.slice(0, 1))
    return { batch }
  },
})

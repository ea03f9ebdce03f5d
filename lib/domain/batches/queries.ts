import { and, desc, eq, inArray, lt, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { agencies, mediaCategories, users } from '@/db/schema/directory'
import { batches, projects } from '@/db/schema/projects'
import type { BatchPreQcStatus, DueState, WorkTask } from '@/lib/vocabulary'
import { query, type Tx } from '../kernel/operation'
import { isAmong, isAnyOf, namesById } from '../kernel/rows'
import { decodeCursor, iso, isoOrNull, page, upTo } from '../kernel/shapes'
import { visibleTo } from '../kernel/visibility'
import { inProject } from '../projects/find'
import { type BatchCounts, countsById, NOTHING } from './counts'
import { coversOf } from './covers'
import { onBatch, projectsWhere, RUNNING } from './find'
import { dueStateOf, taskOf } from './rules'
import { Batch, BatchList, type BrowsedBatches, ListBatches, MyWork, type Turn } from './schema'
import { projectsOf, turnOf, turnsOf } from './turns'

const operators = alias(users, 'operators')
const coordinators = alias(users, 'coordinators')

type ProjectsNow = Awaited<ReturnType<typeof projectsOf>>
const listed = (tx: Tx) =>
  tx.db
    .select({
      batch: batches,
      categoryName: mediaCategories.name,
      operatorName: operators.name,
      coordinatorName: coordinators.name,
      preQcEnabled: sql<boolean>`((select pre_qc_enabled from service_settings where id = 1) is not false and (${mediaCategories.preQc} ->> 'enabled')::boolean)`,
    })
    .from(batches)
    .innerJoin(mediaCategories, eq(mediaCategories.id, batches.mediaCategoryId))
    .leftJoin(operators, eq(operators.id, batches.operatorId))
    .leftJoin(coordinators, eq(coordinators.id, batches.coordinatorId))

type Row = Awaited<ReturnType<typeof listed>>[number]

function preQcStatus(enabled: boolean, { queued, running, completed, failed }: BatchCounts): BatchPreQcStatus {
  const done = completed + failed
  if (running > 0) return 'running'
  if (queued > 0) return done > 0 ? 'running' : 'queued'
  if (done > 0) return 'completed'
  return enabled ? 'idle' : 'disabled'
}

async function presentAll(tx: Tx, rows: readonly Row[], projectOf?: ProjectsNow): Promise<Batch[]> {
  const shown = rows.map(({ batch }) => batch)
  const turns = await turnsOf(tx, shown, projectOf ?? (await projectsOf(tx, shown)))
  const counts = await countsById(
    tx,
    shown.map(({ id }) => id),
  )
  return rows.map((row) =>
    present(row, turns.get(row.batch.id) ?? turnOf([], []), counts.get(row.batch.id) ?? NOTHING, tx.now),
  )
}

function present(
  { batch, categoryName, operatorName, coordinatorName, preQcEnabled }: Row,
  turn: Turn,
  counts: BatchCounts,
  now: Date,
): Batch {
  const dueState = dueStateOf(batch, now)
  return {
    id: batch.id,
    project_id: batch.projectId,
    name: batch.name,
    status: batch.status,
    media_category: { id: batch.mediaCategoryId, name: categoryName },
    operator: batch.operatorId && operatorName ? { id: batch.operatorId, name: operatorName } : null,
    coordinator: batch.coordinatorId && coordinatorName ? { id: batch.coordinatorId, name: coordinatorName } : null,
    naming_template: batch.namingTemplate,
    required_copy: batch.requiredCopy,
    destinations: batch.destinations,
    round: batch.round,
    counts: {
      files: counts.files,
      total_size: counts.totalSize,
      approved: counts.approved,
      rejected: counts.rejected,
      pending: counts.pending,
    },
    pre_qc: {
      status: preQcStatus(preQcEnabled, counts),
      pass: counts.pass,
      warning: counts.warning,
      fail: counts.fail + counts.failed,
    },
    turn,
    due: batch.dueOn && dueState ? { on: batch.dueOn, state: dueState } : null,
    submitted_at: isoOrNull(batch.submittedAt),
    reviewed_at: isoOrNull(batch.reviewedAt),
    created_at: iso(batch.createdAt),
    updated_at: iso(batch.updatedAt),
  }
}

export const listBatches = query({
  name: 'listBatches',
  summary: 'The batches of a project, newest first',
  permission: 'projects.read',
  resource: inProject,
  input: ListBatches,
  output: BatchList,
  async run(tx, { resource: project, input }) {
    const rows = await listed(tx)
      .where(
        and(
          eq(batches.projectId, project.id),
          input.status && eq(batches.status, input.status),
          input.cursor ? lt(batches.id, decodeCursor(input.cursor)) : undefined,
        ),
      )
      .orderBy(desc(batches.id))
      .limit(upTo(input.limit))
    const { rows: shown, next_cursor } = page(
      rows.map((row) => ({ ...row, id: row.batch.id })),
      input.limit,
    )
    return { batches: await presentAll(tx, shown), next_cursor }
  },
})

/** The batches with these ids, in their order, with their projects and agencies and images of their newest files. */
export async function presentPlaced(tx: Tx, ids: readonly string[]): Promise<BrowsedBatches['batches']> {
  if (ids.length === 0) return []
  const rows = await listed(tx).where(isAnyOf(batches.id, ids))
  const projectOf = await projectsOf(
    tx,
    rows.map(({ batch }) => batch),
  )
  const agencyOf = await namesById(
    tx,
    agencies,
    [...projectOf.values()].map(({ agencyId }) => agencyId),
  )
  const listedOf = new Map((await presentAll(tx, rows, projectOf)).map((batch) => [batch.id, batch]))
  const covers = await coversOf(tx, 'batch', ids)
  return ids.flatMap((id) => {
    const batch = listedOf.get(id)
    const project = batch && projectOf.get(batch.project_id)
    const agency = project && agencyOf.get(project.agencyId)
    return agency
      ? [{ ...batch, project: { id: project.id, name: project.name }, agency, covers: covers.get(id) ?? [] }]
      : []
  })
}

/** The batch as the interface shows it. */
export async function serializeBatch(tx: Tx, id: string): Promise<Batch> {
  const [row] = await listed(tx).where(eq(batches.id, id))
  const [batch] = row ? await presentAll(tx, [row]) : []
  if (!batch) throw new Error(`Batch ${id} vanished while it was read.`)
  return batch
}

export const getBatch = query({
  name: 'getBatch',
  summary: 'One batch with its counts and the state of its Pre-QC',
  permission: 'projects.read',
  resource: onBatch,
  isVersioned: true,
  output: Batch,
  run: (tx, { resource }) => serializeBatch(tx, resource.batch.id),
})

const OPEN_STATUSES = ['open', 'in_review', 'awaiting_resupply'] as const
const URGENCY: readonly (DueState | null)[] = ['late', 'at_risk', 'on_track', 'met', null]
const TASK_ORDER: readonly WorkTask[] = ['review', 'submit', 'wait']

export const listMyWork = query({
  name: 'listMyWork',
  summary: 'The unfinished batches you are operator or coordinator of: what waits for you first, the most urgent first',
  permission: 'projects.read',
  output: MyWork,
  async run(tx) {
    if (tx.actor.type !== 'user') throw new Error('Work is done by people.')
    const me = tx.actor
    // Found from the indexes of people alone: most of a person's batches may be in projects that do not go on.
    const running = projectsWhere(and(inArray(projects.status, [...RUNNING]), visibleTo(me)))
    const theirs = [batches.operatorId, batches.coordinatorId].map(
      (person) => sql`select ${batches.id} from ${batches} where ${person} = ${me.id}
        and ${inArray(batches.status, [...OPEN_STATUSES])} and ${isAmong(batches.projectId, sql`select id from running`)}`,
    )
    const found = await tx.db.execute<{ id: string }>(
      sql`with running as materialized (${running}) ${sql.join(theirs, sql` union `)} order by 1 desc`,
    )
    const ids = found.map(({ id }) => id)
    const items = (await presentPlaced(tx, ids)).map((batch) => {
      const people = { operatorId: batch.operator?.id ?? null, coordinatorId: batch.coordinator?.id ?? null }
      const task = taskOf(
        { status: batch.status, files: batch.counts.files, isResupplied: isResupplied(batch), ...people },
        me,
      )
      return { ...batch, task }
    })
    items.sort(
      (a, b) =>
        TASK_ORDER.indexOf(a.task) - TASK_ORDER.indexOf(b.task) ||
        URGENCY.indexOf(a.due?.state ?? null) - URGENCY.indexOf(b.due?.state ?? null) ||
        (a.due?.on ?? '').localeCompare(b.due?.on ?? '') ||
        (a.turn.since ?? '').localeCompare(b.turn.since ?? ''),
    )
    return { batches: items, next_cursor: null }
  },
})

/** Nothing rejected is left in a batch that awaits a resupply. */
const isResupplied = (batch: Batch) => batch.status === 'awaiting_resupply' && batch.counts.rejected === 0

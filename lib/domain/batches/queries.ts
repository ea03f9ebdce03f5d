import { and, desc, eq, inArray, lt, or, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { agencies, mediaCategories, users } from '@/db/schema/directory'
import { files } from '@/db/schema/files'
import { batches, manifestEntries, projects } from '@/db/schema/projects'
import type { BatchPreQcStatus, DueState, WorkTask } from '@/lib/vocabulary'
import { query, type Tx } from '../kernel/operation'
import { decodeCursor, iso, isoOrNull, page, upTo } from '../kernel/shapes'
import { visibleTo } from '../kernel/visibility'
import { inProject } from '../projects/find'
import { onBatch } from './find'
import { dueStateOf, namesOfVersions, taskOf } from './rules'
import { Batch, BatchList, ListBatches, Manifest, MyWork, type Turn } from './schema'
import { turnOf, turnsOf } from './turns'

const operators = alias(users, 'operators')
const coordinators = alias(users, 'coordinators')

type Ref = { id: string; name: string }
type FileCounts = { files: number; total_size: number; approved: number; rejected: number; pending: number }
type ResultCounts = { queued: number; running: number; completed: number; pass: number; warning: number; fail: number }

const listed = (tx: Tx) =>
  tx.db
    .select({
      batch: batches,
      categoryName: mediaCategories.name,
      operatorName: operators.name,
      coordinatorName: coordinators.name,
      fileCounts: sql<FileCounts>`(
        select json_build_object('files', count(*), 'total_size', coalesce(sum(f.size), 0),
          'approved', count(*) filter (where f.decision = 'approved'), 'rejected', count(*) filter (where f.decision = 'rejected'),
          'pending', count(*) filter (where f.decision = 'pending'))
        from files f where f.batch_id = ${batches.id} and f.is_current)`,
      resultCounts: sql<ResultCounts>`(
        select json_build_object('queued', count(*) filter (where r.status = 'queued'), 'running', count(*) filter (where r.status = 'running'),
          'completed', count(*) filter (where r.status in ('completed', 'failed')), 'pass', count(*) filter (where r.summary = 'pass'),
          'warning', count(*) filter (where r.summary = 'warning'), 'fail', count(*) filter (where r.summary = 'fail' or r.status = 'failed'))
        from pre_qc_results r join files f on f.id = r.file_id where r.batch_id = ${batches.id} and r.is_current and f.is_current)`,
      preQcEnabled: sql<boolean>`((select pre_qc_enabled from service_settings where id = 1) is not false and (${mediaCategories.preQc} ->> 'enabled')::boolean)`,
    })
    .from(batches)
    .innerJoin(mediaCategories, eq(mediaCategories.id, batches.mediaCategoryId))
    .leftJoin(operators, eq(operators.id, batches.operatorId))
    .leftJoin(coordinators, eq(coordinators.id, batches.coordinatorId))

type Row = Awaited<ReturnType<typeof listed>>[number]

function preQcStatus(enabled: boolean, counts: ResultCounts): BatchPreQcStatus {
  if (counts.running > 0) return 'running'
  if (counts.queued > 0) return counts.completed > 0 ? 'running' : 'queued'
  if (counts.completed > 0) return 'completed'
  return enabled ? 'idle' : 'disabled'
}

async function presentAll(tx: Tx, rows: readonly Row[]): Promise<Batch[]> {
  const turns = await turnsOf(
    tx,
    rows.map(({ batch }) => batch),
  )
  return rows.map((row) => present(row, turns.get(row.batch.id) ?? turnOf([], []), tx.now))
}

function present(
  { batch, categoryName, operatorName, coordinatorName, fileCounts, resultCounts, preQcEnabled }: Row,
  turn: Turn,
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
    round: batch.round,
    counts: fileCounts,
    pre_qc: {
      status: preQcStatus(preQcEnabled, resultCounts),
      pass: resultCounts.pass,
      warning: resultCounts.warning,
      fail: resultCounts.fail,
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
    const rows = await listed(tx)
      .innerJoin(projects, eq(projects.id, batches.projectId))
      .innerJoin(agencies, eq(agencies.id, projects.agencyId))
      .where(
        and(
          inArray(batches.status, [...OPEN_STATUSES]),
          inArray(projects.status, ['active', 'on_hold']),
          or(eq(batches.operatorId, me.id), eq(batches.coordinatorId, me.id)),
          visibleTo(me),
        ),
      )
      .orderBy(desc(batches.id))
    const shown = await presentAll(tx, rows)
    const places = await placesOf(tx, [...new Set(shown.map((batch) => batch.project_id))])
    const items = shown.flatMap((batch) => {
      const place = places.get(batch.project_id)
      const people = { operatorId: batch.operator?.id ?? null, coordinatorId: batch.coordinator?.id ?? null }
      const task = taskOf(
        { status: batch.status, files: batch.counts.files, isResupplied: isResupplied(batch), ...people },
        me,
      )
      return place ? [{ ...batch, ...place, task }] : []
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

async function placesOf(tx: Tx, projectIds: string[]) {
  if (projectIds.length === 0) return new Map<string, { project: Ref; agency: Ref }>()
  const rows = await tx.db
    .select({ project: { id: projects.id, name: projects.name }, agency: { id: agencies.id, name: agencies.name } })
    .from(projects)
    .innerJoin(agencies, eq(agencies.id, projects.agencyId))
    .where(inArray(projects.id, projectIds))
  return new Map(rows.map((row) => [row.project.id, row]))
}

/** What was expected, what came, what is missing, what came unasked. */
export async function manifestOf(tx: Tx, batchId: string): Promise<Manifest> {
  const entries = await tx.db
    .select()
    .from(manifestEntries)
    .where(eq(manifestEntries.batchId, batchId))
    .orderBy(manifestEntries.position)
  const versions = await tx.db
    .select({
      id: files.id,
      name: files.name,
      nameKey: files.nameKey,
      decision: files.decision,
      isCurrent: files.isCurrent,
      supersedesId: files.supersedesId,
    })
    .from(files)
    .where(eq(files.batchId, batchId))
    .orderBy(files.nameKey)
  // A file counts for the names of its earlier versions, too: a resupply may have another name.
  const received = namesOfVersions(versions)
  const byKey = new Map(received.flatMap(({ file, keys }) => keys.map((key) => [key, file] as const)))
  const expected = new Set(entries.map((entry) => entry.nameKey))
  const listedFiles = entries.map((entry) => {
    const file = byKey.get(entry.nameKey)
    const status = !file
      ? ('missing' as const)
      : file.decision === 'rejected'
        ? ('rejected' as const)
        : ('received' as const)
    return { name: entry.name, note: entry.note, status }
  })
  const unexpected =
    entries.length === 0
      ? []
      : received.filter(({ keys }) => !keys.some((key) => expected.has(key))).map(({ file }) => ({ name: file.name }))
  const missing = listedFiles.filter((file) => file.status === 'missing').length
  return {
    files: listedFiles,
    unexpected,
    counts: { expected: entries.length, received: entries.length - missing, missing, unexpected: unexpected.length },
  }
}

export const getManifest = query({
  name: 'getManifest',
  summary: 'The delivery manifest of a batch: expected, received, missing, unexpected',
  permission: 'projects.read',
  resource: onBatch,
  isVersioned: true,
  output: Manifest,
  run: (tx, { resource }) => manifestOf(tx, resource.batch.id),
})

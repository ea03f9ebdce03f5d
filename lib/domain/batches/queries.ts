import { eq, sql } from 'drizzle-orm'
import { agencies, mediaCategories, users } from '@/db/schema/directory'
import { batches } from '@/db/schema/projects'
import type { BatchPreQcStatus } from '@/lib/vocabulary'
import { query, type Tx } from '../kernel/operation'
import { isAnyOf, listNewest, namesById } from '../kernel/rows'
import { iso, isoOrNull } from '../kernel/shapes'
import { inProject } from '../projects/find'
import { type BatchCounts, countsById, NOTHING } from './counts'
import { coversOf } from './covers'
import { type BatchRow, onBatch } from './find'
import { dueStateOf } from './rules'
import { Batch, BatchList, type BrowsedBatches, ListBatches, type Turn } from './schema'
import { projectsOf, turnOf, turnsOf } from './turns'

type ProjectsNow = Awaited<ReturnType<typeof projectsOf>>

/** What is read for a batch beside its row. */
type Beside = { turn: Turn; counts: BatchCounts; named: ReadonlyMap<string | null, Named> }
type Named = { id: string; name: string; pre_qc_enabled: boolean }

/** Categories and people of these batches, each looked up once: by joins each is looked up for every batch it has. */
async function namedBy(tx: Tx, rows: readonly BatchRow[]): Promise<Beside['named']> {
  const categories = rows.map(({ mediaCategoryId }) => mediaCategoryId)
  const people = rows.flatMap(({ operatorId, coordinatorId }) => [operatorId, coordinatorId])
  const found = await tx.db.execute<Named>(sql`
    select id, name, (select pre_qc_enabled from service_settings where id = 1) is not false
      and (pre_qc ->> 'enabled')::boolean as pre_qc_enabled
    from ${mediaCategories} where ${isAnyOf(mediaCategories.id, categories)}
    union all select id, name, false from ${users} where ${isAnyOf(users.id, people)}`)
  return new Map(found.map((named) => [named.id, named]))
}

function preQcStatus(enabled: boolean, { queued, running, completed, failed }: BatchCounts): BatchPreQcStatus {
  const done = completed + failed
  if (running > 0) return 'running'
  if (queued > 0) return done > 0 ? 'running' : 'queued'
  if (done > 0) return 'completed'
  return enabled ? 'idle' : 'disabled'
}

async function presentAll(tx: Tx, rows: readonly BatchRow[], projectOf?: ProjectsNow): Promise<Batch[]> {
  const turns = await turnsOf(tx, rows, projectOf ?? (await projectsOf(tx, rows)))
  const counts = await countsById(
    tx,
    rows.map(({ id }) => id),
  )
  const named = await namedBy(tx, rows)
  return rows.map((batch) =>
    present(
      batch,
      { turn: turns.get(batch.id) ?? turnOf([], []), counts: counts.get(batch.id) ?? NOTHING, named },
      tx.now,
    ),
  )
}

function present(batch: BatchRow, { turn, counts, named }: Beside, now: Date): Batch {
  const category = named.get(batch.mediaCategoryId)
  const personOf = (id: string | null) => {
    const person = named.get(id)
    return person ? { id: person.id, name: person.name } : null
  }
  const dueState = dueStateOf(batch, now)
  return {
    id: batch.id,
    project_id: batch.projectId,
    name: batch.name,
    status: batch.status,
    media_category: { id: batch.mediaCategoryId, name: category?.name ?? '' },
    operator: personOf(batch.operatorId),
    coordinator: personOf(batch.coordinatorId),
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
      status: preQcStatus(category?.pre_qc_enabled ?? false, counts),
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
    const ofProject = eq(batches.projectId, project.id)
    const withStatus = input.status && eq(batches.status, input.status)
    const { rows, next_cursor } = await listNewest(tx, batches, input, ofProject, withStatus)
    return { batches: await presentAll(tx, rows), next_cursor }
  },
})

/** The batches with these ids, in their order, with their projects and agencies and images of their newest files. */
export async function presentPlaced(tx: Tx, ids: readonly string[]): Promise<BrowsedBatches['batches']> {
  if (ids.length === 0) return []
  const rows = await tx.db.select().from(batches).where(isAnyOf(batches.id, ids))
  const projectOf = await projectsOf(tx, rows)
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
  const [batch] = await presentAll(tx, await tx.db.select().from(batches).where(eq(batches.id, id)))
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

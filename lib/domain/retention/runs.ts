import { desc, eq, lt, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { newId } from '@/db/schema/columns'
import { users } from '@/db/schema/directory'
import { type ProjectCounts, type RetentionCounts, retentionItems, retentionRuns } from '@/db/schema/retention'
import { formatCount } from '@/lib/format'
import { DomainError, invalidState, quote } from '../kernel/errors'
import { command, type Finder, query, type Tx } from '../kernel/operation'
import { findRow } from '../kernel/rows'
import { decodeCursor, iso, isoOrNull, page, upTo } from '../kernel/shapes'
import { dueItems } from './plan'
import { type ListedRetentionRun, ListRetentionRuns, RetentionRun, RetentionRunList } from './schema'

export type RunRow = typeof retentionRuns.$inferSelect

const creators = alias(users, 'creators')
const starters = alias(users, 'starters')

const selectRuns = (tx: Tx) =>
  tx.db
    .select({ id: retentionRuns.id, run: retentionRuns, creatorName: creators.name, starterName: starters.name })
    .from(retentionRuns)
    .innerJoin(creators, eq(creators.id, retentionRuns.createdBy))
    .leftJoin(starters, eq(starters.id, retentionRuns.startedBy))

type Selected = Awaited<ReturnType<typeof selectRuns>>[number]

const sum = (projects: readonly ProjectCounts[], of: keyof RetentionCounts | 'batches') =>
  projects.reduce((total, project) => total + project[of], 0)

async function presentListed(tx: Tx, { run, creatorName, starterName }: Selected): Promise<ListedRetentionRun> {
  const { projects } = run
  return {
    id: run.id,
    status: run.status,
    as_of: iso(run.asOf),
    totals: {
      projects: projects.length,
      batches: sum(projects, 'batches'),
      files: sum(projects, 'files'),
      bytes: sum(projects, 'bytes'),
      previews: sum(projects, 'previews'),
      activity: sum(projects, 'activity'),
    },
    removed: run.status === 'running' ? await removedSoFar(tx, run.id) : run.removed,
    created_by: { id: run.createdBy, name: creatorName },
    created_at: iso(run.createdAt),
    started_by: run.startedBy && starterName ? { id: run.startedBy, name: starterName } : null,
    started_at: isoOrNull(run.startedAt),
    completed_at: isoOrNull(run.completedAt),
  }
}

/** What a run has removed by now, of all its projects. */
export async function removedSoFar(tx: Pick<Tx, 'db'>, runId: string) {
  const [row] = await tx.db.execute<Record<keyof RetentionCounts | 'kept', string>>(sql`
    select ${REMOVED} from retention_items i where i.run_id = ${runId}`)
  if (!row) throw new Error('Counting answered no row.')
  const { files, bytes, previews, activity, kept } = row
  return {
    files: Number(files),
    bytes: Number(bytes),
    previews: Number(previews),
    activity: Number(activity),
    kept: Number(kept),
  }
}

const isGone = sql`i.done_at is not null and not i.is_kept and i.kind = 'file'`
/** The columns that count what went, of items `i`. */
export const REMOVED = sql`
  count(*) filter (where ${isGone} and i.removal ? 'file') as files,
  coalesce(sum(i.removed_amount) filter (where i.kind = 'file'), 0) as bytes,
  count(*) filter (where ${isGone} and i.removal ? 'previews') as previews,
  coalesce(sum(i.removed_amount) filter (where i.kind = 'activity'), 0) as activity,
  count(*) filter (where i.is_kept) as kept`

async function serializeRun(tx: Tx, id: string): Promise<RetentionRun> {
  const [row] = await selectRuns(tx).where(eq(retentionRuns.id, id))
  if (!row) throw new Error(`Retention run ${id} vanished while it was read.`)
  return { ...(await presentListed(tx, row)), projects: row.run.projects }
}

const onRun: Finder<'run_id', RunRow> = {
  params: ['run_id'],
  find: (tx, { run_id }, lock) => findRow(tx, retentionRuns, 'retention run', run_id, lock),
}

export const listRetentionRuns = query({
  name: 'listRetentionRuns',
  summary: 'The retention runs and their previews, newest first',
  permission: 'retention.manage',
  input: ListRetentionRuns,
  output: RetentionRunList,
  async run(tx, { input }) {
    const found = await selectRuns(tx)
      .where(input.cursor ? lt(retentionRuns.id, decodeCursor(input.cursor)) : undefined)
      .orderBy(desc(retentionRuns.id))
      .limit(upTo(input.limit))
    const { rows, next_cursor } = page(found, input.limit)
    const retention_runs: ListedRetentionRun[] = []
    for (const row of rows) retention_runs.push(await presentListed(tx, row))
    return { retention_runs, next_cursor }
  },
})

export const getRetentionRun = query({
  name: 'getRetentionRun',
  summary: 'One retention run, or its preview: what goes, project by project',
  permission: 'retention.manage',
  resource: onRun,
  output: RetentionRun,
  run: (tx, { resource }) => serializeRun(tx, resource.id),
})

/** One at a time, and with the time that a million files take: a hundred thousand that are due take three seconds. */
async function begin(tx: Tx) {
  await tx.db.execute(sql`set local statement_timeout = '5min'`)
  await tx.db.execute(sql`select pg_advisory_xact_lock(hashtext('greenroom retention'))`)
}

export const previewRetention = command({
  name: 'previewRetention',
  summary:
    'Find out what the retention rules would remove now; nothing is removed. Earlier previews are outdated by it',
  permission: 'retention.manage',
  output: RetentionRun,
  created: (run) => `/api/retention-runs/${run.id}`,
  async run(tx) {
    const { actor } = tx
    if (actor.type !== 'user') throw new Error('Previews are made by people.')
    await begin(tx)
    const outdated = await tx.db
      .update(retentionRuns)
      .set({ status: 'outdated' })
      .where(eq(retentionRuns.status, 'preview'))
      .returning({ id: retentionRuns.id })
    for (const { id } of outdated) await tx.db.delete(retentionItems).where(eq(retentionItems.runId, id))
    const id = newId(tx.now)
    await tx.db.insert(retentionRuns).values({ id, asOf: tx.now, projects: [], createdBy: actor.id, createdAt: tx.now })
    await tx.db.execute(sql`
      insert into retention_items (run_id, kind, subject_id, project_id, batch_id, amount, removal)
      select ${id}::uuid, kind, subject_id, project_id, batch_id, amount, removal from (${dueItems(tx.now)}) due`)
    const projects = await tx.db.execute<ProjectCounts>(sql`
      select p.id, p.name, count(distinct i.batch_id)::int as batches,
        count(*) filter (where i.removal ? 'file')::int as files,
        coalesce(sum(i.amount) filter (where i.kind = 'file'), 0)::float8 as bytes,
        count(*) filter (where i.removal ? 'previews')::int as previews,
        coalesce(sum(i.amount) filter (where i.kind = 'activity'), 0)::float8 as activity
      from retention_items i join projects p on p.id = i.project_id
      where i.run_id = ${id} group by p.id order by bytes desc, p.name, p.id`)
    await tx.db
      .update(retentionRuns)
      .set({ projects: [...projects] })
      .where(eq(retentionRuns.id, id))
    return serializeRun(tx, id)
  },
})

export const startRetention = command({
  name: 'startRetention',
  summary: 'Remove exactly what this preview showed, in the background; refused when that has changed',
  permission: 'retention.manage',
  resource: onRun,
  output: RetentionRun,
  async run(tx, { resource: run }) {
    const { actor } = tx
    if (actor.type !== 'user') throw new Error('Runs are started by people.')
    await begin(tx)
    if (run.status === 'outdated')
      throw new DomainError(
        'preview_outdated',
        'Another preview was made since this one. Start that one, or make a new one.',
      )
    if (run.status !== 'preview')
      throw invalidState(`This run was started already; it is ${run.status}.`, run.status, ['preview'])
    const [running] = await tx.db
      .select({ id: retentionRuns.id })
      .from(retentionRuns)
      .where(eq(retentionRuns.status, 'running'))
    if (running)
      throw invalidState('Another run is under way. Start this one when that has ended.', 'running', ['completed'])
    const changes = await changesSince(tx, run)
    if (changes) throw new DomainError('preview_outdated', `${changes} Make a new preview, then start that one.`)
    if (run.projects.length === 0)
      throw invalidState('The rules remove nothing: there is nothing to start.', 'empty', ['something to remove'])
    await tx.db
      .update(retentionRuns)
      .set({ status: 'running', startedBy: actor.id, startedAt: tx.now })
      .where(eq(retentionRuns.id, run.id))
    await tx.enqueue('apply_retention', { run_id: run.id }, { key: `apply_retention:${run.id}` })
    const started = await serializeRun(tx, run.id)
    await tx.record({
      type: 'retention.run_started',
      subjectId: run.id,
      data: { as_of: started.as_of, ...started.totals },
    })
    return started
  },
})

const MOST_LISTED = 5

/** What differs from the preview, in a sentence; null where nothing does. */
async function changesSince(tx: Tx, run: RunRow): Promise<string | null> {
  const items = sql`select kind, subject_id, project_id, removal from retention_items where run_id = ${run.id}`
  const now = sql`select kind, subject_id, project_id, removal from (${dueItems(run.asOf)}) due`
  const rows = await tx.db.execute<{ name: string; stay: number; more: number }>(sql`
    with due_now as materialized (${now}),
    differing as (
      select d.project_id, d.subject_id, true as stays from (${items} except select * from due_now) d
      union all
      select d.project_id, d.subject_id, false from (select * from due_now except ${items}) d)
    select p.name, count(*) filter (where d.stays)::int as stay, count(*) filter (where not d.stays)::int as more
    from differing d join projects p on p.id = d.project_id group by p.id, p.name order by count(*) desc, p.name`)
  if (rows.length === 0) return null
  const listed = rows.slice(0, MOST_LISTED).map(({ name, stay, more }) => {
    const parts = [
      ...(stay > 0 ? [`${formatCount(stay, 'item')} of it no longer ${stay === 1 ? 'goes' : 'go'} as shown`] : []),
      ...(more > 0
        ? [`${formatCount(more, 'item')} ${more === 1 ? 'goes' : 'go'} that ${more === 1 ? 'was' : 'were'} not shown`]
        : []),
    ]
    return `${quote(name)}: ${parts.join(', ')}`
  })
  const others = rows.length - listed.length
  const rest = others > 0 ? `; and ${formatCount(others, 'more project')}` : ''
  return `What goes has changed since this preview. ${listed.join('; ')}${rest}.`
}

import { eq, inArray, sql } from 'drizzle-orm'
import { fileComments } from '@/db/schema/comments'
import type { Removal } from '@/db/schema/files'
import { type ProjectCounts, retentionItems, retentionRuns } from '@/db/schema/retention'
import { bytesFreed, countStored } from '../directory/storage'
import { type Context, type Tx, transact } from '../kernel/operation'
import { idArray } from '../kernel/rows'
import { dueItems, isOldActivity } from './plan'
import { REMOVED, type RunRow, removedSoFar } from './runs'

/** Files marked in one transaction. */
const FILES_A_STEP = 100
/** Notifications deleted in one transaction. */
const ACTIVITY_A_STEP = 1000
/** Objects are removed once more then: a job that was drawing a file may write after the first time. */
const AGAIN_AFTER_MS = 30 * 60_000

type Item = { kind: 'file' | 'activity'; subject_id: string; project_id: string; amount: string; removal: Removal }

/**
 * One bounded step of a run, then the next is enqueued, in the same transaction. Rows are marked first; the objects go in
 * jobs of their own. Killed anywhere, it goes on from what was committed, and what was done is not done again.
 */
export async function applyStep(ctx: Context, { run_id }: { run_id: string }) {
  await transact(ctx, async (tx) => {
    const [run] = await tx.db.select().from(retentionRuns).where(eq(retentionRuns.id, run_id)).for('no key update')
    if (run?.status !== 'running') return
    const items = await tx.db.execute<Item>(sql`
      select kind, subject_id, project_id, amount, removal from retention_items
      where run_id = ${run.id} and done_at is null order by kind desc, subject_id limit ${FILES_A_STEP}`)
    if (items.length === 0) return finish(tx, run)
    const files = items.filter(({ kind }) => kind === 'file')
    const [first] = items
    if (files.length > 0) await removeFiles(tx, run, files)
    else if (first) await removeActivity(tx, run, first)
    await tx.enqueue('apply_retention', { run_id: run.id }, { key: `apply_retention:${run.id}` })
  })
}

/**
 * What of the items is still due, under locks by which no hold comes in between: a hold that was set before is seen, one
 * that is set now waits. A rule that keeps more since keeps these, too.
 */
async function stillDue(tx: Tx, run: RunRow, items: readonly Item[]): Promise<Item[]> {
  const projects = idArray([...new Set(items.map(({ project_id }) => project_id))])
  await tx.db.execute(sql`select from projects where id = any (${projects}) order by id for share`)
  await tx.db.execute(sql`
    select from agencies where id in (select agency_id from projects where id = any (${projects})) order by id for share`)
  const idsOf = (kind: Item['kind']) => items.filter((item) => item.kind === kind).map(({ subject_id }) => subject_id)
  // In the order of an upload: the count of the agency, then files.
  const agencies = await tx.db.execute<{ id: string }>(
    sql`select distinct agency_id as id from projects where id = any (${projects}) order by 1`,
  )
  for (const { id } of agencies) await countStored(tx, id, 0)
  await tx.db.execute(sql`select from files where id = any (${idArray(idsOf('file'))}) order by id for no key update`)
  const due = await tx.db.execute<Item>(
    sql`select * from (${dueItems(run.asOf, { files: idsOf('file'), projects: idsOf('activity') })}) due`,
  )
  const asShown = new Map(due.map(({ subject_id, removal }) => [subject_id, JSON.stringify(removal)]))
  return items.filter(({ subject_id, removal }) => asShown.get(subject_id) === JSON.stringify(removal))
}

async function removeFiles(tx: Tx, run: RunRow, items: readonly Item[]) {
  const ids = items.map(({ subject_id }) => subject_id)
  const due = await stillDue(tx, run, items)
  const gone = due.filter(({ removal }) => removal.file).map(({ subject_id }) => subject_id)
  const bytes = await tx.db.execute<{ agency_id: string; bytes: string }>(sql`
    select p.agency_id, sum(f.size) as bytes from files f join projects p on p.id = f.project_id
    where f.removed_at is null and f.id = any (${idArray(gone)})
    group by p.agency_id order by p.agency_id`)
  const carried = gone.length > 0 ? await bytesFreed(tx, inArray(fileComments.fileId, gone)) : []
  for (const { agency_id, bytes: removed } of [...bytes, ...carried]) await countStored(tx, agency_id, -Number(removed))
  const spec = JSON.stringify(due.map(({ subject_id, removal }) => ({ id: subject_id, removal })))
  const at = tx.now.toISOString()
  await tx.db.execute(sql`
    update files f set removal = coalesce(f.removal, '{}'::jsonb) || due.removal, updated_at = ${at}::timestamptz,
      removed_at = case when due.removal ? 'file' then ${at}::timestamptz else f.removed_at end,
      previews_removed_at = case when due.removal ? 'previews' then ${at}::timestamptz else f.previews_removed_at end,
      previews = case when due.removal ? 'previews' or f.previews is null then '{"thumbnail": false, "preview": false}'::jsonb else f.previews end
    from jsonb_to_recordset(${spec}::jsonb) as due (id uuid, removal jsonb) where f.id = due.id`)
  const removedIds = due.map(({ subject_id }) => subject_id)
  await tx.db.execute(sql`
    update retention_items set done_at = ${at}::timestamptz, is_kept = not (subject_id = any (${idArray(removedIds)})),
      removed_amount = case when subject_id = any (${idArray(removedIds)}) then amount else 0 end
    where run_id = ${run.id} and subject_id = any (${idArray(ids)})`)
  if (removedIds.length === 0) return
  for (const delay of [0, AGAIN_AFTER_MS])
    await tx.enqueue('remove_expired', { file_ids: removedIds }, { runAt: new Date(tx.now.getTime() + delay) })
}

async function removeActivity(tx: Tx, run: RunRow, item: Item) {
  const [due] = await stillDue(tx, run, [item])
  const days = (due?.removal as { activity?: { days: number } } | undefined)?.activity?.days
  const at = sql`${run.asOf.toISOString()}::timestamptz`
  const removed =
    days === undefined
      ? []
      : await tx.db.execute(sql`
          delete from notifications where id in (
            select n.id from events e join notifications n on n.event_id = e.id
            where e.project_id = ${item.project_id} and ${isOldActivity(at, sql`${days}::int`)} limit ${ACTIVITY_A_STEP})
          returning id`)
  const isDone = removed.length < ACTIVITY_A_STEP
  await tx.db.execute(sql`
    update retention_items set removed_amount = removed_amount + ${removed.length},
      done_at = ${isDone ? tx.now.toISOString() : null}::timestamptz,
      is_kept = ${days === undefined} and removed_amount = 0
    where run_id = ${run.id} and subject_id = ${item.subject_id}`)
}

/** The run is over: an event for each project that lost something, and one for all. */
async function finish(tx: Tx, run: RunRow) {
  const removed = await removedSoFar(tx, run.id)
  const projects = await tx.db.execute<Record<keyof Omit<ProjectCounts, 'batches'>, string>>(sql`
    select p.id, p.name, ${REMOVED} from retention_items i join projects p on p.id = i.project_id
    where i.run_id = ${run.id} and not i.is_kept
    group by p.id, p.name order by p.id`)
  for (const { id, name, files, bytes, previews, activity } of projects) {
    await tx.record({
      type: 'retention.removed',
      projectId: id,
      subjectId: id,
      data: {
        name,
        run: run.id,
        files: Number(files),
        bytes: Number(bytes),
        previews: Number(previews),
        activity: Number(activity),
      },
    })
  }
  await tx.db
    .update(retentionRuns)
    .set({ status: 'completed', removed, completedAt: tx.now })
    .where(eq(retentionRuns.id, run.id))
  await tx.db.delete(retentionItems).where(eq(retentionItems.runId, run.id))
  await tx.record({ type: 'retention.run_completed', subjectId: run.id, data: removed })
}

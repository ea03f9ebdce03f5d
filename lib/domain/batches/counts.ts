import { eq, sql } from 'drizzle-orm'
import { batchCounts } from '@/db/schema/projects'
import type { Tx } from '../kernel/operation'
import { isAnyOf } from '../kernel/rows'

/** What the database counts of a batch as its files and results change: see `batchCounts` of the schema. */
export type BatchCounts = Omit<typeof batchCounts.$inferSelect, 'batchId' | 'projectId'>

/** Of a batch without files. */
export const NOTHING: BatchCounts = {
  files: 0,
  totalSize: 0,
  approved: 0,
  rejected: 0,
  pending: 0,
  queued: 0,
  running: 0,
  completed: 0,
  failed: 0,
  pass: 0,
  warning: 0,
  fail: 0,
  notApplicable: 0,
  couldNotRun: 0,
  storedByUsers: 0,
  storedByLinks: 0,
}

export async function countsOf(tx: Tx, batchId: string): Promise<BatchCounts> {
  return (await countsById(tx, [batchId])).get(batchId) ?? NOTHING
}

/** Of several batches, by their ids; none of a batch that never had files. */
export async function countsById(tx: Tx, batchIds: readonly string[]): Promise<Map<string, BatchCounts>> {
  const rows = await tx.db.select().from(batchCounts).where(isAnyOf(batchCounts.batchId, batchIds))
  return new Map(rows.map((counts) => [counts.batchId, counts]))
}

/** The same, counted from the rows, for every batch that has files or counts. */
export const COUNTED = sql`
  select f.batch_id, (count(*) filter (where f.is_current))::int as files,
    coalesce(sum(f.size) filter (where f.is_current), 0)::bigint as total_size,
    (count(*) filter (where f.is_current and f.decision = 'approved'))::int as approved,
    (count(*) filter (where f.is_current and f.decision = 'rejected'))::int as rejected,
    (count(*) filter (where f.is_current and f.decision = 'pending'))::int as pending,
    (count(*) filter (where r.status = 'queued'))::int as queued,
    (count(*) filter (where r.status = 'running'))::int as running,
    (count(*) filter (where r.status = 'completed'))::int as completed,
    (count(*) filter (where r.status = 'failed'))::int as failed,
    (count(*) filter (where r.status = 'completed' and r.summary = 'pass'))::int as pass,
    (count(*) filter (where r.status = 'completed' and r.summary = 'warning'))::int as warning,
    (count(*) filter (where r.status = 'completed' and r.summary = 'fail'))::int as fail,
    (count(*) filter (where r.status = 'completed' and r.summary = 'not_applicable'))::int as not_applicable,
    (count(*) filter (where r.could_not_run))::int as could_not_run,
    (count(*) filter (where f.source_type = 'user'))::int as stored_by_users,
    (count(*) filter (where f.source_type = 'upload_link'))::int as stored_by_links
  from files f left join pre_qc_results r on r.file_id = f.id and r.is_current and f.is_current
  group by f.batch_id`

/** Counts a batch again from its rows, while no other transaction changes its counts. */
export async function recountBatch(tx: Tx, batchId: string): Promise<void> {
  await tx.db.insert(batchCounts).values({ batchId }).onConflictDoNothing()
  await tx.db.select().from(batchCounts).where(eq(batchCounts.batchId, batchId)).for('update')
  const columns = sql`files, total_size, approved, rejected, pending, queued, running, completed, failed, pass, warning, fail, not_applicable, could_not_run, stored_by_users, stored_by_links`
  await tx.db.execute(sql`
    update batch_counts c set (${columns}) = (
      select ${columns} from (
        select 1 as place, * from (${COUNTED}) counted where batch_id = ${batchId}
        union all select 2, ${batchId}::uuid, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0
      ) either order by place limit 1)
    where c.batch_id = ${batchId}`)
}

import { sql } from 'drizzle-orm'
import type { Executor } from '@/db/client'
import type { Tx } from '../kernel/operation'
import { noteBatch } from './notes'

/** What the database notes of every completed result, for analytics to count by: see `verdicts` of the schema. */

const COMPUTED = sql`
  select n.* from (select distinct batch_id, coalesce(series_key, name_key) as series from files) s
  cross join lateral verdicts_of_series(s.batch_id, s.series) n`

/** Batches whose verdicts are not those of their results, with how many differ. */
export const findWrongVerdicts = (db: Executor) =>
  db.execute<{ batch_id: string; differ: number }>(sql`
    select coalesce(c.batch_id, v.batch_id) as batch_id, count(*)::int as differ
    from (${COMPUTED}) c full join verdicts v on v.result_id = c.result_id
    where (c.project_id, c.batch_id, c.series, c.completed_at, c.replaced_at, c.summary, c.first_result_id, c.first_summary, c.failing)
      is distinct from (v.project_id, v.batch_id, v.series, v.completed_at, v.replaced_at, v.summary, v.first_result_id, v.first_summary, v.failing)
    group by 1 order by 1`)

/** Writes the verdicts of a batch anew, while no other transaction does. */
export async function rewriteVerdicts(tx: Tx, batchId: string): Promise<void> {
  await tx.db.execute(sql`select from batch_counts where batch_id = ${batchId} for update`)
  await tx.db.execute(sql`delete from verdicts where batch_id = ${batchId}`)
  await tx.db.execute(sql`insert into verdicts select * from (${COMPUTED}) c where batch_id = ${batchId}`)
  await noteBatch(tx, batchId)
}

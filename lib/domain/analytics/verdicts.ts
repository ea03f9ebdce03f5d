import { type SQL, sql } from 'drizzle-orm'
import type { Executor } from '@/db/client'
import { type Context, inTransaction, type Tx } from '../kernel/operation'
import { compareBatches, FIRST_ID, noteBatch } from './notes'

/** What the database notes of every completed result, for analytics and lists to count by: see `verdicts` of the schema. */

/** Of the files of some batches. */
const computed = (ofBatches: SQL) => sql`
  select n.* from (select distinct batch_id, coalesce(series_key, name_key) as series from files where ${ofBatches}) s
  cross join lateral verdicts_of_series(s.batch_id, s.series) n`

/** Batches whose verdicts are not those of their results, with how many differ. Findings that are not filled in yet do not. */
export const findWrongVerdicts = (db: Executor) =>
  compareBatches(db, (among) => findWrongAmong(db, among(sql`batch_id`)))

const findWrongAmong = (db: Executor, ofBatches: SQL) =>
  db.execute<{ batch_id: string; differ: number }>(sql`
    select coalesce(c.batch_id, v.batch_id) as batch_id, count(*)::int as differ
    from (${computed(ofBatches)}) c full join (select * from verdicts where ${ofBatches}) v on v.result_id = c.result_id
    where (c.project_id, c.batch_id, c.series, c.completed_at, c.replaced_at, c.summary, c.first_result_id, c.first_summary, c.failing, c.findings)
      is distinct from (v.project_id, v.batch_id, v.series, v.completed_at, v.replaced_at, v.summary, v.first_result_id, v.first_summary, v.failing, coalesce(v.findings, c.findings))
    group by 1 order by 1`)

/** Writes the verdicts of a batch anew, while no other transaction does. */
export async function rewriteVerdicts(tx: Tx, batchId: string): Promise<void> {
  const ofBatch = sql`batch_id = ${batchId}`
  await tx.db.execute(sql`select from batch_counts where ${ofBatch} for update`)
  await tx.db.execute(sql`delete from verdicts where ${ofBatch}`)
  await tx.db.execute(sql`insert into verdicts ${computed(ofBatch)}`)
  await noteBatch(tx, batchId)
}

/** Verdicts that one transaction fills in. */
const AT_ONCE = 500

/**
 * Fills in the findings of verdicts that were written before findings were noted, until none is left: a part in each
 * transaction, by one process at a time. One that ended is gone on with. Returns how many were filled in.
 */
export async function fillFindings(ctx: Context): Promise<number> {
  let filled = 0
  for (let from = FIRST_ID; ; ) {
    const some = await inTransaction(ctx, (tx) => fillSome(tx, from))
    const last = some.at(-1)
    if (!last) return filled
    filled += some.length
    from = last
  }
}

/**
 * From this batch on; returns the batches of what it filled in, in order. What another transaction writes is passed over:
 * that one notes the findings, too.
 */
async function fillSome(tx: Tx, from: string): Promise<string[]> {
  const [lock] = await tx.db.execute(
    sql`select from pg_try_advisory_xact_lock(hashtext('greenroom findings')) as taken where taken`,
  )
  if (!lock) return []
  const filled = await tx.db.execute<{ batch_id: string }>(sql`
    with part as (
      select result_id from verdicts where findings is null and batch_id >= ${from}::uuid
      order by batch_id limit ${AT_ONCE} for update skip locked)
    update verdicts v
    set findings = case when r.summary in ('fail', 'warning') then findings_of_result(r.id, r.checks) else '{}' end
    from part join pre_qc_results r on r.id = part.result_id where v.result_id = part.result_id
    returning v.batch_id`)
  return filled.map(({ batch_id }) => batch_id).sort()
}

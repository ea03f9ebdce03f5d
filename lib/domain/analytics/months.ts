import { type SQL, sql } from 'drizzle-orm'
import type { Executor } from '@/db/client'
import { type Context, inTransaction, type Tx } from '../kernel/operation'
import { CHANGED, KINDS, type Kind, lock, tryLock, withoutTimeLimit } from './notes'

/**
 * Sums of whole months by agency, above the rows of batches: see `analyticsMonths` of the schema. What is summed stands
 * here; what a row of a batch says, in the functions of the migrations.
 */

/** First days of the month of these sums, and of the next. */
const bounds = (month: string) => ({
  first: sql`${month}::date`,
  next: sql`(${month}::date + interval '1 month')::date`,
})

/** Of a row of a batch that ends within its month nothing counts in a range that has all of it. */
const lasts = (next: SQL) => sql`(n.until_day is null or n.until_day >= ${next})`

/** Makes the sums of a month from the rows of its batches. */
const sumsOf: Record<Kind, (month: string) => SQL> = {
  results: (month) => {
    const { first, next } = bounds(month)
    return sql`
      select p.agency_id, ${first} as month, n.until_day, sum(n.pass)::int as pass, sum(n.warning)::int as warning, sum(n.fail)::int as fail,
        sum(n.not_applicable)::int as not_applicable, sum(n.passed_first)::int as passed_first, sum(n.checked_first)::int as checked_first
      from analytics_results n join projects p on p.id = n.project_id
      where n.day >= ${first} and n.day < ${next} and ${lasts(next)}
      group by p.agency_id, n.until_day`
  },
  findings: (month) => {
    const { first, next } = bounds(month)
    return sql`
      select p.agency_id, ${first} as month, n.kind, n.until_day, n.profile_id, n.check_id,
        (array_agg(n.label order by n.newest_at desc, n.label))[1] as label, max(n.newest_at)::timestamptz(3) as newest_at,
        sum(n.count)::int as count, sum(n.overruled)::int as overruled,
        (array_agg(n.newest_id order by n.newest_at desc, n.newest_id))[1] as newest_id,
        (array_agg(n.fixed_id order by n.fixed_at desc, n.fixed_id) filter (where n.fixed_id is not null))[1] as fixed_id,
        max(n.fixed_at)::timestamptz(3) as fixed_at
      from analytics_findings n join projects p on p.id = n.project_id
      where n.day >= ${first} and n.day < ${next} and ${lasts(next)}
      group by p.agency_id, n.kind, n.until_day, n.profile_id, n.check_id
      -- Kinds are asked for one at a time: each lies together.
      order by n.kind`
  },
  rounds: (month) => {
    const { first, next } = bounds(month)
    return sql`
      select p.agency_id, ${first} as month, case when n.from_day >= ${next} then n.from_day end as from_day, n.until_day,
        count(*)::int as batches, sum(n.resupplies)::int as resupplies
      from analytics_rounds n join projects p on p.id = n.project_id
      where n.day >= ${first} and n.day < ${next} and ${lasts(next)}
      group by p.agency_id, 3, n.until_day`
  },
  turns: (month) => {
    const { first, next } = bounds(month)
    return sql`
      select p.agency_id, ${first} as month, n.holder, array_agg(n.hours order by n.hours) as hours
      from analytics_turns n join projects p on p.id = n.project_id
      where n.day >= ${first} and n.day < ${next}
      group by p.agency_id, n.holder`
  },
}
const tableOf = (kind: Kind) => sql.raw(`analytics_month_${kind}`)

/**
 * Sums the months that have passed and have no sums, the newest first, each in a transaction of its own. Returns how many
 * were summed.
 */
export async function sumMonths(ctx: Context): Promise<number> {
  let summed = 0
  while (await inTransaction(ctx, sumNext)) summed++
  return summed
}

/** False when there is nothing to do, or another process is at it. */
async function sumNext(tx: Tx): Promise<boolean> {
  if (!(await tryLock(tx))) return false
  const [next] = await tx.db.execute<{ month: string }>(sql`
    with oldest as (
      select least((select min(day) from analytics_results), (select min(day) from analytics_turns), (select min(day) from analytics_rounds)) as day),
    passed as (
      select passed::date as month from oldest, generate_series(
        date_trunc('month', oldest.day::timestamp), date_trunc('month', ${tx.now.toISOString().slice(0, 10)}::timestamp) - interval '1 month',
        interval '1 month') as passed)
    select to_char(month, 'YYYY-MM-DD') as month from passed
    where month not in (select month from analytics_months) order by passed.month desc limit 1`)
  if (!next) return false
  await withoutTimeLimit(tx)
  await sumMonth(tx, next.month)
  return true
}

async function sumMonth(tx: Tx, month: string): Promise<void> {
  for (const kind of KINDS) {
    await tx.db.execute(sql`delete from ${tableOf(kind)} where month = ${month}::date`)
    await tx.db.execute(sql`insert into ${tableOf(kind)} ${sumsOf[kind](month)}`)
  }
  await tx.db.execute(sql`insert into analytics_months (month) values (${month}::date) on conflict do nothing`)
}

/** Sums a month anew, while no other process computes any. */
export async function resumMonth(tx: Tx, month: string): Promise<void> {
  await lock(tx)
  await sumMonth(tx, month)
}

/** Months whose sums are not those of their rows, though no batch of theirs is noted as changed. */
export async function findWrongMonths(db: Executor): Promise<{ of: number; wrong: string[] }> {
  const months = await db.execute<{ month: string }>(
    sql`select to_char(month, 'YYYY-MM-DD') as month from analytics_months order by analytics_months.month`,
  )
  const wrong: string[] = []
  for (const { month } of months) {
    for (const kind of KINDS) {
      if (wrong.at(-1) !== month && (await isWrong(db, month, kind))) wrong.push(month)
    }
  }
  return { of: months.length, wrong }
}

/** In one statement, so that sums, rows and changes are of one moment. */
async function isWrong(db: Executor, month: string, kind: Kind): Promise<boolean> {
  const { first, next } = bounds(month)
  const stored = sql`select * from ${tableOf(kind)} where month = ${first}`
  const [row] = await db.execute(sql`
    with ${CHANGED}
    select from analytics_months where month = ${first}
      and not exists (
        select from changed c join ${sql.raw(`analytics_${kind}`)} n on n.batch_id = c.id where n.day >= ${first} and n.day < ${next})
      and (exists (${stored} except all (${sumsOf[kind](month)})) or exists ((${sumsOf[kind](month)}) except all ${stored}))`)
  return row !== undefined
}

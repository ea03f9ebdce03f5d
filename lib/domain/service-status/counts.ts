import { sql } from 'drizzle-orm'
import type { Executor } from '@/db/client'
import type { Tx } from '../kernel/operation'

const NAMES = [
  ...['stored_by_users', 'stored_by_links', 'queued', 'running', 'failed', 'pass', 'warning', 'fail', 'not_applicable'],
  'rejected_uploads',
] as const
type Name = (typeof NAMES)[number]

/** One of the sums of `service_counts`, as it is stored and as the rows say. */
export type ServiceCount = { name: Name; stored: number; counted: number }

/** All sums of the service beside the same counted from the counts of batches and from events, as of one moment. */
export async function compareServiceCounts(db: Executor): Promise<ServiceCount[]> {
  const sumOf = (name: Name) => sql`coalesce(sum(${sql.identifier(name)}), 0)::float8`
  const counted = (name: Name) =>
    name === 'rejected_uploads'
      ? sql`(select count(*)::float8 from events where type = 'upload.rejected')`
      : sql`(select ${sumOf(name)} from batch_counts)`
  const compared = NAMES.map(
    (name) =>
      sql`select ${name} as name, (select ${sumOf(name)} from service_counts) as stored, ${counted(name)} as counted`,
  )
  return [...(await db.execute<ServiceCount>(sql.join(compared, sql` union all `)))]
}

/** Adds what is missing of each sum: what other transactions have not committed is neither in the sums nor in the rows. */
export async function correctServiceCounts(tx: Tx): Promise<ServiceCount[]> {
  const wrong = (await compareServiceCounts(tx.db)).filter(({ stored, counted }) => stored !== counted)
  if (wrong.length === 0) return []
  const columns = sql.join(
    wrong.map(({ name }) => sql.identifier(name)),
    sql`, `,
  )
  const missing = sql.join(
    wrong.map(({ stored, counted }) => sql`${counted - stored}::bigint`),
    sql`, `,
  )
  await tx.db.execute(sql`insert into service_counts (${columns}) values (${missing})`)
  return wrong
}

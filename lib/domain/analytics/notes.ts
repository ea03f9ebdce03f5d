import { type SQL, sql } from 'drizzle-orm'
import type { Executor } from '@/db/client'
import { type Context, inTransaction, type Tx } from '../kernel/operation'

/** What analytics reads of each batch, and how it follows what changes: see `analyticsChanges` of the schema. */

export const KINDS = ['results', 'findings', 'rounds', 'turns'] as const
export type Kind = (typeof KINDS)[number]

/** Batches whose rows are not computed yet since they changed. */
export const CHANGED = sql`
  changed as materialized (
    select batch_id as id from analytics_changes where batch_id is not null
    union select b.id from analytics_changes c join batches b on b.project_id = c.project_id)`

/** Held until the transaction ends: one process at a time computes what analytics reads. */
const LOCK = sql`hashtext('greenroom analytics')`
export const lock = (tx: Tx) => tx.db.execute(sql`select pg_advisory_xact_lock(${LOCK})`)

/** Whether no other process has it. */
export async function tryLock(tx: Tx): Promise<boolean> {
  const [row] = await tx.db.execute<{ taken: boolean }>(sql`select pg_try_advisory_xact_lock(${LOCK}) as taken`)
  return row?.taken === true
}

/** Changes that are looked through for the batches of one transaction. */
const CHANGES_AT_ONCE = 2_000
/** Batches that are compared, or computed anew, at once. */
const AT_ONCE = 200
/** Of files in the batches that one transaction computes. A batch that has more is computed alone. */
const FILES_AT_ONCE = 20_000
/** Before every batch. */
export const FIRST_ID = '00000000-0000-0000-0000-000000000000'

/**
 * Computes the rows of the batches that have changed so far. What changes meanwhile is for the next time: a batch of which file
 * after file is checked would be computed without an end. One process at a time: of two that compute one batch, the
 * slower would write what it read earlier. Returns how many batches were computed.
 */
export async function foldAnalytics(ctx: Context): Promise<number> {
  const last = await inTransaction(ctx, lastChange)
  if (last === null) return 0
  let folded = 0
  for (;;) {
    const batches = await inTransaction(ctx, (tx) => foldSome(tx, last))
    if (batches === null) return folded
    folded += batches
  }
}

/** The newest change there is, once each is one of a batch; null when there is none, or another process is at it. */
async function lastChange(tx: Tx): Promise<string | null> {
  const [waiting] = await tx.db.execute(sql`select from analytics_changes limit 1`)
  if (!waiting || !(await tryLock(tx))) return null
  await spreadProjects(tx)
  const [row] = await tx.db.execute<{ last: string | null }>(sql`select max(id)::text as last from analytics_changes`)
  return row?.last ?? null
}

/** Changes of batches up to this one. */
const upTo = (last: string) => sql`batch_id is not null and id <= ${last}::bigint`

/**
 * Computes a part of what waits, so that each transaction ends soon, however much there is: after a restore, every batch.
 * Null when there is nothing to do, or another process is at it.
 */
async function foldSome(tx: Tx, last: string): Promise<number | null> {
  const [waiting] = await tx.db.execute(sql`select from analytics_changes where ${upTo(last)} limit 1`)
  if (!waiting) return null
  if (!(await tryLock(tx))) return null
  await withoutTimeLimit(tx)
  const taken = await takeSome(tx, last)
  await computeBatches(tx, taken)
  return taken.length
}

/** A part is small; one batch that is not is computed all the same, on a slow machine too. */
export const withoutTimeLimit = (tx: Tx) => tx.db.execute(sql`select set_config('statement_timeout', '0', true)`)

/** A change of a project becomes one of each of its batches, which are then taken a part at a time. */
const spreadProjects = (tx: Tx) =>
  tx.db.execute(sql`
    with taken as (delete from analytics_changes where batch_id is null returning project_id)
    insert into analytics_changes (batch_id)
    select b.id from (select distinct project_id from taken) t join batches b on b.project_id = t.project_id`)

/** Removes the changes of some batches; returns these. */
async function takeSome(tx: Tx, last: string): Promise<string[]> {
  const taken = await tx.db.execute<{ id: string }>(sql`
    with few as (
      select distinct batch_id from (
        select batch_id from analytics_changes where ${upTo(last)} order by id limit ${CHANGES_AT_ONCE}) oldest
      order by batch_id limit ${AT_ONCE}),
    weighed as (
      select s.batch_id, sum(coalesce(c.files, 0)) over (order by s.batch_id) - coalesce(c.files, 0) as files_before
      from few s left join batch_counts c on c.batch_id = s.batch_id),
    taken as (
      delete from analytics_changes where batch_id in (select batch_id from weighed where files_before < ${FILES_AT_ONCE})
      returning batch_id)
    select distinct batch_id as id from taken`)
  return taken.map(({ id }) => id)
}

/** Statements after the one that took the changes: what was committed with them is read. */
async function computeBatches(tx: Tx, ids: string[]): Promise<void> {
  if (ids.length === 0) return
  const list = sql`(select value::uuid from json_array_elements_text(${JSON.stringify(ids)}::json))`
  for (const kind of KINDS) {
    const table = sql.raw(`analytics_${kind}`)
    await tx.db.execute(sql`delete from ${table} where batch_id in ${list}`)
    await tx.db.execute(
      sql`insert into ${table} select n.* from ${list} as b (id) cross join lateral ${sql.raw(`analytics_${kind}_of_batch`)}(b.id) n`,
    )
  }
}

/**
 * Computes the rows of all batches anew, a part at a time, so that questions meanwhile have few to compute themselves.
 * Returns how many batches there are.
 */
export async function rebuildAnalytics(ctx: Context): Promise<number> {
  await inTransaction(ctx, removeOrphans)
  let batches = 0
  for (let after = FIRST_ID; ; ) {
    const noted = await ctx.db.execute<{ id: string }>(sql`
      insert into analytics_changes (batch_id)
      select id from batches where id > ${after}::uuid order by id limit ${AT_ONCE} returning batch_id as id`)
    const last = noted
      .map(({ id }) => id)
      .sort()
      .at(-1)
    if (!last) return batches
    batches += noted.length
    after = last
    await foldAnalytics(ctx)
  }
}

/** Rows of batches that are no more, and the sums of all months. */
async function removeOrphans(tx: Tx): Promise<void> {
  await lock(tx)
  for (const kind of KINDS)
    await tx.db.execute(
      sql`delete from ${sql.raw(`analytics_${kind}`)} n where not exists (select from batches b where b.id = n.batch_id)`,
    )
  await tx.db.execute(sql`delete from analytics_months`)
}

/** Notes a batch as changed. */
export const noteBatch = (tx: Tx, batchId: string) =>
  tx.db.execute(sql`insert into analytics_changes (batch_id) values (${batchId}::uuid)`)

/** Computes the rows of a batch, while no other process computes any. */
export async function recomputeBatch(tx: Tx, batchId: string): Promise<void> {
  await lock(tx)
  await computeBatches(tx, [batchId])
}

/** Whether a column names one of the batches that are compared. */
export type Among = (column: SQL) => SQL

/** Compares all batches, a part at a time, so that no statement reads all; returns what each part gave. */
export async function compareBatches<T>(
  db: Executor,
  compare: (among: Among) => PromiseLike<Iterable<T>>,
): Promise<T[]> {
  const wrong: T[] = []
  for (let after = FIRST_ID; ; ) {
    const some = await db.execute<{ id: string }>(
      sql`select id from batches where id > ${after}::uuid order by id limit ${AT_ONCE}`,
    )
    const last = some.at(-1)
    if (!last) return wrong
    const from = after
    wrong.push(...(await compare((column) => sql`${column} > ${from}::uuid and ${column} <= ${last.id}::uuid`)))
    after = last.id
  }
}

/** Batches whose rows are not what results, files and events say, though nothing is noted of them. */
export const findWrongAnalytics = (db: Executor): Promise<string[]> =>
  compareBatches(db, (among) => findWrongAmong(db, among))

async function findWrongAmong(db: Executor, among: Among): Promise<string[]> {
  const differing = (kind: (typeof KINDS)[number]): SQL => {
    const stored = sql`select * from ${sql.raw(`analytics_${kind}`)} where ${among(sql`batch_id`)}`
    const computed = sql`
      select n.* from batches b cross join lateral ${sql.raw(`analytics_${kind}_of_batch`)}(b.id) n where ${among(sql`b.id`)}`
    return sql`
      select batch_id from (${stored} except all ${computed}) more
      union select batch_id from (${computed} except all ${stored}) less`
  }
  const rows = await db.execute<{ id: string }>(sql`
    with wrong as (${sql.join(KINDS.map(differing), sql` union `)})
    select b.id from wrong w join batches b on b.id = w.batch_id
    where not exists (select from analytics_changes c where c.batch_id = b.id or (c.batch_id is null and c.project_id = b.project_id))
    order by b.id`)
  return rows.map(({ id }) => id)
}

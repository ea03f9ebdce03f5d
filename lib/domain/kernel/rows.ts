import { and, asc, desc, eq, gt, ilike, lt, or, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import { notFound } from './errors'
import type { Tx } from './operation'
import { contains, decodeCursor, isUuid, page, upTo } from './shapes'

type Identified = PgTable & { id: PgColumn }

/**
 * The row with this id that meets the condition, locked against other changes where asked for.
 *
 * @throws `not_found`
 */
export async function findRow<T extends Identified>(
  tx: Tx,
  table: T,
  noun: string,
  id: string,
  lock = false,
  condition?: SQL,
): Promise<T['$inferSelect']> {
  if (!isUuid(id)) throw notFound(noun, id)
  const select = tx.db
    .select()
    .from(table as PgTable)
    .where(and(eq(table.id, id), condition))
  const [row] = await (lock ? select.for('no key update') : select)
  if (!row) throw notFound(noun, id)
  return row as T['$inferSelect']
}

/** @throws `not_found` for the first of these ids that no row has */
export function assertFound(noun: string, ids: readonly string[], rows: readonly { id: string }[]): void {
  const found = new Set(rows.map(({ id }) => id))
  const missing = ids.find((id) => !found.has(id))
  if (missing) throw notFound(noun, missing)
}

/** A page of the rows that meet the conditions, newest first. @throws `invalid_query` for a cursor that is not ours */
export async function listNewest<T extends Identified>(
  tx: Tx,
  table: T,
  { cursor, limit }: { cursor?: string | undefined; limit?: number | undefined },
  ...conditions: (SQL | undefined)[]
): Promise<{ rows: T['$inferSelect'][]; next_cursor: string | null }> {
  const rows = await tx.db
    .select()
    .from(table as PgTable)
    .where(isOnPage(tx, table, { cursor, limit }, ...conditions))
    .orderBy(desc(table.id))
  return page(rows as (T['$inferSelect'] & { id: string })[], limit)
}

/**
 * Whether a row is one of a page of those that meet the conditions, or the first of the next, newest first or oldest first. Their
 * ids are found first, by the index of what is asked for. Asked for whole rows, the planner takes those that are looked for to be spread evenly
 * over the whole table, and may read all that came after them: of 52,000 batches 50,000 for a project of two years ago.
 *
 * @throws `invalid_query` for a cursor that is not ours
 */
export function isOnPage<T extends Identified>(
  tx: Tx,
  table: T,
  {
    cursor,
    limit,
    isOldestFirst = false,
  }: { cursor?: string | undefined; limit?: number | undefined; isOldestFirst?: boolean },
  ...conditions: (SQL | undefined)[]
): SQL {
  const isBehind = isOldestFirst ? gt : lt
  const ids = tx.db
    .select({ id: table.id })
    .from(table as PgTable)
    .where(and(...conditions, cursor ? isBehind(table.id, decodeCursor(cursor)) : undefined))
    .orderBy(isOldestFirst ? asc(table.id) : desc(table.id))
    .limit(upTo(limit))
  return sql`${table.id} = any(array(${ids}))`
}

/** Whether one of the columns contains what the user searches for; undefined where there is no search. */
export const matches = (text: string | undefined, ...columns: PgColumn[]): SQL | undefined =>
  text ? or(...columns.map((column) => ilike(column, contains(text)))) : undefined

/** As one parameter: the driver makes a list of many otherwise. */
export const idArray = (ids: readonly string[]): SQL => sql`${`{${ids.join(',')}}`}::uuid[]`

/**
 * Whether the column is one of these ids, which are looked up in their order: neighbours in the index and in the table are
 * read together. A join would go through the index from its root for each.
 */
export const isAnyOf = (column: PgColumn, ids: Iterable<string | null>): SQL =>
  sql`${column} = any(${idArray([...new Set(ids)].filter((id) => id !== null))})`

/** Ids and names of the rows with these ids, by id. */
export async function namesById<T extends Identified & { name: PgColumn }>(
  tx: Tx,
  table: T,
  ids: readonly (string | null)[],
): Promise<Map<string | null, { id: string; name: string }>> {
  const rows = await tx.db
    .select({ id: sql<string>`${table.id}`, name: sql<string>`${table.name}` })
    .from(table as PgTable)
    .where(isAnyOf(table.id, ids))
  return new Map(rows.map((row) => [row.id, row]))
}

/**
 * Whether the value is one of those that a SELECT lists, which does not depend on the row. It is run once, and each row is
 * looked up in what it gave, whatever the planner thinks of their numbers; of a plain IN it may make a join that reads an
 * index for every row.
 */
export const isAmong = (value: SQLWrapper, list: SQLWrapper): SQL => sql`coalesce(${value} in (${list}), false)`

/** What is looked at of a table whose rows belong to contents: those of these contents, or the next of all behind this one. */
export type Among = { hashes: readonly string[] } | { after: string; most: number }

/** The ids of these rows, as a SELECT, in their order. */
export const idsAmong = (table: SQLWrapper, among: Among): SQL =>
  'hashes' in among
    ? sql`select id from ${table} where sha256 in ${[...among.hashes]} order by id`
    : sql`select id from ${table} where id > ${among.after}::uuid order by id limit ${among.most}`

/** Behind which row the next are looked at; null where these were the last. `seen`: of how many, the last of which is `last`. */
export const nextAfter = (among: Among, { seen, last }: { seen: number; last: string | null }): string | null =>
  'most' in among && seen === among.most ? last : null

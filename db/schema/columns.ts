import { sql } from 'drizzle-orm'
import { type AnyPgColumn, customType, timestamp, uuid } from 'drizzle-orm/pg-core'
import { v7 } from 'uuid'

/** A version 7 identifier: its order is the order of creation, so "newest first" is an order by id. */
export const newId = (at?: Date) => v7(at ? { msecs: at.getTime() } : undefined)

/** Below the identifiers of this millisecond and all later ones, above those of earlier ones (RFC 9562, 5.7). */
export function firstIdAt(at: Date): string {
  const time = Math.max(0, at.getTime()).toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-000000000000`
}

/** Milliseconds, UTC: what the interface shows is what is stored. */
export const timestamptz = () => timestamp({ withTimezone: true, precision: 3, mode: 'date' })

export const id = () =>
  uuid()
    .primaryKey()
    .$defaultFn(() => newId())
export const createdAt = () => timestamptz().notNull().default(sql`now()`)
export const updatedAt = () => timestamptz().notNull().default(sql`now()`)

export const bytea = customType<{ data: Buffer; driverData: Buffer }>({ dataType: () => 'bytea' })

/**
 * As a condition: the column is true. Written out, because statements are prepared: from a parameter PostgreSQL does not
 * see, once it plans for any values, that an index with `where is_current` has all the rows.
 */
export const isTrue = (column: AnyPgColumn) => sql`${column}`

/** For a constraint: the column holds one of the words of the vocabulary. Literals, as constraints take no parameters. */
export const isOneOf = (column: AnyPgColumn, words: readonly string[]) =>
  sql`${column} in (${sql.raw(words.map((word) => `'${word}'`).join(', '))})`

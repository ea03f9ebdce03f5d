import { sql } from 'drizzle-orm'
import { type AnyPgColumn, customType, timestamp, uuid } from 'drizzle-orm/pg-core'
import { v7 } from 'uuid'

/** A version 7 identifier: its order is the order of creation, so "newest first" is an order by id. */
export const newId = (at?: Date) => v7(at ? { msecs: at.getTime() } : undefined)

/** Milliseconds, UTC: what the interface shows is what is stored. */
export const timestamptz = () => timestamp({ withTimezone: true, precision: 3, mode: 'date' })

export const id = () =>
  uuid()
    .primaryKey()
    .$defaultFn(() => newId())
export const createdAt = () => timestamptz().notNull().default(sql`now()`)
export const updatedAt = () => timestamptz().notNull().default(sql`now()`)

export const bytea = customType<{ data: Buffer; driverData: Buffer }>({ dataType: () => 'bytea' })

/** For a constraint: the column holds one of the words of the vocabulary. Literals, as constraints take no parameters. */
export const isOneOf = (column: AnyPgColumn, words: readonly string[]) =>
  sql`${column} in (${sql.raw(words.map((word) => `'${word}'`).join(', '))})`

import { sql } from 'drizzle-orm'
import { check, integer, pgTable, text } from 'drizzle-orm/pg-core'
import { bytea, updatedAt } from './columns'

/** Who sends estimates, and on which terms. One row, or none before it is written. */
export const letterhead = pgTable(
  'letterhead',
  {
    id: integer().primaryKey().default(1),
    name: text().notNull().default(''),
    address: text().notNull().default(''),
    taxId: text().notNull().default(''),
    terms: text().notNull().default(''),
    /** Minutes in which a client may take a decision back. */
    undoMinutes: integer().notNull().default(15),
    /** PNG, made here from what was uploaded. */
    logo: bytea(),
    logoWidth: integer(),
    logoHeight: integer(),
    updatedAt: updatedAt(),
  },
  (t) => [check('letterhead_single_row', sql`${t.id} = 1`)],
)

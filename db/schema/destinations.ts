import { integer, jsonb, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { createdAt, id, timestamptz } from './columns'
import { users } from './directory'

/** Specifications that administrators imported: every version stays, the highest one holds. */
export const destinations = pgTable(
  'destinations',
  {
    id: id(),
    /** The id its document states: the same over all versions. */
    key: text().notNull(),
    version: integer().notNull(),
    specification: jsonb().$type<Record<string, unknown>>().notNull(),
    createdBy: uuid()
      .notNull()
      .references(() => users.id),
    /** Of the newest version: it can no longer be chosen, and is evaluated where it was. */
    withdrawnAt: timestamptz(),
    createdAt: createdAt(),
  },
  (t) => [uniqueIndex('destinations_key_version_key').on(t.key, t.version.desc())],
)

import { sql } from 'drizzle-orm'
import { boolean, check, index, json, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { SAVED_VIEW_PLACES, type SavedViewPlace } from '@/lib/vocabulary'
import { createdAt, id, isOneOf, updatedAt } from './columns'
import { users } from './directory'

/** Filters, order and form of a list under a name: a user's own, or shared with everybody. */
export const savedViews = pgTable(
  'saved_views',
  {
    id: id(),
    ownerId: uuid()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    place: text().$type<SavedViewPlace>().notNull(),
    name: text().notNull(),
    /** What stands in the address of the list: name and value. */
    query: json().$type<Record<string, string>>().notNull(),
    isShared: boolean().notNull().default(false),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (t) => [
    uniqueIndex('saved_views_owner_id_place_name_key').on(t.ownerId, t.place, sql`lower(${t.name})`),
    index('saved_views_shared_index').on(t.place).where(sql`is_shared`),
    check('saved_views_place', isOneOf(t.place, SAVED_VIEW_PLACES)),
  ],
)

import { bigint, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { timestamptz } from './columns'
import { events } from './events'

/** The chain over the events: each seal holds the hash of its event together with the hash before it. */
export const auditSeals = pgTable('audit_seals', {
  /** From 1, without gaps. */
  position: bigint({ mode: 'number' }).primaryKey(),
  eventId: uuid()
    .notNull()
    .unique('audit_seals_event_id_key')
    .references(() => events.id),
  /** SHA-256, hexadecimal. */
  hash: text().notNull(),
  sealedAt: timestamptz().notNull(),
})

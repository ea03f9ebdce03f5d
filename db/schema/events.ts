import { sql } from 'drizzle-orm'
import { bigserial, index, json, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import type { EventType } from '@/lib/vocabulary'
import { createdAt, id, timestamptz } from './columns'
import { users } from './directory'

/** What happened, written in the transaction that caused it: the audit trail and the source of notifications and webhooks. */
export const events = pgTable(
  'events',
  {
    id: id(),
    sequence: bigserial({ mode: 'number' }).notNull(),
    type: text().$type<EventType>().notNull(),
    projectId: uuid(),
    batchId: uuid(),
    subjectId: uuid(),
    actorType: text().$type<'user' | 'upload_link' | 'client' | 'system' | 'anonymous'>().notNull(),
    actorId: uuid(),
    actorName: text().notNull(),
    address: text(),
    requestId: text(),
    data: json().$type<Record<string, unknown>>().notNull().default({}),
    createdAt: createdAt(),
  },
  (t) => [
    uniqueIndex('events_sequence_key').on(t.sequence),
    index('events_project_id_index').on(t.projectId, t.id.desc()),
    index('events_batch_id_index').on(t.batchId, t.id.desc()),
    index('events_type_index').on(t.type, t.id.desc()),
    index('events_type_created_at_index').on(t.type, t.createdAt),
  ],
)

export const notifications = pgTable(
  'notifications',
  {
    id: id(),
    userId: uuid()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    eventId: uuid()
      .notNull()
      .references(() => events.id),
    type: text().$type<EventType>().notNull(),
    title: text().notNull(),
    body: text().notNull().default(''),
    href: text().notNull(),
    readAt: timestamptz(),
    createdAt: createdAt(),
  },
  (t) => [
    uniqueIndex('notifications_user_id_event_id_key').on(t.userId, t.eventId),
    index('notifications_user_id_index').on(t.userId, t.id.desc()),
    index('notifications_unread_index').on(t.userId).where(sql`read_at is null`),
  ],
)

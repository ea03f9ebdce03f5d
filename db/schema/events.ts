import { sql } from 'drizzle-orm'
import { bigserial, index, json, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import type { EventType } from '@/lib/vocabulary'
import { bytea, createdAt, id, timestamptz } from './columns'
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
    actorType: text().$type<'user' | 'upload_link' | 'client' | 'guest' | 'system' | 'anonymous'>().notNull(),
    actorId: uuid(),
    actorName: text().notNull(),
    address: text(),
    requestId: text(),
    data: json().$type<Record<string, unknown>>().notNull().default({}),
    createdAt: createdAt(),
  },
  (t) => [
    uniqueIndex('events_sequence_key').on(t.sequence),
    index('events_project_id_newest_index').on(t.projectId, t.id),
    index('events_batch_id_newest_index').on(t.batchId, t.id),
    index('events_type_newest_index').on(t.type, t.id),
    index('events_type_created_at_index').on(t.type, t.createdAt),
    // Whose turn a batch was: turnsOf.
    index('events_turned_index')
      .on(t.batchId, t.createdAt)
      .where(sql`type in ('batch.submitted', 'batch.review_completed', 'batch.resupplied', 'batch.cancelled')`),
    // The same, and when it was made: turnaround. One batch has few of these among thousands of others.
    index('events_turns_index')
      .on(t.batchId, t.createdAt)
      .where(
        sql`type in ('batch.created', 'batch.submitted', 'batch.review_completed', 'batch.resupplied', 'batch.cancelled')`,
      ),
    // What changed the status of a project: turnsOf, turnaround.
    index('events_project_status_index').on(t.projectId, t.createdAt).where(sql`type = 'project.updated'`),
    // rejectedUploads: counted from the index alone.
    index('events_rejected_uploads_index').on(t.createdAt, t.projectId).where(sql`type = 'upload.rejected'`),
    // The audit trail of one subject, and of one actor, newest first: listAuditEvents.
    index('events_subject_id_newest_index').on(t.subjectId, t.id),
    index('events_actor_id_newest_index').on(t.actorId, t.id),
    // Of before names were sealed: previewErasure.
    index('events_unsealed_actor_index')
      .on(t.actorId)
      .where(sql`not (actor_name like 'sealed:1:%' or data::text like '%"sealed:1:%')`),
  ],
)

/**
 * What opens the names and addresses of a person in the events: of a user, or of the client of an estimate, who is known by
 * its id. Erasing the person removes the key; the row stays, so that there never is another.
 */
export const personKeys = pgTable('person_keys', {
  personId: uuid().primaryKey(),
  /** 32 bytes; null: erased. */
  key: bytea(),
  createdAt: createdAt(),
})

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
    archivedAt: timestamptz(),
    /** Until then it is not in the inbox. */
    snoozedUntil: timestamptz(),
    createdAt: createdAt(),
  },
  (t) => [
    uniqueIndex('notifications_user_id_event_id_key').on(t.userId, t.eventId),
    // What was made from the events of a person: previewErasure, eraseUser.
    index('notifications_event_id_index').on(t.eventId),
    index('notifications_user_id_newest_index').on(t.userId, t.id),
    index('notifications_snoozed_index').on(t.userId, t.snoozedUntil).where(sql`snoozed_until is not null`),
    index('notifications_unread_index').on(t.userId).where(sql`read_at is null`),
    // How many are new, on every page: from the index alone.
    index('notifications_unread_inbox_index')
      .on(t.userId, t.snoozedUntil)
      .where(sql`read_at is null and archived_at is null`),
  ],
)

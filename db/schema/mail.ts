import { sql } from 'drizzle-orm'
import { boolean, check, index, integer, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { type EventType, MAIL_FREQUENCIES, MAIL_STATUSES, type MailFrequency, type MailStatus } from '@/lib/vocabulary'
import { createdAt, id, isOneOf, timestamptz, updatedAt } from './columns'
import { users } from './directory'
import { notifications } from './events'

/** How a user wants to be mailed of one kind of event, where they chose differently from what is usual. */
export const mailPreferences = pgTable(
  'mail_preferences',
  {
    userId: uuid()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    type: text().$type<EventType>().notNull(),
    frequency: text().$type<MailFrequency>().notNull(),
    updatedAt: updatedAt(),
  },
  (t) => [
    primaryKey({ columns: [t.userId, t.type] }),
    check('mail_preferences_frequency', isOneOf(t.frequency, MAIL_FREQUENCIES)),
  ],
)

/** One mail to one person; its text is made from its items when it is sent. */
export const mails = pgTable(
  'mails',
  {
    id: id(),
    userId: uuid()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    status: text().$type<MailStatus>().notNull().default('pending'),
    attempts: integer().notNull().default(0),
    /** Until when no worker tries: an attempt is under way, or the last one failed a moment ago. */
    leasedUntil: timestamptz(),
    /** The server may have it although it never said so: the same mail is sent again, with nothing added. */
    isFixed: boolean().notNull().default(false),
    error: text(),
    sentAt: timestamptz(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (t) => [
    // One mail under way for one person: what comes meanwhile waits, and goes in one mail.
    uniqueIndex('mails_user_id_pending_key').on(t.userId).where(sql`status = 'pending'`),
    // getServiceStatus: what failed lately.
    index('mails_errors_index').on(t.updatedAt).where(sql`error is not null`),
    check('mails_status', isOneOf(t.status, MAIL_STATUSES)),
  ],
)

/** A notification that is to go out by mail. */
export const mailItems = pgTable(
  'mail_items',
  {
    id: id(),
    userId: uuid()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    notificationId: uuid()
      .notNull()
      .references(() => notifications.id, { onDelete: 'cascade' }),
    dueAt: timestamptz().notNull(),
    mailId: uuid().references(() => mails.id),
    createdAt: createdAt(),
  },
  (t) => [
    uniqueIndex('mail_items_notification_id_key').on(t.notificationId),
    index('mail_items_waiting_index').on(t.userId, t.dueAt).where(sql`mail_id is null`),
    index('mail_items_mail_id_index').on(t.mailId),
  ],
)

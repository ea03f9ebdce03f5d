import { sql } from 'drizzle-orm'
import { check, index, integer, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import {
  DELIVERY_STATUSES,
  type DeliveryStatus,
  type EventType,
  WEBHOOK_STATUSES,
  type WebhookStatus,
} from '@/lib/vocabulary'
import { createdAt, id, isOneOf, timestamptz, updatedAt } from './columns'
import { users } from './directory'
import { events } from './events'

/** Where other systems are notified of what happened (Standard Webhooks). */
export const webhooks = pgTable(
  'webhooks',
  {
    id: id(),
    url: text().notNull(),
    description: text().notNull().default(''),
    /** Empty: every event there is. */
    eventTypes: text().$type<EventType>().array().notNull().default(sql`'{}'::text[]`),
    secretEncrypted: text().notNull(),
    /** After a rotation both secrets sign, until the receiver has had time to learn the new one. */
    previousSecretEncrypted: text(),
    previousSecretUntil: timestamptz(),
    status: text().$type<WebhookStatus>().notNull().default('active'),
    disabledReason: text(),
    disabledAt: timestamptz(),
    /** Since when nothing has got through; null while it works. */
    failingSince: timestamptz(),
    /** The receiver asked for a pause (429, 503 with Retry-After). */
    pausedUntil: timestamptz(),
    createdBy: uuid()
      .notNull()
      .references(() => users.id),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (t) => [check('webhooks_status', isOneOf(t.status, WEBHOOK_STATUSES))],
)

/** One event for one endpoint: what is sent, byte for byte, and how far it got. */
export const webhookDeliveries = pgTable(
  'webhook_deliveries',
  {
    id: id(),
    webhookId: uuid()
      .notNull()
      .references(() => webhooks.id, { onDelete: 'cascade' }),
    /** Null for a ping. */
    eventId: uuid().references(() => events.id),
    type: text().notNull(),
    payload: text().notNull(),
    status: text().$type<DeliveryStatus>().notNull().default('pending'),
    /** Every attempt ever made; the worker that writes an outcome names the attempt it is of. */
    attempts: integer().notNull().default(0),
    /** Attempts since it was last begun by hand or by its event: the place in the schedule. */
    step: integer().notNull().default(0),
    /** While an attempt is under way: until when no other worker makes one. */
    leasedUntil: timestamptz(),
    nextAttemptAt: timestamptz(),
    deliveredAt: timestamptz(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (t) => [
    uniqueIndex('webhook_deliveries_webhook_id_event_id_key').on(t.webhookId, t.eventId),
    // What was made from the events of a person: previewErasure, eraseUser. A ping has no event.
    index('webhook_deliveries_event_id_index').on(t.eventId).where(sql`event_id is not null`),
    index('webhook_deliveries_webhook_id_newest_index').on(t.webhookId, t.id),
    // getServiceStatus: how many are under way.
    index('webhook_deliveries_pending_index').on(t.id).where(sql`status = 'pending'`),
    check('webhook_deliveries_status', isOneOf(t.status, DELIVERY_STATUSES)),
  ],
)

/** One request of a delivery, and what came back. */
export const webhookAttempts = pgTable(
  'webhook_attempts',
  {
    id: id(),
    deliveryId: uuid()
      .notNull()
      .references(() => webhookDeliveries.id, { onDelete: 'cascade' }),
    number: integer().notNull(),
    responseStatus: integer(),
    /** The beginning of the response's body. */
    responseBody: text().notNull().default(''),
    /** Why there was no response. */
    error: text(),
    durationMs: integer().notNull(),
    createdAt: createdAt(),
  },
  (t) => [uniqueIndex('webhook_attempts_delivery_id_number_key').on(t.deliveryId, t.number)],
)

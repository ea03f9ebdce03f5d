import { desc, eq, inArray, lt } from 'drizzle-orm'
import { users } from '@/db/schema/directory'
import { webhookAttempts, webhookDeliveries, webhooks } from '@/db/schema/webhooks'
import { EVENT_TYPES } from '@/lib/vocabulary'
import { type Finder, query, type Tx } from '../kernel/operation'
import { findRow, listNewest } from '../kernel/rows'
import { decodeCursor, iso, isoOrNull, page, upTo } from '../kernel/shapes'
import { messageId } from './rules'
import {
  FullWebhookDelivery,
  ListWebhookDeliveries,
  ListWebhooks,
  Webhook,
  type WebhookDelivery,
  WebhookDeliveryList,
  WebhookList,
} from './schema'

export type WebhookRow = typeof webhooks.$inferSelect
export type DeliveryRow = typeof webhookDeliveries.$inferSelect
type AttemptRow = typeof webhookAttempts.$inferSelect

const isSendable = (type: string): type is Webhook['event_types'][number] => EVENT_TYPES.some((known) => known === type)

const presentWebhook = (row: WebhookRow, creator: string, now: Date): Webhook => ({
  id: row.id,
  url: row.url,
  description: row.description,
  event_types: row.eventTypes.filter(isSendable),
  status: row.status,
  disabled_reason: row.disabledReason,
  disabled_at: isoOrNull(row.disabledAt),
  failing_since: isoOrNull(row.failingSince),
  previous_secret_until: row.previousSecretUntil && row.previousSecretUntil > now ? iso(row.previousSecretUntil) : null,
  created_by: { id: row.createdBy, name: creator },
  created_at: iso(row.createdAt),
  updated_at: iso(row.updatedAt),
})

const presentAttempt = (row: AttemptRow) => ({
  number: row.number,
  at: iso(row.createdAt),
  response_status: row.responseStatus,
  response_body: row.responseBody,
  error: row.error,
  duration_ms: row.durationMs,
})

const presentDelivery = (row: DeliveryRow, last: AttemptRow | undefined): WebhookDelivery => ({
  id: row.id,
  webhook_id: row.webhookId,
  message_id: messageId(row.id),
  event_id: row.eventId,
  type: row.type,
  status: row.status,
  attempts: row.attempts,
  next_attempt_at: row.status === 'pending' ? isoOrNull(row.nextAttemptAt) : null,
  delivered_at: isoOrNull(row.deliveredAt),
  last_attempt: last ? presentAttempt(last) : null,
  created_at: iso(row.createdAt),
  updated_at: iso(row.updatedAt),
})

const withCreator = (tx: Tx) =>
  tx.db
    .select({ webhook: webhooks, creator: users.name })
    .from(webhooks)
    .innerJoin(users, eq(users.id, webhooks.createdBy))

export async function serializeWebhook(tx: Tx, id: string): Promise<Webhook> {
  const [row] = await withCreator(tx).where(eq(webhooks.id, id))
  if (!row) throw new Error(`Webhook ${id} vanished while it was read.`)
  return presentWebhook(row.webhook, row.creator, tx.now)
}

export async function serializeDelivery(tx: Tx, id: string): Promise<FullWebhookDelivery> {
  const [row] = await tx.db.select().from(webhookDeliveries).where(eq(webhookDeliveries.id, id))
  if (!row) throw new Error(`Delivery ${id} vanished while it was read.`)
  const attempts = await tx.db
    .select()
    .from(webhookAttempts)
    .where(eq(webhookAttempts.deliveryId, id))
    .orderBy(desc(webhookAttempts.number))
  return { ...presentDelivery(row, attempts[0]), payload: row.payload, attempt_log: attempts.map(presentAttempt) }
}

export const onWebhook: Finder<'webhook_id', WebhookRow> = {
  params: ['webhook_id'],
  find: (tx, { webhook_id }, lock) => findRow(tx, webhooks, 'webhook', webhook_id, lock),
}

export const onDelivery: Finder<'webhook_id' | 'delivery_id', { webhook: WebhookRow; delivery: DeliveryRow }> = {
  params: ['webhook_id', 'delivery_id'],
  async find(tx, { webhook_id, delivery_id }, lock) {
    const webhook = await onWebhook.find(tx, { webhook_id }, lock)
    const ofWebhook = eq(webhookDeliveries.webhookId, webhook.id)
    return { webhook, delivery: await findRow(tx, webhookDeliveries, 'delivery', delivery_id, lock, ofWebhook) }
  },
}

export const listWebhooks = query({
  name: 'listWebhooks',
  summary: 'Endpoints that are notified of events, newest first',
  permission: 'settings.manage',
  input: ListWebhooks,
  output: WebhookList,
  async run(tx, { input }) {
    const found = await withCreator(tx)
      .where(input.cursor ? lt(webhooks.id, decodeCursor(input.cursor)) : undefined)
      .orderBy(desc(webhooks.id))
      .limit(upTo(input.limit))
    const { rows, next_cursor } = page(
      found.map((row) => ({ ...row, id: row.webhook.id })),
      input.limit,
    )
    return { webhooks: rows.map(({ webhook, creator }) => presentWebhook(webhook, creator, tx.now)), next_cursor }
  },
})

export const getWebhook = query({
  name: 'getWebhook',
  summary: 'One endpoint',
  permission: 'settings.manage',
  resource: onWebhook,
  output: Webhook,
  isVersioned: true,
  run: (tx, { resource }) => serializeWebhook(tx, resource.id),
})

export const listWebhookDeliveries = query({
  name: 'listWebhookDeliveries',
  summary: 'What was sent to an endpoint and what it responded, newest first; kept for 30 days',
  permission: 'settings.manage',
  resource: onWebhook,
  input: ListWebhookDeliveries,
  output: WebhookDeliveryList,
  async run(tx, { resource, input }) {
    const ofWebhook = eq(webhookDeliveries.webhookId, resource.id)
    const withStatus = input.status && eq(webhookDeliveries.status, input.status)
    const { rows, next_cursor } = await listNewest(tx, webhookDeliveries, input, ofWebhook, withStatus)
    const attempts = await tx.db
      .select()
      .from(webhookAttempts)
      .where(
        inArray(
          webhookAttempts.deliveryId,
          rows.map(({ id }) => id),
        ),
      )
      .orderBy(webhookAttempts.number)
    // Later ones replace earlier ones.
    const lastOf = new Map(attempts.map((attempt) => [attempt.deliveryId, attempt]))
    return { deliveries: rows.map((row) => presentDelivery(row, lastOf.get(row.id))), next_cursor }
  },
})

export const getWebhookDelivery = query({
  name: 'getWebhookDelivery',
  summary: 'One delivery with its payload and every attempt',
  permission: 'settings.manage',
  resource: onDelivery,
  output: FullWebhookDelivery,
  isVersioned: true,
  run: (tx, { resource }) => serializeDelivery(tx, resource.delivery.id),
})

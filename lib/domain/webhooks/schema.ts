import { z } from 'zod'
import { DELIVERY_STATUSES, EVENT_TYPES, WEBHOOK_STATUSES } from '@/lib/vocabulary'
import { listOf, paging, prose, ref, text, timestamp, uuid } from '../kernel/shapes'

const eventTypes = z
  .array(z.enum(EVENT_TYPES))
  .max(EVENT_TYPES.length)
  .transform((types) => [...new Set(types)])
  .describe('Which events are sent; empty: every one')

export const Webhook = z
  .object({
    id: uuid,
    url: z.string(),
    description: z.string(),
    event_types: z.array(z.enum(EVENT_TYPES)),
    status: z.enum(WEBHOOK_STATUSES),
    disabled_reason: z.string().nullable(),
    disabled_at: timestamp.nullable(),
    failing_since: timestamp.nullable().describe('Since when nothing has got through'),
    previous_secret_until: timestamp.nullable().describe('Until when the secret before the last rotation still signs'),
    created_by: ref,
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'Webhook' })
export type Webhook = z.infer<typeof Webhook>

export const NewWebhook = Webhook.extend({
  secret: z.string().describe('For checking signatures; shown this once'),
}).meta({ id: 'NewWebhook' })
export type NewWebhook = z.infer<typeof NewWebhook>

export const WebhookList = listOf('webhooks', Webhook).meta({ id: 'WebhookList' })
export const ListWebhooks = z.strictObject(paging)

export const CreateWebhook = z.strictObject({
  url: text(2000).trim(),
  description: prose(200).default(''),
  event_types: eventTypes.default([]),
})

export const UpdateWebhook = z.strictObject({
  url: text(2000).trim().optional(),
  description: prose(200).optional(),
  event_types: eventTypes.optional(),
  status: z.enum(WEBHOOK_STATUSES).optional(),
})

const WebhookAttempt = z.object({
  number: z.int(),
  at: timestamp,
  response_status: z.int().nullable().describe('Null: there was no response'),
  response_body: z.string().describe('Its first 4096 bytes'),
  error: z.string().nullable(),
  duration_ms: z.int(),
})

export const WebhookDelivery = z
  .object({
    id: uuid,
    webhook_id: uuid,
    message_id: z.string().describe('The `webhook-id` header: the same over all attempts'),
    event_id: uuid.nullable(),
    type: z.string(),
    status: z.enum(DELIVERY_STATUSES),
    attempts: z.int(),
    next_attempt_at: timestamp.nullable(),
    delivered_at: timestamp.nullable(),
    last_attempt: WebhookAttempt.nullable(),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'WebhookDelivery' })
export type WebhookDelivery = z.infer<typeof WebhookDelivery>

export const FullWebhookDelivery = WebhookDelivery.extend({
  payload: z.string().describe('What is sent, byte for byte'),
  attempt_log: z.array(WebhookAttempt).describe('Newest first'),
}).meta({ id: 'FullWebhookDelivery' })
export type FullWebhookDelivery = z.infer<typeof FullWebhookDelivery>

export const WebhookDeliveryList = listOf('deliveries', WebhookDelivery).meta({ id: 'WebhookDeliveryList' })
export const ListWebhookDeliveries = z.strictObject({
  ...paging,
  status: z.enum(DELIVERY_STATUSES).optional(),
})

/** What an endpoint is sent of an event. */
export const WebhookPayload = z
  .object({
    type: z.enum(EVENT_TYPES),
    timestamp: timestamp.describe('When it happened'),
    data: z.object({
      event_id: uuid.describe('The same on the audit trail'),
      project_id: uuid.nullable(),
      batch_id: uuid.nullable(),
      subject_id: uuid.nullable().describe('The file, estimate, link or comment it happened to'),
      url: z.url().nullable().describe('The resource it is about, in this interface'),
      page_url: z.url().nullable().describe('Its screen'),
      actor: z.object({ type: z.string(), name: z.string() }),
      details: z.record(z.string(), z.unknown()).describe('Readable by itself: names, numbers, what changed'),
    }),
  })
  .meta({ id: 'WebhookPayload' })
export type WebhookPayload = z.infer<typeof WebhookPayload>

/** What an endpoint is sent to try it. */
export const WebhookPing = z
  .object({
    type: z.literal('webhook.ping'),
    timestamp,
    data: z.object({ webhook_id: uuid, by: z.string() }),
  })
  .meta({ id: 'WebhookPing' })
export type WebhookPing = z.infer<typeof WebhookPing>

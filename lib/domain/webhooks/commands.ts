import { eq } from 'drizzle-orm'
import { newId } from '@/db/schema/columns'
import { webhookDeliveries, webhooks } from '@/db/schema/webhooks'
import { invalidField, invalidState, quote } from '../kernel/errors'
import { changesBetween } from '../kernel/events'
import { command, type Tx } from '../kernel/operation'
import { iso } from '../kernel/shapes'
import { queueDelivery } from './deliver'
import { onDelivery, onWebhook, serializeDelivery, serializeWebhook, type WebhookRow } from './queries'
import { newSecret, ROTATION_MS } from './rules'
import { CreateWebhook, FullWebhookDelivery, NewWebhook, UpdateWebhook, Webhook } from './schema'

/** Endpoints and what an administrator does with them. Secrets are shown once and stored sealed. */

function assertTarget(tx: Tx, url: string) {
  const wrong = tx.ports.webhooks.explainUrl(url)
  if (wrong) throw invalidField('url', 'invalid_target', `Nothing can be sent to ${quote(url)}: ${wrong}.`)
}

export const createWebhook = command({
  name: 'createWebhook',
  summary: 'Add an endpoint; the response holds its signing secret, once',
  permission: 'settings.manage',
  input: CreateWebhook,
  output: NewWebhook,
  created: (webhook) => `/api/webhooks/${webhook.id}`,
  async run(tx, { input }) {
    if (tx.actor.type !== 'user') throw new Error('Endpoints are added by people.')
    assertTarget(tx, input.url)
    const id = newId(tx.now)
    const secret = newSecret()
    await tx.db.insert(webhooks).values({
      id,
      url: input.url,
      description: input.description,
      eventTypes: input.event_types,
      secretEncrypted: tx.ports.secrets.encrypt(secret),
      createdBy: tx.actor.id,
      createdAt: tx.now,
      updatedAt: tx.now,
    })
    await tx.record({
      type: 'webhook.created',
      subjectId: id,
      data: { url: input.url, description: input.description, event_types: input.event_types },
    })
    return { ...(await serializeWebhook(tx, id)), secret }
  },
})

export const updateWebhook = command({
  name: 'updateWebhook',
  summary: 'Change an endpoint: address, description, events; disable and enable',
  permission: 'settings.manage',
  resource: onWebhook,
  input: UpdateWebhook,
  output: Webhook,
  conditional: (tx, on) => serializeWebhook(tx, on.id),
  async run(tx, { resource: webhook, input }) {
    if (input.url !== undefined) assertTarget(tx, input.url)
    const next = {
      url: input.url ?? webhook.url,
      description: input.description ?? webhook.description,
      eventTypes: input.event_types ?? webhook.eventTypes,
      status: input.status ?? webhook.status,
    }
    const changes = changesBetween(webhook, next)
    if (!changes) return serializeWebhook(tx, webhook.id)
    const starts = next.status === 'active' && webhook.status === 'disabled'
    const stops = next.status === 'disabled' && webhook.status === 'active'
    await tx.db
      .update(webhooks)
      .set({
        ...next,
        ...(starts && { disabledReason: null, disabledAt: null, failingSince: null, pausedUntil: null }),
        ...(stops && { disabledReason: `Disabled by ${nameOf(tx)}.`, disabledAt: tx.now }),
        updatedAt: tx.now,
      })
      .where(eq(webhooks.id, webhook.id))
    await tx.record({ type: 'webhook.updated', subjectId: webhook.id, data: { url: next.url, ...changes } })
    return serializeWebhook(tx, webhook.id)
  },
})

const nameOf = ({ actor }: Tx) => (actor.type === 'anonymous' ? 'another user' : actor.name)

export const rotateWebhookSecret = command({
  name: 'rotateWebhookSecret',
  summary: 'Make a new signing secret, shown once; for 24 hours the one before signs as well',
  permission: 'settings.manage',
  resource: onWebhook,
  output: NewWebhook,
  async run(tx, { resource: webhook }) {
    const secret = newSecret()
    const until = new Date(tx.now.getTime() + ROTATION_MS)
    await tx.db
      .update(webhooks)
      .set({
        secretEncrypted: tx.ports.secrets.encrypt(secret),
        previousSecretEncrypted: webhook.secretEncrypted,
        previousSecretUntil: until,
        updatedAt: tx.now,
      })
      .where(eq(webhooks.id, webhook.id))
    await tx.record({
      type: 'webhook.secret_rotated',
      subjectId: webhook.id,
      data: { url: webhook.url, previous_until: iso(until) },
    })
    return { ...(await serializeWebhook(tx, webhook.id)), secret }
  },
})

export const deleteWebhook = command({
  name: 'deleteWebhook',
  summary: 'Remove an endpoint and its delivery log',
  permission: 'settings.manage',
  resource: onWebhook,
  output: Webhook,
  async run(tx, { resource: webhook }) {
    const shown = await serializeWebhook(tx, webhook.id)
    await tx.db.delete(webhooks).where(eq(webhooks.id, webhook.id))
    await tx.record({ type: 'webhook.deleted', subjectId: webhook.id, data: { url: webhook.url } })
    return shown
  },
})

function assertActive(webhook: WebhookRow) {
  if (webhook.status === 'active') return
  throw invalidState('This endpoint is disabled. Enable it, then send.', webhook.status, ['active'])
}

export const pingWebhook = command({
  name: 'pingWebhook',
  summary: 'Send an endpoint a `webhook.ping`, whatever events it is notified of',
  permission: 'settings.manage',
  resource: onWebhook,
  output: FullWebhookDelivery,
  created: (delivery) => `/api/webhooks/${delivery.webhook_id}/deliveries/${delivery.id}`,
  async run(tx, { resource: webhook }) {
    assertActive(webhook)
    const data = { webhook_id: webhook.id, by: nameOf(tx) }
    const id = await queueDelivery(tx, webhook.id, { eventId: null, type: 'webhook.ping', at: tx.now, data })
    return serializeDelivery(tx, id)
  },
})

export const resendWebhookDelivery = command({
  name: 'resendWebhookDelivery',
  summary: 'Send a delivery again now, with the same `webhook-id` and payload; its schedule begins anew',
  permission: 'settings.manage',
  resource: onDelivery,
  output: FullWebhookDelivery,
  async run(tx, { resource: { webhook, delivery } }) {
    assertActive(webhook)
    if (delivery.leasedUntil && delivery.leasedUntil > tx.now)
      throw invalidState('An attempt is under way. Wait for its outcome.', 'sending', [
        'pending',
        'delivered',
        'failed',
      ])
    await tx.db
      .update(webhookDeliveries)
      .set({ status: 'pending', step: 0, nextAttemptAt: tx.now, updatedAt: tx.now })
      .where(eq(webhookDeliveries.id, delivery.id))
    // An administrator who sends by hand has fixed what made the receiver ask for a pause.
    await tx.db.update(webhooks).set({ pausedUntil: null }).where(eq(webhooks.id, webhook.id))
    await tx.enqueue('deliver_webhook', { delivery_id: delivery.id }, { key: `deliver_webhook:${delivery.id}` })
    return serializeDelivery(tx, delivery.id)
  },
})

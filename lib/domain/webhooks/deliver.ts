import { and, eq, isNull, sql } from 'drizzle-orm'
import { newId } from '@/db/schema/columns'
import { webhookAttempts, webhookDeliveries, webhooks } from '@/db/schema/webhooks'
import { EVENT_TYPES } from '@/lib/vocabulary'
import type { RecordedEvent } from '../kernel/events'
import { type Context, inTransaction, type Tx } from '../kernel/operation'
import { iso } from '../kernel/shapes'
import { eventLinks } from './links'
import type { WebhookResponse } from './port'
import { classifyResponse, hasFailedTooLong, LEASE_MS } from './rules'
import type { WebhookPayload, WebhookPing } from './schema'

/**
 * A delivery from its event to the response of its endpoint. Its row is written with the event; jobs only carry it on, and
 * every outcome names the attempt it is of: a job that runs twice, or outlives its worker, changes nothing twice.
 */

const sendable = new Set<string>(EVENT_TYPES)

/** Writes what endpoints will be sent about the event, in its transaction. */
export async function queueDeliveries(tx: Tx, event: RecordedEvent) {
  if (!sendable.has(event.type)) return
  for (const id of event.webhookIds) {
    await queueDelivery(tx, id, {
      eventId: event.id,
      type: event.type,
      at: event.createdAt,
      data: {
        event_id: event.id,
        project_id: event.projectId,
        batch_id: event.batchId,
        subject_id: event.subjectId,
        ...eventLinks(tx.ports.baseUrl, event),
        actor: { type: event.actorType, name: event.actorName },
        details: event.data,
      },
    })
  }
}

type Message = { eventId: string | null; type: string; at: Date; data: WebhookPayload['data'] | WebhookPing['data'] }

/** One message for one endpoint, and the job that sends it. Returns its id. */
export async function queueDelivery(tx: Tx, webhookId: string, { eventId, type, at, data }: Message): Promise<string> {
  const id = newId(tx.now)
  await tx.db.insert(webhookDeliveries).values({
    id,
    webhookId,
    eventId,
    type,
    payload: JSON.stringify({ type, timestamp: iso(at), data }),
    nextAttemptAt: tx.now,
    createdAt: tx.now,
    updatedAt: tx.now,
  })
  await tx.enqueue('deliver_webhook', { delivery_id: id }, { key: `deliver_webhook:${id}` })
  return id
}

export type ClaimedDelivery = {
  id: string
  attempt: number
  step: number
  url: string
  payload: string
  secrets: string[]
}

const later = (tx: Tx, id: string, at: Date) =>
  tx.enqueue('deliver_webhook', { delivery_id: id }, { key: `deliver_webhook:${id}`, runAt: at })

/** Begins an attempt, if one is due: null when there is nothing to send now. */
export function claimDelivery(ctx: Context, id: string): Promise<ClaimedDelivery | null> {
  return inTransaction(ctx, async (tx) => {
    const [found] = await tx.db
      .select({ delivery: webhookDeliveries, webhook: webhooks })
      .from(webhookDeliveries)
      .innerJoin(webhooks, eq(webhooks.id, webhookDeliveries.webhookId))
      .where(and(eq(webhookDeliveries.id, id), eq(webhookDeliveries.status, 'pending')))
      .for('no key update', { of: webhookDeliveries })
    if (!found) return null
    const { delivery, webhook } = found
    if (webhook.status === 'disabled') {
      await tx.db
        .update(webhookDeliveries)
        .set({ status: 'failed', nextAttemptAt: null, updatedAt: tx.now })
        .where(eq(webhookDeliveries.id, id))
      return null
    }
    const waits = [delivery.leasedUntil, delivery.nextAttemptAt, webhook.pausedUntil]
    const until = Math.max(...waits.map((time) => time?.getTime() ?? 0))
    if (until > tx.now.getTime()) {
      await later(tx, id, new Date(until))
      return null
    }
    const attempt = delivery.attempts + 1
    const leasedUntil = new Date(tx.now.getTime() + LEASE_MS)
    await tx.db
      .update(webhookDeliveries)
      .set({ attempts: attempt, step: delivery.step + 1, leasedUntil, updatedAt: tx.now })
      .where(eq(webhookDeliveries.id, id))
    // Should this process die, the delivery goes on when the lease has passed.
    await later(tx, id, leasedUntil)
    const { encrypt: _, decrypt } = tx.ports.secrets
    const previous =
      webhook.previousSecretEncrypted && webhook.previousSecretUntil && webhook.previousSecretUntil > tx.now
        ? [webhook.previousSecretEncrypted]
        : []
    return {
      id,
      attempt,
      step: delivery.step + 1,
      url: webhook.url,
      payload: delivery.payload,
      secrets: [webhook.secretEncrypted, ...previous].map(decrypt),
    }
  })
}

/** Writes down what came of an attempt, and what follows from it. `chance`: from 0 to 1. */
export function finishDelivery(
  ctx: Context,
  taken: ClaimedDelivery,
  response: WebhookResponse,
  chance: number,
): Promise<void> {
  return inTransaction(ctx, async (tx) => {
    const [delivery] = await tx.db
      .select()
      .from(webhookDeliveries)
      .where(and(eq(webhookDeliveries.id, taken.id), eq(webhookDeliveries.attempts, taken.attempt)))
      .for('no key update')
    if (!delivery) return
    await tx.db.insert(webhookAttempts).values({
      id: newId(tx.now),
      deliveryId: taken.id,
      number: taken.attempt,
      responseStatus: response.status,
      responseBody: response.body,
      error: response.error,
      durationMs: response.durationMs,
      createdAt: tx.now,
    })
    const outcome = classifyResponse(response, taken.step, tx.now, chance)
    const status = { delivered: 'delivered', gone: 'failed', exhausted: 'failed', retry: 'pending' } as const
    await tx.db
      .update(webhookDeliveries)
      .set({
        status: status[outcome.kind],
        leasedUntil: null,
        nextAttemptAt: outcome.kind === 'retry' ? outcome.at : null,
        ...(outcome.kind === 'delivered' && { deliveredAt: tx.now }),
        updatedAt: tx.now,
      })
      .where(eq(webhookDeliveries.id, taken.id))
    if (outcome.kind === 'retry') await later(tx, taken.id, outcome.at)
    const endpoint = eq(webhooks.id, delivery.webhookId)
    if (outcome.kind === 'delivered') {
      await tx.db
        .update(webhooks)
        .set({ failingSince: null, pausedUntil: null })
        .where(and(endpoint, sql`(${webhooks.failingSince} is not null or ${webhooks.pausedUntil} is not null)`))
      return
    }
    const [webhook] = await tx.db
      .update(webhooks)
      .set({
        failingSince: sql`coalesce(${webhooks.failingSince}, ${iso(tx.now)}::timestamptz)`,
        ...(outcome.kind === 'retry' && outcome.pausesAll && { pausedUntil: outcome.at }),
      })
      .where(endpoint)
      .returning()
    if (!webhook) return
    if (outcome.kind === 'gone')
      await disable(tx, webhook, 'It responded with 410 Gone: the endpoint is not in use any more.')
    else if (hasFailedTooLong(webhook.failingSince, tx.now))
      await disable(tx, webhook, 'Nothing got through for five days.')
  })
}

async function disable(tx: Tx, webhook: typeof webhooks.$inferSelect, reason: string) {
  const disabled = await tx.db
    .update(webhooks)
    .set({ status: 'disabled', disabledReason: reason, disabledAt: tx.now, updatedAt: tx.now })
    .where(and(eq(webhooks.id, webhook.id), eq(webhooks.status, 'active'), isNull(webhooks.disabledAt)))
    .returning({ id: webhooks.id })
  if (disabled.length > 0)
    await tx.record({ type: 'webhook.disabled', subjectId: webhook.id, data: { url: webhook.url, reason } })
}

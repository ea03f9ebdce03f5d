import { createHmac } from 'node:crypto'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { events } from '@/db/schema/events'
import { webhookDeliveries, webhooks } from '@/db/schema/webhooks'
import { emptyTables, testDb, testSql } from '@/db/testing'
import { makeBatch, makeFile, makeProject, makeUser, makeWebhook, type UserRow } from '@/fixtures/factories'
import { webhookSender } from '@/lib/adapters/webhook-sender/send'
import { submitBatch } from '@/lib/domain/batches/commands'
import type { Context } from '@/lib/domain/kernel/operation'
import { as, eventsAbout, expectRefusal } from '@/lib/domain/testing'
import {
  createWebhook,
  deleteWebhook,
  pingWebhook,
  resendWebhookDelivery,
  rotateWebhookSecret,
  updateWebhook,
} from '@/lib/domain/webhooks/commands'
import { claimDelivery } from '@/lib/domain/webhooks/deliver'
import { getWebhookDelivery, listWebhookDeliveries } from '@/lib/domain/webhooks/queries'
import { HOUR } from '@/lib/domain/webhooks/rules'
import { WebhookPayload } from '@/lib/domain/webhooks/schema'
import { deliverWebhook } from './deliver-webhook'

/** A receiver that responds to each request as the test says next, and keeps what it got. */
type Got = { headers: IncomingHttpHeaders; body: string }
let got: Got[] = []
let responders: ((response: ServerResponse) => void)[] = []
const server = createServer({ keepAliveTimeout: 65_000 }, async (request, response) => {
  got.push({ headers: request.headers, body: await text(request) })
  const respond = responders.shift() ?? respondWith(204)
  respond(response)
})
const respondWith =
  (status: number, headers: Record<string, string> = {}) =>
  (response: ServerResponse) =>
    void response.writeHead(status, headers).end(`response ${status}`)
const hanging = () => {}
const resetting = (response: ServerResponse) => void response.socket?.resetAndDestroy()

let url = ''
let admin: UserRow
let now: Date
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})
beforeEach(async () => {
  await emptyTables()
  admin = await makeUser({ role: 'administrator' })
  got = []
  responders = []
  now = new Date('2026-11-21T10:00:00Z')
})

const ports = { webhooks: { post: webhookSender({ allowsPrivate: true, timeoutMs: 3_000 }) } }
const ctx = (): Context => as('system', { now, ports })
const asAdmin = () => as(admin, { now, ports })
const pass = (ms: number) => {
  now = new Date(now.getTime() + ms)
}
const deliver = (delivery_id: string) => deliverWebhook(ctx(), { delivery_id })
const deliveryOf = (webhook_id: string, delivery_id: string) =>
  getWebhookDelivery.execute(asAdmin(), { webhook_id, delivery_id })
const endpointOf = async (id: string) => (await testDb.select().from(webhooks).where(eq(webhooks.id, id)))[0]

const verifies = (request: Got, secret: string) => {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures } = request.headers
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64')
  const own = createHmac('sha256', key).update(`${id}.${timestamp}.${request.body}`).digest('base64')
  return String(signatures).split(' ').includes(`v1,${own}`)
}

async function pinged() {
  const { secret, id } = await createWebhook.execute(asAdmin(), {}, { url })
  const ping = await pingWebhook.execute(asAdmin(), { webhook_id: id })
  return { webhookId: id, secret, id: ping.id }
}

describe('an event', () => {
  async function submitted(given: object = {}) {
    const operator = await makeUser({ role: 'operator' })
    const project = await makeProject({ members: [operator] })
    const batch = await makeBatch({ projectId: project.id, operatorId: operator.id, ...given })
    await makeFile(batch)
    return { operator, params: { project_id: project.id, batch_id: batch.id }, batch }
  }

  it('is delivered once to each endpoint that listens, signed, and never for a change that was rolled back', async () => {
    const all = await makeWebhook({ url })
    const chosen = await makeWebhook({ url, eventTypes: ['batch.submitted'] })
    await makeWebhook({ url, eventTypes: ['file.received'] })
    await makeWebhook({ url, status: 'disabled' })
    const { operator, params, batch } = await submitted()
    await submitBatch.execute(as(operator, { now }), params)
    const queued = await testDb.select().from(webhookDeliveries)
    expect(queued.map(({ webhookId }) => webhookId).sort()).toEqual([all.id, chosen.id].sort())
    const jobs = await testSql`select key from graphile_worker._private_jobs where key like 'deliver_webhook:%'`
    expect(jobs).toHaveLength(2)
    const [first] = queued
    const payload = WebhookPayload.parse(JSON.parse(first?.payload ?? ''))
    expect(payload.data.url).toMatch(new RegExp(`/api/projects/${params.project_id}/batches/${batch.id}$`))
    expect(payload).toMatchObject({
      type: 'batch.submitted',
      timestamp: now.toISOString(),
      data: { batch_id: batch.id, details: { name: batch.name, files: 1 } },
    })

    const empty = await makeBatch({ projectId: params.project_id, operatorId: operator.id })
    await expectRefusal(submitBatch.execute(as(operator), { ...params, batch_id: empty.id }), 'batch_empty')
    expect(await testDb.$count(webhookDeliveries)).toBe(2)
  })
})

describe('a delivery', () => {
  it('goes on through every kind of failure, with one id and a fresh time and signature each, until it gets through', async () => {
    const { webhookId, secret, id } = await pinged()
    responders = [
      respondWith(500),
      hanging,
      resetting,
      respondWith(302, { location: 'http://127.0.0.1:1/canary' }),
      respondWith(429, { 'retry-after': '36000' }),
      respondWith(200),
    ]
    const waits = [0, 5_000, 300_000, 1_800_000, 2 * HOUR, 10 * HOUR]
    for (const [index, wait] of waits.entries()) {
      const { next_attempt_at, attempt_log } = await deliveryOf(webhookId, id)
      const due = new Date(next_attempt_at ?? '')
      if (wait > 0) {
        // Counted from the end of the attempt before, and spread over a tenth of it at most.
        const since = due.getTime() - now.getTime() - (attempt_log[0]?.duration_ms ?? 0)
        expect(since).toBeGreaterThanOrEqual(wait)
        expect(since).toBeLessThanOrEqual(wait * 1.1 + 1)
        now = new Date(due.getTime() - 1)
        await deliver(id)
        expect(got).toHaveLength(index)
      }
      now = due
      await deliver(id)
      expect(got).toHaveLength(index + 1)
    }
    const delivery = await deliveryOf(webhookId, id)
    expect(delivery).toMatchObject({ status: 'delivered', attempts: 6, next_attempt_at: null })
    expect(delivery.attempt_log.map(({ response_status }) => response_status)).toEqual([200, 429, 302, null, null, 500])
    expect(delivery.attempt_log[5]?.response_body).toBe('response 500')
    expect(delivery.attempt_log[4]?.error).toContain('No complete response')
    expect(new Set(got.map(({ headers }) => headers['webhook-id']))).toEqual(new Set([delivery.message_id]))
    expect(new Set(got.map(({ headers }) => headers['webhook-timestamp'])).size).toBe(6)
    expect(got.every((request) => verifies(request, secret) && request.body === delivery.payload)).toBe(true)
    expect((await endpointOf(webhookId))?.failingSince).toBeNull()
    await deliver(id)
    expect(got).toHaveLength(6)
  })

  it('is sent by one of two workers, and goes on when the one that had it died', async () => {
    const { id } = await pinged()
    await Promise.all([deliver(id), deliver(id)])
    expect(got).toHaveLength(1)

    const second = await pinged()
    expect(await claimDelivery(ctx(), second.id)).not.toBeNull()
    pass(44_000)
    await deliver(second.id)
    expect(got).toHaveLength(1)
    pass(2_000)
    await deliver(second.id)
    expect(got).toHaveLength(2)
    expect(await deliveryOf(second.webhookId, second.id)).toMatchObject({ status: 'delivered', attempts: 2 })
  })

  it('waits with all others of its endpoint when that asks for a pause', async () => {
    const { webhookId, id } = await pinged()
    const other = await pingWebhook.execute(asAdmin(), { webhook_id: webhookId })
    responders = [respondWith(429, { 'retry-after': '600' })]
    await deliver(id)
    await deliver(other.id)
    expect(got).toHaveLength(1)
    pass(660_000)
    await deliver(other.id)
    expect(got).toHaveLength(2)
  })

  it('ends, and the endpoint with it, when no server listens any more', async () => {
    const { webhookId, id } = await pinged()
    const waiting = await pingWebhook.execute(asAdmin(), { webhook_id: webhookId })
    responders = [respondWith(410)]
    await deliver(id)
    expect(await endpointOf(webhookId)).toMatchObject({
      status: 'disabled',
      disabledReason: expect.stringContaining('410'),
    })
    await deliver(waiting.id)
    expect(got).toHaveLength(1)
    expect((await deliveryOf(webhookId, waiting.id)).status).toBe('failed')
    expect((await eventsAbout(webhookId)).map(({ type }) => type)).toContain('webhook.disabled')
    await expectRefusal(pingWebhook.execute(asAdmin(), { webhook_id: webhookId }), 'invalid_state')
    await expectRefusal(
      resendWebhookDelivery.execute(asAdmin(), { webhook_id: webhookId, delivery_id: id }),
      'invalid_state',
    )
    await updateWebhook.execute(asAdmin(), { webhook_id: webhookId }, { status: 'active' })
    await resendWebhookDelivery.execute(asAdmin(), { webhook_id: webhookId, delivery_id: id })
    await deliver(id)
    expect(await deliveryOf(webhookId, id)).toMatchObject({ status: 'delivered', attempts: 2 })
    expect(got[0]?.headers['webhook-id']).toBe(got[1]?.headers['webhook-id'])
  })

  it('ends after five days in which nothing got through: the endpoint is disabled, and administrators are notified', async () => {
    const { webhookId, id } = await pinged()
    responders = Array.from({ length: 12 }, () => respondWith(503))
    for (let i = 0; i < 11; i++) {
      await deliver(id)
      pass(27 * HOUR)
    }
    expect(got).toHaveLength(6)
    expect((await deliveryOf(webhookId, id)).status).toBe('failed')
    expect(await endpointOf(webhookId)).toMatchObject({
      status: 'disabled',
      disabledReason: 'Nothing got through for five days.',
    })
    const [disabled] = await testDb.select().from(events).where(eq(events.type, 'webhook.disabled'))
    const notified = await testSql`select user_id, title from notifications where event_id = ${disabled?.id ?? ''}`
    expect(notified).toMatchObject([{ user_id: admin.id }])
  })
})

describe('a secret', () => {
  it('is shown once, and after a rotation signs together with the one before, for a day', async () => {
    const { webhookId, secret } = await pinged()
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    const rotated = await rotateWebhookSecret.execute(asAdmin(), { webhook_id: webhookId })
    const send = async () => {
      const { id } = await pingWebhook.execute(asAdmin(), { webhook_id: webhookId })
      await deliver(id)
      const last = got.at(-1) as Got
      return [verifies(last, secret), verifies(last, rotated.secret)]
    }
    expect(await send()).toEqual([true, true])
    pass(24 * HOUR + 1)
    expect(await send()).toEqual([false, true])
    const log = JSON.stringify(await testDb.select().from(events))
    expect(log).not.toContain(secret)
    expect(log).not.toContain(rotated.secret)
  })
})

it('an endpoint goes with its log; its id then is of nothing', async () => {
  const { webhookId } = await pinged()
  const { deliveries } = await listWebhookDeliveries.execute(asAdmin(), { webhook_id: webhookId })
  expect(deliveries).toHaveLength(1)
  await deleteWebhook.execute(asAdmin(), { webhook_id: webhookId })
  await expectRefusal(listWebhookDeliveries.execute(asAdmin(), { webhook_id: webhookId }), 'not_found')
})

it('an address that leads inside is refused, and so is a target that is none', async () => {
  const explainUrl = () => 'is not on the public internet'
  const create = createWebhook.execute(as(admin, { ports: { webhooks: { explainUrl } } }), {}, { url })
  await expectRefusal(create, 'validation_failed', ['url'])
  const wrong = { url, event_types: ['no.such'], secret: 'whsec_mine' }
  await expectRefusal(createWebhook.execute(asAdmin(), {}, wrong), 'validation_failed', ['event_types.0', 'secret'])
})

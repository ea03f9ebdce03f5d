import { EventEmitter } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Registry } from 'prom-client'
import { SMTPServer } from 'smtp-server'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { testSql } from '@/db/testing'
import { makeBatch, makeProject, makeToken, makeUser } from '@/fixtures/factories'
import { startS3Server } from '@/lib/adapters/blob-store/testing/s3-server'
import { startTelemetry } from '@/lib/adapters/telemetry.mjs'
import { type SentSpan, startCollector } from '@/lib/adapters/testing/collector'
import { image } from '@/lib/domain/files/testing'
import { background, tasks } from '@/lib/jobs/tasks'
import { newContext } from '@/lib/service'
import { spanOfJob } from '@/lib/tracing'
import { BASE_URL, routes, send } from './testing'

// Requests as the web server runs them, and jobs as a worker does, sent to a real collector: what a file that goes to the
// bucket itself, a mail and a webhook say of themselves. e2e/telemetry.spec.ts has the way through the service.

const BUCKET = { bucket: 'traced', accessKeyId: 'TRACED', secretAccessKey: 'secret' }
const FILE = 'a-name-of-a-person.png'
const ALL = { ...tasks, ...background } as Record<string, (ctx: object, payload: object) => Promise<void>>

let collector: Awaited<ReturnType<typeof startCollector>>
let bucket: Awaited<ReturnType<typeof startS3Server>>
let telemetry: NonNullable<Awaited<ReturnType<typeof startTelemetry>>>
const receiver = createServer({ keepAliveTimeout: 65_000 }, (_, response) => void response.writeHead(204).end())
const mailServer = new SMTPServer({
  authOptional: true,
  disabledCommands: ['STARTTLS'],
  logger: false,
  onData: (stream, _, done) => void stream.resume().once('end', () => done()),
})
const portOf = (server: { address(): unknown }) => (server.address() as AddressInfo).port

beforeAll(async () => {
  collector = await startCollector()
  bucket = await startS3Server(BUCKET)
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  await new Promise<void>((resolve) => void mailServer.listen(0, '127.0.0.1', () => resolve()))
  Object.assign(process.env, {
    STORAGE: 's3',
    UPLOADS: 'direct',
    S3_BUCKET: BUCKET.bucket,
    S3_ENDPOINT: bucket.endpoint,
    S3_ACCESS_KEY_ID: BUCKET.accessKeyId,
    S3_SECRET_ACCESS_KEY: BUCKET.secretAccessKey,
    SMTP_URL: `smtp://127.0.0.1:${portOf(mailServer.server)}`,
    WEBHOOK_PRIVATE_ADDRESSES: 'allow',
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
    OTEL_METRICS_EXPORTER: 'none',
  })
  const started = await startTelemetry({ service: 'greenroom-test', registry: new Registry() })
  if (!started) throw new Error('Nothing is traced.')
  telemetry = started
})
afterAll(async () => {
  await collector.stop()
  await bucket.stop()
  receiver.closeAllConnections()
  receiver.close()
  await new Promise<void>((resolve) => mailServer.close(resolve))
})

/** A request in its span, as server/web/server.mjs has it. */
async function ask<Output>(
  method: string,
  route: string,
  params: Record<string, string>,
  body?: object,
  token?: string,
) {
  const response = Object.assign(new EventEmitter(), { headersSent: true, statusCode: 0, writableFinished: true })
  const path = route.replaceAll(/\{(\w+)\}/g, (_, name) => params[name] ?? '')
  const handlers = await import(routes[route] ?? '')
  const headers = { 'upload-session': '0b5e2f0e-93f5-4b43-8a6e-5a1f3c2d7e10' }
  const answer: Response = await telemetry.serve(
    { headers, httpVersion: '1.1' } as unknown as IncomingMessage,
    response as unknown as ServerResponse,
    { route, method },
    () => send(handlers[method], method, path, { token, body, params, headers }),
  )
  expect(answer.status, await answer.clone().text()).toBeLessThan(300)
  response.statusCode = answer.status
  response.emit('close')
  return (await answer.json()) as Output
}

/** Runs the waiting jobs of a task as lib/jobs/worker.ts does, a minute later. */
async function work(task: string) {
  const jobs = await testSql<{ id: string; payload: object }[]>`
    delete from graphile_worker._private_jobs j using graphile_worker._private_tasks t
    where t.id = j.task_id and t.identifier = ${task} returning j.id, j.payload`
  expect(jobs.length).toBeGreaterThan(0)
  const now = new Date(Date.now() + 60_000)
  const ctx = () => newContext({ actor: { type: 'system', name: 'Greenroom' }, now })
  for (const { id, payload } of jobs)
    await spanOfJob({ task, id, attempt: 1, waitedMs: 0, payload }, async () => ALL[task]?.(ctx(), payload))
}

/** The names of a span and of those above it. */
function ancestry(spans: SentSpan[], name: string): string[] {
  const names: string[] = []
  let at = spans.find((each) => each.name === name)
  while (at) {
    names.push(at.name)
    at = spans.find(({ spanId }) => spanId === at?.parentSpanId)
  }
  return names
}

test('a file that goes to the bucket itself, a mail and a webhook are traced, and none of them by name', async () => {
  const [coordinator, operator] = [await makeUser({ role: 'coordinator' }), await makeUser({ role: 'operator' })]
  const { token: admin } = await makeToken(await makeUser({ role: 'administrator' }))
  const { token } = await makeToken(coordinator)
  const project = await makeProject({ members: [coordinator, operator] })
  const batch = await makeBatch({ projectId: project.id, operatorId: operator.id })
  const hook = `http://127.0.0.1:${portOf(receiver)}/a-secret-path`
  await ask('POST', '/api/webhooks', {}, { url: hook }, admin)
  const { url } = await ask<{ url: string }>('POST', '/api/upload-links', {}, { batch_id: batch.id }, token)
  const link = url.split('/').at(-1) ?? ''

  const uploads = '/api/public/upload-links/{token}/uploads'
  const bytes = await image()
  const begun = await ask<{ id: string; parts: { url: string }[] }>(
    'POST',
    uploads,
    { token: link },
    { name: FILE, size: bytes.length },
  )
  for (const part of begun.parts) await fetch(part.url, { method: 'PUT', body: new Uint8Array(bytes) })
  const at = { token: link, upload_id: begun.id }
  await ask('POST', `${uploads}/{upload_id}/complete`, at)
  await work('settle_upload')
  expect(await ask('GET', `${uploads}/{upload_id}`, at)).toMatchObject({ status: 'accepted' })
  const ids = { project_id: project.id, batch_id: batch.id }
  await ask('POST', '/api/projects/{project_id}/batches/{batch_id}/submit', ids, undefined, token)
  await work('send_mail')
  await work('deliver_webhook')
  await telemetry.stop()

  const spans = collector.spans()
  const completion = ['transaction', 'completeUploadByLink', `POST ${uploads}/{upload_id}/complete`]
  expect(ancestry(spans, 'storage assemble upload')).toEqual([
    'storage assemble upload',
    'process settle_upload',
    ...completion,
  ])
  expect(ancestry(spans, 'storage fetch upload').slice(-completion.length)).toEqual(completion)
  expect(ancestry(spans, 'inspector examine').slice(-completion.length)).toEqual(completion)
  expect(ancestry(spans, 'storage commit').slice(-completion.length)).toEqual(completion)
  expect(ancestry(spans, 'storage begin upload').at(-1)).toBe(`POST ${uploads}`)
  const submission = ['transaction', 'submitBatch', 'POST /api/projects/{project_id}/batches/{batch_id}/submit']
  expect(ancestry(spans, 'send mail').slice(-4)).toEqual(['process send_mail', ...submission])
  expect(spans.find(({ name }) => name === 'send mail')?.facts).toEqual({ 'greenroom.mail.result': 'sent' })
  const delivered = spans.filter(({ name }) => name === 'POST webhook')
  expect(delivered.map(({ facts }) => facts['http.response.status_code'])).toContain(204)
  const submitted = spans.find(({ name }) => name === 'submitBatch')
  const ofSubmission = spans.filter(({ traceId }) => traceId === submitted?.traceId)
  expect(ancestry(ofSubmission, 'POST webhook').slice(-4)).toEqual(['process deliver_webhook', ...submission])

  const said = collector.requests.map(({ body }) => body.toString()).join('\n')
  expect(said).toContain('process settle_upload')
  for (const secret of [link, 'a-name-of-a-person', 'a-secret-path', operator.email, operator.name, batch.name, token])
    expect(said).not.toContain(secret)
  expect(said).not.toContain(new URL(BASE_URL).host)
})

import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { type SentSpan, startCollector } from '@/lib/adapters/testing/collector'
import { startProduct } from './support/product'
import { expect, test } from './support/test'
import { photo } from './support/workspace'

// What web and worker, as `npm start` runs them, send to a collector.

type Named = { id: string; name: string }
const FILE = 'a-name-of-a-person.jpg'
const TRACE = '0af7651916cd43dd8448eb211c80319c'
const CALLER = 'b7ad6b7169203331'

test('one trace leads from an upload to its verdict', async () => {
  const collector = await startCollector()
  const product = await startProduct({
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
    WEB_PROCESSES: '2',
    // The check itself is to measure, wherever the worker was quicker than the submit.
    MEASURE_AHEAD: 'off',
  })
  let token = ''
  let webLog = ''
  try {
    const ask = await asCoordinator(product)
    const { agencies } = await ask<{ agencies: Named[] }>('/api/agencies')
    const { media_categories } = await ask<{ media_categories: Named[] }>('/api/media-categories')
    const { users } = await ask<{ users: { id: string; email: string }[] }>('/api/users?role=operator')
    const project = await ask<Named>('/api/projects', { name: 'Traced', agency_id: agencies[0]?.id })
    const category = media_categories.find(({ name }) => name === 'Mixed deliverables')
    const batches = `/api/projects/${project.id}/batches`
    const batch = await ask<Named>(batches, {
      name: 'Stills',
      media_category_id: category?.id,
      operator_id: users.find(({ email }) => email.startsWith('operator@'))?.id,
    })
    const link = await ask<{ url: string }>('/api/upload-links', { batch_id: batch.id, label: 'Traced', max_uses: 1 })
    token = link.url.split('/').at(-1) ?? ''

    const form = new FormData()
    form.append('file', new File([new Uint8Array(await photo(300, 200))], FILE, { type: 'image/jpeg' }))
    const sent = await fetch(`${product.url}/api/public/upload-links/${token}/files?from=a-person`, {
      method: 'POST',
      body: form,
      headers: { 'Upload-Session': crypto.randomUUID(), traceparent: `00-${TRACE}-${CALLER}-01` },
    })
    expect(sent.status, await sent.text()).toBe(201)
    await ask(`${batches}/${batch.id}/submit`, undefined, 'POST')
    await expect
      .poll(async () => (await ask<{ pre_qc: { status: string } }>(`${batches}/${batch.id}`)).pre_qc.status, {
        timeout: 120_000,
      })
      .toBe('completed')
    await expect.poll(() => readFileSync(path.join(product.dataDir, 'logs', 'web.log'), 'utf8')).toContain(TRACE)
    webLog = readFileSync(path.join(product.dataDir, 'logs', 'web.log'), 'utf8')
  } finally {
    // What waits to be sent is sent while web and worker stop.
    await product.stop()
    await collector.stop()
  }

  const spans = collector.spans()
  const inTrace = spans.filter(({ traceId }) => traceId === TRACE)
  const check = inTrace.find(({ name }) => name === 'process check_file')
  expect(ancestry(inTrace, check).map(({ service, name }) => `${service}: ${name}`)).toEqual([
    'greenroom-worker: process check_file',
    'greenroom-web: transaction',
    'greenroom-web: receiveFileByLink',
    'greenroom-web: POST /api/public/upload-links/{token}/files',
  ])
  const [request] = ancestry(inTrace, check).slice(-1)
  expect(request).toMatchObject({
    parentSpanId: CALLER,
    facts: {
      'http.request.method': 'POST',
      'http.route': '/api/public/upload-links/{token}/files',
      'http.response.status_code': 201,
      'greenroom.request.id': expect.any(String),
    },
  })
  // The verdict, what it took, and the submission that asked for it.
  expect(check?.facts).toMatchObject({
    'greenroom.verdict': expect.stringMatching(/^(pass|warning|fail|not_applicable)$/),
    'greenroom.job.waited_ms': expect.any(Number),
  })
  const below = (parent: SentSpan | undefined) =>
    inTrace.filter(({ parentSpanId }) => parentSpanId === parent?.spanId).map(({ name }) => name)
  expect(below(check)).toEqual(expect.arrayContaining(['storage fetch', 'measurer examine', 'transaction']))
  const operation = inTrace.find(({ name }) => name === 'receiveFileByLink')
  expect(below(operation)).toEqual(expect.arrayContaining(['inspector examine', 'storage commit', 'transaction']))
  expect(inTrace.map(({ name }) => name)).toContain('process make_pictures')
  const submission = spans.find(({ traceId }) => traceId === check?.links[0]?.traceId)
  expect(submission?.traceId).not.toBe(TRACE)
  expect(spans.filter(({ traceId }) => traceId === submission?.traceId).map(({ name }) => name)).toEqual(
    expect.arrayContaining(['POST /api/projects/{project_id}/batches/{batch_id}/submit', 'submitBatch']),
  )

  // Nothing that is secret, and no spans but our own.
  expect(new Set(spans.map(({ scope }) => scope))).toEqual(new Set(['greenroom']))
  for (const { path: signal, body } of collector.requests) {
    expect(body.toString(), signal).not.toContain(token)
    expect(body.toString(), signal).not.toContain('a-person')
  }

  // The line of the request, in the file and at the collector.
  const line = webLog
    .split('\n')
    .filter((text) => text.includes(TRACE))
    .map((text) => JSON.parse(text))
    .find(({ status }) => status === 201)
  expect(line).toMatchObject({ trace_id: TRACE, request_id: request?.facts['greenroom.request.id'] })
  expect(collector.logs().find(({ facts }) => facts.request_id === line.request_id)).toMatchObject({
    traceId: TRACE,
    service: 'greenroom-web',
  })

  const points = collector.points()
  const sourceOf = (metric: string) =>
    new Set(points.filter(({ name }) => name === metric).map(({ service }) => service))
  expect(sourceOf('greenroom_http_requests_total')).toEqual(new Set(['greenroom-web']))
  expect(sourceOf('greenroom_files')).toEqual(new Set(['greenroom-worker']))
  const byLink = points.filter(({ name, facts }) => name === 'greenroom_files' && facts.source === 'upload_link')
  expect(byLink.at(-1)?.value).toBeGreaterThanOrEqual(1)
})

/** The span and those above it, as far as they are of the product. */
function ancestry(spans: SentSpan[], from: SentSpan | undefined): SentSpan[] {
  if (!from) return []
  return [
    from,
    ...ancestry(
      spans,
      spans.find(({ spanId }) => spanId === from.parentSpanId),
    ),
  ]
}

async function asCoordinator({ url, dataDir }: { url: string; dataDir: string }) {
  const made = spawnSync(process.execPath, ['scripts/run.mjs', 'token', '--user', 'coordinator@greenroom.test'], {
    encoding: 'utf8',
    env: { ...process.env, DATABASE_URL: '', DATA_DIR: dataDir },
  })
  const token = made.stdout.trim().split('\n').at(-1)
  return async <Output>(
    address: string,
    body?: unknown,
    method = body === undefined ? 'GET' : 'POST',
  ): Promise<Output> => {
    const response = await fetch(`${url}${address}`, {
      method,
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    expect(response.status, await response.clone().text()).toBeLessThan(300)
    return response.json()
  }
}

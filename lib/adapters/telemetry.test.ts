import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { startCollector } from './testing/collector'

let collector: Awaited<ReturnType<typeof startCollector>>
beforeEach(async () => {
  collector = await startCollector()
})
afterEach(() => collector.stop())

const TRACE = '0af7651916cd43dd8448eb211c80319c'
const UPLOAD = `00-${TRACE}-b7ad6b7169203331-01`
const SUBMISSION = '00-11111111111111111111111111111111-2222222222222222-01'
const sending = () => ({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json' })

type Said = { workMs: number; stopMs: number; loaded: string[] }

/** Runs a traced program to its end. `lines`: its log. */
async function run(env: Record<string, string>) {
  const child = spawn(process.execPath, ['--import', 'tsx', 'lib/adapters/testing/traced-program.ts'], {
    // Not what vitest has set in its own.
    env: { PATH: process.env.PATH, NODE_ENV: 'production', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [output, errors, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')])
  expect(code, errors).toBe(0)
  const all = output
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  const said = all.find((line) => 'workMs' in line) as Said
  return { ...said, errors, lines: all.filter((line) => 'level' in line) as Record<string, unknown>[] }
}

describe('without a collector', () => {
  it.each([
    ['no variable', () => ({})],
    ['a service name alone', () => ({ OTEL_SERVICE_NAME: 'qc', OTEL_TRACES_EXPORTER: 'otlp' })],
    ['OTEL_SDK_DISABLED', () => ({ ...sending(), OTEL_SDK_DISABLED: 'true' })],
    [
      'each signal turned off',
      () => ({ ...sending(), OTEL_TRACES_EXPORTER: 'none', OTEL_METRICS_EXPORTER: 'none', OTEL_LOGS_EXPORTER: 'none' }),
    ],
  ])('nothing is loaded, sent or added to the log: %s', async (_, env) => {
    const { loaded, lines, errors } = await run({ TRACEPARENT: UPLOAD, ...env() })
    // prom-client loads the API by itself.
    expect([loaded, errors, collector.requests]).toEqual([['api'], '', []])
    expect(lines).toMatchObject([{ msg: 'a line', number: 0 }])
    expect(lines[0]).not.toHaveProperty('trace_id')
  })
})

describe('with a collector', () => {
  it('a job goes on with the trace of its payload, and all is sent before the process ends', async () => {
    const { loaded, lines } = await run({ ...sending(), TRACEPARENT: UPLOAD, LINKED_TO: SUBMISSION })
    expect(loaded).toContain('sdk-node')
    const [inner, job, ...more] = collector.spans()
    expect(job).toMatchObject({
      name: 'process count',
      traceId: TRACE,
      parentSpanId: 'b7ad6b7169203331',
      service: 'greenroom-test',
      scope: 'greenroom',
      facts: { 'messaging.destination.name': 'count', 'greenroom.job.waited_ms': 5 },
      links: [{ traceId: '1'.repeat(32), spanId: '2'.repeat(16) }],
    })
    expect(inner).toMatchObject({
      name: 'inner',
      traceId: TRACE,
      parentSpanId: job?.spanId,
      facts: { 'test.number': 0 },
    })
    expect(more).toEqual([])
    expect(lines).toMatchObject([{ msg: 'a line', trace_id: TRACE, span_id: inner?.spanId }])
    expect(collector.logs()).toMatchObject([
      {
        body: 'a line',
        severity: 'INFO',
        traceId: TRACE,
        spanId: inner?.spanId,
        facts: { number: 0, password: '[hidden]' },
      },
    ])
    expect(collector.points()).toMatchObject([{ name: 'things_total', value: 1, facts: { kind: 'one' }, isSum: true }])
  })

  it.each([undefined, 'nonsense', '00-0-0-00', `00-${'0'.repeat(32)}-${'0'.repeat(16)}-01`])(
    'a job with the trace %s begins one of its own',
    async (traceparent) => {
      await run({ ...sending(), ...(traceparent !== undefined && { TRACEPARENT: traceparent }) })
      const [inner, job] = collector.spans()
      expect(job).toMatchObject({ name: 'process count', parentSpanId: '', traceId: inner?.traceId, links: [] })
    },
  )

  it('names, headers, resource and sampler are those of the variables', async () => {
    await run({
      ...sending(),
      OTEL_EXPORTER_OTLP_HEADERS: 'api-key=a-key',
      OTEL_SERVICE_NAME: 'qc',
      OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=staging',
      OTEL_TRACES_SAMPLER: 'always_off',
    })
    expect(collector.spans()).toEqual([])
    expect(collector.logs()).toMatchObject([{ body: 'a line', service: 'qc' }])
    for (const { headers, body } of collector.requests) {
      expect(headers['api-key']).toBe('a-key')
      expect(body.toString()).toContain('"staging"')
    }
  })

  it('only the signals that have an endpoint are sent, in the encoding of the variables', async () => {
    await run({ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${collector.url}/here` })
    expect(collector.requests.map(({ path }) => path)).toEqual(['/here'])
    const { headers, body } = collector.requests[0] as (typeof collector.requests)[number]
    expect(headers['content-type']).toBe('application/x-protobuf')
    // Field 5 of a span is its name (opentelemetry-proto, trace.proto): tag, length, text.
    expect(body.includes(Buffer.from('\x2a\x0dprocess count'))).toBe(true)
  })

  it('one that is turned off is not sent', async () => {
    await run({ ...sending(), OTEL_METRICS_EXPORTER: 'none', OTEL_LOGS_EXPORTER: 'none' })
    expect(collector.requests.map(({ path }) => path)).toEqual(['/v1/traces'])
  })
})

describe('a collector that is', () => {
  /** More than wait to be sent at the same time. */
  const JOBS = '5000'

  it.each(['away', 'failing', 'silent'] as const)('%s is reported once, and nothing waits for it', async (how) => {
    if (how === 'failing') collector.answers(500)
    if (how === 'silent') collector.answers('nothing')
    const alone = await run({ JOBS })
    const { errors, workMs, stopMs, lines } = await run({
      ...sending(),
      ...(how === 'away' && { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1' }),
      // So that the SDK gives a request up while the test runs.
      OTEL_EXPORTER_OTLP_TIMEOUT: '300',
      JOBS,
    })
    expect(lines).toHaveLength(Number(JOBS))
    expect(errors.trim().split('\n')).toEqual([
      expect.stringMatching(/^Traces, metrics or logs could not be sent .* is dropped\./),
    ])
    // A wait of 300 ms in each job would be 25 minutes.
    expect(workMs).toBeLessThan(alone.workMs + 60_000)
    // Web and worker have ten seconds and more to stop.
    expect(stopMs).toBeLessThan(10_000)
  })

  it('failing is reported too where nothing is sent before the end', async () => {
    collector.answers(500)
    const { errors } = await run({ ...sending(), JOBS: '1' })
    expect(errors).toMatch(/^Traces, metrics or logs could not be sent .* is dropped\./)
  })
})

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

/** A collector for tests: takes OTLP over HTTP on the loopback address and keeps what came as JSON (OTLP 1.x, http/json). */

type Value = { stringValue?: string; intValue?: number | string; doubleValue?: number; boolValue?: boolean }
type KeyValue = { key: string; value: Value }
type Sent = { resource: { attributes: KeyValue[] } }
type Facts = Record<string, unknown>

export type SentSpan = {
  traceId: string
  spanId: string
  parentSpanId: string
  name: string
  service: unknown
  scope: string
  facts: Facts
  links: { traceId: string; spanId: string }[]
}
type SentLog = { traceId: string; spanId: string; severity: string; body: unknown; facts: Facts; service: unknown }
type SentPoint = { name: string; value: number; facts: Facts; service: unknown; isSum: boolean }

const jsonOf = (value: Value | undefined) =>
  value?.intValue === undefined ? value && Object.values(value)[0] : Number(value.intValue)
const factsOf = (pairs: KeyValue[] = []): Facts =>
  Object.fromEntries(pairs.map(({ key, value }) => [key, jsonOf(value)]))

export async function startCollector() {
  const requests: { path: string; headers: NodeJS.Dict<string | string[]>; body: Buffer }[] = []
  let answer: 200 | 500 | 'nothing' = 200
  const server = createServer(async (request, response) => {
    const body = await buffer(request)
    requests.push({ path: request.url ?? '', headers: request.headers, body })
    if (answer === 'nothing') return
    response.writeHead(answer, { 'content-type': 'application/json' }).end('{}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo

  const items = (signal: 'traces' | 'metrics' | 'logs') =>
    requests
      .filter(({ path, headers }) => path === `/v1/${signal}` && headers['content-type'] === 'application/json')
      .map(({ body }) => JSON.parse(body.toString()))
  const serviceOf = ({ resource }: Sent) => factsOf(resource.attributes)['service.name']

  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    /** `nothing`: takes every request and never answers. */
    answers(how: typeof answer) {
      answer = how
    },
    spans: (): SentSpan[] =>
      items('traces').flatMap(({ resourceSpans }) =>
        resourceSpans.flatMap((resource: Sent & { scopeSpans: { scope: { name: string }; spans: never[] }[] }) =>
          resource.scopeSpans.flatMap(({ scope, spans }) =>
            spans.map(
              (span: SentSpan & { attributes: KeyValue[] }): SentSpan => ({
                traceId: span.traceId,
                spanId: span.spanId,
                parentSpanId: span.parentSpanId ?? '',
                name: span.name,
                service: serviceOf(resource),
                scope: scope.name,
                facts: factsOf(span.attributes),
                links: span.links ?? [],
              }),
            ),
          ),
        ),
      ),
    logs: (): SentLog[] =>
      items('logs').flatMap(({ resourceLogs }) =>
        resourceLogs.flatMap((resource: Sent & { scopeLogs: { logRecords: never[] }[] }) =>
          resource.scopeLogs.flatMap(({ logRecords }) =>
            logRecords.map(
              (record: {
                traceId: string
                spanId: string
                severityText: string
                body?: Value
                attributes: KeyValue[]
              }): SentLog => ({
                traceId: record.traceId,
                spanId: record.spanId,
                severity: record.severityText,
                body: jsonOf(record.body),
                facts: factsOf(record.attributes),
                service: serviceOf(resource),
              }),
            ),
          ),
        ),
      ),
    points: (): SentPoint[] =>
      items('metrics').flatMap(({ resourceMetrics }) =>
        resourceMetrics.flatMap((resource: Sent & { scopeMetrics: { metrics: never[] }[] }) =>
          resource.scopeMetrics.flatMap(({ metrics }) =>
            metrics.flatMap(
              (metric: { name: string; sum?: { dataPoints: never[] }; gauge?: { dataPoints: never[] } }) =>
                (metric.sum?.dataPoints ?? metric.gauge?.dataPoints ?? []).map(
                  (point: { asInt?: number | string; asDouble?: number; attributes: KeyValue[] }): SentPoint => ({
                    name: metric.name,
                    value: Number(point.asInt ?? point.asDouble),
                    facts: factsOf(point.attributes),
                    service: serviceOf(resource),
                    isSum: metric.sum !== undefined,
                  }),
                ),
            ),
          ),
        ),
      ),
    async stop() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

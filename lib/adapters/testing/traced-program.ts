import { createRequire } from 'node:module'
import { Counter, Registry } from 'prom-client'
import { log } from '@/lib/log'
import { span, spanOfJob } from '@/lib/tracing'
import { startTelemetry } from '../telemetry.mjs'

/** A program that is traced as web and worker are; says at the end what it took, as a line of JSON. */

const registry = new Registry()
const things = new Counter({ name: 'things_total', help: 'Things.', labelNames: ['kind'], registers: [registry] })
const telemetry = await startTelemetry({ service: 'greenroom-test', registry })
const began = performance.now()
for (let i = 0; i < Number(process.env.JOBS ?? 1); i++) {
  const { TRACEPARENT: traceparent, LINKED_TO: linked_to } = process.env
  const job = { task: 'count', id: String(i), attempt: 1, waitedMs: 5, payload: { traceparent, linked_to } }
  await spanOfJob(job, () =>
    span('inner', async (note) => {
      things.inc({ kind: 'one' })
      log.info({ number: i, password: 'hunter2' }, 'a line')
      note({ 'test.number': i })
    }),
  ).catch(() => {})
}
const workMs = performance.now() - began
await span('outside of any job', async () => {})
await telemetry?.stop()
const stopMs = performance.now() - began - workMs
const packages = Object.keys(createRequire(import.meta.url).cache).flatMap(
  (file) => /@opentelemetry[\\/]([\w-]+)/.exec(file)?.[1] ?? [],
)
console.log(JSON.stringify({ workMs, stopMs, loaded: [...new Set(packages)] }))
process.exit(0)

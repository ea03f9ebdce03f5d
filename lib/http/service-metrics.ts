import { sql } from 'drizzle-orm'
import { Counter, Gauge, Registry } from 'prom-client'
import type { Database } from '@/db/client'
import { WORKER_SILENT_MS } from '@/lib/domain/kernel/jobs'
import { sandboxLimits } from '@/lib/sandbox/limits'
import { diskRoom } from './disk-room'

/** What the rows count, by the name the query gives it: a metric and its labels. */
const COUNTED = {
  files: ['greenroom_files', 'Stored files, by who sent them.', 'source'],
  results: ['greenroom_pre_qc_results', 'Newest Pre-QC results of current files.', 'status', 'summary'],
  jobs: ['greenroom_jobs', 'Jobs in the queue.', 'task', 'state'],
  oldest_job: [
    'greenroom_oldest_waiting_job_seconds',
    'How long the first job in line has waited, of those that a user waits for.',
  ],
  uploads: ['greenroom_direct_uploads', 'Uploads to the storage itself that have not expired.', 'state'],
  workers: ['greenroom_workers', 'Workers that gave a sign of life.'],
} as const satisfies Record<string, [name: string, help: string, ...labels: string[]]>

type Row = { metric: keyof typeof COUNTED | 'rejected'; a: string | null; b: string | null; value: number }

/**
 * What the database knows, as metrics: Prometheus reads them (metrics.ts), the worker sends them where OTEL_* says. They
 * have values once `collect` has read the database.
 */
export function serviceMetrics(): { registry: Registry; collect(from: { db: Database }): Promise<void> } {
  const registry = new Registry()
  const registers = [registry]
  const gauges = new Map(
    Object.entries(COUNTED).map(([metric, [name, help, ...labelNames]]) => {
      const gauge = new Gauge({ name, help, labelNames, registers })
      return [
        metric,
        (values: string[], value: number) => gauge.labels(...labelNames.map((_, i) => values[i] ?? '')).set(value),
      ]
    }),
  )
  const rejected = new Counter({
    name: 'greenroom_uploads_rejected_total',
    help: 'Uploads that were refused.',
    registers,
  })
  const limits = new Gauge({
    name: 'greenroom_sandbox_limit',
    help: 'Whether sandboxed processes are held to a limit: 1 or 0.',
    labelNames: ['limit'],
    registers,
  })
  const disk = new Gauge({
    name: 'greenroom_disk_bytes',
    help: 'The disk of DATA_DIR: what is free, and what uploads leave of it.',
    labelNames: ['kind'],
    registers,
  })
  return {
    registry,
    async collect({ db }) {
      const rows = await read(db)
      registry.resetMetrics()
      for (const { metric, a, b, value } of rows) {
        if (metric === 'rejected') rejected.inc(value)
        else gauges.get(metric)?.([a ?? 'none', b ?? 'none'], value)
      }
      const { free, reserved } = await diskRoom()
      disk.set({ kind: 'free' }, free)
      disk.set({ kind: 'reserved' }, reserved)
      for (const { name, isInForce } of sandboxLimits()) limits.set({ limit: name }, isInForce ? 1 : 0)
    },
  }
}

const read = (db: Database) =>
  db.execute<Row>(sql`
    with counted as (
      select sum(stored_by_users) as users, sum(stored_by_links) as links, sum(queued) as queued, sum(running) as running,
        sum(failed) as failed, sum(pass) as pass, sum(warning) as warning, sum(fail) as fail, sum(not_applicable) as not_applicable,
        sum(rejected_uploads) as rejected
      from service_counts)
    select metric, a, b, value::float8 from counted, lateral (values
      ('files', 'user', null, users), ('files', 'upload_link', null, links),
      ('results', 'queued', null, queued), ('results', 'running', null, running), ('results', 'failed', null, failed),
      ('results', 'completed', 'pass', pass), ('results', 'completed', 'warning', warning), ('results', 'completed', 'fail', fail),
      ('results', 'completed', 'not_applicable', not_applicable)) as n (metric, a, b, value) where value > 0
    union all select 'rejected', null, null, coalesce(rejected, 0)::float8 from counted
    union all select 'jobs', task_identifier,
        case when locked_at is not null then 'running' when attempts >= max_attempts then 'failed'
          when run_at > now() then 'scheduled' else 'waiting' end, count(*)::float8
      from graphile_worker.jobs group by 2, 3
    union all select 'oldest_job', null, null, coalesce(extract(epoch from now() - min(run_at)), 0)::float8
      from graphile_worker.jobs where locked_at is null and attempts < max_attempts and run_at <= now() and task_identifier <> 'measure_ahead'
    union all select 'uploads', state, null, count(*)::float8 from direct_uploads group by state
    union all select 'workers', null, null, count(*)::float8 from workers where heartbeat_at > now() - make_interval(secs => ${WORKER_SILENT_MS / 1000})`)

import { sql } from 'drizzle-orm'
import { Counter, Gauge, Registry } from 'prom-client'
import { WORKER_SILENT_MS } from '@/lib/domain/kernel/jobs'
import { unauthenticated } from '@/lib/domain/kernel/permissions'
import { sandboxLimits } from '@/lib/sandbox/limits'
import type { Exchange } from './endpoint'
import { collectProcessMetrics } from './process-metrics.mjs'
import type { RouteResponse } from './response'

/** What a Prometheus server reads: https://prometheus.io/docs/instrumenting/exposition_formats/, text format 0.0.4. */
export async function metrics({ request, ctx }: Exchange): Promise<RouteResponse> {
  const isLocal = isLoopback(ctx.address) && isForwardedFromLoopback(request.headers.get('x-forwarded-for'))
  if (ctx.actor.type !== 'user' && !isLocal) {
    throw unauthenticated('Metrics are given to this machine, and to callers with an API token.')
  }
  const rows = await ctx.db.execute<{ metric: string; a: string | null; b: string | null; value: number }>(sql`
    select 'files' as metric, source_type as a, null as b, count(*)::float8 as value from files group by source_type
    union all select 'rejected', null, null, count(*)::float8 from events where type = 'upload.rejected'
    union all select 'results', status, summary, count(*)::float8 from pre_qc_results where is_current group by status, summary
    union all select 'jobs', task_identifier,
        case when locked_at is not null then 'running' when attempts >= max_attempts then 'failed'
          when run_at > now() then 'scheduled' else 'waiting' end, count(*)::float8
      from graphile_worker.jobs group by 2, 3
    union all select 'oldest_job', null, null, coalesce(extract(epoch from now() - min(run_at)), 0)::float8
      from graphile_worker.jobs where locked_at is null and attempts < max_attempts and run_at <= now()
    union all select 'uploads', state, null, count(*)::float8 from direct_uploads group by state
    union all select 'workers', null, null, count(*)::float8 from workers where heartbeat_at > now() - make_interval(secs => ${WORKER_SILENT_MS / 1000})`)
  // What the database knows is the same whichever process is asked: a registry of this response alone.
  const registry = new Registry()
  const gauge = (metric: string, name: string, help: string, ...labelNames: string[]) => {
    const gauge = new Gauge({ name, help, labelNames, registers: [registry] })
    for (const row of rows.filter((row) => row.metric === metric)) {
      const values = [row.a, row.b].map((value) => value ?? 'none')
      gauge.set(Object.fromEntries(labelNames.map((label, index) => [label, values[index] ?? 'none'])), row.value)
    }
  }
  gauge('files', 'greenroom_files', 'Stored files, by who sent them.', 'source')
  new Counter({
    name: 'greenroom_uploads_rejected_total',
    help: 'Uploads that were refused.',
    registers: [registry],
  }).inc(rows.find(({ metric }) => metric === 'rejected')?.value ?? 0)
  gauge('results', 'greenroom_pre_qc_results', 'Newest Pre-QC results.', 'status', 'summary')
  gauge('jobs', 'greenroom_jobs', 'Jobs in the queue.', 'task', 'state')
  gauge('oldest_job', 'greenroom_oldest_waiting_job_seconds', 'How long the first job in line has waited.')
  gauge('uploads', 'greenroom_direct_uploads', 'Uploads to the storage itself that have not expired.', 'state')
  new Gauge({
    name: 'greenroom_takes_direct_uploads',
    help: 'Whether clients may send files to the storage itself: 1 or 0.',
    registers: [registry],
  }).set(ctx.ports.files.takesDirectUploads ? 1 : 0)
  gauge('workers', 'greenroom_workers', 'Workers that gave a sign of life.')
  const limits = new Gauge({
    name: 'greenroom_sandbox_limit',
    help: 'Whether sandboxed processes are held to a limit: 1 or 0.',
    labelNames: ['limit'],
    registers: [registry],
  })
  for (const { name, isInForce } of sandboxLimits()) limits.set({ limit: name }, isInForce ? 1 : 0)
  const texts = await Promise.all([collectProcessMetrics(), registry.metrics()])
  // prom-client puts a blank line between two metrics.
  const body = texts.join('').replace(/\n{2,}/g, '\n')
  return { status: 200, headers: { 'Content-Type': registry.contentType }, body }
}

const isLoopback = (address: string | null) =>
  address !== null && (/^(::ffff:)?127\.\d+\.\d+\.\d+$/.test(address) || address === '::1')

/** A proxy on this machine brings strangers, too; Next itself notes the address of the connection here. */
const isForwardedFromLoopback = (header: string | null) =>
  header === null || header.split(',').every((address) => isLoopback(address.trim()))

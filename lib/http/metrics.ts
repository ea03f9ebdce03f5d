import { sql } from 'drizzle-orm'
import { unauthenticated } from '@/lib/domain/kernel/permissions'
import { sandboxLimits } from '@/lib/sandbox/limits'
import type { Answer } from './answer'
import type { Exchange } from './endpoint'
import { ownMetrics, type ProcessMetrics } from './request-count'

/** What a Prometheus server reads: https://prometheus.io/docs/instrumenting/exposition_formats/, text format 0.0.4. */

const PROCESS_METRICS = Symbol.for('greenroom.process-metrics')

type Sample = { labels?: Record<string, string>; value: number }

export async function metrics({ request, ctx }: Exchange): Promise<Answer> {
  const isLocal = isLoopback(ctx.address) && isForwardedFromLoopback(request.headers.get('x-forwarded-for'))
  if (ctx.actor.type !== 'user' && !isLocal) {
    throw unauthenticated('Metrics are given to this machine, and to whoever sends an API token.')
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
    union all select 'workers', null, null, count(*)::float8 from workers where heartbeat_at > now() - interval '30 seconds'`)
  const of = (metric: string, ...labels: string[]): Sample[] =>
    rows
      .filter((row) => row.metric === metric)
      .map((row) => ({
        labels: Object.fromEntries(labels.map((label, index) => [label, (index === 0 ? row.a : row.b) ?? 'none'])),
        value: row.value,
      }))
  const processes = await collectMetrics()
  const total = (of: (figures: ProcessMetrics) => number) => processes.reduce((sum, figures) => sum + of(figures), 0)
  const requests = requestsOf(processes)
  const text = [
    family('greenroom_http_requests_total', 'counter', 'API requests answered.', [
      ...requests.map(({ labels, count }) => ({ labels, value: count })),
    ]),
    family('greenroom_http_request_seconds_total', 'counter', 'Time spent on them.', [
      ...requests.map(({ labels, seconds }) => ({ labels, value: seconds })),
    ]),
    family('greenroom_files', 'gauge', 'Stored files, by who sent them.', of('files', 'source')),
    family('greenroom_uploads_rejected_total', 'counter', 'Uploads that were refused.', of('rejected')),
    family('greenroom_pre_qc_results', 'gauge', 'Newest Pre-QC results.', of('results', 'status', 'summary')),
    family('greenroom_jobs', 'gauge', 'Jobs in the queue.', of('jobs', 'task', 'state')),
    family(
      'greenroom_oldest_waiting_job_seconds',
      'gauge',
      'How long the first job in line has waited.',
      of('oldest_job'),
    ),
    family('greenroom_workers', 'gauge', 'Workers that gave a sign of life.', of('workers')),
    family('greenroom_web_processes', 'gauge', 'Processes that answer behind this port.', [
      { value: processes.length },
    ]),
    family(
      'greenroom_sandbox_limit',
      'gauge',
      'Whether sandboxed processes are held to a limit: 1 or 0.',
      sandboxLimits().map(({ name, isInForce }) => ({ labels: { limit: name }, value: isInForce ? 1 : 0 })),
    ),
    family('process_resident_memory_bytes', 'gauge', 'Memory of the web processes.', [
      { value: total((each) => each.residentBytes) },
    ]),
    family('nodejs_heap_size_used_bytes', 'gauge', 'Heap of the web processes.', [
      { value: total((each) => each.heapBytes) },
    ]),
    family('process_cpu_seconds_total', 'counter', 'Processor time of the web processes.', [
      { value: total((each) => each.cpuSeconds) },
    ]),
    family('process_start_time_seconds', 'gauge', 'When the first of them began.', [
      { value: Math.min(...processes.map((each) => each.startedAt)) },
    ]),
  ].join('')
  return { status: 200, headers: { 'Content-Type': 'text/plain; version=0.0.4; charset=utf-8' }, body: text }
}

function family(name: string, type: 'counter' | 'gauge', help: string, samples: Sample[]): string {
  const lines = samples.map(({ labels = {}, value }) => {
    const pairs = Object.entries(labels).map(([key, text]) => `${key}="${text.replace(/[\\"\n]/g, '\\$&')}"`)
    return `${name}${pairs.length > 0 ? `{${pairs.join(',')}}` : ''} ${value}\n`
  })
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines.join('')}`
}

/** Of every web process behind our port (server/web/process-metrics.mjs); of this one alone under another server. */
function collectMetrics(): Promise<ProcessMetrics[]> {
  const collect = (globalThis as { [PROCESS_METRICS]?: () => Promise<ProcessMetrics[]> })[PROCESS_METRICS]
  return collect ? collect() : Promise.resolve([ownMetrics()])
}

/** Requests by method and status, over all processes. */
function requestsOf(processes: ProcessMetrics[]) {
  const sums = new Map<string, { labels: Record<string, string>; count: number; seconds: number }>()
  for (const [key, { count, seconds }] of processes.flatMap(({ requests }) => requests)) {
    const [method = '', status = ''] = key.split(' ')
    const sum = sums.get(key) ?? { labels: { method, status }, count: 0, seconds: 0 }
    sums.set(key, { ...sum, count: sum.count + count, seconds: sum.seconds + seconds })
  }
  return [...sums.values()]
}

const isLoopback = (address: string | null) =>
  address !== null && (/^(::ffff:)?127\.\d+\.\d+\.\d+$/.test(address) || address === '::1')

/** A proxy on this machine brings strangers, too; Next itself notes the address of the connection here. */
const isForwardedFromLoopback = (header: string | null) =>
  header === null || header.split(',').every((address) => isLoopback(address.trim()))

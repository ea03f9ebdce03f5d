import { sql } from 'drizzle-orm'
import { unauthenticated } from '@/lib/domain/kernel/permissions'
import type { Exchange } from './endpoint'
import { requestCounts } from './request-count'

/** What a Prometheus server reads: https://prometheus.io/docs/instrumenting/exposition_formats/, text format 0.0.4. */

type Sample = { labels?: Record<string, string>; value: number }

export async function metrics({ request, ctx }: Exchange): Promise<Response> {
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
  const requests = [...requestCounts()].map(([key, { count, seconds }]) => {
    const [method = '', status = ''] = key.split(' ')
    return { labels: { method, status }, count, seconds }
  })
  const { rss, heapUsed } = process.memoryUsage()
  const text = [
    family('greenroom_http_requests_total', 'counter', 'API requests this process answered.', [
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
    family('process_resident_memory_bytes', 'gauge', 'Memory of this process.', [{ value: rss }]),
    family('nodejs_heap_size_used_bytes', 'gauge', 'Heap of this process.', [{ value: heapUsed }]),
    family('process_cpu_seconds_total', 'counter', 'Processor time of this process.', [{ value: cpuSeconds() }]),
    family('process_start_time_seconds', 'gauge', 'When this process began.', [
      { value: Math.round(ctx.now.getTime() / 1000 - process.uptime()) },
    ]),
  ].join('')
  return new Response(text, { headers: { 'Content-Type': 'text/plain; version=0.0.4; charset=utf-8' } })
}

function family(name: string, type: 'counter' | 'gauge', help: string, samples: Sample[]): string {
  const lines = samples.map(({ labels = {}, value }) => {
    const pairs = Object.entries(labels).map(([key, text]) => `${key}="${text.replace(/[\\"\n]/g, '\\$&')}"`)
    return `${name}${pairs.length > 0 ? `{${pairs.join(',')}}` : ''} ${value}\n`
  })
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines.join('')}`
}

function cpuSeconds() {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1e6
}

const isLoopback = (address: string | null) =>
  address !== null && (/^(::ffff:)?127\.\d+\.\d+\.\d+$/.test(address) || address === '::1')

/** A proxy on this machine brings strangers, too; Next itself notes the address of the connection here. */
const isForwardedFromLoopback = (header: string | null) =>
  header === null || header.split(',').every((address) => isLoopback(address.trim()))

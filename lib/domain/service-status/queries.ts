import { sql } from 'drizzle-orm'
import { ENGINE_VERSION } from '@/lib/checks/engine'
import packageJson from '@/package.json'
import { WORKER_SILENT_MS } from '../kernel/jobs'
import { query, type Tx } from '../kernel/operation'
import { iso } from '../kernel/shapes'
import { ServiceStatus, SHOWN_JOBS, type TroubledJob, type WorkerProcess } from './schema'

const SILENCE = sql`make_interval(secs => ${WORKER_SILENT_MS / 1000})`
const ERROR_LENGTH = 300

/** What is under way and what stands still, for the people who run the service. */
export const getServiceStatus = query({
  name: 'getServiceStatus',
  summary: 'How the service stands: queue, workers and what they do, failed jobs, mail, webhooks, versions',
  permission: 'settings.manage',
  output: ServiceStatus,
  async run(tx) {
    const [queue, workers, troubled, numbers] = await Promise.all([
      readQueue(tx),
      readWorkers(tx),
      readTroubledJobs(tx),
      readNumbers(tx),
    ])
    return {
      at: iso(tx.now),
      versions: {
        greenroom: packageJson.version,
        node: process.versions.node,
        postgresql: numbers.postgresql,
        check_engine: ENGINE_VERSION,
      },
      queue,
      workers,
      troubled_jobs: troubled,
      mail: {
        is_set_up: numbers.mail_set_up,
        pending: numbers.mail_pending,
        failed_last_day: numbers.mail_failed,
        last_error: numbers.mail_error,
      },
      webhooks: {
        active: numbers.webhooks_active,
        failing: numbers.webhooks_failing,
        disabled: numbers.webhooks_disabled,
        pending_deliveries: numbers.deliveries_pending,
      },
      files: { count: numbers.files, bytes: Number(numbers.bytes) },
    }
  },
})

type Counts = ServiceStatus['queue']['tasks'][number]

async function readQueue(tx: Tx): Promise<ServiceStatus['queue']> {
  const rows = await tx.db.execute<Counts>(sql`
    select t.identifier as task,
      (count(*) filter (where j.locked_at is null and j.attempts < j.max_attempts and j.run_at <= now()))::int as waiting,
      (count(*) filter (where j.locked_at is not null))::int as running,
      (count(*) filter (where j.locked_at is null and j.attempts < j.max_attempts and j.run_at > now()))::int as scheduled,
      (count(*) filter (where j.locked_at is null and j.attempts >= j.max_attempts))::int as failed,
      extract(epoch from now() - min(j.run_at) filter (where j.locked_at is null and j.attempts < j.max_attempts and j.run_at <= now()))::float8 as oldest_waiting_seconds
    from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
    group by t.identifier order by t.identifier`)
  const tasks = [...rows]
  const sum = (key: 'waiting' | 'running' | 'scheduled' | 'failed') => tasks.reduce((total, row) => total + row[key], 0)
  const ages = tasks.flatMap(({ oldest_waiting_seconds: age }) => (age === null ? [] : [age]))
  return {
    waiting: sum('waiting'),
    running: sum('running'),
    scheduled: sum('scheduled'),
    failed: sum('failed'),
    oldest_waiting_seconds: ages.length > 0 ? Math.max(...ages) : null,
    tasks,
  }
}

/** The file a job is for, by what its payload names. */
const ABOUT = sql`
  left join pre_qc_results r on r.id = (j.payload ->> 'result_id')::uuid
  left join files f on f.id = coalesce(r.file_id, (j.payload ->> 'file_id')::uuid)
  left join batches b on b.id = f.batch_id`
type About = { file_name: string | null; batch: string | null; project_id: string | null; batch_id: string | null }

const presentSubject = ({ file_name, batch, project_id, batch_id }: About) =>
  file_name && batch ? { file_name, batch, url: `/projects/${project_id}/batches/${batch_id}` } : null

async function readWorkers(tx: Tx): Promise<WorkerProcess[]> {
  const processes = await tx.db.execute<{
    host: string
    pid: number
    started_at: Date
    heartbeat_at: Date
    is_alive: boolean
    file_slots: number
    background_slots: number
    pools: string[]
  }>(sql`
    select host, pid, min(started_at) as started_at, max(heartbeat_at) as heartbeat_at,
      max(heartbeat_at) > now() - ${SILENCE} as is_alive,
      (count(*) filter (where not is_background))::int as file_slots,
      (count(*) filter (where is_background))::int as background_slots, array_agg(distinct pool) as pools
    from workers group by host, pid order by min(started_at), host, pid`)
  const running = await tx.db.execute<About & { id: string; task: string; locked_by: string; since: Date }>(sql`
    select j.id::text, t.identifier as task, j.locked_by, j.locked_at as since,
      f.name as file_name, b.name as batch, b.project_id, b.id as batch_id
    from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id ${ABOUT}
    where j.locked_at is not null order by j.locked_at`)
  return processes.map(({ pools, started_at, heartbeat_at, ...rest }) => ({
    ...rest,
    started_at: iso(new Date(started_at)),
    heartbeat_at: iso(new Date(heartbeat_at)),
    jobs: running
      .filter((job) => pools.includes(job.locked_by))
      .map((job) => ({ id: job.id, task: job.task, since: iso(new Date(job.since)), about: presentSubject(job) })),
  }))
}

async function readTroubledJobs(tx: Tx): Promise<TroubledJob[]> {
  type Row = About & {
    id: string
    task: string
    attempts: number
    max_attempts: number
    error: string | null
    run_at: Date
  }
  const rows = await tx.db.execute<Row>(sql`
    select j.id::text, t.identifier as task, j.attempts::int, j.max_attempts::int, j.last_error as error, j.run_at,
      f.name as file_name, b.name as batch, b.project_id, b.id as batch_id
    from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id ${ABOUT}
    where j.locked_at is null and (j.attempts >= j.max_attempts or j.last_error is not null)
    order by (j.attempts >= j.max_attempts) desc, j.run_at, j.id limit ${SHOWN_JOBS}`)
  return rows.map((row) => ({
    id: row.id,
    task: row.task,
    attempts: row.attempts,
    max_attempts: row.max_attempts,
    error: row.error && (row.error.split('\n')[0] ?? '').slice(0, ERROR_LENGTH),
    next_attempt_at: row.attempts >= row.max_attempts ? null : iso(new Date(row.run_at)),
    about: presentSubject(row),
  }))
}

type Numbers = {
  postgresql: string
  mail_pending: number
  mail_failed: number
  mail_error: string | null
  webhooks_active: number
  webhooks_failing: number
  webhooks_disabled: number
  deliveries_pending: number
  files: number
  bytes: string
}

async function readNumbers(tx: Tx): Promise<Numbers & { mail_set_up: boolean }> {
  const [row] = await tx.db.execute<Numbers>(sql`
    select current_setting('server_version') as postgresql,
      (select count(*)::int from mails where status = 'pending') as mail_pending,
      (select count(*)::int from mails where status = 'failed' and error is not null and updated_at > now() - interval '1 day') as mail_failed,
      (select error from mails where error is not null and updated_at > now() - interval '1 day' order by updated_at desc limit 1) as mail_error,
      (select count(*)::int from webhooks where status = 'active' and failing_since is null) as webhooks_active,
      (select count(*)::int from webhooks where status = 'active' and failing_since is not null) as webhooks_failing,
      (select count(*)::int from webhooks where status = 'disabled') as webhooks_disabled,
      (select count(*)::int from webhook_deliveries where status = 'pending') as deliveries_pending,
      (select coalesce(sum(stored_by_users + stored_by_links), 0)::int from service_counts) as files,
      (select coalesce(sum(bytes), 0)::text from agency_storage) as bytes`)
  if (!row) throw new Error('The database answered no row.')
  return { ...row, mail_set_up: tx.ports.mail.isSetUp }
}

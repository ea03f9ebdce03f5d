import { sql } from 'drizzle-orm'
import { isSuperseded, WORKER_SILENT_MS } from '@/lib/domain/kernel/jobs'
import { type Check, counted, ok } from './check'

const DEAD_AFTER = sql`make_interval(secs => ${WORKER_SILENT_MS / 1000})`
/** The longest job, the full decode of a long video, is given up after two hours. */
const LOCKED_TOO_LONG = sql`interval '3 hours'`
const WAITS_TOO_LONG = sql`interval '15 minutes'`

type Job = {
  id: string
  task: string
  state: 'dead' | 'long' | 'failed' | 'waiting'
  by: string | null
  since: string
  error: string | null
}

const SENTENCES: Record<Job['state'], (job: Job) => string> = {
  dead: ({ by, since }) => `locked since ${since} by the worker ${by}, which gives no sign of life`,
  long: ({ by, since }) => `locked since ${since} by the worker ${by}, longer than any job takes`,
  failed: ({ error }) => `failed for good: ${(error ?? 'no reason is known').split('\n')[0]?.slice(0, 200)}`,
  waiting: ({ since }) => `due since ${since}, and no worker takes it`,
}

/** Nothing in the queue stands still. */
export const jobs: Check = {
  id: 'jobs',
  needsDatabase: true,
  async examine({ ctx }) {
    const [all] = await ctx.db.execute<{ count: number }>(
      sql`select count(*)::int as count from graphile_worker._private_jobs`,
    )
    const stuck = [
      ...(await ctx.db.execute<Job>(sql`
        with classified as (
          select j.id::text, t.identifier as task, j.locked_by as by, j.last_error as error, j.run_at,
            to_char(coalesce(j.locked_at, j.run_at) at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS') || ' UTC' as since,
            case
              when j.locked_at < now() - ${DEAD_AFTER} * 2 and not exists (
                select 1 from workers w where w.pool = j.locked_by and w.heartbeat_at > now() - ${DEAD_AFTER}) then 'dead'
              when j.locked_at < now() - ${LOCKED_TOO_LONG} then 'long'
              when j.locked_at is null and j.attempts >= j.max_attempts and not ${isSuperseded} then 'failed'
              when j.locked_at is null and j.run_at < now() - ${WAITS_TOO_LONG}
                and not exists (select 1 from graphile_worker._private_jobs b where b.locked_at is not null) then 'waiting'
            end as state
          from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
        )
        select id, task, state, by, since, error from classified where state is not null order by run_at limit 1000`)),
    ]
    const value = `${counted(all?.count ?? 0, 'job')} in the queue`
    if (stuck.length === 0) return ok(`${value}, none stuck`)
    const dead = stuck.filter(({ state }) => state === 'dead')
    const failed = stuck.filter(({ state }) => state === 'failed')
    const isProblem = stuck.some(({ state }) => state !== 'waiting')
    return {
      status: isProblem ? 'problem' : 'warning',
      value: `${value}, ${stuck.length} stuck`,
      details: stuck.map((job) => `Job ${job.id} (${job.task}): ${SENTENCES[job.state](job)}`),
      fix: isProblem
        ? '--fix unlocks the jobs of dead workers, and gives those that failed for good another round of tries.'
        : 'Start a worker (npm run worker), or more of them.',
      ...(dead.length + failed.length > 0 && {
        repair: async (tx) => {
          // As a worker does when it finds one; handlers may run more than once.
          const gone = [...new Set(dead.map(({ by }) => by))]
          if (gone.length > 0)
            await tx.db.execute(sql`select graphile_worker.force_unlock_workers(${sql.param(gone)}::text[])`)
          if (failed.length > 0)
            await tx.db.execute(sql`
              select graphile_worker.reschedule_jobs(array(
                select id from graphile_worker._private_jobs
                where id in ${failed.map(({ id }) => id)} and locked_at is null and attempts >= max_attempts
              ), run_at => now(), attempts => 0)`)
          return {
            done: [
              ...dead.map(({ id }) => `The job ${id} of a dead worker is unlocked.`),
              ...failed.map(({ id }) => `The job ${id}, which had failed for good, is tried again.`),
            ],
          }
        },
      }),
    }
  },
}

type Waiting = { task: string; field: string; id: string; what: string }

/** Whatever waits for a job has one. */
export const unfinished: Check = {
  id: 'unfinished',
  needsDatabase: true,
  async examine({ ctx }) {
    const waiting = [
      ...(await ctx.db.execute<Waiting>(sql`
        with waiting as (
          select 'check_file' as task, 'result_id' as field, r.id, 'The checks of the file ' || r.file_id || ' (result ' || r.id || ', ' || r.status || ')' as what
          from pre_qc_results r where r.status in ('queued', 'running') and r.is_current
          union all
          select 'finish_integrity', 'file_id', f.id, 'The full decode of the file ' || f.id from files f where f.integrity = 'pending'
          union all
          select 'make_pictures', 'file_id', f.id, 'The images of the file ' || f.id from files f where f.previews is null
          union all
          select 'make_playback', 'proxy_id', p.id, 'The playback copy ' || p.id || ' (' || p.status || ')' from playback_proxies p where p.status in ('queued', 'running')
          union all
          select 'make_tiles', 'tiles_id', t.id, 'The tiles ' || t.id || ' (' || t.status || ')' from image_tiles t where t.status in ('queued', 'running')
          union all
          select 'apply_retention', 'run_id', r.id, 'The retention run ' || r.id from retention_runs r where r.status = 'running'
          union all
          select 'apply_scoped_waiver', 'waiver_id', s.id, 'The withdrawal of the waiver ' || s.id || ' of a batch or project' from pre_qc_scoped_waivers s where s.withdrawn_at is not null
        )
        select w.task, w.field, w.id, w.what from waiting w where not exists (
          select 1 from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
          where t.identifier = w.task and j.payload ->> w.field = w.id::text
        ) order by w.id limit 1000`)),
    ]
    if (waiting.length === 0) return ok('every row that waits for a job has one')
    return {
      status: 'problem',
      value: `${counted(waiting.length, 'row')} without the job they wait for`,
      details: waiting.map(({ what }) => `${what}: no job is in the queue for it`),
      fix: '--fix queues the jobs again.',
      repair: async (tx) => {
        for (const { task, field, id } of waiting) await tx.enqueue(task, { [field]: id }, { key: `${task}:${id}` })
        return { done: waiting.map(({ what }) => `${what}: queued again.`) }
      },
    }
  },
}

export const workers: Check = {
  id: 'workers',
  needsDatabase: true,
  async examine({ ctx, env }) {
    const [row] = await ctx.db.execute<{ alive: number }>(
      sql`select count(*)::int as alive from workers where heartbeat_at > now() - ${DEAD_AFTER}`,
    )
    const alive = row?.alive ?? 0
    if (alive > 0) return ok(`${counted(alive, 'queue worker')} alive`)
    return {
      status: 'warning',
      value: 'none gives a sign of life',
      fix:
        env.WORKER === 'off'
          ? 'Start one: npm run worker.'
          : 'Start Greenroom (npm start), or a worker (npm run worker).',
    }
  },
}

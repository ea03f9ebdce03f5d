import { sql } from 'drizzle-orm'
import { invalidState, notFound } from '../kernel/errors'
import { command, type Finder } from '../kernel/operation'
import { RetriedJob } from './schema'

type Job = { id: string; task: string; attempts: number; is_running: boolean }

const onJob: Finder<'job_id', Job> = {
  params: ['job_id'],
  async find(tx, { job_id: id }, lock) {
    // The queue counts its jobs as bigint; what cannot be one is no job.
    const [job] = /^[1-9]\d{0,17}$/.test(id)
      ? await tx.db.execute<Job>(sql`
          select j.id::text, t.identifier as task, j.attempts::int, j.locked_at is not null as is_running
          from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
          where j.id = ${id}::bigint ${lock ? sql`for no key update of j` : sql``}`)
      : []
    if (!job) throw notFound('job', id)
    return job
  },
}

/** Handlers may run more than once for one job, so another try does no harm. */
export const retryJob = command({
  name: 'retryJob',
  summary: 'Try a failed job again now, with a full number of tries',
  permission: 'settings.manage',
  resource: onJob,
  output: RetriedJob,
  async run(tx, { resource: { id, task, attempts, is_running } }) {
    if (is_running) throw invalidState('A worker is at this job right now.', 'running', ['failed', 'scheduled'])
    if (attempts === 0) throw invalidState('This job waits for its first try.', 'waiting', ['failed', 'scheduled'])
    await tx.db.execute(
      sql`select graphile_worker.reschedule_jobs(array[${id}::bigint], run_at => now(), attempts => 0)`,
    )
    await tx.record({ type: 'job.retried', data: { job: id, task, attempts } })
    return { id, task }
  },
})

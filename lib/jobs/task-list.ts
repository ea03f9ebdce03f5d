import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import type { Job, Task, TaskList } from 'graphile-worker'
import { database } from '@/db/client'
import { isUnavailable } from '@/lib/domain/kernel/database-errors'
import type { Context } from '@/lib/domain/kernel/operation'
import { newContext } from '@/lib/service'
import { spanOfJob } from '@/lib/tracing'

/** So often an end is tried while the database is away, once a second: longer than it takes to start anew. */
const TRIES = 120

/** What the system does by itself. */
export const system = () => newContext({ actor: { type: 'system', name: 'Greenroom' }, requestId: 'worker' })

/** The handlers as graphile-worker runs them: each in a trace, and each job ended by who holds it. */
export const taskListOf = (all: Record<string, (ctx: Context, payload: never) => Promise<void>>): TaskList =>
  Object.fromEntries(
    Object.entries(all).map(([name, task]): [string, Task] => [
      name,
      (payload, { job }) =>
        spanOfJob(traced(job), async () => {
          await task(system(), payload as never)
          await endJob(job)
        }),
    ]),
  )

const traced = ({ id, task_identifier, attempts, run_at, payload }: Job) => ({
  task: task_identifier,
  id,
  attempt: attempts,
  waitedMs: Math.max(0, Date.now() - run_at.getTime()),
  payload,
})

/**
 * Deletes a job that is done, if this worker still holds it. Graphile-worker itself deletes it by its number alone. A worker
 * that was cut off for a while would so delete the job that another has taken over, which is lost when that one is killed,
 * or what it has just enqueued again under the key of its own job, which then lies in that job's row.
 * @throws where another holds it: graphile-worker then notes a failure where the job is held by this worker, so nowhere
 */
async function endJob({ id, locked_by }: Job) {
  const remove = sql`delete from graphile_worker._private_jobs where id = ${id} and locked_by = ${locked_by} returning id`
  for (let tries = 1; ; tries++) {
    try {
      const deleted = await database().db.execute(remove)
      if (deleted.length === 0) throw new Error(`The job ${id} was taken over by another worker, which ends it.`)
      return
    } catch (error) {
      // What is done is not done again because the database is away at this moment.
      if (!isUnavailable(error) || tries === TRIES) throw error
      await pause(1_000)
    }
  }
}

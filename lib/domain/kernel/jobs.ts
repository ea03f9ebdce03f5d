import { type SQL, sql } from 'drizzle-orm'
import type { Executor } from '@/db/client'
import { carriedTrace } from '@/lib/tracing'

export type JobOptions = {
  runAt?: Date
  /** A person waits for it: before everything that waits for its turn. */
  isUrgent?: boolean
  /** The project it is for: its agency's jobs take turns with those of other agencies. */
  inTurnFor?: string
  /** No user waits for it yet: it takes turns among its like, and moves no turn of what people wait for. */
  isAhead?: boolean
}

/**
 * `key`: one waiting job per key; a second one replaces it. A payload with a `traceparent` of its own goes on with that
 * trace; others go on with the one that enqueues them.
 */
export type Job = { payload: Record<string, unknown>; key?: string }

/** A job on its way into the queue. */
export type QueuedJob = { task: string; job: Job; options?: JobOptions }

/** A worker that gave no sign of life for so long is dead: what it had taken is given to others. */
export const WORKER_SILENT_MS = 30_000

/** What is always enqueued under a key. */
const KEYED = [
  'apply_retention',
  'apply_scoped_waiver',
  'check_file',
  'check_known',
  'deliver_files',
  'deliver_webhook',
  'draw_pages',
  'finish_integrity',
  'make_pictures',
  'make_playback',
  'make_tiles',
  'measure_ahead',
  'remind_stage',
  'send_mail',
  'settle_upload',
]

/**
 * A job that was enqueued again under its key while it ran: graphile-worker then takes its key and all its tries, so that
 * it stays as if it had failed when its worker dies, or fails, before it could end it. The newer job does its work. A condition
 * on `j`, the private jobs, and `t`, their tasks.
 */
export const isSuperseded = sql`(j.key is null and j.locked_at is null
  and j.attempts >= j.max_attempts and t.identifier in ${KEYED})`

/** Smaller goes first. Jobs without a class of their own have 0, where the turns begin. */
const URGENT = -1000
/** The queue's column is a smallint. With more files waiting than this, the last ones go in the order they came. */
const LAST_TURN = 32_000

/**
 * Enqueues jobs of one task; they run if, and only if, the transaction commits. `runAt` counts from `now`: workers go by the
 * clock of the database, and that of this machine may be wrong.
 *
 * Turns (start-time fair queueing): an agency's jobs get one turn after another, beginning with the turn that is being
 * served now. So a single file goes next, however many of another agency wait, and none is overtaken for ever.
 */
export async function enqueueJobs(db: Executor, task: string, jobs: Job[], now: Date, options: JobOptions = {}) {
  if (jobs.length > 0) await db.execute(enqueueing(task, jobs, now, options))
}

/** The same as a statement, which gives one row: for what is written beside it. */
export function enqueueing(task: string, jobs: Job[], now: Date, options: JobOptions = {}): SQL {
  const { runAt = now, isUrgent = false, inTurnFor, isAhead = false } = options
  const trace = carriedTrace()
  const specs = JSON.stringify(
    jobs.map(({ payload, key }, index) => ({ index, payload: { ...trace, ...payload }, key: key ?? null })),
  )
  const takesTurn = inTurnFor !== undefined && !isUrgent
  const agency: SQL = takesTurn
    ? sql`(select p.agency_id::text from projects p where p.id = ${inTurnFor}::uuid)`
    : sql`null::text`
  const turnsOf = isAhead ? sql`'ahead_agency_id'` : sql`'agency_id'`
  // Both ends are found by indexes of our own (db/migrate.ts), however many jobs wait.
  const waiting = sql`graphile_worker._private_jobs j where ${takesTurn} and j.is_available and j.priority >= 0`
  const priority = takesTurn ? sql`least(${LAST_TURN}, turns.next + spec.index)` : sql`${isUrgent ? URGENT : 0}`
  return sql`
    with agency as materialized (select ${agency} as id),
    turns as materialized (
      select greatest(
        coalesce((select j.priority from ${waiting} and j.payload ->> ${turnsOf} is not null order by j.priority limit 1), 0),
        coalesce((select j.priority from ${waiting} and j.payload ->> ${turnsOf} = (select id from agency) order by j.priority desc limit 1), -1) + 1) as next)
    select count(*) from turns, agency, graphile_worker.add_jobs(array(
      select row(
        ${task}, case when agency.id is null then spec.payload else (spec.payload::jsonb || jsonb_build_object(${turnsOf}, agency.id))::json end,
        null, now() + make_interval(secs => ${(runAt.getTime() - now.getTime()) / 1000}), null, spec.key, (${priority})::smallint, null
      )::graphile_worker.job_spec
      from turns, agency, json_to_recordset(${specs}::json) as spec(index int, payload json, key text)
      order by spec.index))`
}

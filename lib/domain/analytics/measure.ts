import { type SQL, sql } from 'drizzle-orm'
import { projects } from '@/db/schema/projects'
import type { Tx } from '../kernel/operation'
import { visibleTo } from '../kernel/visibility'
import type { Span } from './rules'
import type { Bucket } from './schema'

/**
 * The questions analytics asks the database. Each covers every agency, and once all of them (`agencyId` null): a median of
 * all is no sum of medians. They read the sums of `analyticsResults` and so on of the schema, by day.
 */

export type Scope = Span & { agencyId?: string }

/** A time as SQL takes it. */
export const at = (time: Date) => sql`${time.toISOString()}::timestamptz`
/** Spans begin and end at midnight of UTC. */
const dayOf = (time: Date) => sql`${time.toISOString().slice(0, 10)}::date`

/** Which projects count. */
export const seen = (tx: Tx, { agencyId }: Scope): SQL => {
  const visible = visibleTo(tx.actor) ?? sql`true`
  return agencyId ? sql`${visible} and ${projects.agencyId} = ${agencyId}` : visible
}

/**
 * The projects that count, read once: joined as a table, the planner looks them up for one row at a time, as it expects
 * few rows where there are hundreds of thousands.
 */
export const inScope = (tx: Tx, scope: Scope) => sql`
  in_scope as materialized (select ${projects.id} as id, ${projects.agencyId} as agency_id from ${projects} where ${seen(tx, scope)})`

type Notes = 'results' | 'findings' | 'rounds' | 'turns'

/**
 * `notes` of the projects in scope for which the condition on `n` holds, with the agency. Of a batch that changed since its
 * rows were computed they are computed now: in this statement, so that both are of one moment.
 */
const notes = (tx: Tx, scope: Scope, of: Notes, columns: string, condition: SQL) => sql`
  ${inScope(tx, scope)},
  changed as materialized (
    select batch_id as id from analytics_changes where batch_id is not null
    union select b.id from analytics_changes c join batches b on b.project_id = c.project_id),
  notes as (
    -- Named one by one, as the indexes hold these, and not the whole rows.
    select p.agency_id, ${sql.raw(columns)} from ${sql.raw(`analytics_${of}`)} n join in_scope p on p.id = n.project_id
      where ${condition} and not exists (select from changed where changed.id = n.batch_id)
    union all select p.agency_id, ${sql.raw(columns)} from changed cross join lateral ${sql.raw(`analytics_${of}_of_batch`)}(changed.id) n
      join in_scope p on p.id = n.project_id where ${condition})`

const inSpan = (scope: Scope) => sql`n.day >= ${dayOf(scope.start)} and n.day < ${dayOf(scope.end)}`
/** In the span, and no later row of the same file is: each file counts once, by its latest result there. */
const latestIn = (scope: Scope) => sql`${inSpan(scope)} and (n.until_day is null or n.until_day >= ${dayOf(scope.end)})`

const COUNTED = 'day, pass, warning, fail, not_applicable, passed_first, checked_first'
const TALLY = sql`
  coalesce(sum(pass), 0)::int as pass,
  coalesce(sum(warning), 0)::int as warning,
  coalesce(sum(fail), 0)::int as fail,
  coalesce(sum(not_applicable), 0)::int as not_applicable,
  sum(passed_first)::float8 / nullif(sum(checked_first), 0) as first_time_pass_rate`

export type Tally = {
  pass: number
  warning: number
  fail: number
  not_applicable: number
  first_time_pass_rate: number | null
}
export type PerAgency<T> = T & { agency_id: string | null }

/** Files by their latest completed result in the span, the versions of each taken together. */
export async function tallies(tx: Tx, scope: Scope) {
  return tx.db.execute<PerAgency<Tally>>(sql`
    with ${notes(tx, scope, 'results', COUNTED, latestIn(scope))}
    select agency_id, ${TALLY} from notes group by grouping sets ((agency_id), ())`)
}

export async function tallyByTime(tx: Tx, scope: Scope, bucket: Bucket) {
  return tx.db.execute<Tally & { start: string }>(sql`
    with ${notes(tx, scope, 'results', COUNTED, latestIn(scope))},
    divided as (select *, date_trunc(${bucket}, day::timestamp) as began from notes)
    select to_char(began, 'YYYY-MM-DD') as start, ${TALLY} from divided group by began order by began`)
}

/** Submits after the first that each batch with files that count had seen by the end of the span. */
export async function resupplyRounds(tx: Tx, scope: Scope) {
  const atEnd = sql`n.day >= ${dayOf(scope.start)} and n.day < ${dayOf(scope.end)} and n.from_day < ${dayOf(scope.end)}
    and (n.until_day is null or n.until_day >= ${dayOf(scope.end)})`
  return tx.db.execute<PerAgency<{ rounds: number }>>(sql`
    with ${notes(tx, scope, 'rounds', 'resupplies', atEnd)}
    select agency_id, avg(resupplies)::float8 as rounds from notes group by grouping sets ((agency_id), ())`)
}

/** Files in which a check fails and was not waived, most frequent first. */
export async function failingChecks(tx: Tx, scope: Scope) {
  return tx.db.execute<PerAgency<{ check_id: string; label: string; count: number }>>(sql`
    with ${notes(tx, scope, 'findings', 'check_id, label, newest_at, count', sql`n.kind = 'latest' and ${latestIn(scope)}`)}
    select agency_id, check_id, (array_agg(label order by newest_at desc))[1] as label, sum(count)::int as count
    from notes group by grouping sets ((agency_id, check_id), (check_id))
    order by count desc, check_id`)
}

const REVIEWED = 'profile_id, check_id, label, newest_at, count, overruled'

/**
 * What reviewers made of failed checks, by check and profile, most overruled first. Each version of a file counts, by the
 * newest attempt at it: what was rejected stays, whatever came after it. A finding of a file that is not decided and was
 * not waived is not counted yet.
 */
export async function overruledChecks(tx: Tx, scope: Scope, limit: number) {
  return tx.db.execute<{
    check_id: string
    label: string
    category_id: string
    category_name: string
    profile_version: number
    findings: number
    overruled: number
  }>(sql`
    with ${notes(tx, scope, 'findings', REVIEWED, sql`n.kind = 'reviewed' and ${inSpan(scope)}`)},
    counted as (
      select profile_id, check_id, (array_agg(label order by newest_at desc))[1] as label,
        sum(count)::int as findings, sum(overruled)::int as overruled
      from notes group by profile_id, check_id)
    select c.check_id, c.label, m.id as category_id, m.name as category_name, q.version as profile_version,
      c.findings, c.overruled
    from counted c join pre_qc_profiles q on q.id = c.profile_id join media_categories m on m.id = q.media_category_id
    order by c.overruled desc, c.findings, c.check_id, m.name, q.version desc limit ${limit}`)
}

const FIRST = 'check_id, label, newest_at, count, newest_id, fixed_id, fixed_at'

/**
 * Files whose very first check failed, by the check that failed then, most frequent first; with what the newest of them
 * said, one that knows how to fix it before others.
 */
export async function firstFailures(tx: Tx, scope: Scope) {
  return tx.db.execute<{
    check_id: string
    label: string
    count: number
    example: { file_name: string; details: string; fix: string | null }
  }>(sql`
    with ${notes(tx, scope, 'findings', FIRST, sql`n.kind = 'first' and ${latestIn(scope)}`)},
    counted as (
      select check_id, (array_agg(label order by newest_at desc))[1] as label, sum(count)::int as count,
        (array_agg(newest_id order by newest_at desc))[1] as newest_id,
        (array_agg(fixed_id order by fixed_at desc) filter (where fixed_id is not null))[1] as fixed_id
      from notes group by check_id)
    select c.check_id, c.label, c.count, (
      select json_build_object('file_name', files.name, 'details', line ->> 'details', 'fix', line ->> 'fix')
      from pre_qc_results r join files on files.id = r.file_id cross join lateral json_array_elements(r.checks) as line
      where r.id = coalesce(c.fixed_id, c.newest_id) and line ->> 'check_id' = c.check_id and line ->> 'status' = 'fail'
        and (c.fixed_id is null or line ->> 'fix' is not null)
      limit 1) as example
    from counted c order by c.count desc, c.check_id`)
}

export async function rejectedUploads(tx: Tx, scope: Scope) {
  return tx.db.execute<PerAgency<{ count: number }>>(sql`
    with ${inScope(tx, scope)}
    select p.agency_id, count(*)::int as count from events e join in_scope p on p.id = e.project_id
    where e.type = 'upload.rejected' and e.created_at >= ${at(scope.start)} and e.created_at < ${at(scope.end)}
    group by grouping sets ((p.agency_id), ())`)
}

/**
 * Median hours of the turns that ended in the span. Whose turn it is follows from what happened to a batch: the
 * agency's from its creation or a completed review that asks for better files, once there is a link it can send by and
 * until all of a resupply has arrived; ours from submit to a completed review.
 * Submitting again while we have it begins no new turn; a cancelled batch ends none. What passed while the project was
 * not active is cut out of every turn.
 */
export async function turnaround(tx: Tx, scope: Scope) {
  return tx.db.execute<PerAgency<{ agency: number | null; review: number | null }>>(sql`
    with ${notes(tx, scope, 'turns', 'holder, hours', inSpan(scope))}
    select agency_id,
      percentile_cont(0.5) within group (order by hours) filter (where holder = 'agency') as agency,
      percentile_cont(0.5) within group (order by hours) filter (where holder = 'review') as review
    from notes group by grouping sets ((agency_id), ())`)
}

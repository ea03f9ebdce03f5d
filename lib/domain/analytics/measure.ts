import { type SQL, sql } from 'drizzle-orm'
import type { Tx } from '../kernel/operation'
import { idVisibleTo } from '../kernel/visibility'
import { CHANGED, type Kind } from './notes'
import type { Span } from './rules'
import type { Bucket } from './schema'

/**
 * The questions analytics asks the database. Each covers every agency, and once all of them (`agencyId` null): a median of
 * all is no sum of medians. They read the rows of batches by day, `analyticsResults` and so on of the schema, and instead of
 * those of whole months their sums, `analyticsMonths` and so on.
 */

export type Scope = Span & { agencyId?: string }

/** A time as SQL takes it. */
export const at = (time: Date) => sql`${time.toISOString()}::timestamptz`
/** Spans begin and end at midnight of UTC. */
const dayOf = (time: Date) => sql`${time.toISOString().slice(0, 10)}::date`

/**
 * The projects that count, and whether all of their agency do. Read once: joined as a table, the planner looks them up for
 * one row at a time, as it expects few rows where there are hundreds of thousands.
 */
const inScope = (tx: Tx, { agencyId }: Scope) => {
  const isSeen = idVisibleTo(tx.actor, sql`id`) ?? sql`true`
  return sql`
  in_scope as materialized (
    select id, agency_id, is_whole from (
      select id, agency_id, ${isSeen} as is_seen, bool_and(${isSeen}) over (partition by agency_id) as is_whole
      from projects ${agencyId ? sql`where agency_id = ${agencyId}` : sql``}) p
    where is_seen)`
}

/** What is read, and how it is had from rows of batches, and from sums of months, where that is not by its name. */
type Columns = { names: string; rows?: string; sums?: string }

/**
 * Rows of the projects in scope for which the condition on `n` holds, with the agency. Of months that the span has whole
 * their sums are read instead, unless a project of the agencies is not seen, as they are sums of all. Of a batch that changed
 * since its rows were computed they are computed now, and its months are read from rows: in this statement, so that
 * all is of one moment.
 */
const notes = (tx: Tx, scope: Scope, of: Kind, { names, ...columns }: Columns, condition: SQL, usesSums = true) => {
  const [start, end] = [dayOf(scope.start), dayOf(scope.end)]
  const table = sql.raw(`analytics_${of}`)
  // Named one by one, as the indexes hold these, and not the whole rows.
  const [read, rows, sums] = [names, columns.rows ?? names, columns.sums ?? names].map((list) => sql.raw(list))
  return sql`
  ${inScope(tx, scope)},
  ${CHANGED},
  summed as materialized (
    select month from analytics_months
    where ${usesSums ? sql`month >= ${start} and month + interval '1 month' <= ${end}` : sql`false`}
      and (select bool_and(is_whole) from in_scope)
      and month not in (select date_trunc('month', n.day::timestamp)::date from changed join ${table} n on n.batch_id = changed.id)),
  rest as materialized (
    select lower(stretch) as begins, upper(stretch) as ends from unnest(datemultirange(daterange(${start}, ${end}))
      - coalesce((select range_agg(daterange(month, (month + interval '1 month')::date)) from summed), '{}')) as stretch),
  notes as (
    select n.agency_id, ${sums} from ${sql.raw(`analytics_month_${of}`)} n
      -- An array, which the index is gone through for once.
      where n.month = any (array(select month from summed)) and n.agency_id in (select agency_id from in_scope) and ${condition}
    -- With an offset each stretch is looked up in the index; without, the whole table would be gone through for all. What is
    -- not in (and not: does not exist) leaves the planner with more than one row to expect, so that it hashes the projects.
    union all select p.agency_id, ${read} from rest cross join lateral (
        select n.project_id, ${rows} from ${table} n
        where n.day >= rest.begins and n.day < rest.ends and ${condition} and n.batch_id not in (select id from changed) offset 0) n
      join in_scope p on p.id = n.project_id
    union all select p.agency_id, ${rows} from changed cross join lateral ${sql.raw(`analytics_${of}_of_batch`)}(changed.id) n
      join in_scope p on p.id = n.project_id where n.day >= ${start} and n.day < ${end} and ${condition})`
}

/** No later row of the same file is in the span: each file counts once, by its latest result there. */
const latestIn = (scope: Scope) => sql`(n.until_day is null or n.until_day >= ${dayOf(scope.end)})`

const COUNTS = 'pass, warning, fail, not_applicable, passed_first, checked_first'
const COUNTED = { names: `day, ${COUNTS}`, sums: `month as day, ${COUNTS}` }
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
    with ${notes(tx, scope, 'results', COUNTED, latestIn(scope), bucket === 'month')},
    divided as (select *, date_trunc(${bucket}, day::timestamp) as began from notes)
    select to_char(began, 'YYYY-MM-DD') as start, ${TALLY} from divided group by began order by began`)
}

/** Submits after the first that each batch with files that count had seen by the end of the span. */
export async function resupplyRounds(tx: Tx, scope: Scope) {
  const atEnd = sql`(n.from_day is null or n.from_day < ${dayOf(scope.end)}) and ${latestIn(scope)}`
  const columns = { names: 'batches, resupplies', rows: '1 as batches, resupplies' }
  return tx.db.execute<PerAgency<{ rounds: number }>>(sql`
    with ${notes(tx, scope, 'rounds', columns, atEnd)}
    select agency_id, (sum(resupplies)::numeric / sum(batches))::float8 as rounds
    from notes group by grouping sets ((agency_id), ())`)
}

const FAILING = { names: 'check_id, label, newest_at, count' }

/** Files in which a check fails and was not waived, most frequent first. */
export async function failingChecks(tx: Tx, scope: Scope) {
  return tx.db.execute<PerAgency<{ check_id: string; label: string; count: number }>>(sql`
    with ${notes(tx, scope, 'findings', FAILING, sql`n.kind = 'latest' and ${latestIn(scope)}`)}
    select agency_id, check_id, (array_agg(label order by newest_at desc))[1] as label, sum(count)::int as count
    from notes group by grouping sets ((agency_id, check_id), (check_id))
    order by count desc, check_id`)
}

const REVIEWED = { names: 'profile_id, check_id, label, newest_at, count, overruled' }

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
    with ${notes(tx, scope, 'findings', REVIEWED, sql`n.kind = 'reviewed'`)},
    counted as (
      select profile_id, check_id, (array_agg(label order by newest_at desc))[1] as label,
        sum(count)::int as findings, sum(overruled)::int as overruled
      from notes group by profile_id, check_id)
    select c.check_id, c.label, m.id as category_id, m.name as category_name, q.version as profile_version,
      c.findings, c.overruled
    from counted c join pre_qc_profiles q on q.id = c.profile_id join media_categories m on m.id = q.media_category_id
    order by c.overruled desc, c.findings, c.check_id, m.name, q.version desc limit ${limit}`)
}

const FIRST = { names: 'check_id, label, newest_at, count, newest_id, fixed_id, fixed_at' }

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

const HOURS = { names: 'holder, hours', sums: 'holder, unnest(hours) as hours' }

/**
 * Median hours of the turns that ended in the span. Whose turn it is follows from what happened to a batch: the
 * agency's from its creation or a completed review that asks for better files, once there is a link it can send by and
 * until all of a resupply has arrived; ours from submit to a completed review.
 * Submitting again while we have it begins no new turn; a cancelled batch ends none. What passed while the project was
 * not active is cut out of every turn.
 */
export async function turnaround(tx: Tx, scope: Scope) {
  return tx.db.execute<PerAgency<{ agency: number | null; review: number | null }>>(sql`
    with ${notes(tx, scope, 'turns', HOURS, sql`true`)}
    select agency_id,
      percentile_cont(0.5) within group (order by hours) filter (where holder = 'agency') as agency,
      percentile_cont(0.5) within group (order by hours) filter (where holder = 'review') as review
    from notes group by grouping sets ((agency_id), ())`)
}

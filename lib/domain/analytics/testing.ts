import { type SQL, sql } from 'drizzle-orm'
import { projects } from '@/db/schema/projects'
import type { Tx } from '../kernel/operation'
import { visibleTo } from '../kernel/visibility'
import { at, type PerAgency, type Scope, type Tally } from './measure'
import type { Bucket } from './schema'

/**
 * The same metrics as `measure`, counted from results, files and events for each question: what they are held against.
 */

/** Which projects count. */
const seen = (tx: Tx, { agencyId }: Scope): SQL => {
  const visible = visibleTo(tx.actor) ?? sql`true`
  return agencyId ? sql`${visible} and ${projects.agencyId} = ${agencyId}` : visible
}

const inScope = (tx: Tx, scope: Scope) => sql`
  in_scope as materialized (select ${projects.id} as id, ${projects.agencyId} as agency_id from ${projects} where ${seen(tx, scope)})`

/** The latest completed result in the span of every file, its versions taken together. */
const counted = (tx: Tx, scope: Scope) => sql`
  ${inScope(tx, scope)},
  counted as (
    select v.summary, v.first_summary, v.completed_at, v.batch_id, p.agency_id
    from verdicts v join in_scope p on p.id = v.project_id
    where ${latestIn(scope)}
  )`

const latestIn = (scope: Scope) => sql`
  v.completed_at >= ${at(scope.start)} and v.completed_at < ${at(scope.end)}
    and (v.replaced_at is null or v.replaced_at >= ${at(scope.end)})`

const TALLY = sql`
  count(*) filter (where summary = 'pass')::int as pass,
  count(*) filter (where summary = 'warning')::int as warning,
  count(*) filter (where summary = 'fail')::int as fail,
  count(*) filter (where summary = 'not_applicable')::int as not_applicable,
  (count(*) filter (where summary <> 'not_applicable' and first_summary in ('pass', 'warning')))::float8
    / nullif(count(*) filter (where summary <> 'not_applicable' and first_summary <> 'not_applicable'), 0)
    as first_time_pass_rate`

export async function tallies(tx: Tx, scope: Scope) {
  return tx.db.execute<PerAgency<Tally>>(sql`
    with ${counted(tx, scope)}
    select agency_id, ${TALLY} from counted group by grouping sets ((agency_id), ())`)
}

export async function tallyByTime(tx: Tx, scope: Scope, bucket: Bucket) {
  return tx.db.execute<Tally & { start: string }>(sql`
    with ${counted(tx, scope)},
    divided as (select *, date_trunc(${bucket}, completed_at at time zone 'UTC') as began from counted)
    select to_char(began, 'YYYY-MM-DD') as start, ${TALLY} from divided group by began order by began`)
}

/** Submits after the first that each batch of the counted files had seen by the end of the span. */
export async function resupplyRounds(tx: Tx, scope: Scope) {
  return tx.db.execute<PerAgency<{ rounds: number }>>(sql`
    with ${counted(tx, scope)},
    rounds as (
      select c.agency_id, greatest(0, case when b.submitted_at < ${at(scope.end)} then b.round else coalesce((
        -- It went on after the span: only its events say how far it was then.
        select max((e.data ->> 'round')::int) from events e
        where e.batch_id = b.id and e.type = 'batch.submitted' and e.created_at < ${at(scope.end)}), 1) end - 1) as resupplies
      from (select distinct agency_id, batch_id from counted) c join batches b on b.id = c.batch_id)
    select agency_id, avg(resupplies)::float8 as rounds from rounds group by grouping sets ((agency_id), ())`)
}

/** Files in which a check fails and was not waived, most frequent first. */
export async function failingChecks(tx: Tx, scope: Scope) {
  return tx.db.execute<PerAgency<{ check_id: string; label: string; count: number }>>(sql`
    with ${inScope(tx, scope)},
    failing as (
      select p.agency_id, line ->> 'check_id' as check_id, line ->> 'label' as label, v.completed_at
      from verdicts v join in_scope p on p.id = v.project_id
      cross join lateral jsonb_array_elements(v.failing) as line
      where v.summary = 'fail' and ${latestIn(scope)})
    select agency_id, check_id, (array_agg(label order by completed_at desc))[1] as label, count(*)::int as count
    from failing group by grouping sets ((agency_id, check_id), (check_id))
    order by count desc, check_id`)
}

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
    with ${inScope(tx, scope)},
    upheld as (
      select r.profile_id, line ->> 'check_id' as check_id, line ->> 'label' as label,
        f.decision = 'approved' as is_overruled, v.completed_at
      from verdicts v join in_scope p on p.id = v.project_id
      join pre_qc_results r on r.id = v.result_id and r.is_current
      join files f on f.id = r.file_id and f.decision in ('approved', 'rejected')
      cross join lateral jsonb_array_elements(v.failing) as line
      where v.summary = 'fail' and v.completed_at >= ${at(scope.start)} and v.completed_at < ${at(scope.end)}),
    waived as (
      -- A waived warning is no finding that failed.
      select r.profile_id, w.check_id, line ->> 'label' as label, true as is_overruled, r.completed_at
      from pre_qc_results r join in_scope p on p.id = r.project_id
      join pre_qc_waivers w on w.result_id = r.id
      cross join lateral json_array_elements(r.checks) as line
      where r.is_current and r.status = 'completed'
        and r.completed_at >= ${at(scope.start)} and r.completed_at < ${at(scope.end)}
        and line ->> 'check_id' = w.check_id and line ->> 'status' = 'fail'),
    counted as (
      select profile_id, check_id, (array_agg(label order by completed_at desc))[1] as label, count(*)::int as findings,
        (count(*) filter (where is_overruled))::int as overruled
      from (select * from upheld union all select * from waived) found group by profile_id, check_id)
    select c.check_id, c.label, m.id as category_id, m.name as category_name, q.version as profile_version,
      c.findings, c.overruled
    from counted c join pre_qc_profiles q on q.id = c.profile_id join media_categories m on m.id = q.media_category_id
    order by c.overruled desc, c.findings, c.check_id, m.name, q.version desc limit ${limit}`)
}

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
    with failing as materialized (
      -- What the first check said of a file, as it is noted: its own result is read for the example alone.
      select f.result_id, f.completed_at, line ->> 'check_id' as check_id, line ->> 'label' as label
      from verdicts v join ${projects} on ${projects.id} = v.project_id
      -- Most files were checked once: the first result is this one.
      cross join lateral (
        select v.result_id, v.completed_at, v.summary, v.failing where v.result_id = v.first_result_id
        union all select e.result_id, e.completed_at, e.summary, e.failing from verdicts e
          where v.result_id <> v.first_result_id and e.result_id = v.first_result_id) f
      cross join lateral jsonb_array_elements(f.failing) as line
      where v.first_summary = 'fail' and f.summary = 'fail' and ${latestIn(scope)} and ${seen(tx, scope)}),
    counted as (
      select check_id, (array_agg(label order by completed_at desc))[1] as label, count(*)::int as count
      from failing group by check_id)
    select c.check_id, c.label, c.count, coalesce(
      (${exampleOf(sql`line ->> 'fix' is not null`)}), (${exampleOf(sql`true`)})) as example
    from counted c order by c.count desc, c.check_id`)
}

/** The newest of the check `c` among `failing` for which this holds; results are read until it is found. */
const exampleOf = (condition: SQL) => sql`
  select json_build_object('file_name', files.name, 'details', line ->> 'details', 'fix', line ->> 'fix')
  from (select * from failing where failing.check_id = c.check_id order by completed_at desc) newest
  join pre_qc_results r on r.id = newest.result_id
  join files on files.id = r.file_id
  cross join lateral json_array_elements(r.checks) as line
  where line ->> 'check_id' = c.check_id and line ->> 'status' = 'fail' and ${condition}
  order by newest.completed_at desc limit 1`

export async function rejectedUploads(tx: Tx, scope: Scope) {
  return tx.db.execute<PerAgency<{ count: number }>>(sql`
    select ${projects.agencyId} as agency_id, count(*)::int as count
    from events e join ${projects} on ${projects.id} = e.project_id
    where e.type = 'upload.rejected' and e.created_at >= ${at(scope.start)} and e.created_at < ${at(scope.end)}
      and ${seen(tx, scope)}
    group by grouping sets ((${projects.agencyId}), ())`)
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
    with ${inScope(tx, scope)},
    -- With what is looked up for each batch: joined later, all of it would be gone through for every turn.
    touched as materialized (
      select b.*, (select min(l.created_at) from upload_links l where l.batch_id = b.batch_id) as linked_at, (
        select range_agg(tstzrange(s.created_at, s.until)) from (
          select e.data -> 'after' ->> 'status' as status, e.created_at,
            lead(e.created_at) over (order by e.created_at, e.sequence) as until
          from events e where e.project_id = b.project_id
            and e.type = 'project.updated' and e.data -> 'after' ->> 'status' is not null) s
        where s.status <> 'active') as idle
      from (
        select distinct e.batch_id, e.project_id, p.agency_id from events e join in_scope p on p.id = e.project_id
        where e.type in ('batch.submitted', 'batch.review_completed', 'batch.resupplied')
          and e.created_at >= ${at(scope.start)} and e.created_at < ${at(scope.end)}) b),
    steps as (
      select t.*, e.created_at, e.sequence,
        case
          when e.type = 'batch.created' then 'agency'
          when e.type = 'batch.submitted' then 'review'
          when e.type = 'batch.review_completed' and e.data ->> 'outcome' = 'awaiting_resupply' then 'agency'
          when e.type in ('batch.review_completed', 'batch.resupplied') then 'none'
          else 'cancelled' end as holder
      from touched t join events e on e.batch_id = t.batch_id
      where e.type in ('batch.created', 'batch.submitted', 'batch.review_completed', 'batch.resupplied', 'batch.cancelled')),
    changes as (
      select *, lag(holder) over (partition by batch_id order by created_at, sequence) as held_before from steps),
    turns as (
      select batch_id, agency_id, linked_at, idle, holder, created_at as began,
        lead(created_at) over turn as ended, lead(holder) over turn as next_holder
      from changes where holder is distinct from held_before
      window turn as (partition by batch_id order by created_at, sequence)),
    lengths as (
      select t.agency_id, t.holder, coalesce((
        select sum(extract(epoch from upper(piece) - lower(piece)))
        from unnest(tstzmultirange(tstzrange(case when t.holder = 'agency' then greatest(t.began, t.linked_at) else t.began end, t.ended)) - coalesce(t.idle, '{}'::tstzmultirange)) as piece), 0) / 3600 as hours
      from turns t
      where (t.holder = 'review' or (t.holder = 'agency' and t.linked_at < t.ended)) and t.next_holder <> 'cancelled'
        and t.ended >= ${at(scope.start)} and t.ended < ${at(scope.end)})
    select agency_id,
      (percentile_cont(0.5) within group (order by hours::float8) filter (where holder = 'agency'))::float8 as agency,
      (percentile_cont(0.5) within group (order by hours::float8) filter (where holder = 'review'))::float8 as review
    from lengths group by grouping sets ((agency_id), ())`)
}

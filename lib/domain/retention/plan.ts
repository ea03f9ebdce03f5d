import { type SQL, sql } from 'drizzle-orm'
import { idArray } from '../kernel/rows'

/**
 * What the rules remove as of a moment, as rows (kind, subject_id, project_id, batch_id, amount, removal) in the columns of
 * `retention_items`. Each file counts from the moment it, its batch or its project got a status; of several rules that are
 * due, the one that was due first is named. Nothing of a project under legal hold is due, nor a file that is being decoded
 * or checked.
 *
 * @param only restricts it to these files, and to the activity of these projects
 */
export function dueItems(asOf: Date, only?: { files: readonly string[]; projects: readonly string[] }): SQL {
  const at = sql`${asOf.toISOString()}::timestamptz`
  const among = (column: SQL, ids: readonly string[] | undefined) =>
    ids ? sql`and ${column} = any (${idArray(ids)})` : sql``
  /** Of the two kinds of things that go, those due by their first rule. */
  const dueBy = (what: 'files' | 'previews', isThere: SQL) => sql`
    select distinct on (id) id, jsonb_build_object('rule', status, 'days', days, 'of', source) as why
    from (select *, (rules -> ${what}::text ->> status)::int as days from states) timed
    where ${isThere} and days is not null and since + make_interval(days => days) <= ${at}
    order by id, since + make_interval(days => days), status`
  return sql`
    with ruled as (
      select p.id, p.status, p.updated_at, coalesce(p.retention, s.rules) as rules,
        case when p.retention is null then 'service' else 'project' end as source
      from projects p cross join (select (select retention from service_settings) as rules) s
      where coalesce(p.retention, s.rules) is not null and not exists (
        select from legal_holds h where h.lifted_at is null and (h.project_id = p.id or h.agency_id = p.agency_id))
    ), turned as (
      select project_id, max(created_at) as at from events
      where type = 'project.updated' and data -> 'after' -> 'status' is not null group by project_id
    ), called_off as (
      select batch_id, max(created_at) as at from events where type = 'batch.cancelled' group by batch_id
    ), states as (
      select f.id, f.removed_at, f.previews_removed_at, f.previews, p.rules, p.source, s.status, s.since
      from files f join ruled p on p.id = f.project_id join batches b on b.id = f.batch_id
        left join turned on turned.project_id = f.project_id
        left join called_off on called_off.batch_id = f.batch_id
        cross join lateral (values
          (case when p.status in ('completed', 'cancelled', 'archived') then p.status end, coalesce(turned.at, p.updated_at)),
          (case when b.status = 'cancelled' then 'cancelled' end, coalesce(called_off.at, b.updated_at)),
          (case when f.decision = 'rejected' then 'rejected' end, f.decided_at),
          (case when not f.is_current then 'replaced' end, (select min(n.created_at) from files n where n.supersedes_id = f.id))
        ) s (status, since)
      where s.status is not null and s.since is not null and (f.removed_at is null or f.previews_removed_at is null)
        and f.integrity <> 'pending' ${among(sql`f.id`, only?.files)} and not exists (
          select from pre_qc_results r where r.file_id = f.id and r.status in ('queued', 'running'))
    ), bytes_due as (${dueBy('files', sql`removed_at is null`)}),
    previews_due as (${dueBy(
      'previews',
      sql`previews_removed_at is null and previews is not null and ((previews ->> 'thumbnail')::boolean or (previews ->> 'preview')::boolean
        or exists (select from pre_qc_results r where r.file_id = timed.id and r.checks::text like '%"evidence"%'))`,
    )})
    select 'file' as kind, f.id as subject_id, f.project_id, f.batch_id, case when b.id is null then 0 else f.size end as amount,
      jsonb_strip_nulls(jsonb_build_object('file', b.why, 'previews', v.why)) as removal
    from bytes_due b full join previews_due v on v.id = b.id join files f on f.id = coalesce(b.id, v.id)
    union all
    select 'activity', p.id, p.id, null, n.amount,
      jsonb_build_object('activity', jsonb_build_object('days', p.rules -> 'activity', 'of', p.source))
    from ruled p cross join lateral (
      select count(*) as amount from events e join notifications n on n.event_id = e.id
      where e.project_id = p.id and ${isOldActivity(at, sql`(p.rules ->> 'activity')::int`)}) n
    where p.rules ->> 'activity' is not null and n.amount > 0 ${among(sql`p.id`, only?.projects)}`
}

/** A notification `n` that is older than so many days; not one that is still to go out by mail. */
export const isOldActivity = (at: SQL, days: SQL): SQL => sql`
  n.created_at <= ${at} - make_interval(days => ${days}) and not exists (
    select from mail_items i left join mails m on m.id = i.mail_id
    where i.notification_id = n.id and (i.mail_id is null or m.status = 'pending'))`

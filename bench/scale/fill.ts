import type { Sql } from 'postgres'

/** What a database of the bench holds, by the number of its files. */
export type Size = ReturnType<typeof sizeOf>

const between = (least: number, value: number, most: number) => Math.max(least, Math.min(most, Math.round(value)))

/**
 * In proportion: a project has five batches of twenty files; one project has many batches, and three of its batches many files.
 * What an answer is about (that project, its large batches) and what it lists (agencies, people, categories, estimates) has the size it has among `as` files.
 */
export const sizeOf = (files: number, as = files) => {
  const projects = between(10, files / 100, files)
  return {
    files,
    projects,
    batches: projects * 5,
    batchesOfOne: between(60, as / 100, 2000),
    filesOfOne: between(60, as / 20, 10_000),
    agencies: between(10, as / 2000, 500),
    categories: between(5, as / 20_000, 50),
    users: between(20, as / 2000, 1000),
    estimates: between(10, as / 200, as),
    notifications: between(20, files / 20, files),
    deliveries: between(20, files / 20, files),
    comments: between(20, files / 20, files),
  }
}

/** Everything began so many days before the end of the fill, and is spread evenly over them. */
const DAYS = 730

/**
 * Fills the database of a workspace that holds the demo with rows as years of work leave them. What rows say (facts of
 * files, lines of checks, data of events) is taken from the rows of the demo. Past the rules, as only a bench may.
 */
export async function fill(sql: Sql, size: Size) {
  await sql.unsafe(`alter system set max_wal_size = '8GB'`)
  await sql.unsafe('select pg_reload_conf()')
  await sql.begin(async (tx) => {
    await tx.unsafe(`set local statement_timeout = 0`)
    // Made at once when the rows are there: row by row, each of them writes many entries.
    const inverted = await tx<{ name: string; definition: string }[]>`
      select c.oid::regclass::text as name, pg_get_indexdef(c.oid) as definition from pg_class c join pg_am a on a.oid = c.relam
      where a.amname = 'gin' and c.relkind = 'i' and c.relnamespace = 'public'::regnamespace`
    for (const { name } of inverted) await tx.unsafe(`drop index ${name}`)
    for (const statement of statements(size)) await tx.unsafe(statement)
    for (const { definition } of inverted) await tx.unsafe(definition)
  })
  await sql.unsafe('vacuum analyze')
}

const at = (share: string) => `now() - interval '1 day' * ((${DAYS}) * (1 - (${share})))`
const idAt = (share: string) => `uuidv7(interval '-1 day' * ((${DAYS}) * (1 - (${share}))))`

function statements(size: Size): string[] {
  const { projects, batches, batchesOfOne, filesOfOne } = size
  const ordinary = Math.max(0, size.files - 3 * filesOfOne)
  const allBatches = batches + batchesOfOne
  return [
    `create temp table made_agencies on commit drop as
      select n, ${idAt('0.0')} as id from generate_series(0, ${size.agencies - 1}) n`,
    `insert into agencies (id, name, code, created_at, updated_at)
      select id, 'Scale agency ' || n, 'SC' || n, ${at('0')}, ${at('0')} from made_agencies`,
    `insert into campaigns (id, agency_id, name, code)
      select ${idAt('0.01')}, id, 'Scale campaign ' || n || ' ' || k, 'C' || k from made_agencies, generate_series(1, 2) k`,
    `create temp table made_categories on commit drop as
      select n, ${idAt('0.0')} as id, ${idAt('0.0')} as profile_id from generate_series(0, ${size.categories - 1}) n`,
    `insert into media_categories (id, name, pre_qc)
      select id, 'Scale category ' || n, (select pre_qc from media_categories order by id limit 1) from made_categories`,
    `insert into pre_qc_profiles (id, media_category_id, version, settings)
      select profile_id, id, 1, (select settings from pre_qc_profiles order by id limit 1) from made_categories`,
    `create temp table made_users on commit drop as
      select n, ${idAt('0.0')} as id, case when n % 10 = 0 then 'coordinator' when n % 10 = 9 then 'viewer' else 'operator' end as role
      from generate_series(0, ${size.users - 1}) n`,
    `insert into users (id, email, name, role) select id, 'scale-' || n || '@example.test', 'Scale person ' || n, role from made_users`,
    `create temp table known on commit drop as select
      (select id from users where email = 'admin@greenroom.test') as admin,
      (select id from users where email = 'coordinator@greenroom.test') as coordinator,
      (select id from users where email = 'operator@greenroom.test') as operator`,

    // Project 0 is the one with many batches.
    `create temp table made_projects on commit drop as
      select n, ${idAt(`n::float8 / ${projects}`)} as id, n % ${size.agencies} as agency, ${at(`n::float8 / ${projects}`)} as at
      from generate_series(0, ${projects - 1}) n`,
    `insert into projects (id, name, status, agency_id, media_category_id, created_by, created_at, updated_at)
      select p.id, 'Scale project ' || p.n, case when p.n = 0 or p.n > ${projects} * 0.8 then 'active' else 'completed' end,
        a.id, c.id, known.admin, p.at, p.at
      from made_projects p join made_agencies a on a.n = p.agency join made_categories c on c.n = p.n % ${size.categories}, known
      order by p.id`,
    `insert into project_members (project_id, user_id, added_at)
      select p.id, known.coordinator, p.at from made_projects p, known where p.n % 2 = 0
      union select p.id, u.id, p.at from made_projects p join made_users u on u.n in (p.n % ${size.users}, (p.n * 7 + 3) % ${size.users})`,

    // Of the last 200 batches of the whole, and of those of the large project, some are unfinished. 0, 1 and 2 are large.
    `create temp table made_batches on commit drop as
      select n, project_id, id, at, status from (
        select g.n, p.id as project_id, ${idAt(`0.001 + 0.998 * g.n / ${allBatches}`)} as id, ${at(`0.001 + 0.998 * g.n / ${allBatches}`)} as at,
          case when g.n = 0 then 'in_review' when g.n = 1 then 'open' when g.n = 2 then 'approved'
            when g.n < ${allBatches} * 0.9 then case when g.n % 20 = 19 then 'cancelled' else 'approved' end
            else (array['open', 'in_review', 'awaiting_resupply', 'approved'])[1 + g.n % 4] end as status
        from generate_series(0, ${allBatches - 1}) as g (n)
        join made_projects p on p.n = case when g.n < ${batchesOfOne} then 0 else g.n % ${projects} end) made`,
    `create index on made_batches (n)`,
    `analyze made_batches`,
    `insert into batches (id, project_id, name, status, media_category_id, operator_id, coordinator_id, round, submitted_at, reviewed_at, due_on, created_at, updated_at)
      select b.id, b.project_id, 'Scale batch ' || b.n, b.status, c.id,
        case when b.n % 20 = 3 then known.operator else u.id end, case when b.n % 20 < 2 then known.coordinator end,
        case when b.status = 'open' then 0 else 1 end, case when b.status <> 'open' then b.at + interval '1 day' end,
        case when b.status in ('approved', 'awaiting_resupply') then b.at + interval '2 days' end, (b.at + interval '10 days')::date, b.at, b.at
      from made_batches b join made_categories c on c.n = b.n % ${size.categories} join made_users u on u.n = b.n % ${size.users}, known
      order by b.id`,
    `insert into manifest_entries (id, batch_id, position, name, name_key)
      select uuidv7(), b.id, k, 'scale-expected-' || k || '.png', 'scale-expected-' || k || '.png'
      from made_batches b, generate_series(0, ${Math.round(filesOfOne / 10)}) k where b.n < 2`,
    `insert into upload_links (id, batch_id, label, token_hash, token_encrypted, created_by, created_at)
      select ${idAt(`0.001 + 0.998 * b.n / ${allBatches}`)}, b.id, 'Scale link', encode(sha256(b.id::text::bytea), 'hex'), '', known.admin, b.at
      from made_batches b, known where b.n % 2 = 0`,

    `create temp table drawn on commit drop as
      select row_number() over (order by f.id) - 1 as k, f.media, f.media_type, f.kind, r.checks, r.summary, r.engine_version
      from files f join pre_qc_results r on r.file_id = f.id and r.is_current and r.status = 'completed' where f.kind = 'image'`,
    // The files of a batch arrive one after another, before the next batch is made; those of the large batches last.
    `create temp table made_files on commit drop as
      select n, ${idAt('share')} as id, ${at('share')} as at,
        case when n < ${ordinary} then ${batchesOfOne} + n::bigint * ${batches} / ${ordinary} else (n - ${ordinary}) % 3 end as batch
      from generate_series(0, ${size.files - 1}) n, lateral (select 0.001 + 0.998 * case when n < ${ordinary}
        then (${batchesOfOne} + n::float8 * ${batches} / ${ordinary}) / ${allBatches} else n::float8 / ${size.files} end as share) s`,
    // On the disk in the order of their arrival, as rows come to lie, projects and batches as well. One in twenty is the second version of a file whose first was rejected.
    `insert into files (id, project_id, batch_id, name, name_key, version, size, media_type, kind, sha256, media, object_key, previews,
        perceptual_hash, decision, decided_by, decided_at, source_type, source_user_id, is_current, created_at, updated_at)
      select f.id, b.project_id, b.id, 'scale-file-' || f.n || '.png', 'scale-file-' || f.n || '.png', 1, 100000 + f.n % 7919, d.media_type, d.kind,
        encode(sha256(f.id::text::bytea), 'hex'), d.media, 'scale/' || f.id, null, hashint8extended(f.n, 7),
        case when f.n % 20 = 0 then 'rejected' when b.status = 'approved' or (b.status = 'in_review' and f.n % 4 = 0) then 'approved' else 'pending' end,
        case when f.n % 20 = 0 or b.status = 'approved' then known.coordinator end,
        case when f.n % 20 = 0 or b.status = 'approved' then f.at + interval '1 day' end,
        'user', known.operator, not (f.n % 20 = 0 and b.status = 'approved'), f.at, f.at
      from made_files f join made_batches b on b.n = f.batch join drawn d on d.k = f.n % (select count(*) from drawn), known
      order by f.id`,
    `insert into files (id, project_id, batch_id, name, name_key, version, size, media_type, kind, sha256, media, object_key,
        decision, source_type, source_user_id, supersedes_id, created_at, updated_at)
      select ${idAt(`extract(epoch from (f.created_at - (now() - interval '1 day' * ${DAYS}))) / 86400 / ${DAYS}`)}, f.project_id, f.batch_id, f.name, f.name_key, 2, f.size, f.media_type, f.kind,
        encode(sha256(('2' || f.id::text)::bytea), 'hex'), f.media, 'scale/2/' || f.id, 'approved', 'user', f.source_user_id, f.id, f.created_at, f.updated_at
      from files f where f.object_key like 'scale/%' and not f.is_current`,
    `insert into agency_storage (agency_id, bytes)
      select p.agency_id, sum(f.size) from files f join projects p on p.id = f.project_id group by 1
      on conflict (agency_id) do update set bytes = excluded.bytes`,
    // The triggers would go by what the planner knew of empty tables: their rows are written at once below.
    `alter table pre_qc_results disable trigger pre_qc_results_verdicts_added`,
    `alter table pre_qc_results disable trigger pre_qc_results_analytics_added`,
    `analyze files`,
    `analyze batches`,
    `insert into pre_qc_results (id, project_id, batch_id, file_id, file_sha256, profile_id, status, summary, checks, engine_version,
        progress, started_at, completed_at, created_at, updated_at)
      select ${idAt(`extract(epoch from (f.created_at - (now() - interval '1 day' * ${DAYS}))) / 86400 / ${DAYS}`)}, f.project_id, f.batch_id, f.id, f.sha256, m.profile_id, 'completed', d.summary, d.checks, d.engine_version,
        100, f.created_at, f.created_at, f.created_at, f.created_at
      from files f join batches b on b.id = f.batch_id join made_categories m on m.id = b.media_category_id
        join drawn d on d.k = f.size % (select count(*) from drawn)
      where f.object_key like 'scale/%' and b.status <> 'open' order by f.id`,
    `alter table pre_qc_results enable trigger pre_qc_results_verdicts_added`,
    `alter table pre_qc_results enable trigger pre_qc_results_analytics_added`,
    `analyze pre_qc_results`,
    `insert into verdicts select n.* from (select distinct batch_id, coalesce(series_key, name_key) as series from files) s
      cross join lateral verdicts_of_series(s.batch_id, s.series) n on conflict do nothing`,
    `insert into file_comments (id, project_id, batch_id, file_id, body, created_by, created_at, updated_at)
      select ${idAt('0.999')}, project_id, batch_id, id, 'Scale remark about ' || name, known.coordinator, created_at, created_at
      from (select *, row_number() over (order by id desc) as k from files where object_key like 'scale/%') f, known
      where k % ${Math.max(1, Math.round(size.files / size.comments))} = 0`,

    `alter table events disable trigger events_analytics_of_batch`,
    `create temp table samples on commit drop as select distinct on (type) type, data from events order by type, id`,
    `insert into events (id, type, project_id, batch_id, subject_id, actor_type, actor_id, actor_name, data, created_at)
      select ${idAt('share')}, type, project_id, batch_id, subject_id, 'user', actor_id, 'Scale person', data, created_at from (
        select 'project.created' as type, p.id as project_id, null::uuid as batch_id, p.id as subject_id, known.admin as actor_id,
          coalesce((select data from samples where type = 'project.created'), '{}') as data, p.at as created_at from made_projects p, known
        union all
        select what, b.project_id, b.id, b.id, known.coordinator,
          case what when 'batch.submitted' then '{"round":1}'::json when 'batch.review_completed'
            then json_build_object('outcome', b.status) else coalesce((select data from samples where type = what), '{}') end,
          b.at + case what when 'batch.created' then interval '0' when 'batch.submitted' then interval '1 day' else interval '2 days' end
        from made_batches b, known, unnest(array['batch.created', 'batch.submitted', 'batch.review_completed']) as g (what)
        where what = 'batch.created' or (what = 'batch.submitted' and b.status <> 'open')
          or (what = 'batch.review_completed' and b.status in ('approved', 'awaiting_resupply'))
        union all
        select what, f.project_id, f.batch_id, f.id, u.id, coalesce((select data from samples where type = what), '{}'), f.created_at
        from files f join made_users u on u.n = f.size % ${size.users},
          unnest(array['file.received', 'file.reviewed']) as g (what)
        where f.object_key like 'scale/%' and (what = 'file.received' or f.decision <> 'pending')
        union all
        select 'upload.rejected', f.project_id, f.batch_id, null, u.id, coalesce((select data from samples where type = 'upload.rejected'), '{}'), f.created_at
        from files f join made_users u on u.n = f.size % ${size.users} where f.object_key like 'scale/%' and f.size % 20 = 0
      ) made, lateral (select extract(epoch from (made.created_at - (now() - interval '1 day' * ${DAYS}))) / 86400 / ${DAYS} as share) s
      order by created_at`,
    `alter table events enable trigger events_analytics_of_batch`,
    `analyze verdicts`,
    `analyze events`,
    ...['results', 'findings', 'rounds', 'turns'].flatMap((kind) => [
      `delete from analytics_${kind}`,
      `insert into analytics_${kind} select n.* from batches b cross join lateral analytics_${kind}_of_batch(b.id) n`,
    ]),
    `delete from analytics_changes`,

    `insert into notifications (id, user_id, event_id, type, title, body, href, read_at, created_at)
      select ${idAt('0.999')}, u.id, e.id, e.type, 'Scale notification', 'A file arrived', '/projects/' || e.project_id, case when e.k % 3 > 0 then now() end, e.created_at
      from (select *, row_number() over (order by id desc) as k from events where type = 'file.received' and actor_name = 'Scale person') e, known,
        lateral (values (known.admin), (known.coordinator)) as u (id)
      where e.k <= ${size.notifications}`,
    `create temp table made_webhook on commit drop as select uuidv7() as id`,
    `insert into webhooks (id, url, secret_encrypted, status, created_by) select w.id, 'https://hooks.example.test/scale', '', 'disabled', known.admin from made_webhook w, known`,
    `insert into webhook_deliveries (id, webhook_id, event_id, type, payload, status, attempts, delivered_at)
      select uuidv7(), w.id, e.id, e.type, '{}', 'delivered', 1, now()
      from (select *, row_number() over (order by id desc) as k from events where type = 'file.received') e, made_webhook w where e.k <= ${size.deliveries}`,
    `insert into webhook_attempts (id, delivery_id, number, response_status, duration_ms)
      select uuidv7(), d.id, 1, 200, 30 from webhook_deliveries d join made_webhook w on w.id = d.webhook_id`,

    `create temp table drawn_estimate on commit drop as select * from cost_estimates where status = 'draft' order by id limit 1`,
    `create temp table made_estimates on commit drop as
      select n, ${idAt(`n::float8 / ${size.estimates}`)} as id, (array['approved', 'approved', 'approved', 'rejected', 'draft'])[1 + n % 5] as status
      from generate_series(0, ${size.estimates - 1}) n`,
    `insert into cost_estimates (id, number, project_id, title, status, currency, tax_rate, subtotal, discount_amount, tax_amount, total, created_by, created_at)
      select m.id, 'SCALE-' || m.n, p.id, 'Scale estimate ' || m.n, m.status, d.currency, 0, 300, 0, 0, 300, known.coordinator, ${at(`m.n::float8 / ${size.estimates}`)}
      from made_estimates m join made_projects p on p.n = m.n % ${projects}, drawn_estimate d, known`,
    `insert into cost_estimate_lines (id, estimate_id, position, description, quantity, unit_price, amount)
      select uuidv7(), m.id, k, 'Scale line', 1, 100, 100 from made_estimates m, generate_series(0, 2) k`,
  ]
}

import type { Sql } from 'postgres'

/** Who searches: everything, half of the projects, one project in a hundred and the largest, two small projects. */
export const ASKERS = {
  administrator: { role: 'administrator', email: 'administrator@example.test' },
  coordinator: { role: 'coordinator', email: 'coordinator@example.test' },
  operator: { role: 'operator', email: 'operator@example.test' },
  viewer: { role: 'viewer', email: 'viewer@example.test' },
} as const

/** So many files are in the two batches of one project. */
const LARGEST = 0.02
const DAYS = 730

/**
 * Fills a migrated, empty database with what search reads: names, versions, comments, texts read in files and findings. Past
 * the rules and the triggers, as only a bench may. Every name holds `scale`; a quarter each `summer`, `winter`, `spring` or
 * `autumn`; one in 400 each of 400 subjects; the oldest third `classic`; three `zebrafish`.
 */
export async function fill(sql: Sql, files: number) {
  const tables = ['files', 'pre_qc_results', 'file_comments', 'recognised_texts']
  const indexes = await sql<{ name: string; definition: string }[]>`
    select indexname as name, indexdef as definition from pg_indexes
    where schemaname = 'public' and tablename in ${sql(tables)}
      and indexname not in (select conname from pg_constraint)`
  await sql.unsafe(`set session_replication_role = replica`)
  await sql.unsafe(`set maintenance_work_mem = '512MB'`)
  for (const { name } of indexes) await sql.unsafe(`drop index "${name}"`)
  for (const statement of statements(files)) await sql.unsafe(statement)
  for (const { definition } of indexes) await sql.unsafe(definition)
  await sql.unsafe(`set session_replication_role = default`)
  await sql.unsafe('vacuum analyze')
}

const share = (n: string, of: number) => `(0.001 + 0.998 * ${n}::float8 / ${of})`
const at = (n: string, of: number) => `now() - interval '1 day' * (${DAYS} * (1 - ${share(n, of)}))`
const idAt = (n: string, of: number) => `uuidv7(interval '-1 day' * (${DAYS} * (1 - ${share(n, of)})))`

const FIRST =
  "array['mar','bel','cor','dan','eri','fol','gar','hol','ith','jun','kel','lor','mon','nor','oli','pen','quo','rus','sol','tan']"
const LAST =
  "array['lin','mont','vex','dra','pha','gus','tron','zel','bury','wick','ford','mere','dale','stow','ham','ley','den','rick','well','ster']"
const pick = (list: string, n: string) => `(${list})[1 + (${n}) % array_length(${list}, 1)]`
const subject = (n: string) => `${pick(FIRST, `${n} / 20`)} || ${pick(LAST, n)}`
const FORMATS = "array['banner','skyscraper','leaderboard','billboard','story','poster','cover','trailer']"
const SIZES = "array['300x250','728x90','160x600','970x250','1080x1920','1920x1080']"
const LANGUAGES = "array['en','de','fr','ar']"
const marks = (
  files: number,
) => `case when f.n % 5000 = 77 then 'عرض_الصيف_' when f.n % 5000 = 78 then '🎬🚀_' when f.n % 5000 = 79 then 'Größe_'
  when f.n in (${Math.round(files * 0.2)}, ${Math.round(files * 0.5)}, ${Math.round(files * 0.8)}) then 'zebrafish_' else '' end
  || case when f.n < ${files * 0.33} then 'classic_' else '' end`

function statements(files: number): string[] {
  const projects = Math.max(10, Math.round(files / 100))
  const batches = projects * 5
  const largest = Math.round(files * LARGEST)
  const askers = Object.values(ASKERS).map(({ role, email }) => `(uuidv7(), '${email}', '${role}', '${role}')`)
  return [
    `insert into users (id, email, name, role) values ${askers.join(', ')}`,
    `insert into users (id, email, name, role)
      select uuidv7(), 'scale-' || n || '@example.test', 'Scale person ' || n, 'operator' from generate_series(1, ${Math.max(20, files / 2000)}) n`,
    `insert into agencies (id, name, code) select uuidv7(), 'Scale agency ' || n, 'SC' || n from generate_series(0, ${Math.max(10, Math.round(files / 2000)) - 1}) n`,
    `insert into campaigns (id, agency_id, name, code) select uuidv7(), id, 'Scale campaign ' || name, 'C' || substr(code, 3) from agencies`,
    `insert into media_categories (id, name, pre_qc) values (uuidv7(), 'Scale category', '{}')`,
    `insert into pre_qc_profiles (id, media_category_id, version, settings) select uuidv7(), id, 1, '{}' from media_categories`,
    `create temp table made_projects as
      select n, ${idAt('n', projects)} as id, ${at('n', projects)} as at, a.id as agency_id from generate_series(0, ${projects - 1}) n
      join (select id, row_number() over (order by id) - 1 as k from agencies) a on a.k = n % (select count(*) from agencies)`,
    `insert into projects (id, name, agency_id, created_by, created_at, updated_at, campaign_id)
      select p.id, 'Scale project ' || ${subject('n')} || ' ' || n, p.agency_id, u.id, at, at, case when n % 10 = 0 then c.id end
      from made_projects p join campaigns c on c.agency_id = p.agency_id, (select id from users where role = 'administrator') u`,
    `insert into project_members (project_id, user_id, added_at)
      select p.id, u.id, p.at from made_projects p join users u on
        (u.role = 'coordinator' and p.n % 2 = 0)
        or (u.email = '${ASKERS.operator.email}' and (p.n % 100 = 0 or p.n = ${projects - 1}))
        or (u.role = 'viewer' and p.n in (${Math.round(projects * 0.3)}, ${Math.round(projects * 0.6) + 1}))`,
    `create temp table made_batches as
      select g.n, p.id as project_id, ${idAt('g.n', batches)} as id, ${at('g.n', batches)} as at
      from generate_series(0, ${batches - 1}) g (n) join made_projects p on p.n = g.n / 5`,
    `create index on made_batches (n)`,
    `insert into batches (id, project_id, name, status, media_category_id, round, created_at, updated_at)
      select b.id, project_id, 'Scale batch ' || ${subject('n')} || ' ' || n, (array['open', 'in_review', 'approved', 'approved'])[1 + n % 4], c.id, 1, at, at
      from made_batches b, media_categories c`,
    `create temp table made_files as
      select f.n, ${idAt('f.n', files)} as id, ${at('f.n', files)} as at, b.project_id, b.id as batch_id,
        'scale_' || ${marks(files)} || ${pick("array['summer','winter','spring','autumn']", 'f.n / 3')} || '_' || ${subject('f.n')}
          || '_' || ${pick(FORMATS, 'f.n / 11')} || '_' || ${pick(SIZES, 'f.n / 13')} || '_' || ${pick(LANGUAGES, 'f.n / 17')}
          || '_' || lpad(f.n::text, 7, '0') || '.png' as name
      from generate_series(0, ${files - 1}) f (n) join made_batches b
        on b.n = case when f.n >= ${files - largest} then ${batches - 2} + f.n % 2 else f.n::bigint * ${batches} / ${files} end`,
    // One in twenty came twice.
    `insert into files (id, project_id, batch_id, name, name_key, version, size, media_type, kind, sha256, media, object_key, decision,
        source_type, source_user_id, is_current, created_at, updated_at)
      select case version when 1 then f.id else uuidv7() end, project_id, batch_id, f.name, lower(f.name), version, 100000 + n % 7919, 'image/png',
        'image', encode(sha256((version || f.name)::bytea), 'hex'),
        '{"format":"png","width":300,"height":250,"color_space":"srgb","bit_depth":8,"channels":3,"has_alpha":false,"frames":1}',
        'scale/' || n || '/' || version, (array['pending', 'approved', 'approved', 'rejected'])[1 + n % 4],
        'user', u.id, version = case when n % 20 = 0 then 2 else 1 end, at, at
      from made_files f, (select id from users where role = 'administrator') u, generate_series(1, 2) version
      where version = 1 or n % 20 = 0
      order by f.id`,
    `insert into pre_qc_results (id, project_id, batch_id, file_id, file_sha256, profile_id, status, summary, checks, engine_version,
        progress, started_at, completed_at, created_at, updated_at)
      select ${idAt('n', files)}, project_id, batch_id, id, 'x', p.profile, 'completed', case when n % 3 = 0 then 'fail' else 'pass' end,
        json_build_array(
          json_build_object('check_id', 'border_check', 'label', 'Border', 'status', case when n % 3 = 0 then 'fail' else 'pass' end,
            'details', 'Scale finding: ' || ${subject('n')} || ' touches the edge at ' || n % 977 || ' pixels; ' || case when n % 1000 = 3 then 'moire' else 'nothing' end || ' is seen.'),
          json_build_object('check_id', 'blank_check', 'label', 'Blank', 'status', 'pass', 'details', 'Nothing in it is blank; ' || repeat('the content of each part was compared. ', 8)),
          json_build_object('check_id', 'profile_check', 'label', 'Profile', 'status', case when n % 7 = 0 then 'warning' else 'pass' end,
            'details', 'The profile is sRGB, which a browser shows as it was meant.')),
        '1', 100, at, at, at, at
      from made_files, (select id as profile from pre_qc_profiles) p where n % 20 > 0 order by n`,
    `insert into recognised_texts (file_id, body)
      select id, 'Scale sale until Sunday ' || ${subject('n')} || ' ' || n % 9973 || case when n % 1000 = 7 then ' narwhal' else '' end
      from made_files where n % 2 = 1`,
    `insert into file_comments (id, project_id, batch_id, file_id, body, created_by, created_at, updated_at)
      select ${idAt('n', files)}, project_id, batch_id, f.id, 'Scale remark about ' || ${subject('n')} || ': move the logo, please' || case when n % 1000 = 8 then ' (pangolin)' else '' end, u.id, at, at
      from made_files f, (select id from users where role = 'coordinator') u where n % 4 = 0`,
    `insert into cost_estimates (id, number, project_id, title, status, currency, tax_rate, subtotal, discount_amount, tax_amount, total, created_by, created_at)
      select ${idAt('n', projects)}, 'SCALE-' || n, p.id, 'Scale estimate ' || ${subject('n')}, 'draft', 'EUR', 0, 300, 0, 0, 300, u.id, at
      from made_projects p, (select id from users where role = 'coordinator') u where n % 2 = 0`,
  ]
}

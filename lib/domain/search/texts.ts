import { type SQL, sql } from 'drizzle-orm'
import type { Tx } from '../kernel/operation'
import { idArray } from '../kernel/rows'
import {
  COMPARED,
  type Columns,
  created,
  type Found,
  fields,
  folded,
  type Input,
  inProjects,
  literally,
  merged,
  OF_EACH,
  plain,
  type Row,
  type Scope,
  statusIs,
  whole,
} from './found'
import { wordsOf } from './rules'

/** So many of the newest are looked through first: a word that very many have is found there. */
const NEWEST = { comment: 1000, text: 500, finding: 300 }
/** Of more than these texts the best are not looked for: any of them are put in order. */
const MOST_TEXTS = 500
/** The same where only some of them may be seen, or are asked for. */
const MOST_SCOPED = 1000
/** Shorter words are not looked for in texts: very many words begin with them. */
const LEAST_TEXT = 3

/** Every word of what was typed, the last one perhaps not yet typed to its end; null where nothing is a word. */
const wanted = (q: string) => sql`(nullif(plainto_tsquery('simple', ${q})::text, '') || ':*')::tsquery`

type Texts = {
  /** What the search goes by, as the index has it. */
  body: SQL
  table: SQL
  fileId: SQL
  id: SQL
  project: SQL
  columns: Columns
  newest: number
  /** Which rows count, and which of their files; null: all. */
  own: SQL
  only: SQL | null
}

/** What is said of files: the newest first, in full before in words. In steps, as names are found. */
export async function findTexts(tx: Tx, texts: Texts, input: Input, scope: Scope): Promise<Found> {
  const { q, limit = OF_EACH } = input
  const { body, table, fileId, id, project, columns, newest, own, only } = texts
  if ([...q].length < LEAST_TEXT || scope?.projects.length === 0) return whole([])
  const fits = sql`to_tsvector('simple', ${body}) @@ ${wanted(q)}`
  // Where all files count, none is read.
  const withFiles = only || input.status ? sql`join files on files.id = ${fileId}` : sql``
  const counts = (inProject: SQL) =>
    sql`${only ?? sql`true`} and ${statusIs(sql`files.decision`, input)} and ${inProjects(tx, inProject, input, scope)}`
  const rank = sql`case when position(${folded(q)} in lower(${body})) > 0 then 2 else 3 end`
  // Which are the best is known by them and their files; batches and projects are read of those alone.
  const best = async (some: SQL, where: SQL) => [
    ...(await tx.db.execute<Row>(sql`with best as materialized (
        select ${id} as id, ${rank} as rank from ${some} ${withFiles} where ${where}
        order by rank, ${id} desc limit ${literally(limit)})
      select ${fields(columns, sql`best.rank`)} from best join ${table} on ${id} = best.id join files on files.id = ${fileId}
        join batches on batches.id = files.batch_id join projects on projects.id = files.project_id
      order by best.rank, best.id desc`)),
  ]
  // A limit keeps what is known from being looked up by its words.
  const theseOf = (ids: readonly string[]) =>
    sql`(select * from ${table} where ${id} = any(${idArray(ids)}) limit ${literally(ids.length)}) ${table}`
  const rows: Row[] = []
  const enough = () => merged(rows, limit)
  if (!scope?.isWhole && !input.status) {
    // The limit keeps the newest apart: they are read, whatever an index knows of the words.
    const latest = sql`(select * from ${table} where ${created(id, input)} order by ${id} desc limit ${literally(newest)}) ${table}`
    rows.push(...(await best(latest, sql`${fits} and ${own} and ${counts(project)}`)))
    if (enough().length === limit) return { rows: enough(), isPartial: true }
  }
  if (scope) {
    const { ids, isAll } = await newestOwn(tx, texts, scope, input)
    if (ids.length > 0) rows.push(...(await best(theseOf(ids), sql`${fits} and ${own} and ${counts(project)}`)))
    if (scope.isWhole && isAll) return whole(enough())
    if (enough().length === limit) return { rows: enough(), isPartial: true }
  }
  // By the words first, whatever the planner thinks of the projects: what a finding says is taken out of JSON. Of those that
  // are left the newest alone are read.
  const most = scope || input.status ? MOST_SCOPED : MOST_TEXTS
  const matching = await tx.db.execute<{ id: string | null; count: string }>(sql`with matching as materialized (
      select ${id} as id, ${fileId} as file_id from ${table} where ${fits} and ${own} and ${created(id, input)} limit ${literally(most + 1)})
    select shown.id, counted.count from (select count(*) as count from matching) counted left join (
      select matching.id from matching join files on files.id = matching.file_id
      where ${counts(sql`files.project_id`)} order by matching.id desc limit ${literally(limit * 4)}) shown on true`)
  const ids = matching.flatMap((row) => row.id ?? [])
  if (ids.length > 0) rows.push(...(await best(theseOf(ids), sql`true`)))
  const isAll = Number(matching[0]?.count ?? 0) <= most
  return { rows: merged(rows, limit), isPartial: !isAll }
}

/** Ids of the newest texts of one's own projects, those of the newest files first. */
async function newestOwn(
  tx: Tx,
  { table, fileId, id, newest }: Texts,
  { projects }: NonNullable<Scope>,
  input: Input,
): Promise<{ ids: string[]; isAll: boolean }> {
  const rows = await tx.db.execute<{ id: string | null; files: string }>(sql`with own as materialized (
      select newest.id from unnest(${idArray(projects)}) as mine (id) cross join lateral (
        select files.id from files where files.project_id = mine.id order by files.id desc limit ${literally(COMPARED + 1)}) newest
      limit ${literally(COMPARED + 1)})
    select found.id, counted.files from (select count(*) as files from own) counted left join (
      select ${id} as id from own join ${table} on ${fileId} = own.id where ${created(id, input)} limit ${literally(newest + 1)}) found on true`)
  const ids = rows.flatMap((row) => row.id ?? [])
  return { ids: ids.slice(0, newest), isAll: ids.length <= newest && Number(rows[0]?.files ?? 0) <= COMPARED }
}

const commentId = sql`file_comments.id`
const textId = sql`recognised_texts.file_id`
const resultId = sql`pre_qc_results.id`
const ofFile = {
  ...plain,
  id: sql`files.id`,
  name: sql`files.name`,
  hint: sql`projects.name || ', ' || batches.name`,
  project: sql`projects.id`,
  batch: sql`batches.id`,
  file: sql`files.id`,
  status: sql`files.decision`,
}

export const COMMENTS: Texts = {
  id: commentId,
  body: sql`file_comments.body`,
  table: sql`file_comments`,
  fileId: sql`file_comments.file_id`,
  project: sql`file_comments.project_id`,
  columns: { ...ofFile, id: commentId, excerpt: sql`file_comments.body`, created: sql`file_comments.created_at` },
  newest: NEWEST.comment,
  own: sql`true`,
  only: null,
}

export const TEXTS: Texts = {
  id: textId,
  body: sql`recognised_texts.body`,
  table: sql`recognised_texts`,
  fileId: textId,
  project: sql`files.project_id`,
  columns: { ...ofFile, excerpt: sql`recognised_texts.body`, created: sql`files.created_at` },
  newest: NEWEST.text,
  own: sql`true`,
  only: sql`files.is_current`,
}

const FINDINGS: Texts = {
  id: resultId,
  body: sql`finding_text(pre_qc_results.checks)`,
  table: sql`pre_qc_results`,
  fileId: sql`pre_qc_results.file_id`,
  project: sql`files.project_id`,
  columns: {
    ...ofFile,
    excerpt: sql`finding_text(pre_qc_results.checks)`,
    created: sql`coalesce(pre_qc_results.completed_at, pre_qc_results.created_at)`,
  },
  newest: NEWEST.finding,
  own: sql`pre_qc_results.is_current`,
  only: sql`files.is_current`,
}

/** Of each result the line that says it, and the check it belongs to. */
export async function findFindings(tx: Tx, input: Input, scope: Scope): Promise<Found> {
  const { rows, isPartial } = await findTexts(tx, FINDINGS, input, scope)
  if (rows.length === 0) return { rows, isPartial }
  const ids = sql.join(
    rows.map(({ id }) => sql`${id}::uuid`),
    sql`, `,
  )
  const lines = await tx.db.execute<{ file_id: string; check_id: string; said: string }>(sql`
    select r.file_id, line->>'check_id' as check_id, concat_ws(': ', line->>'label', line->>'details') as said
    from pre_qc_results r, json_array_elements(r.checks) line
    where r.file_id in (${ids}) and r.is_current and line->>'status' in ('fail', 'warning', 'error')`)
  const said = rows.map((row) => {
    const each = wordsOf(input.q)
    const own = lines.filter(({ file_id }) => file_id === row.file_id)
    const held = ({ said }: { said: string }) => each.filter((word) => said.toLowerCase().includes(word)).length
    const best = own.reduce<(typeof own)[number] | null>((a, b) => (a && held(a) >= held(b) ? a : b), null)
    return { ...row, check_id: best?.check_id ?? null, excerpt: best?.said ?? row.excerpt }
  })
  return { rows: said, isPartial }
}

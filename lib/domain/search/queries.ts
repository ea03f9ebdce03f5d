import { type SQL, sql } from 'drizzle-orm'
import type { z } from 'zod'
import { firstIdAt } from '@/db/schema/columns'
import { SEARCH_KINDS, type SearchKind, type SearchMatch } from '@/lib/vocabulary'
import { visibleEstimate } from '../cost-estimates/find'
import { query, type Tx } from '../kernel/operation'
import { can } from '../kernel/permissions'
import { contains, dayOf, isoOfText } from '../kernel/shapes'
import { visibleTo } from '../kernel/visibility'
import { excerptOf, gramsOf, isClose, piecesOf, wordsOf } from './rules'
import { SEARCH_STATUSES, Search, type SearchResult, SearchResults } from './schema'

/** Of each kind at most this many, unless more are asked for. */
const OF_EACH = 5

/** So many of the newest are looked through first: a word that very many have is found there. */
const NEWEST = { file: 1000, comment: 1000, text: 500, finding: 300 }
/** Of more than these the best are not looked for: any of them are put in order. */
const MOST_NAMES = 20_000
const MOST_TEXTS = 500
/** The same where only some of them may be seen, or are asked for. */
const MOST_SCOPED = 1000
/** So many names that have a part of the word are compared with it, key by key. */
const MOST_CLOSE = 400
/** Shorter words are not looked for in texts: very many words begin with them. */
const LEAST_TEXT = 3

type Input = z.output<typeof Search>
type Row = Omit<SearchResult, 'kind' | 'match'> & { rank: number }
/** Columns in the order of `Row`, for one kind. */
type Columns = Record<
  'id' | 'name' | 'hint' | 'project' | 'batch' | 'file' | 'check' | 'status' | 'excerpt' | 'created',
  SQL
>

export const search = query({
  name: 'search',
  summary:
    'Finds, in one go: projects, batches, files, estimates and agencies by their names and codes, comments, text read in files and findings of checks by what they say; for administrators people too. The best fit first, then the newest',
  permission: 'projects.read',
  input: Search,
  output: SearchResults,
  async run(tx, { input }) {
    const kinds = SEARCH_KINDS.filter((kind) => (!input.kind || input.kind === kind) && isPossible(tx, kind, input))
    const found = await Promise.all(kinds.map((kind) => FINDERS[kind](tx, input)))
    const results = kinds.flatMap((kind, n) => (found[n] ?? []).map((row) => present(kind, row, input)))
    if (results.length > 0) return { results }
    const close = kinds.filter((kind) => kind === 'project' || kind === 'batch' || kind === 'file')
    const guesses = await Promise.all(close.map((kind) => findClose(tx, kind, input)))
    return { results: guesses.flat() }
  },
})

/** Whether things of that kind can be what was asked for, and may be found by the one who asks. */
function isPossible(tx: Tx, kind: SearchKind, { status, project_id, agency_id }: Input): boolean {
  if (kind === 'person' && !can(tx.actor, 'users.manage')) return false
  if ((kind === 'person' || kind === 'agency') && (project_id || agency_id)) return false
  return !status || (SEARCH_STATUSES[kind]?.includes(status) ?? false)
}

const MATCHES: readonly SearchMatch[] = ['exact', 'beginning', 'part', 'words']

function present(kind: SearchKind, { rank, ...row }: Row, { q }: Input): SearchResult {
  return {
    kind,
    ...row,
    created_at: isoOfText(row.created_at),
    excerpt: row.excerpt === null ? null : excerptOf(row.excerpt, wordsOf(q)),
    match: MATCHES[rank] ?? 'words',
  }
}

const words = (q: string) => [...new Set(wordsOf(q))]
const folded = (q: string) => q.normalize('NFC').toLowerCase()

/**
 * Names that hold every word, in any case. Words of three characters or more are found by their grams (see `name_grams` of the
 * migrations); shorter ones have none, and every name is compared.
 */
function named(column: SQL, q: string): SQL {
  const each = words(q)
  const holds = each.map((word) => sql`${column} ilike ${contains(word)}`)
  const grams = [...new Set(each.flatMap(gramsOf))].map((gram) => sql`${gram}`)
  return sql.join(
    [...holds, ...(grams.length > 0 ? [sql`name_grams(${column}) @> array[${sql.join(grams, sql`, `)}]::text[]`] : [])],
    sql` and `,
  )
}

/** 0: the name itself, 1: begins with it, 2: has it in it, 3: has its words. */
const rankOf = (column: SQL, q: string) => sql`case when lower(${column}) = ${folded(q)} then 0
  when starts_with(lower(${column}), ${folded(q)}) then 1 when position(${folded(q)} in lower(${column})) > 0 then 2 else 3 end`

const NONE = sql`null::uuid`
const fields = (of: Columns, rank: SQL) => sql`${of.id} as id, ${of.name} as name, ${of.hint} as hint,
  ${of.project} as project_id, ${of.batch} as batch_id, ${of.file} as file_id, ${of.check} as check_id, ${of.status} as status,
  ${of.excerpt} as excerpt, ${of.created}::text as created_at, ${rank} as rank`

/** Days of creation, by ids: their order is that of creation. */
function created(id: SQL, { from, to }: Input): SQL {
  const day = 86_400_000
  const parts = [
    ...(from ? [sql`${id} >= ${firstIdAt(new Date(from))}`] : []),
    ...(to ? [sql`${id} < ${firstIdAt(new Date(Date.parse(to) + day))}`] : []),
  ]
  return parts.length > 0 ? sql.join(parts, sql` and `) : sql`true`
}

/** What the asker may see and asks for, of rows that have `projects` joined. */
function inScope(seen: SQL | undefined, { project_id, agency_id }: Input): SQL {
  return sql.join(
    [
      seen ?? sql`true`,
      ...(project_id ? [sql`projects.id = ${project_id}`] : []),
      ...(agency_id ? [sql`projects.agency_id = ${agency_id}`] : []),
    ],
    sql` and `,
  )
}

/** The same for rows that only have the id of their project. */
function ofProjects(tx: Tx, id: SQL, input: Input): SQL {
  const seen = visibleTo(tx.actor)
  if (!seen && !input.project_id && !input.agency_id) return sql`true`
  const own = input.project_id ? sql`${id} = ${input.project_id} and ` : sql``
  return sql`${own}${id} in (select projects.id from projects where ${inScope(seen, input)})`
}

const statusIs = (column: SQL, { status }: Input) => (status ? sql`${column} = ${status}` : sql`true`)

/** What is found by its name in a table of few rows. */
type Named = {
  columns: Columns
  from: SQL
  where: (tx: Tx, input: Input) => SQL
  name: SQL
  other?: (q: string) => SQL
}

const plain = { check: sql`null::text`, excerpt: sql`null::text` }

const estimateStatus = (
  today: string,
) => sql`case when cost_estimates.status in ('awaiting_internal_approval', 'awaiting_client_approval')
  and cost_estimates.valid_until < ${today} then 'expired' else cost_estimates.status end`

const NAMED = {
  project: {
    name: sql`projects.name`,
    columns: {
      ...plain,
      id: sql`projects.id`,
      name: sql`projects.name`,
      hint: sql`agencies.name`,
      project: sql`projects.id`,
      batch: NONE,
      file: NONE,
      status: sql`projects.status`,
      created: sql`projects.created_at`,
    },
    from: sql`projects join agencies on agencies.id = projects.agency_id`,
    other: (q) =>
      sql`projects.campaign_id in (select id from campaigns where lower(code) = ${folded(q)} or name ilike ${contains(q)})`,
    where: (tx, input) =>
      sql`${inScope(visibleTo(tx.actor), input)} and ${statusIs(sql`projects.status`, input)} and ${created(sql`projects.id`, input)}`,
  },
  batch: {
    name: sql`batches.name`,
    columns: {
      ...plain,
      id: sql`batches.id`,
      name: sql`batches.name`,
      hint: sql`projects.name`,
      project: sql`projects.id`,
      batch: sql`batches.id`,
      file: NONE,
      status: sql`batches.status`,
      created: sql`batches.created_at`,
    },
    from: sql`batches join projects on projects.id = batches.project_id`,
    where: (tx, input) =>
      sql`${inScope(visibleTo(tx.actor), input)} and ${statusIs(sql`batches.status`, input)} and ${created(sql`batches.id`, input)}`,
  },
} satisfies Partial<Record<SearchKind, Named>>

/** The rows of a kind whose names fit, the best first, then the newest. */
async function findNamed(tx: Tx, { columns, from, where, name, other }: Named, input: Input): Promise<Row[]> {
  const rank = rankOf(name, input.q)
  const of = (fits: SQL) =>
    sql`(select ${fields(columns, rank)} from ${from} where ${fits} and ${where(tx, input)} order by rank, ${columns.id} desc limit ${input.limit ?? OF_EACH})`
  const parts = [of(named(name, input.q)), ...(other ? [of(other(input.q))] : [])]
  const rows = await tx.db.execute<Row>(
    sql`select * from (${sql.join(parts, sql` union `)}) as found order by rank, id desc limit ${input.limit ?? OF_EACH}`,
  )
  return [...rows]
}

/** Names that nothing fits, but for a key or two that were typed wrong. */
async function findClose(tx: Tx, kind: keyof typeof NAMED | 'file', input: Input): Promise<SearchResult[]> {
  const word = words(input.q).sort((a, b) => b.length - a.length)[0] ?? ''
  const pieces = piecesOf(word)
  if (pieces.length === 0) return []
  const rows = (
    await Promise.all(
      pieces.map((piece) =>
        kind === 'file'
          ? filesWhere(tx, input, named(sql`files.name`, piece), MOST_CLOSE)
          : closeNamed(tx, NAMED[kind], piece, input),
      ),
    )
  ).flat()
  const ids = new Set<string>()
  return rows
    .filter(({ id, name }) => !ids.has(id) && ids.add(id) && isClose(name, word))
    .slice(0, input.limit ?? OF_EACH)
    .map((row) => ({ ...present(kind, row, input), match: 'close' as const }))
}

async function closeNamed(tx: Tx, { columns, from, where, name }: Named, piece: string, input: Input): Promise<Row[]> {
  const rows = await tx.db.execute<Row>(
    sql`select ${fields(columns, sql`3`)} from ${from} where ${named(name, piece)} and ${where(tx, input)} limit ${MOST_CLOSE}`,
  )
  return [...rows]
}

const FILE = {
  ...plain,
  id: sql`found.id`,
  name: sql`found.name`,
  hint: sql`projects.name || ', ' || batches.name`,
  project: sql`projects.id`,
  batch: sql`batches.id`,
  file: sql`found.id`,
  status: sql`found.decision`,
  created: sql`found.created_at`,
}

const fileColumns = sql`files.id, files.name, files.batch_id, files.project_id, files.decision, files.created_at`

const placed = (some: SQL, columns: Columns, rank: SQL) => sql`select ${fields(columns, rank)} from ${some} found
  join batches on batches.id = found.batch_id join projects on projects.id = found.project_id`

const currentFiles = (tx: Tx, input: Input) =>
  sql`files.is_current and ${statusIs(sql`files.decision`, input)} and ${created(sql`files.id`, input)} and ${ofProjects(tx, sql`files.project_id`, input)}`

async function filesWhere(tx: Tx, input: Input, fits: SQL, limit: number): Promise<Row[]> {
  const rows = await tx.db.execute<Row>(
    placed(
      sql`(select ${fileColumns} from files where ${fits} and ${currentFiles(tx, input)} limit ${limit})`,
      FILE,
      sql`3`,
    ),
  )
  return [...rows]
}

/**
 * Files of such a name: those that are called exactly so, then the newest of those among the newest of all where there are
 * enough, or else all of that name. One way alone is slow for some names: the first where few are called so, the last
 * where very many are. Only what is shown is joined with what it belongs to.
 */
async function findFiles(tx: Tx, input: Input): Promise<Row[]> {
  const { q, limit = OF_EACH } = input
  const scope = currentFiles(tx, input)
  const rank = rankOf(sql`name`, q)
  const best = async (some: SQL) => {
    const rows = await tx.db.execute<Row>(
      sql`${placed(
        sql`(select *, ${rank} as fit from ${some} fitting order by fit, id desc limit ${limit})`,
        FILE,
        sql`found.fit`,
      )} order by rank, id desc`,
    )
    return [...rows]
  }
  const exact = sql`select ${fileColumns} from files where files.name_key = ${folded(q)} and ${scope} order by files.id desc limit ${limit}`
  // Few files of one project or batch: all of them are looked through.
  if (!input.project_id) {
    const isNamed = sql.join(
      words(q).map((word) => sql`newest.name ilike ${contains(word)}`),
      sql` and `,
    )
    const newest = sql`select newest.* from (select ${fileColumns} from files where files.is_current and ${created(sql`files.id`, input)}
      order by files.id desc limit ${NEWEST.file}) newest
      where ${isNamed} and ${statusIs(sql`newest.decision`, input)} and ${ofProjects(tx, sql`newest.project_id`, input)}`
    const rows = await best(sql`((${exact}) union (${newest}))`)
    if (rows.length === limit) return rows
  }
  const all = sql`select ${fileColumns} from files where ${named(sql`files.name`, q)} and ${scope} limit ${MOST_NAMES}`
  return best(sql`((${exact}) union (${all}))`)
}

/** Every word of what was typed, the last one perhaps not yet typed to its end; null where nothing is a word. */
const wanted = (q: string) => sql`(nullif(plainto_tsquery('simple', ${q})::text, '') || ':*')::tsquery`

type Texts = {
  /** What the search goes by, as the index has it. */
  body: SQL
  table: SQL
  fileId: SQL
  id: SQL
  columns: Columns
  newest: number
  /** Which rows count, and which of their files. */
  own: SQL
  only: SQL
}

/** A limit that the planner sees in a plan for any parameters, too: it would read all rows in order else. */
const literally = (count: number) => sql.raw(String(Math.trunc(count)))

/** What is said of files: the newest first, in full before in words. */
async function findTexts(
  tx: Tx,
  { body, table, fileId, id, columns, newest, own, only }: Texts,
  input: Input,
): Promise<Row[]> {
  const { q, limit = OF_EACH } = input
  if ([...q].length < LEAST_TEXT) return []
  const fits = sql`to_tsvector('simple', ${body}) @@ ${wanted(q)}`
  const seen = visibleTo(tx.actor)
  const ofFiles = sql`${only} and ${statusIs(sql`files.decision`, input)} and ${inScope(seen, input)}`
  const among = (some: SQL) =>
    sql`${some} join files on files.id = ${fileId} join batches on batches.id = files.batch_id join projects on projects.id = files.project_id`
  const rank = sql`case when position(${folded(q)} in lower(${body})) > 0 then 2 else 3 end`
  const isScoped = input.project_id || input.agency_id || input.status
  if (!isScoped) {
    // The limit keeps the newest apart: they are read, whatever an index knows of the words.
    const latest = sql`(select * from ${table} where ${created(id, input)} order by ${id} desc limit ${literally(newest)}) ${table}`
    const rows =
      await tx.db.execute<Row>(sql`select ${fields(columns, rank)} from ${among(latest)} where ${fits} and ${own} and ${ofFiles}
      order by rank, ${id} desc limit ${literally(limit)}`)
    if (rows.length === limit) return [...rows]
  }
  // By the words first, whatever the planner thinks of the projects: what a finding says is taken out of JSON. Of those that
  // are left the newest alone are read.
  const newestIds = sql`with matching as materialized (
      select ${id} as id, ${fileId} as file_id from ${table} where ${fits} and ${own} and ${created(id, input)} limit ${literally(seen || isScoped ? MOST_SCOPED : MOST_TEXTS)})
    select matching.id from matching join files on files.id = matching.file_id join projects on projects.id = files.project_id
    where ${ofFiles} order by matching.id desc limit ${literally(limit * 4)}`
  const rows = await tx.db.execute<Row>(
    sql`select ${fields(columns, rank)} from ${among(table)} where ${id} in (${newestIds}) order by rank, ${id} desc limit ${literally(limit)}`,
  )
  return [...rows]
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

const COMMENTS: Texts = {
  id: commentId,
  body: sql`file_comments.body`,
  table: sql`file_comments`,
  fileId: sql`file_comments.file_id`,
  columns: { ...ofFile, id: commentId, excerpt: sql`file_comments.body`, created: sql`file_comments.created_at` },
  newest: NEWEST.comment,
  own: sql`true`,
  only: sql`true`,
}

const TEXTS: Texts = {
  id: textId,
  body: sql`recognised_texts.body`,
  table: sql`recognised_texts`,
  fileId: textId,
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
async function findFindings(tx: Tx, input: Input): Promise<Row[]> {
  const rows = await findTexts(tx, FINDINGS, input)
  if (rows.length === 0) return rows
  const ids = sql.join(
    rows.map(({ id }) => sql`${id}::uuid`),
    sql`, `,
  )
  const lines = await tx.db.execute<{ file_id: string; check_id: string; said: string }>(sql`
    select r.file_id, line->>'check_id' as check_id, concat_ws(': ', line->>'label', line->>'details') as said
    from pre_qc_results r, json_array_elements(r.checks) line
    where r.file_id in (${ids}) and r.is_current and line->>'status' in ('fail', 'warning', 'error')`)
  return rows.map((row) => {
    const each = wordsOf(input.q)
    const own = lines.filter(({ file_id }) => file_id === row.file_id)
    const held = ({ said }: { said: string }) => each.filter((word) => said.toLowerCase().includes(word)).length
    const best = own.reduce<(typeof own)[number] | null>((a, b) => (a && held(a) >= held(b) ? a : b), null)
    return { ...row, check_id: best?.check_id ?? null, excerpt: best?.said ?? row.excerpt }
  })
}

async function findEstimates(tx: Tx, input: Input): Promise<Row[]> {
  const { q, limit = OF_EACH } = input
  const status = estimateStatus(dayOf(tx.now))
  const name = sql`cost_estimates.number || ' ' || cost_estimates.title`
  const holds = sql.join(
    words(q).map(
      (word) => sql`(cost_estimates.number ilike ${contains(word)} or cost_estimates.title ilike ${contains(word)})`,
    ),
    sql` and `,
  )
  const rank = sql`least(${rankOf(sql`cost_estimates.number`, q)}, ${rankOf(sql`cost_estimates.title`, q)})`
  const rows = await tx.db.execute<Row>(sql`select ${fields(
    {
      ...plain,
      id: sql`cost_estimates.id`,
      name,
      hint: sql`projects.name`,
      project: sql`projects.id`,
      batch: NONE,
      file: NONE,
      status,
      created: sql`cost_estimates.created_at`,
    },
    rank,
  )} from cost_estimates join projects on projects.id = cost_estimates.project_id
    where ${holds} and ${inScope(visibleEstimate(tx.actor), input)} and ${statusIs(status, input)} and ${created(sql`cost_estimates.id`, input)}
    order by rank, id desc limit ${limit}`)
  return [...rows]
}

/** People and agencies: few rows, all compared. */
async function findListed(tx: Tx, table: 'users' | 'agencies', input: Input): Promise<Row[]> {
  const { q, limit = OF_EACH } = input
  const of = (column: string) => sql.raw(`${table}.${column}`)
  const hint = of(table === 'users' ? 'email' : 'code')
  const holds = sql.join(
    words(q).map((word) => sql`(${of('name')} ilike ${contains(word)} or ${hint} ilike ${contains(word)})`),
    sql` and `,
  )
  const rank = sql`least(${rankOf(of('name'), q)}, ${rankOf(hint, q)})`
  const columns = {
    ...plain,
    id: of('id'),
    name: of('name'),
    hint,
    project: NONE,
    batch: NONE,
    file: NONE,
    status: sql`null::text`,
    created: of('created_at'),
  }
  const rows = await tx.db.execute<Row>(sql`select ${fields(columns, rank)} from ${sql.raw(table)}
    where ${holds} and ${created(of('id'), input)} order by rank, id desc limit ${limit}`)
  return [...rows]
}

const FINDERS: Record<SearchKind, (tx: Tx, input: Input) => Promise<Row[]>> = {
  project: (tx, input) => findNamed(tx, NAMED.project, input),
  batch: (tx, input) => findNamed(tx, NAMED.batch, input),
  file: findFiles,
  estimate: findEstimates,
  comment: (tx, input) => findTexts(tx, COMMENTS, input),
  text: (tx, input) => findTexts(tx, TEXTS, input),
  finding: findFindings,
  agency: (tx, input) => findListed(tx, 'agencies', input),
  person: (tx, input) => findListed(tx, 'users', input),
}

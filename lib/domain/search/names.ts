import { type SQL, sql } from 'drizzle-orm'
import type { Tx } from '../kernel/operation'
import { idArray } from '../kernel/rows'
import { contains } from '../kernel/shapes'
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
  NONE,
  OF_EACH,
  plain,
  present,
  type Row,
  rankOf,
  type Scope,
  statusIs,
  whole,
  words,
} from './found'
import { gramsOfAll, isClose, piecesOf } from './rules'
import type { SearchResult } from './schema'

/** Where only some may be seen, they are looked for among so many of the newest. */
const PASSED = 10_000
/** Of what an index finds, so many are compared. */
const MOST_INDEXED = 5_000
/** Of names that begin with it, so many in the order of the alphabet. */
const MOST_BEGINNING = 200
/** So many names that have a part of the word are compared with it, key by key. */
const MOST_CLOSE = 400

/** Names, case-folded, that hold every word. */
const holdsAll = (key: SQL, each: readonly string[]) =>
  sql.join(
    each.map((word) => sql`${key} like ${contains(word)}`),
    sql` and `,
  )

/**
 * What an index has of names that hold every word: their parts of three characters (see `name_grams` of the migrations), or,
 * where all words are shorter, those of two (`name_pairs`). Null where all are of one character.
 */
function indexed(column: SQL, each: readonly string[], hasPairs: boolean): SQL | null {
  const list = (parts: readonly string[]) =>
    sql`array[${sql.join(
      parts.map((part) => sql`${part}`),
      sql`, `,
    )}]::text[]`
  const grams = gramsOfAll(each)
  if (grams.length > 0) return sql`name_grams(${column}) @> ${list(grams)}`
  const pairs = each.filter((word) => [...word].length === 2)
  return hasPairs && pairs.length > 0 ? sql`name_pairs(${column}) @> ${list(pairs)}` : null
}

/** What is found by its name. `found` is the row of a name, with `batches`, `projects` and what `joins` adds beside it. */
type Named = {
  table: SQL
  of: Record<'id' | 'name' | 'key' | 'project' | 'status', SQL>
  /** What makes a row one of them. */
  current: SQL
  columns: Columns
  joins: SQL
  /** Names of two characters have an index of their own. */
  hasPairs: boolean
  /** What is found without comparing names one by one: what is called exactly so, or goes by another name. */
  known: (q: string) => { fits: SQL; order: SQL; most: number }[]
}

export const NAMED: Record<'project' | 'batch' | 'file', Named> = {
  project: {
    table: sql`projects`,
    of: {
      id: sql`projects.id`,
      name: sql`projects.name`,
      key: sql`lower(projects.name)`,
      project: sql`projects.id`,
      status: sql`projects.status`,
    },
    current: sql`true`,
    columns: {
      ...plain,
      id: sql`found.id`,
      name: sql`found.name`,
      hint: sql`agencies.name`,
      project: sql`found.id`,
      batch: NONE,
      file: NONE,
      status: sql`found.status`,
      created: sql`projects.created_at`,
    },
    joins: sql`join projects on projects.id = found.id join agencies on agencies.id = projects.agency_id`,
    hasPairs: false,
    known: (q) => [
      {
        fits: sql`projects.campaign_id in (select id from campaigns where lower(code) = ${folded(q)} or name ilike ${contains(q)})`,
        order: sql`projects.id desc`,
        most: PASSED,
      },
    ],
  },
  batch: {
    table: sql`batches`,
    of: {
      id: sql`batches.id`,
      name: sql`batches.name`,
      key: sql`lower(batches.name)`,
      project: sql`batches.project_id`,
      status: sql`batches.status`,
    },
    current: sql`true`,
    columns: {
      ...plain,
      id: sql`found.id`,
      name: sql`found.name`,
      hint: sql`projects.name`,
      project: sql`projects.id`,
      batch: sql`found.id`,
      file: NONE,
      status: sql`found.status`,
      created: sql`batches.created_at`,
    },
    joins: sql`join batches on batches.id = found.id join projects on projects.id = found.project_id`,
    hasPairs: false,
    known: () => [],
  },
  file: {
    table: sql`files`,
    of: {
      id: sql`files.id`,
      name: sql`files.name`,
      key: sql`files.name_key`,
      project: sql`files.project_id`,
      status: sql`files.decision`,
    },
    current: sql`files.is_current`,
    columns: {
      ...plain,
      id: sql`found.id`,
      name: sql`found.name`,
      hint: sql`projects.name || ', ' || batches.name`,
      project: sql`projects.id`,
      batch: sql`batches.id`,
      file: sql`found.id`,
      status: sql`found.status`,
      created: sql`files.created_at`,
    },
    joins: sql`join files on files.id = found.id join batches on batches.id = files.batch_id join projects on projects.id = found.project_id`,
    hasPairs: true,
    // By the bytes of the names: so an index is of use whatever is typed.
    known: (q) => [
      { fits: sql`files.name_key = ${folded(q)}`, order: sql`files.id desc`, most: PASSED },
      {
        fits: sql`files.name_key ~>=~ ${folded(q)} and files.name_key ~<~ ${`${folded(q)}\u{10ffff}`}`,
        order: sql`files.name_key using ~<~`,
        most: MOST_BEGINNING,
      },
    ],
  },
}

type Source = { rows: SQL; most: number }

const namesOf = ({ of }: Named) =>
  sql`${of.id} as id, ${of.name} as name, ${of.key} as key, ${of.project} as project_id, ${of.status} as status`

/**
 * The newest rows of each of one's projects, those of the newest projects first. Which are current is asked of rows that are
 * in order already (`offset 0`): by an index of the current ones, all 30,000 of a project were sorted for its newest 3,300.
 */
function ownOf(named: Named, scope: NonNullable<Scope>, input: Input): Source {
  const { table, of, current } = named
  return {
    most: COMPARED,
    rows: sql`select own.* from unnest(${idArray(scope.projects)}) as mine (id) cross join lateral (
      select ${namesOf(named)} from (select * from ${table} where ${of.project} = mine.id and ${created(of.id, input)}
        order by ${of.id} desc offset 0) ${table}
      where ${current} limit ${literally(COMPARED + 1)}) own limit ${literally(COMPARED + 1)}`,
  }
}

/** The newest rows of all, as far as they may be seen. */
function newestOf(tx: Tx, named: Named, scope: Scope, input: Input): Source {
  const { table, of, current } = named
  const newest = (most: number) =>
    sql`select ${namesOf(named)} from ${table} where ${current} and ${created(of.id, input)} order by ${of.id} desc limit ${literally(most + 1)}`
  if (!scope) return { most: COMPARED, rows: newest(COMPARED) }
  return {
    most: COMPARED,
    rows: sql`select * from (${newest(PASSED)}) newest where ${inProjects(tx, sql`newest.project_id`, input, scope)} limit ${literally(COMPARED + 1)}`,
  }
}

/** What an index has of them, in one's own projects where these are few. */
const partsIn = (named: Named, parts: SQL, scope: Scope): Source =>
  foundIn(
    named,
    scope?.isWhole ? sql`${parts} and ${named.of.project} = any(${idArray(scope.projects)})` : parts,
    MOST_INDEXED,
  )

/** Rows that an index finds, also those that the user may not see. */
const foundIn = (named: Named, fits: SQL, most: number, order?: SQL): Source => ({
  most,
  rows: sql`select ${namesOf(named)} from ${named.table} where ${named.current} and ${fits}${order ? sql` order by ${order}` : sql``}
    limit ${literally(most + 1)}`,
})

/** A name that may be shown. */
type Candidate = Pick<Row, 'id' | 'name' | 'rank'>
/** What of the best names is read: of their rows alone, or all that is shown of them. */
const NAMES_ALONE = sql`select found.id, found.name, found.fit as rank from best found`
const shownOf = ({ columns, joins }: Named) => sql`select ${fields(columns, sql`found.fit`)} from best found ${joins}`

/**
 * Of the rows of a source those whose names fit, the best first, then the newest. The rows are read before anything else is
 * asked of them, whatever the planner thinks of names.
 */
async function bestOf<R extends Candidate>(
  tx: Tx,
  { source, fits, limit, read }: { source: Source; fits: SQL; limit: number; read: SQL },
  input: Input,
  scope: Scope,
): Promise<{ rows: R[]; isAll: boolean }> {
  const rows = await tx.db.execute<R & { seen: string }>(sql`with looked as materialized (${source.rows}),
    best as materialized (select looked.*, ${rankOf(sql`looked.key`, input.q)} as fit from looked
      where ${fits} and ${statusIs(sql`looked.status`, input)} and ${created(sql`looked.id`, input)} and ${inProjects(tx, sql`looked.project_id`, input, scope)}
      order by fit, looked.id desc limit ${literally(limit)})
    select shown.*, counted.seen from (select count(*) as seen from looked) counted left join (${read}) shown on true
    order by shown.rank, shown.id desc`)
  return {
    rows: rows.filter(({ id }) => id !== null).map(({ seen: _, ...row }) => row as unknown as R),
    isAll: Number(rows[0]?.seen ?? 0) <= source.most,
  }
}

/** All that is shown of these names, in their order. */
async function rowsOf(tx: Tx, named: Named, candidates: readonly Candidate[]): Promise<Row[]> {
  if (candidates.length === 0) return []
  const best = sql`select ${namesOf(named)}, given.fit from json_to_recordset(${JSON.stringify(
    candidates.map(({ id, rank }) => ({ id, fit: rank })),
  )}::json) as given (id uuid, fit integer) join ${named.table} on ${named.of.id} = given.id`
  const rows = await tx.db.execute<Row>(sql`with best as (${best}) ${shownOf(named)}`)
  return merged(rows, candidates.length)
}

/**
 * Names that fit, in steps that each look at a limited number of rows: what is called exactly so or begins so, the newest of
 * all, or of one's own projects where these are few, and, where that is not enough, what an index of parts of names finds. One way alone is slow for
 * some names: going through them where few are called so, the index where very many are.
 */
export async function findNamed(tx: Tx, named: Named, input: Input, scope: Scope): Promise<Found> {
  const { q, limit = OF_EACH } = input
  if (scope?.projects.length === 0) return whole([])
  const each = words(q)
  const key = sql`looked.key`
  const read = shownOf(named)
  const ask = (source: Source, fits: SQL) => bestOf<Row>(tx, { source, fits, limit, read }, input, scope)
  const known = await Promise.all(
    named.known(q).map(({ fits, order, most }) => ask(foundIn(named, fits, most, order), sql`true`)),
  )
  const rows = known.flatMap((found) => found.rows)
  const enough = () => merged(rows, limit)
  if (!scope?.isWhole) {
    const newest = await ask(newestOf(tx, named, scope, input), holdsAll(key, each))
    rows.push(...newest.rows)
    if (!scope && newest.isAll) return whole(enough())
    if (enough().length === limit) return { rows: enough(), isPartial: true }
  }
  if (scope) {
    const own = await ask(ownOf(named, scope, input), holdsAll(key, each))
    rows.push(...own.rows)
    if (scope.isWhole && own.isAll) return whole(enough())
    if (enough().length === limit) return { rows: enough(), isPartial: true }
  }
  const parts = indexed(named.of.name, each, named.hasPairs)
  if (!parts) return { rows: enough(), isPartial: true }
  const last = await ask(partsIn(named, parts, scope), holdsAll(key, each))
  return { rows: merged([...rows, ...last.rows], limit), isPartial: !last.isAll }
}

/** Names that nothing fits, but for a key or two that were typed wrong. */
export async function findClose(tx: Tx, kind: keyof typeof NAMED, input: Input, scope: Scope): Promise<SearchResult[]> {
  const { limit = OF_EACH } = input
  const word = words(input.q).sort((a, b) => b.length - a.length)[0] ?? ''
  const pieces = piecesOf(word)
  if (pieces.length === 0 || scope?.projects.length === 0) return []
  const named = NAMED[kind]
  const isLike = sql`(${sql.join(
    pieces.map((piece) => holdsAll(sql`looked.key`, [piece])),
    sql` or `,
  )})`
  const ask = (source: Source) =>
    bestOf<Candidate>(tx, { source, fits: isLike, limit: MOST_CLOSE, read: NAMES_ALONE }, input, scope)
  const closeOf = (rows: readonly Candidate[]) =>
    merged(
      rows.filter(({ name }) => isClose(name, word)),
      limit,
    )
  const near = await ask(scope ? ownOf(named, scope, input) : newestOf(tx, named, scope, input))
  const isWhole = (!scope || scope.isWhole) && near.isAll
  const found = closeOf(near.rows)
  const rest = isWhole || found.length === limit ? [] : pieces
  const others = await Promise.all(
    rest
      .flatMap((piece) => indexed(named.of.name, [piece], false) ?? [])
      .map((parts) => ask(partsIn(named, parts, scope))),
  )
  // What else is shown is read of the close ones alone, not of all that were compared.
  const close = closeOf([...found, ...others.flatMap(({ rows }) => rows)])
  return (await rowsOf(tx, named, close)).map((row) => ({
    ...present(kind, row, input),
    match: 'close' as const,
  }))
}

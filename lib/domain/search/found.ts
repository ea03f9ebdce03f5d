import { type SQL, sql } from 'drizzle-orm'
import type { z } from 'zod'
import { firstIdAt } from '@/db/schema/columns'
import type { SearchKind, SearchMatch } from '@/lib/vocabulary'
import type { Tx } from '../kernel/operation'
import { idArray, isAmong } from '../kernel/rows'
import { isoOfText } from '../kernel/shapes'
import { idsVisibleTo, visibleTo } from '../kernel/visibility'
import { excerptOf, wordsOf } from './rules'
import type { Search, SearchResult } from './schema'

/** What the ways of finding things have in common. */

/** Of each kind at most this many, unless more are asked for. */
export const OF_EACH = 5
/** Rows of so many names, or files of texts, are looked at in one step: what one in a thousand has is among them. */
export const COMPARED = 5_000
/** One's own projects, the newest first. */
const OWN_PROJECTS = 200

export type Input = z.output<typeof Search>
export type Row = Omit<SearchResult, 'kind' | 'match'> & { rank: number }
/** Columns in the order of `Row`, for one kind. */
export type Columns = Record<
  'id' | 'name' | 'hint' | 'project' | 'batch' | 'file' | 'check' | 'status' | 'excerpt' | 'created',
  SQL
>

/** What was found; `isPartial`: more may fit, and not all of them were looked at. */
export type Found = { rows: Row[]; isPartial: boolean }
export const whole = (rows: Row[]): Found => ({ rows, isPartial: false })

/** Ids of the newest projects that may be seen and are asked for; null where all are. */
export type Scope = { projects: string[]; isWhole: boolean } | null

export async function scopeOf(tx: Tx, input: Input): Promise<Scope> {
  const seen = visibleTo(tx.actor)
  if (!seen && !input.project_id && !input.agency_id) return null
  const rows = await tx.db.execute<{ id: string }>(
    sql`select projects.id from projects where ${inScope(seen, input)} order by projects.id desc limit ${literally(OWN_PROJECTS + 1)}`,
  )
  return { projects: [...rows].map(({ id }) => id).slice(0, OWN_PROJECTS), isWhole: rows.length <= OWN_PROJECTS }
}

const MATCHES: readonly SearchMatch[] = ['exact', 'beginning', 'part', 'words']

export function present(kind: SearchKind, { rank, ...row }: Row, { q }: Input): SearchResult {
  return {
    kind,
    ...row,
    created_at: isoOfText(row.created_at),
    excerpt: row.excerpt === null ? null : excerptOf(row.excerpt, wordsOf(q)),
    match: MATCHES[rank] ?? 'words',
  }
}

export const words = (q: string) => [...new Set(wordsOf(q))]
export const folded = (q: string) => q.normalize('NFC').toLowerCase()

/** A limit that the planner sees in a plan for any parameters, too: it would read all rows in order else. */
export const literally = (count: number) => sql.raw(String(Math.trunc(count)))

export const NONE = sql`null::uuid`
export const fields = (of: Columns, rank: SQL) => sql`${of.id} as id, ${of.name} as name, ${of.hint} as hint,
  ${of.project} as project_id, ${of.batch} as batch_id, ${of.file} as file_id, ${of.check} as check_id, ${of.status} as status,
  ${of.excerpt} as excerpt, ${of.created}::text as created_at, ${rank} as rank`

/** Days of creation, by ids: their order is that of creation. */
export function created(id: SQL, { from, to }: Input): SQL {
  const day = 86_400_000
  const parts = [
    ...(from ? [sql`${id} >= ${firstIdAt(new Date(from))}`] : []),
    ...(to ? [sql`${id} < ${firstIdAt(new Date(Date.parse(to) + day))}`] : []),
  ]
  return parts.length > 0 ? sql.join(parts, sql` and `) : sql`true`
}

/** What the asker may see and asks for, of rows that have `projects` joined. */
export function inScope(seen: SQL | undefined, { project_id, agency_id }: Input): SQL {
  return sql.join(
    [
      seen ?? sql`true`,
      ...(project_id ? [sql`projects.id = ${project_id}`] : []),
      ...(agency_id ? [sql`projects.agency_id = ${agency_id}`] : []),
    ],
    sql` and `,
  )
}

/** The same for rows that only have the id of their project: the projects are listed once, and each row looked up in them. */
function ofProjects(tx: Tx, id: SQL, input: Input): SQL {
  const isRestricted = input.project_id || input.agency_id
  const ids = isRestricted
    ? sql`select projects.id from projects where ${inScope(visibleTo(tx.actor), input)}`
    : idsVisibleTo(tx.actor)
  return ids ? isAmong(id, ids) : sql`true`
}

export const statusIs = (column: SQL, { status }: Input) => (status ? sql`${column} = ${status}` : sql`true`)

export const plain = { check: sql`null::text`, excerpt: sql`null::text` }

/** Whether the project of a row is one of those. */
export function inProjects(tx: Tx, id: SQL, input: Input, scope: Scope): SQL {
  if (!scope) return sql`true`
  return scope.isWhole ? sql`${id} = any(${idArray(scope.projects)})` : ofProjects(tx, id, input)
}

export const merged = <R extends Pick<Row, 'id' | 'rank'>>(rows: readonly R[], limit: number): R[] =>
  [...new Map(rows.map((row) => [row.id, row])).values()]
    .sort((a, b) => a.rank - b.rank || (a.id < b.id ? 1 : -1))
    .slice(0, limit)

/** 0: the name itself, 1: begins with it, 2: has it in it, 3: has its words. `key`: a name, case-folded. */
export const rankOf = (key: SQL, q: string) => sql`case when ${key} = ${folded(q)} then 0
  when starts_with(${key}, ${folded(q)}) then 1 when position(${folded(q)} in ${key}) > 0 then 2 else 3 end`

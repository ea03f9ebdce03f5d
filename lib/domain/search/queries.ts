import { sql } from 'drizzle-orm'
import { SEARCH_KINDS, type SearchKind } from '@/lib/vocabulary'
import { visibleEstimate } from '../cost-estimates/find'
import { query, type Tx } from '../kernel/operation'
import { can } from '../kernel/permissions'
import { contains, dayOf } from '../kernel/shapes'
import {
  created,
  type Found,
  fields,
  type Input,
  inScope,
  NONE,
  OF_EACH,
  plain,
  present,
  type Row,
  rankOf,
  type Scope,
  scopeOf,
  statusIs,
  whole,
  words,
} from './found'
import { findClose, findNamed, NAMED } from './names'
import { SEARCH_STATUSES, Search, SearchResults } from './schema'
import { COMMENTS, findFindings, findTexts, TEXTS } from './texts'

export const search = query({
  name: 'search',
  summary:
    'Finds, in one go: projects, batches, files, estimates and agencies by their names and codes, comments, text read in files and findings of checks by what they say; for administrators people too. The best fit first, then the newest',
  permission: 'projects.read',
  input: Search,
  output: SearchResults,
  async run(tx, { input }) {
    const kinds = SEARCH_KINDS.filter((kind) => (!input.kind || input.kind === kind) && isPossible(tx, kind, input))
    const scope = await scopeOf(tx, input)
    const found = await Promise.all(kinds.map((kind) => FINDERS[kind](tx, input, scope)))
    const results = kinds.flatMap((kind, n) => (found[n]?.rows ?? []).map((row) => present(kind, row, input)))
    const partial = kinds.filter((_, n) => found[n]?.isPartial)
    if (results.length > 0) return { results, partial }
    const close = kinds.filter((kind) => kind === 'project' || kind === 'batch' || kind === 'file')
    const guesses = await Promise.all(close.map((kind) => findClose(tx, kind, input, scope)))
    return { results: guesses.flat(), partial }
  },
})

/** Whether things of that kind can be what was asked for, and may be found by the one who asks. */
function isPossible(tx: Tx, kind: SearchKind, { status, project_id, agency_id }: Input): boolean {
  if (kind === 'person' && !can(tx.actor, 'users.manage')) return false
  if ((kind === 'person' || kind === 'agency') && (project_id || agency_id)) return false
  return !status || (SEARCH_STATUSES[kind]?.includes(status) ?? false)
}

const estimateStatus = (
  today: string,
) => sql`case when cost_estimates.status in ('awaiting_internal_approval', 'awaiting_client_approval')
  and cost_estimates.valid_until < ${today} then 'expired' else cost_estimates.status end`

async function findEstimates(tx: Tx, input: Input): Promise<Found> {
  const { q, limit = OF_EACH } = input
  const status = estimateStatus(dayOf(tx.now))
  const name = sql`cost_estimates.number || ' ' || cost_estimates.title`
  const holds = sql.join(
    words(q).map(
      (word) => sql`(cost_estimates.number ilike ${contains(word)} or cost_estimates.title ilike ${contains(word)})`,
    ),
    sql` and `,
  )
  const rank = sql`least(${rankOf(sql`lower(cost_estimates.number)`, q)}, ${rankOf(sql`lower(cost_estimates.title)`, q)})`
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
  return whole([...rows])
}

/** People and agencies: few rows, all compared. */
async function findListed(tx: Tx, table: 'users' | 'agencies', input: Input): Promise<Found> {
  const { q, limit = OF_EACH } = input
  const of = (column: string) => sql.raw(`${table}.${column}`)
  const hint = of(table === 'users' ? 'email' : 'code')
  const holds = sql.join(
    words(q).map((word) => sql`(${of('name')} ilike ${contains(word)} or ${hint} ilike ${contains(word)})`),
    sql` and `,
  )
  const rank = sql`least(${rankOf(sql`lower(${of('name')})`, q)}, ${rankOf(sql`lower(${hint})`, q)})`
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
  return whole([...rows])
}

const FINDERS: Record<SearchKind, (tx: Tx, input: Input, scope: Scope) => Promise<Found>> = {
  project: (tx, input, scope) => findNamed(tx, NAMED.project, input, scope),
  batch: (tx, input, scope) => findNamed(tx, NAMED.batch, input, scope),
  file: (tx, input, scope) => findNamed(tx, NAMED.file, input, scope),
  estimate: findEstimates,
  comment: (tx, input, scope) => findTexts(tx, COMMENTS, input, scope),
  text: (tx, input, scope) => findTexts(tx, TEXTS, input, scope),
  finding: findFindings,
  agency: (tx, input) => findListed(tx, 'agencies', input),
  person: (tx, input) => findListed(tx, 'users', input),
}

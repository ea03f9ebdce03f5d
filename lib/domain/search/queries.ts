import { type SQL, sql } from 'drizzle-orm'
import { visibleEstimate } from '../cost-estimates/find'
import { query } from '../kernel/operation'
import { can } from '../kernel/permissions'
import { contains } from '../kernel/shapes'
import { visibleTo } from '../kernel/visibility'
import { Search, type SearchResult, SearchResults } from './schema'

/** Of each kind at most this many, the newest. */
const OF_EACH = 5

export const search = query({
  name: 'search',
  summary: 'Finds by name, in one go: projects, batches, files, estimates, and for administrators people and agencies',
  permission: 'projects.read',
  input: Search,
  output: SearchResults,
  async run(tx, { input }) {
    const like = contains(input.q)
    const seen = visibleTo(tx.actor) ?? sql`true`
    const find = (select: SQL, where: SQL, id: SQL) =>
      sql`(${select} where ${where} order by ${id} desc limit ${OF_EACH})`
    const kinds = [
      find(
        sql`select 1 as place, 'project' as kind, projects.id, projects.name, agencies.name as hint, projects.id as project_id, null::uuid as batch_id
          from projects join agencies on agencies.id = projects.agency_id`,
        sql`projects.name ilike ${like} and ${seen}`,
        sql`projects.id`,
      ),
      find(
        sql`select 2, 'batch', batches.id, batches.name, projects.name, projects.id, batches.id
          from batches join projects on projects.id = batches.project_id`,
        sql`batches.name ilike ${like} and ${seen}`,
        sql`batches.id`,
      ),
      find(
        sql`select 3, 'file', files.id, files.name, projects.name || ', ' || batches.name, projects.id, batches.id
          from files join batches on batches.id = files.batch_id join projects on projects.id = files.project_id`,
        sql`files.is_current and files.name ilike ${like} and ${seen}`,
        sql`files.id`,
      ),
      find(
        sql`select 4, 'estimate', cost_estimates.id, cost_estimates.number || ' ' || cost_estimates.title, projects.name, projects.id, null::uuid
          from cost_estimates join projects on projects.id = cost_estimates.project_id`,
        sql`(cost_estimates.number ilike ${like} or cost_estimates.title ilike ${like}) and ${visibleEstimate(tx.actor) ?? sql`true`}`,
        sql`cost_estimates.id`,
      ),
      ...(can(tx.actor, 'users.manage')
        ? [
            find(
              sql`select 5, 'person', users.id, users.name, users.email, null::uuid, null::uuid from users`,
              sql`users.name ilike ${like} or users.email ilike ${like}`,
              sql`users.id`,
            ),
            find(
              sql`select 6, 'agency', agencies.id, agencies.name, agencies.code, null::uuid, null::uuid from agencies`,
              sql`agencies.name ilike ${like} or agencies.code ilike ${like}`,
              sql`agencies.id`,
            ),
          ]
        : []),
    ]
    const rows = await tx.db.execute<SearchResult & { place: number }>(
      sql`select * from (${sql.join(kinds, sql` union all `)}) as found order by place, id desc`,
    )
    return { results: rows.map(({ place: _, ...result }) => result) }
  },
})

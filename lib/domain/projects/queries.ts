import { eq, sql } from 'drizzle-orm'
import { users } from '@/db/schema/directory'
import { projectMembers } from '@/db/schema/projects'
import { query, type Tx } from '../kernel/operation'
import { contains, decodeCursor, isoOfText, page, upTo } from '../kernel/shapes'
import { visibleTo } from '../kernel/visibility'
import { onProject } from './find'
import { type ListedProject, ListProjects, Project, ProjectList } from './schema'

// Written out, not built: this is the list every screen asks for, and building its statement anew cost a tenth of a response.
const LISTED = sql`
  select projects.id, projects.name, projects.status, projects.created_at, projects.updated_at,
    agencies.id as agency_id, agencies.name as agency_name, campaigns.id as campaign_id, campaigns.name as campaign_name,
    media_categories.id as category_id, media_categories.name as category_name
  from projects join agencies on agencies.id = projects.agency_id
    left join campaigns on campaigns.id = projects.campaign_id
    left join media_categories on media_categories.id = projects.media_category_id`

type Row = {
  id: string
  name: string
  status: ListedProject['status']
  created_at: string
  updated_at: string
  agency_id: string
  agency_name: string
  campaign_id: string | null
  campaign_name: string | null
  category_id: string | null
  category_name: string | null
}

const present = (row: Row): ListedProject => ({
  id: row.id,
  name: row.name,
  status: row.status,
  agency: { id: row.agency_id, name: row.agency_name },
  campaign: row.campaign_id && row.campaign_name ? { id: row.campaign_id, name: row.campaign_name } : null,
  media_category: row.category_id && row.category_name ? { id: row.category_id, name: row.category_name } : null,
  created_at: isoOfText(row.created_at),
  updated_at: isoOfText(row.updated_at),
})

export const listProjects = query({
  name: 'listProjects',
  summary: 'The projects you can see, newest first',
  permission: 'projects.read',
  input: ListProjects,
  output: ProjectList,
  async run(tx, { input }) {
    const like = input.q && contains(input.q)
    const conditions = [
      visibleTo(tx.actor),
      input.status && sql`projects.status = ${input.status}`,
      input.agency_id && sql`projects.agency_id = ${input.agency_id}`,
      like && sql`(projects.name ilike ${like} or agencies.name ilike ${like} or campaigns.name ilike ${like})`,
      input.cursor && sql`projects.id < ${decodeCursor(input.cursor)}`,
    ].filter((condition) => condition !== undefined && condition !== '')
    const rows = await tx.db.execute<Row>(
      sql`${LISTED} where ${sql.join([sql`true`, ...conditions], sql` and `)} order by projects.id desc limit ${upTo(input.limit)}`,
    )
    const { rows: shown, next_cursor } = page(rows, input.limit)
    return { projects: shown.map(present), next_cursor }
  },
})

/** The project with everything the interface says of it. */
export async function serializeProject(tx: Tx, id: string): Promise<Project> {
  const [row] = await tx.db.execute<Row>(sql`${LISTED} where projects.id = ${id}`)
  if (!row) throw new Error(`Project ${id} vanished while it was read.`)
  const members = await tx.db
    .select({ id: users.id, name: users.name, role: users.role })
    .from(projectMembers)
    .innerJoin(users, eq(users.id, projectMembers.userId))
    .where(eq(projectMembers.projectId, id))
    .orderBy(users.name, users.id)
  const [counts] = await tx.db.execute<{
    batches: number
    open_batches: number
    files: number
    estimates: number
    creator_id: string
    creator_name: string
  }>(sql`
    select
      (select count(*)::int from batches where project_id = p.id) as batches,
      (select count(*)::int from batches where project_id = p.id and status = 'open') as open_batches,
      (select coalesce(sum(files), 0)::int from batch_counts where project_id = p.id) as files,
      (select count(*)::int from cost_estimates where project_id = p.id) as estimates,
      u.id as creator_id, u.name as creator_name
    from projects p join users u on u.id = p.created_by where p.id = ${id}`)
  if (!counts) throw new Error(`Project ${id} vanished while it was read.`)
  return {
    ...present(row),
    created_by: { id: counts.creator_id, name: counts.creator_name },
    counts: {
      batches: counts.batches,
      files: counts.files,
      open_batches: counts.open_batches,
      estimates: counts.estimates,
    },
    members,
  }
}

export const getProject = query({
  name: 'getProject',
  summary: 'One project with its counts and members',
  permission: 'projects.read',
  resource: onProject,
  isVersioned: true,
  output: Project,
  run: (tx, { resource }) => serializeProject(tx, resource.id),
})

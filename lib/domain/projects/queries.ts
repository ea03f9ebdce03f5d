import { eq, type SQL, sql } from 'drizzle-orm'
import { users } from '@/db/schema/directory'
import { projectMembers } from '@/db/schema/projects'
import { query, type Tx } from '../kernel/operation'
import { contains, decodeCursor, isoOfText, page, upTo } from '../kernel/shapes'
import { visibleTo } from '../kernel/visibility'
import { onProject } from './find'
import { type ListedProject, ListProjects, Project, ProjectList } from './schema'

// Written out, not built: this is the list every screen asks for, and building its statement anew cost a tenth of a response.
// Names are looked up once for all projects that are shown: a join would look each of them up by itself.
const listed = (which: SQL) => sql`
  with shown as materialized (select * from projects ${which}),
    agency as materialized (select id, name from agencies where id = any(array(select agency_id from shown))),
    campaign as materialized (select id, name from campaigns where id = any(array(select campaign_id from shown))),
    category as materialized (select id, name from media_categories where id = any(array(select media_category_id from shown)))
  select shown.id, shown.name, shown.status, shown.created_at, shown.updated_at,
    agency.id as agency_id, agency.name as agency_name, campaign.id as campaign_id, campaign.name as campaign_name,
    category.id as category_id, category.name as category_name
  from shown join agency on agency.id = shown.agency_id
    left join campaign on campaign.id = shown.campaign_id
    left join category on category.id = shown.media_category_id
  order by shown.id desc`

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
      like &&
        sql`(projects.name ilike ${like} or agency_id in (select id from agencies where name ilike ${like})
          or campaign_id in (select id from campaigns where name ilike ${like}))`,
      input.cursor && sql`projects.id < ${decodeCursor(input.cursor)}`,
    ].filter((condition) => condition !== undefined && condition !== '')
    const rows = await tx.db.execute<Row>(
      listed(
        sql`where ${sql.join([sql`true`, ...conditions], sql` and `)} order by projects.id desc limit ${upTo(input.limit)}`,
      ),
    )
    const { rows: shown, next_cursor } = page(rows, input.limit)
    return { projects: shown.map(present), next_cursor }
  },
})

/** The project with everything the interface says of it. */
export async function serializeProject(tx: Tx, id: string): Promise<Project> {
  const [row] = await tx.db.execute<Row>(listed(sql`where projects.id = ${id}`))
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

import { and, desc, eq, ilike, lt, or, sql } from 'drizzle-orm'
import { momentText } from '@/db/schema/columns'
import { agencies, campaigns, mediaCategories, users } from '@/db/schema/directory'
import { projectMembers, projects } from '@/db/schema/projects'
import { query, type Tx } from '../kernel/operation'
import { contains, decodeCursor, isoOfText, page, upTo } from '../kernel/shapes'
import { visibleTo } from '../kernel/visibility'
import { onProject } from './find'
import { type ListedProject, ListProjects, Project, ProjectList } from './schema'

const LISTED = {
  id: projects.id,
  name: projects.name,
  status: projects.status,
  agencyId: agencies.id,
  agencyName: agencies.name,
  campaignId: campaigns.id,
  campaignName: campaigns.name,
  categoryId: mediaCategories.id,
  categoryName: mediaCategories.name,
  createdAt: momentText(projects.createdAt),
  updatedAt: momentText(projects.updatedAt),
}

const listed = (tx: Tx) =>
  tx.db
    .select(LISTED)
    .from(projects)
    .innerJoin(agencies, eq(agencies.id, projects.agencyId))
    .leftJoin(campaigns, eq(campaigns.id, projects.campaignId))
    .leftJoin(mediaCategories, eq(mediaCategories.id, projects.mediaCategoryId))

type Row = Awaited<ReturnType<typeof listed>>[number]

const present = (row: Row): ListedProject => ({
  id: row.id,
  name: row.name,
  status: row.status,
  agency: { id: row.agencyId, name: row.agencyName },
  campaign: row.campaignId && row.campaignName ? { id: row.campaignId, name: row.campaignName } : null,
  media_category: row.categoryId && row.categoryName ? { id: row.categoryId, name: row.categoryName } : null,
  created_at: isoOfText(row.createdAt),
  updated_at: isoOfText(row.updatedAt),
})

export const listProjects = query({
  name: 'listProjects',
  summary: 'The projects you can see, newest first',
  may: 'projects.read',
  input: ListProjects,
  output: ProjectList,
  async run(tx, { input }) {
    const rows = await listed(tx)
      .where(
        and(
          visibleTo(tx.actor),
          input.status && eq(projects.status, input.status),
          input.agency_id ? eq(projects.agencyId, input.agency_id) : undefined,
          input.q
            ? or(
                ilike(projects.name, contains(input.q)),
                ilike(agencies.name, contains(input.q)),
                ilike(campaigns.name, contains(input.q)),
              )
            : undefined,
          input.cursor ? lt(projects.id, decodeCursor(input.cursor)) : undefined,
        ),
      )
      .orderBy(desc(projects.id))
      .limit(upTo(input.limit))
    const { rows: shown, next_cursor } = page(rows, input.limit)
    return { projects: shown.map(present), next_cursor }
  },
})

/** The project with everything the interface tells of it. */
export async function fullProject(tx: Tx, id: string): Promise<Project> {
  const [row] = await listed(tx).where(eq(projects.id, id))
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
      (select count(*)::int from files where project_id = p.id and is_current) as files,
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
  may: 'projects.read',
  on: onProject,
  single: true,
  output: Project,
  run: (tx, { on }) => fullProject(tx, on.id),
})

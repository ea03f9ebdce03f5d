import { isDeepStrictEqual } from 'node:util'
import { eq, sql } from 'drizzle-orm'
import { type RetentionRules, serviceSettings } from '@/db/schema/directory'
import { events } from '@/db/schema/events'
import { projects } from '@/db/schema/projects'
import { command, query, type Tx } from '../kernel/operation'
import { iso, isoOrNull } from '../kernel/shapes'
import { onProject, type ProjectRow } from '../projects/find'
import { holdOn } from '../projects/holds'
import { isClosed } from '../projects/rules'
import { ProjectRetention, ServiceRetention, UpdateProjectRetention, UpdateServiceRetention } from './schema'

const NEVER = { completed: null, cancelled: null, archived: null, rejected: null, replaced: null }
const KEEPS_ALL: RetentionRules = { files: NEVER, previews: NEVER, activity: null }

const DAY_MS = 86_400_000

async function serviceRetention(tx: Tx): Promise<ServiceRetention> {
  const [row] = await tx.db.select().from(serviceSettings)
  return { rules: row?.retention ?? KEEPS_ALL, updated_at: isoOrNull(row?.retentionUpdatedAt ?? null) }
}

export const getServiceRetention = query({
  name: 'getServiceRetention',
  summary: 'For how long files, previews and notifications are kept, where a project has no rules of its own',
  permission: 'retention.manage',
  isVersioned: true,
  output: ServiceRetention,
  run: (tx) => serviceRetention(tx),
})

export const updateServiceRetention = command({
  name: 'updateServiceRetention',
  summary: 'Set for how long files, previews and notifications are kept; nothing goes before a run is started',
  permission: 'retention.manage',
  input: UpdateServiceRetention,
  output: ServiceRetention,
  conditional: (tx) => serviceRetention(tx),
  async run(tx, { input: { rules } }) {
    await tx.db.insert(serviceSettings).values({ id: 1 }).onConflictDoNothing()
    const [row] = await tx.db.select().from(serviceSettings).for('no key update')
    const before = row?.retention ?? KEEPS_ALL
    if (!isDeepStrictEqual(before, rules)) {
      await tx.db.update(serviceSettings).set({ retention: rules, retentionUpdatedAt: tx.now })
      await tx.record({ type: 'retention.updated', data: { before, after: rules } })
    }
    return serviceRetention(tx)
  },
})

/** When the project got the status it has, by the audit trail; a project that was made in it, when it was last changed. */
async function statusSince(tx: Tx, project: ProjectRow): Promise<Date> {
  const [found] = await tx.db
    .select({ at: sql<Date | null>`max(${events.createdAt})`.mapWith(events.createdAt) })
    .from(events)
    .where(
      sql`${events.projectId} = ${project.id} and ${events.type} = 'project.updated' and ${events.data} -> 'after' -> 'status' is not null`,
    )
  return found?.at ?? project.updatedAt
}

async function projectRetention(tx: Tx, project: ProjectRow): Promise<ProjectRetention> {
  const [current] = await tx.db.select({ own: projects.retention }).from(projects).where(eq(projects.id, project.id))
  const own = current?.own ?? null
  const { rules } = own ? { rules: own } : await serviceRetention(tx)
  const hold = await holdOn(tx, project)
  const { status } = project
  const since = isClosed(status) ? await statusSince(tx, project) : null
  const dueOf = (days: number | null) =>
    since && days !== null ? iso(new Date(since.getTime() + days * DAY_MS)) : null
  const isEnd = (name: string): name is 'completed' | 'cancelled' | 'archived' => isClosed(status) && name === status
  return {
    rules,
    of: own ? 'project' : 'service',
    files_go_at: isEnd(status) ? dueOf(rules.files[status]) : null,
    previews_go_at: isEnd(status) ? dueOf(rules.previews[status]) : null,
    legal_hold: hold && { on: hold.projectId ? 'project' : 'agency', since: iso(hold.createdAt) },
  }
}

export const getProjectRetention = query({
  name: 'getProjectRetention',
  summary: 'For how long files, previews and notifications of a project are kept, and whether it is under legal hold',
  permission: 'projects.read',
  resource: onProject,
  isVersioned: true,
  output: ProjectRetention,
  run: (tx, { resource }) => projectRetention(tx, resource),
})

export const updateProjectRetention = command({
  name: 'updateProjectRetention',
  summary: 'Give a project retention rules of its own, or those of the service',
  permission: 'retention.manage',
  resource: onProject,
  input: UpdateProjectRetention,
  output: ProjectRetention,
  conditional: (tx, project) => projectRetention(tx, project),
  async run(tx, { resource: project, input: { rules } }) {
    if (!isDeepStrictEqual(project.retention, rules)) {
      await tx.db.update(projects).set({ retention: rules }).where(eq(projects.id, project.id))
      await tx.record({
        type: 'retention.updated',
        projectId: project.id,
        subjectId: project.id,
        data: { name: project.name, before: project.retention, after: rules },
      })
    }
    return projectRetention(tx, project)
  },
})

import { and, eq } from 'drizzle-orm'
import { projects } from '@/db/schema/projects'
import { notFound } from '../kernel/errors'
import type { Finder, Tx } from '../kernel/operation'
import { isUuid } from '../kernel/shapes'
import { visibleTo } from '../kernel/visibility'

export type ProjectRow = typeof projects.$inferSelect

/**
 * The project as the actor may see it. `share` keeps its status from changing until the transaction ends,
 * `update` is for changing it.
 * @throws `not_found`, also for what the actor may not see
 */
export async function findProject(tx: Tx, id: string, lock?: 'share' | 'update'): Promise<ProjectRow> {
  if (!isUuid(id)) throw notFound('project', id)
  const select = tx.db
    .select()
    .from(projects)
    .where(and(eq(projects.id, id), visibleTo(tx.actor)))
  const [project] = await (lock ? select.for(lock === 'share' ? 'share' : 'no key update') : select)
  if (!project) throw notFound('project', id)
  return project
}

export const onProject: Finder<'project_id', ProjectRow> = {
  params: ['project_id'],
  find: (tx, { project_id }, lock) => findProject(tx, project_id, lock ? 'update' : undefined),
}

/** For commands on what lies below the project: its status holds still meanwhile. */
export const inProject: Finder<'project_id', ProjectRow> = {
  params: ['project_id'],
  find: (tx, { project_id }, lock) => findProject(tx, project_id, lock ? 'share' : undefined),
}

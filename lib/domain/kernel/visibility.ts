import { type SQL, sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import { projectMembers, projects } from '@/db/schema/projects'
import { type Actor, can } from './permissions'

/**
 * The one condition by which anything below a project is seen: members see it, administrators see all.
 * Put it into the `where` of every query that has `projects` joined, or the id of a project.
 */
export function visibleTo(actor: Actor, projectId: PgColumn = projects.id): SQL | undefined {
  if (actor.type === 'system' || can(actor, 'settings.manage')) return undefined
  if (actor.type !== 'user') return sql`false`
  return sql`exists (select 1 from ${projectMembers} where ${projectMembers.projectId} = ${projectId} and ${projectMembers.userId} = ${actor.id})`
}

/** The same of rows that only have the id of a project: all of one's projects are read once, from the index alone. */
export function idVisibleTo(actor: Actor, projectId: SQL): SQL | undefined {
  const ids = idsVisibleTo(actor)
  return ids && sql`${projectId} in (${ids})`
}

/** The ids of all of one's projects, as a SELECT that reads an index alone; undefined where all may be seen. */
export function idsVisibleTo(actor: Actor): SQL | undefined {
  if (!visibleTo(actor)) return undefined
  const userId = actor.type === 'user' ? actor.id : null
  return sql`select ${projectMembers.projectId} from ${projectMembers} where ${projectMembers.userId} = ${userId}`
}

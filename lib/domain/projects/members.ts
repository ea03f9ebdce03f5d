import { and, eq, sql } from 'drizzle-orm'
import { users } from '@/db/schema/directory'
import { projectMembers } from '@/db/schema/projects'
import { MEMBER_REASONS, type Role } from '@/lib/vocabulary'
import { DomainError, invalidField, notFound, quote } from '../kernel/errors'
import { command, type Finder, query, type Tx } from '../kernel/operation'
import { isAtLeast } from '../kernel/permissions'
import { isoOfText, isUuid } from '../kernel/shapes'
import { findProject, onProject, type ProjectRow } from './find'
import { Member, MemberList } from './schema'

/** Who sees a project, and why: its creator, who is operator or coordinator of one of its batches, who was added. */

type Row = {
  id: string
  name: string
  role: Role
  is_active: boolean
  since: string
  creator: boolean
  operator: boolean
  coordinator: boolean
  added: boolean
  /** What of a batch that is not over yet: `operator` or `coordinator` of which. */
  needed: string | null
}

async function readMembers(tx: Tx, projectId: string, userId?: string): Promise<Row[]> {
  return tx.db.execute<Row>(sql`
    select u.id, u.name, u.role, u.disabled_at is null as is_active, m.created_at as since,
      p.created_by = u.id as creator, m.added_at is not null as added,
      exists (select 1 from batches b where b.project_id = p.id and b.operator_id = u.id) as operator,
      exists (select 1 from batches b where b.project_id = p.id and b.coordinator_id = u.id) as coordinator,
      (select b.name from batches b where b.id = (select n.id from batches n
        where n.project_id = p.id and u.id in (n.operator_id, n.coordinator_id)
          and n.status in ('open', 'in_review', 'awaiting_resupply') order by n.id desc limit 1)) as needed
    from project_members m join users u on u.id = m.user_id join projects p on p.id = m.project_id
    where m.project_id = ${projectId} ${userId === undefined ? sql`` : sql`and m.user_id = ${userId}`}
    order by lower(u.name), u.id`)
}

const present = (row: Row): Member => ({
  user: { id: row.id, name: row.name },
  role: row.role,
  reasons: MEMBER_REASONS.filter((reason) => row[reason]),
  since: isoOfText(row.since),
})

/** Two changes of one project's people wait for each other: what one reads the other may be writing. */
const holdPeople = (tx: Tx, projectId: string) =>
  tx.db.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`members of ${projectId}`}, 0))`)

/**
 * After a user was made creator, operator or coordinator, and another is it no longer: who joins becomes a
 * member; who leaves stays one only for another reason, or as the last coordinator.
 */
export async function changePeople(
  tx: Tx,
  projectId: string,
  { joining, leaving = [] }: Record<'joining', Ids> & Partial<Record<'leaving', Ids>>,
) {
  const joins = new Set(joining.filter((id) => id != null))
  const leaves = new Set(leaving.filter((id) => id != null && !joins.has(id)))
  if (joins.size + leaves.size === 0) return
  await holdPeople(tx, projectId)
  if (joins.size > 0) {
    await tx.db
      .insert(projectMembers)
      .values([...joins].map((userId) => ({ projectId, userId, createdAt: tx.now })))
      .onConflictDoNothing()
  }
  if (leaves.size === 0) return
  const members = await readMembers(tx, projectId)
  for (const member of members) {
    if (!leaves.has(member.id) || present(member).reasons.length > 0 || isLastCoordinator(member, members)) continue
    await remove(tx, projectId, member, 'replaced')
  }
}
type Ids = readonly (string | null | undefined)[]

const isLastCoordinator = (member: Row, members: readonly Row[]) =>
  coordinates(member) && !members.some((other) => other.id !== member.id && coordinates(other))

const coordinates = ({ role, is_active }: Row) => is_active && isAtLeast(role, 'coordinator')

async function remove(tx: Tx, projectId: string, { id, name }: Row, because: 'removed' | 'replaced') {
  await tx.db.delete(projectMembers).where(and(eq(projectMembers.projectId, projectId), eq(projectMembers.userId, id)))
  await tx.record({ type: 'member.removed', projectId, subjectId: id, data: { name, because } })
}

export const listMembers = query({
  name: 'listMembers',
  summary: 'Who sees the project besides administrators, and why',
  permission: 'projects.read',
  resource: onProject,
  output: MemberList,
  run: async (tx, { resource: project }) => ({ members: (await readMembers(tx, project.id)).map(present) }),
})

const onMember: Finder<'project_id' | 'user_id', { project: ProjectRow; userId: string }> = {
  params: ['project_id', 'user_id'],
  async find(tx, { project_id, user_id }, lock) {
    const project = await findProject(tx, project_id, lock ? 'update' : undefined)
    if (!isUuid(user_id)) throw notFound('user', user_id)
    return { project, userId: user_id.toLowerCase() }
  },
}

export const addMember = command({
  name: 'addMember',
  summary: 'Let a user see the project; one who is a member already stays one in their own right',
  permission: 'members.manage',
  resource: onMember,
  output: Member,
  async run(tx, { resource: { project, userId } }) {
    const [user] = await tx.db.select().from(users).where(eq(users.id, userId))
    if (!user) throw notFound('user', userId)
    await holdPeople(tx, project.id)
    const [before] = await readMembers(tx, project.id, userId)
    if (user.disabledAt && !before) {
      throw invalidField(
        'user_id',
        'deactivated',
        `The account of ${quote(user.name)} is deactivated. Activate it first, or choose another user.`,
      )
    }
    if (!before?.added) {
      await tx.db
        .insert(projectMembers)
        .values({ projectId: project.id, userId, addedAt: tx.now, createdAt: tx.now })
        .onConflictDoUpdate({ target: [projectMembers.projectId, projectMembers.userId], set: { addedAt: tx.now } })
      await tx.record({
        type: 'member.added',
        projectId: project.id,
        subjectId: userId,
        data: { name: user.name, project: project.name },
      })
    }
    const [member] = await readMembers(tx, project.id, userId)
    if (!member) throw new Error('A member who was just added did not come back.')
    return present(member)
  },
})

export const removeMember = command({
  name: 'removeMember',
  summary: 'Take the project from a user who has no running batch in it; the last coordinator stays',
  permission: 'members.manage',
  resource: onMember,
  async run(tx, { resource: { project, userId } }): Promise<void> {
    await holdPeople(tx, project.id)
    const members = await readMembers(tx, project.id)
    const member = members.find(({ id }) => id === userId)
    if (!member) throw notFound('member', userId)
    if (member.needed !== null) {
      throw new DomainError(
        'member_needed',
        `${quote(member.name)} is operator or coordinator of the running batch ${quote(member.needed)}. Name another user there, then remove them.`,
      )
    }
    if (isLastCoordinator(member, members)) {
      throw new DomainError(
        'member_needed',
        `${quote(member.name)} is the last coordinator of ${quote(project.name)}. Add another coordinator first.`,
      )
    }
    await remove(tx, project.id, member, 'removed')
  },
})

import { and, eq, inArray, sql } from 'drizzle-orm'
import { costEstimateDecisions } from '@/db/schema/cost-estimates'
import { apiTokens, passwordResets, users } from '@/db/schema/directory'
import { events, notifications } from '@/db/schema/events'
import { mailItems, mailPreferences, mails } from '@/db/schema/mail'
import { savedViews } from '@/db/schema/saved-views'
import { ERASED_PERSON, type EventType } from '@/lib/vocabulary'
import { onUser, type UserRow } from '../directory/find'
import { assertAdministratorRemains, assertNotErased } from '../directory/rules'
import { otherActiveAdministrators } from '../directory/users'
import { DomainError, forbidden, quote } from '../kernel/errors'
import { command, query, type Tx } from '../kernel/operation'
import { openEvents } from '../kernel/personal'
import { estimatesNaming, rewriteEstimates } from './estimates'
import { Erasure } from './schema'
import { countsOf, forget, rewriteMentions, rewriteTexts, rewriteWebhooks } from './texts'

/** Types of events whose subject is a user. */
const ABOUT_USERS: EventType[] = [
  'user.created',
  'user.updated',
  'user.reset_link_created',
  'member.added',
  'member.removed',
]
/** Types of events whose data may name a user beside the id. */
const NAMING_USERS: EventType[] = [
  'comment.deleted',
  'comment.added',
  'comment.mentioned',
  'token.created',
  'estimate.submitted',
  'estimate.step_approved',
  'estimate.revision_discarded',
]
/** The events by others that say something of the user; as a condition on `e`. */
const about = (id: string) =>
  sql`((e.subject_id = ${id} and e.type in ${ABOUT_USERS}) or (e.type in ${NAMING_USERS} and e.data::text like ${`%${id}%`}))`
/** The events by the user, and those that say something of the user; as a condition on `e`. */
const concerning = (id: string) => sql`((e.actor_type = 'user' and e.actor_id = ${id}) or ${about(id)})`
/** Written as `events_unsealed_actor_index` is, by which such events are counted. */
const IS_UNSEALED = sql`not (actor_name like 'sealed:1:%' or data::text like '%"sealed:1:%')`

/** Name and address of the user as they are, and as they were. */
async function namesOf(tx: Tx, user: UserRow): Promise<string[]> {
  const about = await tx.db
    .select()
    .from(events)
    .where(and(eq(events.subjectId, user.id), inArray(events.type, ['user.created', 'user.updated'])))
  const said = (await openEvents(tx.db, about)).flatMap(({ data }) =>
    [data, data.before, data.after].flatMap((part) => {
      const { name, email } = (part ?? {}) as { name?: unknown; email?: unknown }
      return [name, email].filter((text): text is string => typeof text === 'string')
    }),
  )
  return [...new Set([user.name, user.email, ...said])]
}

async function survey(tx: Tx, user: UserRow): Promise<Erasure> {
  const { id } = user
  // What was made from events is found by their ids, in order: a join would read all notifications and deliveries there are.
  const [counted] = await tx.db.execute<Record<string, number>>(sql`
    with own as materialized (select id from events where actor_id = ${id}),
      others as materialized (select id, ${IS_UNSEALED} as is_unsealed from events e where actor_id is distinct from ${id} and ${about(id)}),
      events_of as materialized (select id from own union all select id from others),
      received as materialized (select event_id from notifications where user_id = ${id}),
      unsealed as materialized (select (select count(*) from events where actor_id = ${id} and ${IS_UNSEALED})
        + (select count(*) from others where is_unsealed) as count)
    select
      (select count(*)::int from api_tokens where user_id = ${id}) as tokens,
      (select count(*)::int from received) as own_notifications,
      (select count(*)::int from notifications where event_id = any(array(select id from events_of)))
        - (select count(*)::int from received where event_id in (select id from events_of)) as others_notifications,
      (select count(*)::int from webhook_deliveries where event_id = any(array(select id from events_of))) as webhook_deliveries,
      (select count(*)::int from (${estimatesNaming(id)}) named) as estimates,
      (select count(*)::int from events_of) - (select count::int from unsealed) as audit_events,
      (select count::int from unsealed) as earlier_audit_events,
      (select count(*)::int from certificates where statement::text like ${`%${id}%`}) as certificates,
      (select count(*)::int from comment_attachments a join file_comments c on c.id = a.comment_id where c.created_by = ${id}) as attachments`)
  const of = <Place extends string>(place: Place) => ({ place, count: counted?.[place] ?? 0 })
  return {
    person: { id, name: user.name },
    erased: [
      { place: 'account', count: 1 },
      of('tokens'),
      of('own_notifications'),
      of('others_notifications'),
      of('webhook_deliveries'),
      of('estimates'),
      of('audit_events'),
    ],
    kept: [of('earlier_audit_events'), of('certificates'), of('attachments')],
    held_projects: await heldProjectsOf(tx, id),
  }
}

/** Projects under legal hold that the user is a member of, or did something in. */
async function heldProjectsOf(tx: Tx, id: string) {
  return [
    ...(await tx.db.execute<{ id: string; name: string }>(sql`
      with held as materialized (select * from projects where id in (
        select project_id from legal_holds where lifted_at is null and project_id is not null
        union select p.id from legal_holds h join projects p on p.agency_id = h.agency_id where h.lifted_at is null))
      select p.id, p.name from held p
      where p.created_by = ${id} or exists (select from project_members m where m.project_id = p.id and m.user_id = ${id})
        or exists (select from events e where e.project_id = p.id and ${concerning(id)})
      order by p.name, p.id`)),
  ]
}

export const previewErasure = query({
  name: 'previewErasure',
  summary: 'What erasing a user would erase and where, and what it cannot reach',
  permission: 'users.manage',
  resource: onUser,
  output: Erasure,
  async run(tx, { resource: user }) {
    assertNotErased(user)
    return survey(tx, user)
  },
})

export const eraseUser = command({
  name: 'eraseUser',
  summary: 'Erase a user: name, e-mail address and what else is personal goes for good; screens show “Erased person”',
  permission: 'users.manage',
  resource: onUser,
  output: Erasure,
  async run(tx, { resource: user }) {
    assertNotErased(user)
    if (tx.actor.type === 'user' && tx.actor.id === user.id)
      throw forbidden('You cannot erase yourself. Ask another administrator.')
    const after = { role: user.role, disabledAt: tx.now }
    assertAdministratorRemains(user, after, await otherActiveAdministrators(tx, user))
    // No hold is set meanwhile.
    await tx.db.execute(sql`lock table legal_holds in share mode`)
    const done = await survey(tx, user)
    if (done.held_projects.length > 0) throw heldBack(user.name, done.held_projects)
    const names = await namesOf(tx, user)
    await rewriteTexts(tx, concerning(user.id), names)
    await rewriteWebhooks(tx, names)
    await rewriteEstimates(tx, user.id)
    await rewriteMentions(tx, user.id, names)
    await tx.db
      .update(costEstimateDecisions)
      .set({ name: ERASED_PERSON, address: null })
      .where(eq(costEstimateDecisions.userId, user.id))
    await tx.db.delete(notifications).where(eq(notifications.userId, user.id))
    await tx.db.delete(mailItems).where(eq(mailItems.userId, user.id))
    await tx.db.delete(mails).where(eq(mails.userId, user.id))
    await tx.db.delete(mailPreferences).where(eq(mailPreferences.userId, user.id))
    await tx.db.delete(apiTokens).where(eq(apiTokens.userId, user.id))
    await tx.db.delete(savedViews).where(and(eq(savedViews.ownerId, user.id), eq(savedViews.isShared, false)))
    await tx.db.delete(passwordResets).where(eq(passwordResets.userId, user.id))
    await tx.db
      .update(users)
      .set({
        name: ERASED_PERSON,
        email: `erased-${user.id}@erased.invalid`,
        passwordHash: null,
        disabledAt: user.disabledAt ?? tx.now,
        erasedAt: tx.now,
        sessionVersion: sql`${users.sessionVersion} + 1`,
        updatedAt: tx.now,
      })
      .where(eq(users.id, user.id))
    await forget(tx, user.id)
    await tx.record({
      type: 'user.erased',
      subjectId: user.id,
      data: { erased: countsOf(done.erased), kept: countsOf(done.kept) },
    })
    return { ...done, person: { id: user.id, name: ERASED_PERSON } }
  },
})

const heldBack = (name: string, projects: readonly { name: string }[]) =>
  new DomainError(
    'legal_hold',
    `${quote(name)} cannot be erased: ${projects.length === 1 ? 'a project' : `${projects.length} projects`} with this person ${projects.length === 1 ? 'is' : 'are'} under legal hold (${projects
      .slice(0, 5)
      .map((project) => quote(project.name))
      .join(', ')}${projects.length > 5 ? ', …' : ''}). Lift the hold first, or wait until it is lifted.`,
  )

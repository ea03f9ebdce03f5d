import { and, eq, inArray, isNull, ne, not, or, type SQL, sql } from 'drizzle-orm'
import { newId } from '@/db/schema/columns'
import { users } from '@/db/schema/directory'
import { notifications } from '@/db/schema/events'
import { ROLES, type Role } from '@/lib/vocabulary'
import type { RecordedEvent } from '../kernel/events'
import type { Tx } from '../kernel/operation'
import { withNames } from '../review/mentions'
import { queueMail } from './mail'

type Letter = {
  to:
    | 'operator'
    | 'coordinator'
    | 'both'
    | 'thread'
    | 'mentioned'
    | 'administrators'
    | 'next_approver'
    | 'estimator'
    | 'stage'
    | 'stages'
  title: string
  body: string
}

const plural = (count: unknown, one: string) => `${count} ${one}${count === 1 ? '' : 's'}`

/** What an event says to whom, or null when no user needs to be notified. */
function letterFor(event: RecordedEvent): Letter | null {
  const data = event.data as Record<string, string>
  switch (event.type) {
    case 'batch.submitted':
      return {
        to: 'operator',
        title: `${data.name} is ready for your review`,
        body: `${plural(data.files, 'file')} in ${data.project}, round ${data.round}. Submitted by ${event.actorName}.`,
      }
    case 'pre_qc.completed':
      return {
        to: 'both',
        title: `Pre-QC finished for ${data.name}`,
        body: `${data.pass} passed, ${plural(data.warning, 'warning')}, ${data.fail} failed.`,
      }
    case 'batch.review_completed':
      return {
        to: 'coordinator',
        title: data.outcome === 'approved' ? `${data.name} is approved` : `${data.name} awaits a resupply`,
        body: `${data.approved} approved, ${data.rejected} rejected in round ${data.round}. Reviewed by ${event.actorName}.`,
      }
    case 'batch.resupplied':
      return {
        to: 'both',
        title: `The resupply of ${data.name} is complete`,
        body: `All that was expected has arrived. Submit the batch to begin round ${data.next_round}.`,
      }
    case 'file.received':
      // Staff know what they uploaded themselves; of what comes through a link they are notified.
      return event.actorType === 'upload_link' && data.notify
        ? {
            to: 'coordinator',
            title: `${data.file} arrived`,
            body: `Through the link “${event.actorName || 'without a label'}” for ${data.name}.`,
          }
        : null
    case 'comment.added':
    case 'comment.resolved':
    case 'comment.reopened': {
      const what = {
        'comment.added': data.answers ? 'replied' : 'commented',
        'comment.resolved': 'resolved a comment',
        'comment.reopened': 'reopened a comment',
      }[event.type]
      return { to: 'thread', title: `${event.actorName} ${what} on ${data.file}`, body: `${data.name}: ${data.body}` }
    }
    case 'comment.mentioned':
      return {
        to: 'mentioned',
        title: `${event.actorName} mentioned you on ${data.file}`,
        body: `${data.name}: ${data.body}`,
      }
    case 'review_link.decided':
      return {
        to: 'both',
        title: `${event.actorName} ${data.after} ${data.file}`,
        body: `${data.batch}, version ${data.version}${data.comment ? `: ${data.comment}` : '.'}`,
      }
    case 'review_stage.completed':
      return {
        to: 'stages',
        title: `The stage “${data.name}” of ${data.batch} has decided`,
        body: `${data.approved} approved, ${data.rejected} rejected. Where you take part in the next stage, it waits for you now.`,
      }
    case 'review_stage.due':
      return {
        to: 'stage',
        title: event.data.is_late
          ? `The stage “${data.name}” of ${data.batch} is late`
          : `The stage “${data.name}” of ${data.batch} is due within a day`,
        body: `${data.decided} of ${plural(data.files, 'file')} decided.`,
      }
    case 'file.quarantined':
      return { to: 'both', title: `${data.file} was quarantined`, body: `${data.reason}` }
    case 'estimate.submitted':
    case 'estimate.step_approved':
      return event.data.next
        ? {
            to: 'next_approver',
            title: `${data.number} waits for your approval`,
            body: `${data.title}. Step: ${data.waits_for}. Submitted or passed on by ${event.actorName}.`,
          }
        : null
    case 'estimate.revision_discarded':
      return event.data.next
        ? {
            to: 'next_approver',
            title: `${data.number} waits for your approval again`,
            body: `${data.title}. Step: ${data.waits_for}. ${event.actorName} discarded the revision that was being written.`,
          }
        : null
    case 'estimate.proposed':
      return {
        to: 'estimator',
        title: `${data.number} is proposed for a round beyond the quote`,
        body: `${data.batch} went into round ${data.round}; ${data.quoted} were quoted in ${data.project}, ${data.used} are used. A draft waits for you; nothing was sent.`,
      }
    case 'estimate.approved':
      return { to: 'estimator', title: `${data.number} is approved`, body: decisionOf(event) }
    case 'estimate.rejected':
      return { to: 'estimator', title: `${data.number} was rejected`, body: decisionOf(event) }
    case 'estimate.decision_undone':
      return { to: 'estimator', title: `The client took back the decision on ${data.number}`, body: `${data.title}` }
    case 'delivery.completed':
      return {
        to: 'coordinator',
        title: `${data.name} was delivered to ${data.to}`,
        body: `${plural(data.files, 'file')}, each verified after it was sent. The receipt has the details.`,
      }
    case 'delivery.failed':
      return {
        to: 'coordinator',
        title: `${data.name} could not be delivered to ${data.to}`,
        body: `${data.delivered} of ${plural(data.files, 'file')} arrived. ${data.reason}`,
      }
    case 'webhook.disabled':
      return { to: 'administrators', title: `The webhook to ${data.url} was disabled`, body: `${data.reason}` }
    default:
      return null
  }
}

function decisionOf({ data, actorName }: RecordedEvent) {
  const who = data.client ?? data.rejected_by ?? data.recorded_by ?? actorName
  return `${data.title}. By ${who}${data.comment ? `: ${data.comment}` : '.'}`
}

/** Whom a letter is for, and which screen it is about; null when there is none. */
function addressOf(event: RecordedEvent, to: Letter['to']) {
  if (to === 'administrators')
    return { who: eq(users.role, 'administrator'), href: `/settings/webhooks/${event.subjectId}` }
  if (to === 'next_approver' || to === 'estimator') {
    const who = to === 'estimator' ? estimatorOf(event) : approversOf(event)
    return who && { who, href: `/cost-estimates/${event.subjectId}` }
  }
  const { batchId, projectId, inCharge } = event
  if (!batchId) return null
  if (to === 'coordinator' && inCharge?.coordinatorId === null) return null
  const who = inChargeOf(batchId, to)
  const href = `/projects/${projectId}/batches/${batchId}`
  if (event.type.startsWith('delivery.')) return { who, href: `${href}/deliveries` }
  if (event.type === 'review_link.decided') return { who, href: `${href}/review?file=${event.data.file_id}` }
  if (to === 'stage' || to === 'stages') return { who: or(who, takesPartInStage(event, to)), href: `${href}/review` }
  if (to !== 'thread' && to !== 'mentioned') return { who, href }
  const thread = event.data.answers ?? event.subjectId
  const there = `${href}/review?file=${event.data.file_id}#comment=${thread}`
  if (to === 'mentioned') return { who: isMentioned(event, 'people'), href: there }
  // Who is mentioned in a comment is notified of that.
  return { who: and(or(who, takesPartIn(event)), not(isMentioned(event, 'mentions'))), href: there }
}

/** The operator of the batch, its coordinator, or both. */
function inChargeOf(batchId: string, to: Letter['to']) {
  const wanted = to === 'operator' || to === 'coordinator' ? `${to}_id` : 'operator_id, coordinator_id'
  return sql`${users.id} in (select unnest(array[${sql.raw(wanted)}]) from batches where id = ${batchId})`
}

/** Users who wrote in the thread of a comment and still see the project. */
function takesPartIn({ data, subjectId, projectId }: RecordedEvent) {
  const thread = data.answers ?? subjectId
  return sql`${users.id} in (select created_by from file_comments where id = ${thread} or parent_id = ${thread})
    and (${users.role} = 'administrator' or ${isMember(projectId)})`
}

/** Users who are mentioned in a comment and still see the project. */
function isMentioned({ data, projectId }: RecordedEvent, field: 'people' | 'mentions'): SQL {
  const ids = Array.isArray(data[field]) ? (data[field] as string[]) : []
  if (ids.length === 0) return sql`false`
  return sql`(${inArray(users.id, ids)} and (${users.role} = 'administrator' or ${isMember(projectId)}))`
}

/** Users who take part in the stage, or in any of the batch, and still see the project. */
const takesPartInStage = ({ subjectId, batchId, projectId }: RecordedEvent, which: 'stage' | 'stages') =>
  sql`${users.id} in (select m.user_id from review_stage_members m join review_stages s on s.id = m.stage_id
      where ${which === 'stage' ? sql`s.id = ${subjectId}` : sql`s.batch_id = ${batchId} and s.withdrawn_at is null and s.completed_at is null`})
    and (${users.role} = 'administrator' or ${isMember(projectId)})`

const estimatorOf = (event: RecordedEvent) =>
  sql`${users.id} in (select unnest(array[created_by, submitted_by]) from cost_estimates where id = ${event.subjectId})`

/**
 * The person the next step names; or of those who have its role the members of the project, all others only where no
 * member can take it. A user who may not decide about their own estimate is not asked to.
 */
function approversOf({ data, projectId, subjectId }: RecordedEvent) {
  const { role, user } = data.next as { role: Role | null; user: { id: string } | null }
  if (user) return eq(users.id, user.id)
  const roles = ROLES.slice(ROLES.indexOf(role ?? 'administrator'))
  const canTake = sql`(${inArray(users.role, roles)} and not exists (select 1 from cost_estimates e
    where e.id = ${subjectId} and not e.allow_own and ${users.role} <> 'administrator'
      and ${users.id} in (e.created_by, e.submitted_by)))`
  const members = sql`select ${users.id} from ${users} where ${users.disabledAt} is null and ${canTake} and ${isMember(projectId)}`
  return and(canTake, or(sql`not exists (${members})`, isMember(projectId)))
}

const isMember = (projectId: string | null) =>
  sql`exists (select 1 from project_members m where m.project_id = ${projectId} and m.user_id = ${users.id})`

/** What is news even to the user who caused it: work that waits for them, a draft they did not write. */
const isNews = (event: RecordedEvent, { to }: Letter) => to === 'operator' || event.type === 'estimate.proposed'

/** Writes the notifications of an event, in its transaction; users are not notified of what they did themselves. */
export async function notifyAbout(tx: Tx, event: RecordedEvent) {
  const letter = letterFor(event)
  const address = letter && addressOf(event, letter.to)
  if (!address) return
  const recipients = await tx.db
    .select({ id: users.id })
    .from(users)
    .where(
      and(
        address.who,
        isNull(users.disabledAt),
        event.actorId && !isNews(event, letter) ? ne(users.id, event.actorId) : undefined,
      ),
    )
  if (recipients.length === 0) return
  const body = await withNames(tx, letter.body)
  const notified = await tx.db
    .insert(notifications)
    .values(
      recipients.map(({ id: userId }) => ({
        id: newId(tx.now),
        userId,
        eventId: event.id,
        type: event.type,
        title: letter.title.slice(0, 300),
        body: body.slice(0, 1000),
        href: address.href,
        createdAt: tx.now,
      })),
    )
    .onConflictDoNothing()
    .returning({ id: notifications.id, userId: notifications.userId, type: notifications.type })
  await queueMail(tx, notified)
}

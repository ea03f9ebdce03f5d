import { and, eq, inArray, sql } from 'drizzle-orm'
import { events } from '@/db/schema/events'
import { reviewLinks } from '@/db/schema/review-links'
import { shareLinks } from '@/db/schema/share-links'
import { ERASED_PERSON } from '@/lib/vocabulary'
import type { BatchInProject } from '../batches/find'
import { invalidState } from '../kernel/errors'
import { command, query, type Tx } from '../kernel/operation'
import { openEvents } from '../kernel/personal'
import { assertNotHeld, holdOn } from '../projects/holds'
import { onReviewLink } from '../review-links/find'
import { onShareLink } from '../share-links/find'
import { Erasure } from './schema'
import { countsOf, forget, rewriteTexts } from './texts'

/** Guests of review links and receivers of share links: people without an account, each known by the link made for them. */

type Link = { id: string; name: string; email?: string | null }
type OfLink = BatchInProject & { link: Link }

/** The events by the person, and those that say something of the link; as a condition on `e`. */
const concerning = (id: string) =>
  sql`((e.actor_type = 'guest' and e.actor_id = ${id}) or e.subject_id = ${id}
    or (e.type = 'comment.deleted' and e.data::text like ${`%${id}%`}))`

/** Name and address as they are, and as they were. */
async function namesOf(tx: Tx, { id, name, email }: Link): Promise<string[]> {
  const about = await tx.db
    .select()
    .from(events)
    .where(
      and(
        eq(events.subjectId, id),
        inArray(events.type, [
          'review_link.created',
          'review_link.updated',
          'share_link.created',
          'share_link.updated',
        ]),
      ),
    )
  const said = (await openEvents(tx.db, about)).map(({ type, data }) =>
    type.startsWith('share_link.') ? data.to : data.name,
  )
  return [...new Set([name, email, ...said])].filter((text): text is string => typeof text === 'string')
}

async function survey(tx: Tx, { link, project }: OfLink): Promise<Erasure> {
  if (link.name === ERASED_PERSON)
    throw invalidState('The person of this link was erased already.', 'erased', ['known'])
  const [counted] = await tx.db.execute<Record<string, number>>(sql`
    with events_of as (select e.id, e.actor_name like 'sealed:1:%' or e.data::text like '%"sealed:1:%' as is_sealed
      from events e where ${concerning(link.id)})
    select
      (select count(*)::int from notifications n join events_of e on e.id = n.event_id) as others_notifications,
      (select count(*)::int from webhook_deliveries d join events_of e on e.id = d.event_id) as webhook_deliveries,
      (select count(*)::int from events_of where is_sealed) as audit_events,
      (select count(*)::int from events_of where not is_sealed) as earlier_audit_events,
      (select count(*)::int from comment_attachments a join file_comments c on c.id = a.comment_id where c.review_link_id = ${link.id}) as attachments`)
  const of = <Place extends string>(place: Place) => ({ place, count: counted?.[place] ?? 0 })
  const hold = await holdOn(tx, project)
  return {
    person: { id: link.id, name: link.name },
    erased: [{ place: 'link', count: 1 }, of('others_notifications'), of('webhook_deliveries'), of('audit_events')],
    kept: [of('earlier_audit_events'), of('attachments')],
    held_projects: hold ? [{ id: project.id, name: project.name }] : [],
  }
}

/** What a link says of its person; the link does not work any more, as no one is known by it. */
const erasedLink = (tx: Tx, link: { deactivatedAt: Date | null }) => ({
  name: ERASED_PERSON,
  note: null,
  passwordHash: null,
  deactivatedAt: link.deactivatedAt ?? tx.now,
  updatedAt: tx.now,
})

async function erase(
  tx: Tx,
  on: OfLink,
  type: 'review_link.guest_erased' | 'share_link.receiver_erased',
): Promise<Erasure> {
  const { link, batch, project } = on
  const erasure = await survey(tx, on)
  await rewriteTexts(tx, concerning(link.id), await namesOf(tx, link))
  await forget(tx, link.id)
  await tx.record({
    type,
    projectId: project.id,
    batchId: batch.id,
    subjectId: link.id,
    data: { batch: batch.name, erased: countsOf(erasure.erased), kept: countsOf(erasure.kept) },
  })
  return { ...erasure, person: { id: link.id, name: ERASED_PERSON } }
}

export const previewGuestErasure = query({
  name: 'previewGuestErasure',
  summary: 'What erasing the person of a review link would erase and where, and what it cannot reach',
  permission: 'users.manage',
  resource: onReviewLink,
  output: Erasure,
  run: (tx, { resource }) => survey(tx, resource),
})

export const eraseGuest = command({
  name: 'eraseGuest',
  summary:
    'Erase the person of a review link: name, e-mail address and note go for good, and the link is switched off; comments and decisions stay',
  permission: 'users.manage',
  resource: onReviewLink,
  output: Erasure,
  async run(tx, { resource }) {
    await assertNotHeld(tx, resource.project)
    const erasure = await erase(tx, resource, 'review_link.guest_erased')
    await tx.db
      .update(reviewLinks)
      .set({ ...erasedLink(tx, resource.link), email: null })
      .where(eq(reviewLinks.id, resource.link.id))
    return erasure
  },
})

export const previewReceiverErasure = query({
  name: 'previewReceiverErasure',
  summary: 'What erasing the receiver of a share link would erase and where, and what it cannot reach',
  permission: 'users.manage',
  resource: onShareLink,
  output: Erasure,
  run: (tx, { resource }) => survey(tx, resource),
})

export const eraseReceiver = command({
  name: 'eraseReceiver',
  summary:
    'Erase the receiver of a share link: name and note go for good, and the link is switched off; what was shared and how often it was downloaded stays',
  permission: 'users.manage',
  resource: onShareLink,
  output: Erasure,
  async run(tx, { resource }) {
    await assertNotHeld(tx, resource.project)
    const erasure = await erase(tx, resource, 'share_link.receiver_erased')
    await tx.db.update(shareLinks).set(erasedLink(tx, resource.link)).where(eq(shareLinks.id, resource.link.id))
    return erasure
  },
})

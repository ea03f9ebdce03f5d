import { and, eq, inArray, isNull, ne } from 'drizzle-orm'
import { newId } from '@/db/schema/columns'
import { users } from '@/db/schema/directory'
import { notifications } from '@/db/schema/events'
import { batches } from '@/db/schema/projects'
import type { RecordedEvent } from '../kernel/events'
import type { Tx } from '../kernel/operation'

type Letter = { to: 'operator' | 'coordinator' | 'both' | 'administrators'; title: string; body: string }

const plural = (count: unknown, one: string) => `${count} ${one}${count === 1 ? '' : 's'}`

/** What an event says to whom, or null when nobody needs to be told. */
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
    case 'file.received':
      // Staff know what they uploaded themselves; what comes through a link they are told.
      return event.actorType === 'upload_link' && data.notify
        ? {
            to: 'coordinator',
            title: `${data.file} arrived`,
            body: `Through the link “${event.actorName || 'without a label'}” for ${data.name}.`,
          }
        : null
    case 'file.quarantined':
      return { to: 'both', title: `${data.file} was quarantined`, body: `${data.reason}` }
    case 'webhook.disabled':
      return { to: 'administrators', title: `The webhook to ${data.url} was disabled`, body: `${data.reason}` }
    default:
      return null
  }
}

/** Whom a letter is for, and which screen it is about; null when that is nobody. */
async function addressOf(tx: Tx, event: RecordedEvent, to: Letter['to']) {
  if (to === 'administrators')
    return { who: eq(users.role, 'administrator'), href: `/settings/webhooks/${event.subjectId}` }
  if (!event.batchId) return null
  const [batch] = await tx.db.select().from(batches).where(eq(batches.id, event.batchId))
  if (!batch) return null
  const wanted = {
    operator: [batch.operatorId],
    coordinator: [batch.coordinatorId],
    both: [batch.operatorId, batch.coordinatorId],
  }[to].filter((id) => id !== null)
  return { who: inArray(users.id, wanted), href: `/projects/${batch.projectId}/batches/${batch.id}` }
}

/** Writes the notifications of an event, in its transaction; nobody is told of what they did themselves. */
export async function notifyAbout(tx: Tx, event: RecordedEvent) {
  const letter = letterFor(event)
  const address = letter && (await addressOf(tx, event, letter.to))
  if (!address) return
  const everybody = await tx.db
    .select({ id: users.id })
    .from(users)
    .where(
      and(
        address.who,
        isNull(users.disabledAt),
        event.actorId && letter.to !== 'operator' ? ne(users.id, event.actorId) : undefined,
      ),
    )
  if (everybody.length === 0) return
  await tx.db
    .insert(notifications)
    .values(
      everybody.map(({ id: userId }) => ({
        id: newId(tx.now),
        userId,
        eventId: event.id,
        type: event.type,
        title: letter.title.slice(0, 300),
        body: letter.body.slice(0, 1000),
        href: address.href,
        createdAt: tx.now,
      })),
    )
    .onConflictDoNothing()
}

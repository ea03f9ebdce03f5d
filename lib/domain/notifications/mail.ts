import { and, asc, eq, inArray, isNotNull, isNull, lte } from 'drizzle-orm'
import { newId } from '@/db/schema/columns'
import { users } from '@/db/schema/directory'
import { events, notifications } from '@/db/schema/events'
import { mailItems, mailPreferences, mails } from '@/db/schema/mail'
import type { EventType, MailFrequency } from '@/lib/vocabulary'
import { type Context, inTransaction, type Tx } from '../kernel/operation'
import { iso } from '../kernel/shapes'
import { composeLetter } from './letter'
import type { MailResult, OutgoingMail } from './port'
import { dueAt, MAIL_DEFAULTS, MAIL_GIVE_UP_MS, MAIL_LEASE_MS, waitAfter } from './rules'

/**
 * From a notification to a mail that was taken. Items are written with the notification. One mail is under way for one
 * person at a time, so that whatever becomes due while a mail server is away joins it instead of becoming another.
 */

type NotificationRef = { id: string; userId: string; type: EventType }

/** Puts down what is to be mailed of these notifications, in the transaction that made them. */
export async function queueMail(tx: Tx, notified: NotificationRef[]) {
  const [first] = notified
  if (!first || !tx.ports.mail.isSetUp || !(first.type in MAIL_DEFAULTS)) return
  const chosen = await tx.db
    .select()
    .from(mailPreferences)
    .where(
      and(
        eq(mailPreferences.type, first.type),
        inArray(
          mailPreferences.userId,
          notified.map(({ userId }) => userId),
        ),
      ),
    )
  for (const { id, userId, type } of notified) {
    const usual: MailFrequency | undefined = (MAIL_DEFAULTS as Partial<Record<EventType, MailFrequency>>)[type]
    const frequency = chosen.find((row) => row.userId === userId)?.frequency ?? usual ?? 'none'
    if (frequency === 'none') continue
    const due = dueAt(frequency, tx.now)
    await tx.db
      .insert(mailItems)
      .values({ id: newId(tx.now), userId, notificationId: id, dueAt: due, createdAt: tx.now })
    await later(tx, userId, due)
  }
}

// One job for each time: a later one must not push back an earlier one.
const later = (tx: Tx, userId: string, at: Date) =>
  tx.enqueue('send_mail', { user_id: userId }, { key: `send_mail:${userId}:${iso(at)}`, runAt: at })

export type ClaimedMail = { id: string; userId: string; attempt: number; letter: OutgoingMail }

/** Begins an attempt for this person, if anything is due and no other attempt is under way. */
export function claimMail(ctx: Context, userId: string): Promise<ClaimedMail | null> {
  return inTransaction(ctx, async (tx) => {
    const [user] = await tx.db.select().from(users).where(eq(users.id, userId)).for('no key update')
    if (!user || user.disabledAt) return null
    const [pending] = await tx.db
      .select()
      .from(mails)
      .where(and(eq(mails.userId, userId), eq(mails.status, 'pending')))
    if (pending?.leasedUntil && pending.leasedUntil > tx.now) {
      await later(tx, userId, pending.leasedUntil)
      return null
    }
    const waiting = and(eq(mailItems.userId, userId), isNull(mailItems.mailId), lte(mailItems.dueAt, tx.now))
    if (!pending && (await tx.db.$count(mailItems, waiting)) === 0) return null
    const id = pending?.id ?? newId(tx.now)
    const leasedUntil = new Date(tx.now.getTime() + MAIL_LEASE_MS)
    const attempt = (pending?.attempts ?? 0) + 1
    if (pending) {
      await tx.db.update(mails).set({ attempts: attempt, leasedUntil, updatedAt: tx.now }).where(eq(mails.id, id))
    } else {
      const row = { id, userId, attempts: attempt, leasedUntil, createdAt: tx.now, updatedAt: tx.now }
      await tx.db.insert(mails).values(row)
    }
    if (!pending?.isFixed) await tx.db.update(mailItems).set({ mailId: id }).where(waiting)
    // Should this process die, the mail goes on when the lease has passed.
    await later(tx, userId, leasedUntil)
    const items = await tx.db
      .select({
        title: notifications.title,
        body: notifications.body,
        href: notifications.href,
        createdAt: notifications.createdAt,
        batchId: events.batchId,
      })
      .from(mailItems)
      .innerJoin(notifications, eq(notifications.id, mailItems.notificationId))
      .innerJoin(events, eq(events.id, notifications.eventId))
      .where(eq(mailItems.mailId, id))
      .orderBy(asc(events.sequence))
    const to = { name: user.name, email: user.email }
    return { id, userId, attempt, letter: composeLetter({ mailId: id, to, items, baseUrl: tx.ports.baseUrl }) }
  })
}

/** Writes down how an attempt ended, and what follows from it. */
export function finishMail(ctx: Context, { id, userId, attempt }: ClaimedMail, outcome: MailResult): Promise<void> {
  return inTransaction(ctx, async (tx) => {
    const [mail] = await tx.db
      .select()
      .from(mails)
      .where(and(eq(mails.id, id), eq(mails.attempts, attempt), eq(mails.status, 'pending')))
      .for('no key update')
    if (!mail) return
    const isOver = tx.now.getTime() - mail.createdAt.getTime() >= MAIL_GIVE_UP_MS
    const status =
      outcome.kind === 'sent'
        ? 'sent'
        : outcome.kind === 'refused' || isOver
          ? ('failed' as const)
          : ('pending' as const)
    const next = status === 'pending' ? new Date(tx.now.getTime() + waitAfter(attempt)) : null
    await tx.db
      .update(mails)
      .set({
        status,
        leasedUntil: next,
        error: outcome.kind === 'sent' ? null : outcome.error.slice(0, 1000),
        isFixed: mail.isFixed || (outcome.kind === 'failed' && outcome.mayHaveArrived),
        ...(outcome.kind === 'sent' && { sentAt: tx.now }),
        updatedAt: tx.now,
      })
      .where(eq(mails.id, id))
    if (status === 'sent') await recordSent(tx, id, userId)
    // After this mail, whatever became due meanwhile.
    await later(tx, userId, next ?? tx.now)
  })
}

/** On the trail of each batch the mail is about: who was mailed. */
async function recordSent(tx: Tx, mailId: string, userId: string) {
  const about = await tx.db
    .selectDistinct({ projectId: events.projectId, batchId: events.batchId, to: users.name })
    .from(mailItems)
    .innerJoin(notifications, eq(notifications.id, mailItems.notificationId))
    .innerJoin(events, eq(events.id, notifications.eventId))
    .innerJoin(users, eq(users.id, userId))
    .where(and(eq(mailItems.mailId, mailId), isNotNull(events.batchId)))
  for (const { projectId, batchId, to } of about)
    await tx.record({ type: 'mail.sent', projectId, batchId, subjectId: userId, data: { to } })
}

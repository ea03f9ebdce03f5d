import { and, eq, gt, isNotNull, isNull, lte, or } from 'drizzle-orm'
import { events, notifications } from '@/db/schema/events'
import { batches, projects } from '@/db/schema/projects'
import type { NOTIFICATION_BOXES } from '@/lib/vocabulary'
import { invalidField, quote } from '../kernel/errors'
import { command, type Finder, query, type Tx } from '../kernel/operation'
import { findRow, isAnyOf, listNewest, namesById } from '../kernel/rows'
import { iso, isoOrNull } from '../kernel/shapes'
import { visibleTo } from '../kernel/visibility'
import {
  ListNotifications,
  NewestNotifications,
  Notification,
  NotificationList,
  UnreadCount,
  UpdateNotification,
} from './schema'

/** Notifications: users see their own, and no others, whatever their role. */

type Row = typeof notifications.$inferSelect

const presentAlone = (row: Row) => ({
  id: row.id,
  type: row.type,
  title: row.title,
  body: row.body,
  href: row.href,
  read_at: isoOrNull(row.readAt),
  archived_at: isoOrNull(row.archivedAt),
  snoozed_until: isoOrNull(row.snoozedUntil),
  created_at: iso(row.createdAt),
})

function ownTo({ actor }: Tx) {
  if (actor.type !== 'user') throw new Error('Only people have an inbox.')
  return eq(notifications.userId, actor.id)
}

const isAwake = (tx: Tx) => or(isNull(notifications.snoozedUntil), lte(notifications.snoozedUntil, tx.now))

function isIn(tx: Tx, box: (typeof NOTIFICATION_BOXES)[number]) {
  const { archivedAt, snoozedUntil, readAt } = notifications
  switch (box) {
    case 'inbox':
      return and(isNull(archivedAt), isAwake(tx))
    case 'returned':
      return and(isNull(archivedAt), isNull(readAt), isNotNull(snoozedUntil), lte(snoozedUntil, tx.now))
    case 'snoozed':
      return and(isNull(archivedAt), gt(snoozedUntil, tx.now))
    case 'archived':
      return isNotNull(archivedAt)
  }
}

const unreadOf = (tx: Tx) =>
  tx.db.$count(notifications, and(ownTo(tx), isNull(notifications.readAt), isIn(tx, 'inbox')))

/** What the notifications are about, as far as their owner still sees it. */
async function presentAll(tx: Tx, rows: Row[]): Promise<Notification[]> {
  if (rows.length === 0) return []
  const about = await tx.db
    .select({ id: events.id, batchId: events.batchId })
    .from(events)
    .where(
      isAnyOf(
        events.id,
        rows.map(({ eventId }) => eventId),
      ),
    )
  const batchOf = new Map(about.map(({ id, batchId }) => [id, batchId]))
  const seen = await tx.db
    .select({ id: batches.id, name: batches.name, projectId: batches.projectId })
    .from(batches)
    .where(and(isAnyOf(batches.id, batchOf.values()), visibleTo(tx.actor, batches.projectId)))
  const batchById = new Map(seen.map((batch) => [batch.id, batch]))
  const projectOf = await namesById(
    tx,
    projects,
    seen.map(({ projectId }) => projectId),
  )
  return rows.map((row) => {
    const batch = batchById.get(batchOf.get(row.eventId) ?? '')
    const project = batch && projectOf.get(batch.projectId)
    return { ...presentAlone(row), batch: project ? { id: batch.id, name: batch.name, project } : null }
  })
}

async function presentOne(tx: Tx, row: Row): Promise<Notification> {
  const [shown] = await presentAll(tx, [row])
  if (!shown) throw new Error('One row is presented as one notification.')
  return shown
}

const onNotification: Finder<'notification_id', Row> = {
  params: ['notification_id'],
  find: (tx, { notification_id }, lock) => findRow(tx, notifications, 'notification', notification_id, lock, ownTo(tx)),
}

export const listNotifications = query({
  name: 'listNotifications',
  summary: 'Your notifications, newest first',
  permission: 'notifications.own',
  input: ListNotifications,
  output: NotificationList,
  async run(tx, { input }) {
    const unread = input.unread === 'true' ? isNull(notifications.readAt) : undefined
    const box = input.box && isIn(tx, input.box)
    const { rows, next_cursor } = await listNewest(tx, notifications, input, ownTo(tx), unread, box)
    return { notifications: await presentAll(tx, rows), unread_count: await unreadOf(tx), next_cursor }
  },
})

const MOST_OF_BELL = 8

export const newestNotifications = query({
  name: 'newestNotifications',
  summary: 'The newest of your inbox, and how many of it are unread',
  permission: 'notifications.own',
  output: NewestNotifications,
  async run(tx) {
    const { rows } = await listNewest(tx, notifications, { limit: MOST_OF_BELL }, ownTo(tx), isIn(tx, 'inbox'))
    return { notifications: rows.map(presentAlone), unread_count: await unreadOf(tx) }
  },
})

export const readNotification = command({
  name: 'readNotification',
  summary: 'Mark a notification as read',
  permission: 'notifications.own',
  resource: onNotification,
  output: Notification,
  async run(tx, { resource: row }) {
    if (row.readAt) return presentOne(tx, row)
    await tx.db.update(notifications).set({ readAt: tx.now }).where(eq(notifications.id, row.id))
    return presentOne(tx, { ...row, readAt: tx.now })
  },
})

const YEAR_MS = 366 * 86_400_000

export const updateNotification = command({
  name: 'updateNotification',
  summary: 'Mark a notification as read or unread, archive it, or put it off until a time',
  permission: 'notifications.own',
  resource: onNotification,
  input: UpdateNotification,
  output: Notification,
  async run(tx, { resource: row, input }) {
    const until = input.snoozed_until ? new Date(input.snoozed_until) : null
    if (until && (until <= tx.now || until.getTime() > tx.now.getTime() + YEAR_MS)) {
      throw invalidField(
        'snoozed_until',
        'out_of_range',
        `snoozed_until must be in the future, a year at most; got ${quote(iso(until))}.`,
      )
    }
    const readAt = until
      ? null
      : input.archived || input.read
        ? (row.readAt ?? tx.now)
        : input.read === false
          ? null
          : row.readAt
    const next = {
      readAt,
      archivedAt:
        input.archived === undefined
          ? until
            ? null
            : row.archivedAt
          : input.archived
            ? (row.archivedAt ?? tx.now)
            : null,
      snoozedUntil: input.snoozed_until === undefined ? (input.archived ? null : row.snoozedUntil) : until,
    }
    await tx.db.update(notifications).set(next).where(eq(notifications.id, row.id))
    return presentOne(tx, { ...row, ...next })
  },
})

export const readAllNotifications = command({
  name: 'readAllNotifications',
  summary: 'Mark all your notifications as read, those that are put off excepted',
  permission: 'notifications.own',
  output: UnreadCount,
  async run(tx) {
    await tx.db
      .update(notifications)
      .set({ readAt: tx.now })
      .where(and(ownTo(tx), isNull(notifications.readAt), isAwake(tx)))
    return { unread_count: await unreadOf(tx) }
  },
})

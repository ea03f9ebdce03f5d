import { and, eq, isNull } from 'drizzle-orm'
import { notifications } from '@/db/schema/events'
import { command, type Finder, query, type Tx } from '../kernel/operation'
import { findRow, listNewest } from '../kernel/rows'
import { iso, isoOrNull } from '../kernel/shapes'
import { ListNotifications, Notification, NotificationList, UnreadCount } from './schema'

/** Notifications: users see their own, and no others, whatever their role. */

type Row = typeof notifications.$inferSelect

const present = (row: Row): Notification => ({
  id: row.id,
  type: row.type,
  title: row.title,
  body: row.body,
  href: row.href,
  read_at: isoOrNull(row.readAt),
  created_at: iso(row.createdAt),
})

function ownTo({ actor }: Tx) {
  if (actor.type !== 'user') throw new Error('Only people have an inbox.')
  return eq(notifications.userId, actor.id)
}

const unreadOf = (tx: Tx) => tx.db.$count(notifications, and(ownTo(tx), isNull(notifications.readAt)))

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
    const { rows, next_cursor } = await listNewest(tx, notifications, input, ownTo(tx), unread)
    return { notifications: rows.map(present), unread_count: await unreadOf(tx), next_cursor }
  },
})

export const readNotification = command({
  name: 'readNotification',
  summary: 'Mark a notification as read',
  permission: 'notifications.own',
  resource: onNotification,
  output: Notification,
  async run(tx, { resource: row }) {
    if (row.readAt) return present(row)
    await tx.db.update(notifications).set({ readAt: tx.now }).where(eq(notifications.id, row.id))
    return present({ ...row, readAt: tx.now })
  },
})

export const readAllNotifications = command({
  name: 'readAllNotifications',
  summary: 'Mark all your notifications as read',
  permission: 'notifications.own',
  output: UnreadCount,
  async run(tx) {
    await tx.db
      .update(notifications)
      .set({ readAt: tx.now })
      .where(and(ownTo(tx), isNull(notifications.readAt)))
    return { unread_count: await unreadOf(tx) }
  },
})

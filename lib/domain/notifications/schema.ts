import { z } from 'zod'
import { AUDIT_TYPES, EVENT_TYPES, MAIL_FREQUENCIES, NOTIFICATION_BOXES } from '@/lib/vocabulary'
import { paging, ref, timestamp, uuid } from '../kernel/shapes'
import { MAIL_TYPES } from './rules'

export const Notification = z
  .object({
    id: uuid,
    type: z.enum([...EVENT_TYPES, ...AUDIT_TYPES]).describe('The event it is about'),
    title: z.string(),
    body: z.string(),
    href: z.string().describe('Path of the screen it is about'),
    read_at: timestamp.nullable(),
    archived_at: timestamp.nullable(),
    snoozed_until: timestamp.nullable().describe('Until then it is not in the inbox'),
    batch: z
      .object({ id: uuid, name: z.string(), project: ref })
      .nullable()
      .describe('The batch it is about, where you see that'),
    created_at: timestamp,
  })
  .meta({ id: 'Notification' })
export type Notification = z.infer<typeof Notification>

export const NotificationList = z
  .object({
    notifications: z.array(Notification),
    unread_count: z.int().min(0).describe('Of all that are in the inbox, not only of this page'),
    next_cursor: z.string().nullable(),
  })
  .meta({ id: 'NotificationList' })

/** For the bell of every page: without what a notification is about, which its title says. */
export const NewestNotifications = z.object({
  notifications: z.array(Notification.omit({ batch: true })),
  unread_count: z.int().min(0),
})
export type NewestNotifications = z.infer<typeof NewestNotifications>

export const ListNotifications = z.strictObject({
  ...paging,
  box: z.enum(NOTIFICATION_BOXES).optional().describe('Only those that are there; without it all'),
  unread: z.enum(['true', 'false']).optional().describe('“true”: only those not read yet'),
})

export const UpdateNotification = z.strictObject({
  read: z.boolean().optional(),
  archived: z.boolean().optional().describe('What is archived counts as read'),
  snoozed_until: timestamp
    .nullable()
    .optional()
    .describe('In the future, a year at most; it is unread when it comes back. null: now'),
})

export const UnreadCount = z.object({ unread_count: z.int().min(0) }).meta({ id: 'UnreadCount' })

const mailType = z.enum(MAIL_TYPES)
const frequency = z.enum(MAIL_FREQUENCIES)

export const MailPreferences = z
  .object({
    sends_mail: z.boolean().describe('False: no mail server is set up, no mail is sent'),
    preferences: z.array(
      z.object({ type: mailType, frequency, usual: frequency.describe('What holds for who chose nothing') }),
    ),
  })
  .meta({ id: 'MailPreferences' })
export type MailPreferences = z.infer<typeof MailPreferences>

export const ChangeMailPreferences = z.strictObject({
  preferences: z
    .array(z.strictObject({ type: mailType, frequency }))
    .min(1)
    .max(MAIL_TYPES.length),
})

import { z } from 'zod'
import { AUDIT_TYPES, EVENT_TYPES, MAIL_FREQUENCIES } from '@/lib/vocabulary'
import { paging, timestamp, uuid } from '../kernel/shapes'
import { MAIL_TYPES } from './rules'

export const Notification = z
  .object({
    id: uuid,
    type: z.enum([...EVENT_TYPES, ...AUDIT_TYPES]).describe('The event it is about'),
    title: z.string(),
    body: z.string(),
    href: z.string().describe('Path of the screen it is about'),
    read_at: timestamp.nullable(),
    created_at: timestamp,
  })
  .meta({ id: 'Notification' })
export type Notification = z.infer<typeof Notification>

export const NotificationList = z
  .object({
    notifications: z.array(Notification),
    unread_count: z.int().min(0).describe('Of all, not only of this page'),
    next_cursor: z.string().nullable(),
  })
  .meta({ id: 'NotificationList' })

export const ListNotifications = z.strictObject({
  ...paging,
  unread: z.enum(['true', 'false']).optional().describe('“true”: only those not read yet'),
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

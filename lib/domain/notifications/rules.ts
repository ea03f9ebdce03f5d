import type { EventType, MailFrequency } from '@/lib/vocabulary'

/** How people are mailed about their notifications, where they chose nothing else. Kinds that are not here are not mailed. */
export const MAIL_DEFAULTS = {
  'batch.submitted': 'immediate',
  'batch.review_completed': 'immediate',
  'batch.resupplied': 'immediate',
  'pre_qc.completed': 'hourly',
  'comment.added': 'hourly',
  'comment.mentioned': 'immediate',
  'comment.resolved': 'hourly',
  'comment.reopened': 'hourly',
  'review_link.decided': 'hourly',
  'review_stage.completed': 'hourly',
  'review_stage.due': 'immediate',
  'file.received': 'hourly',
  'file.quarantined': 'immediate',
  'estimate.submitted': 'immediate',
  'estimate.step_approved': 'hourly',
  'estimate.approved': 'immediate',
  'estimate.rejected': 'immediate',
  'estimate.decision_undone': 'immediate',
  'delivery.completed': 'hourly',
  'delivery.failed': 'immediate',
  'webhook.disabled': 'immediate',
} as const satisfies Partial<Record<EventType, MailFrequency>>
export type MailType = keyof typeof MAIL_DEFAULTS
export const MAIL_TYPES = Object.keys(MAIL_DEFAULTS) as [MailType, ...MailType[]]

const SECOND = 1_000
const HOUR = 3_600_000
/** “At once” lets a burst settle: forty files of one delivery are one mail. */
const SETTLE_MS = 10 * SECOND
/** Daily mails go out at this hour, UTC. */
const DAILY_HOUR = 7
/** An attempt is over by then, or its process died. */
export const MAIL_LEASE_MS = 120 * SECOND
const LONGEST_WAIT_MS = 5 * 60 * SECOND
/** A mail no server takes for so long is given up. */
export const MAIL_GIVE_UP_MS = 3 * 24 * HOUR

/** When something that happened now is to be mailed. */
export function dueAt(frequency: Exclude<MailFrequency, 'none'>, now: Date): Date {
  if (frequency === 'immediate') return new Date(now.getTime() + SETTLE_MS)
  if (frequency === 'hourly') return new Date(Math.floor(now.getTime() / HOUR + 1) * HOUR)
  const due = new Date(now)
  due.setUTCHours(DAILY_HOUR, 0, 0, 0)
  return due > now ? due : new Date(due.getTime() + 24 * HOUR)
}

/** The wait after the nth attempt that failed: 15 s, doubled up to five minutes, so that a server that is back is found soon. */
export const waitAfter = (attempts: number) => Math.min(15 * SECOND * 2 ** (attempts - 1), LONGEST_WAIT_MS)

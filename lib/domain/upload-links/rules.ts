import type { BatchStatus, LinkStatus } from '@/lib/vocabulary'
import { DomainError } from '../kernel/errors'

type Link = { deactivatedAt: Date | null; expiresAt: Date | null; maxUses: number | null; useCount: number }

/** What a link is at this moment. Deactivation outlives everything; a link stops working when it expires. */
export function linkStatus(link: Link, now: Date): LinkStatus {
  if (link.deactivatedAt) return 'deactivated'
  if (link.expiresAt && link.expiresAt <= now) return 'expired'
  if (link.maxUses !== null && link.useCount >= link.maxUses) return 'used_up'
  return 'active'
}

/** The same for every holder of the link: with its delivery cancelled, a link is over. */
export const statusForHolder = (link: Link, batch: { status: BatchStatus }, now: Date): LinkStatus =>
  batch.status === 'cancelled' ? 'deactivated' : linkStatus(link, now)

/**
 * Whether anything behind the link is served.
 * @throws `link_expired`, `link_used_up`, `link_deactivated`
 */
export function assertReadable(link: Link, batch: { status: BatchStatus }, now: Date, sessionHoldsUse: boolean) {
  assertUsable(link, now, sessionHoldsUse)
  if (batch.status === 'cancelled')
    throw new DomainError('link_deactivated', 'The delivery this upload link was made for was cancelled.')
}

/**
 * Whether files may come through the link now. A session that holds one of the link's uses may go on with a used-up
 * link, but not with an expired or deactivated one.
 * @throws `link_expired`, `link_used_up`, `link_deactivated`
 */
export function assertUsable(link: Link, now: Date, sessionHoldsUse: boolean) {
  const status = linkStatus(link, now)
  if (status === 'deactivated')
    throw new DomainError('link_deactivated', 'This upload link was deactivated. Ask its sender for a new one.')
  if (status === 'expired') {
    throw new DomainError(
      'link_expired',
      `This upload link expired on ${link.expiresAt?.toISOString()}. Ask its sender for a new one.`,
    )
  }
  if (status === 'used_up' && !sessionHoldsUse) {
    throw new DomainError(
      'link_used_up',
      `This upload link was made for ${link.maxUses} ${link.maxUses === 1 ? 'upload' : 'uploads'}, and all of them are used. Ask its sender for a new one.`,
    )
  }
}

/** A session lasts until it is closed, or 24 hours after its last file. */
const SESSION_HOURS = 24

/** Of sessions that were not closed, those whose last file came at this moment or before are over. */
export const sessionsEndedBy = (now: Date) => new Date(now.getTime() - SESSION_HOURS * 3_600_000)

export const isSessionOpen = (
  session: { fileCount: number; lastFileAt: Date | null; closedAt: Date | null },
  now: Date,
) => session.closedAt === null && (session.lastFileAt === null || session.lastFileAt > sessionsEndedBy(now))

export const usesLeft = (link: Link) => (link.maxUses === null ? null : Math.max(0, link.maxUses - link.useCount))

import { DomainError } from '../kernel/errors'
import type { SCORECARD_LINK_STATUSES } from './schema'

type Link = { deactivatedAt: Date | null; expiresAt: Date | null }

/** What a link is at this moment. Deactivation outlives everything. */
export function scorecardLinkStatus(link: Link, now: Date): (typeof SCORECARD_LINK_STATUSES)[number] {
  if (link.deactivatedAt) return 'deactivated'
  return link.expiresAt && link.expiresAt <= now ? 'expired' : 'active'
}

/** @throws `link_expired`, `link_deactivated` */
export function assertReadable(link: Link, now: Date) {
  const status = scorecardLinkStatus(link, now)
  if (status === 'active') return
  const ask = 'Ask its sender for a new one.'
  throw status === 'expired'
    ? new DomainError('link_expired', `This scorecard could be read until ${link.expiresAt?.toISOString()}. ${ask}`)
    : new DomainError('link_deactivated', `This scorecard link was withdrawn. ${ask}`)
}

/** Fewer, and one who knows their own value could work out whose the other is. */
const LEAST_OTHERS = 3

/** Median of what the other agencies reach, in whole percent; null when there are too few to stay unknown. */
export function medianOfOthers(rates: readonly number[]): number | null {
  if (rates.length < LEAST_OTHERS) return null
  const sorted = [...rates].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  const upper = sorted[middle] ?? 0
  const median = sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? 0) + upper) / 2
  return Math.round(median * 100) / 100
}

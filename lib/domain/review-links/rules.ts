import type { BatchStatus } from '@/lib/vocabulary'
import { DomainError } from '../kernel/errors'

type Link = { deactivatedAt: Date | null; expiresAt: Date | null }

/** What a link is at this moment. Deactivation outlives everything. */
export function reviewLinkStatus(link: Link, now: Date): 'active' | 'expired' | 'deactivated' {
  if (link.deactivatedAt) return 'deactivated'
  return link.expiresAt && link.expiresAt <= now ? 'expired' : 'active'
}

/** The same for its holder: with its batch cancelled, a link is over. */
export const statusForHolder = (link: Link, batch: { status: BatchStatus }, now: Date) =>
  batch.status === 'cancelled' ? 'deactivated' : reviewLinkStatus(link, now)

/** @throws `link_expired`, `link_deactivated` */
export function assertOpen(link: Link, batch: { status: BatchStatus }, now: Date) {
  const status = statusForHolder(link, batch, now)
  if (status === 'active') return
  const ask = 'Ask its sender for a new one.'
  throw status === 'expired'
    ? new DomainError('link_expired', `This review link worked until ${link.expiresAt?.toISOString()}. ${ask}`)
    : new DomainError('link_deactivated', `This review link was switched off. ${ask}`)
}

import type { BatchStatus } from '@/lib/vocabulary'
import { DomainError, invalidField, quote } from '../kernel/errors'

/** What review links and share links have in common: one batch, shown to a person without an account, until the link ends. */
export type Link = { deactivatedAt: Date | null; expiresAt: Date | null }

/** What a link is at this moment. Deactivation outlives everything. */
export function linkStatus(link: Link, now: Date): 'active' | 'expired' | 'deactivated' {
  if (link.deactivatedAt) return 'deactivated'
  return link.expiresAt && link.expiresAt <= now ? 'expired' : 'active'
}

/** The same for its holder: with its batch cancelled, a link is over. */
export const statusForHolder = (link: Link, batch: { status: BatchStatus }, now: Date) =>
  batch.status === 'cancelled' ? 'deactivated' : linkStatus(link, now)

/** @throws `link_expired`, `link_deactivated` */
export function assertOpen(what: LinkNoun, link: Link, batch: { status: BatchStatus }, now: Date) {
  const status = statusForHolder(link, batch, now)
  if (status === 'active') return
  const ask = 'Ask its sender for a new one.'
  throw status === 'expired'
    ? new DomainError('link_expired', `This ${what} worked until ${link.expiresAt?.toISOString()}. ${ask}`)
    : new DomainError('link_deactivated', `This ${what} was switched off. ${ask}`)
}

export type LinkNoun = 'review link' | 'share link'

/** @throws `validation_failed` where a file that a link is to show is not in its batch */
export function assertAllInBatch(wanted: readonly string[], found: readonly { id: string }[]) {
  const ids = new Set(found.map(({ id }) => id))
  const missing = wanted.find((id) => !ids.has(id))
  if (missing)
    throw invalidField(
      'file_ids',
      'unknown_reference',
      `There is no file ${quote(missing)} in this batch. Name files of the batch the link is for.`,
    )
}

import type { BatchStatus } from '@/lib/vocabulary'
import { DomainError } from '../kernel/errors'
import { statusForHolder } from '../review-links/rules'

type Link = { deactivatedAt: Date | null; expiresAt: Date | null }

/** Why a file that was shared is not offered any more. */
export const WITHHELD = ['not_approved', 'not_sound', 'removed'] as const
export type Withheld = (typeof WITHHELD)[number]

/** As a sentence after the name of the file. */
export const WITHHELD_WORDS: Record<Withheld, string> = {
  not_approved: 'Its approval was withdrawn after it was shared.',
  not_sound: 'A fault was found in it after it was shared.',
  removed: 'It is not kept any more.',
}

/** @throws `link_expired`, `link_deactivated` */
export function assertOpen(link: Link, batch: { status: BatchStatus }, now: Date) {
  const status = statusForHolder(link, batch, now)
  if (status === 'active') return
  const ask = 'Ask its sender for a new one.'
  throw status === 'expired'
    ? new DomainError('link_expired', `This share link worked until ${link.expiresAt?.toISOString()}. ${ask}`)
    : new DomainError('link_deactivated', `This share link was switched off. ${ask}`)
}

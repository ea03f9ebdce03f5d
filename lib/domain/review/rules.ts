import type { IntegrityState, ReviewDecision } from '@/lib/vocabulary'
import { invalidField, invalidState, quote } from '../kernel/errors'
import type { PreQcResult } from '../pre-qc/schema'
import type { Anchor } from './schema'

/** Seconds in which a user can take back a decision of theirs. */
export const UNDO_SECONDS = 60

/** What is known of a file when it is asked whether it may be approved with many others, unseen. */
export type Candidate = {
  review: { decision: ReviewDecision }
  integrity: IntegrityState
  is_current: boolean
  /** As the interface says it; null while its bytes are kept. */
  removed: object | null
}

/**
 * Why a file is not approved together with all that pass, or null when it may be. A file passes when its checks have
 * ended, none of them failed, warned or could not run, and none was waived: a waiver is one person's evaluatement of one
 * finding, so such a file is reviewed by a person.
 */
export function whyNotPassing(
  file: Candidate,
  result: (Pick<PreQcResult, 'status' | 'summary'> & { hasWaiver: boolean }) | null,
): string | null {
  if (!file.is_current) return 'A newer version replaced it.'
  if (file.review.decision !== 'pending') return `It is ${file.review.decision} already.`
  if (file.removed) return 'It was removed by a retention rule.'
  if (file.integrity !== 'sound') return 'Its integrity is not settled.'
  if (!result) return 'It was not checked.'
  if (result.status === 'failed') return 'Its checks could not be run.'
  if (result.status !== 'completed') return 'Its checks have not ended.'
  if (result.hasWaiver) return 'A finding of its checks was waived.'
  if (result.summary === 'fail') return 'Its checks failed.'
  if (result.summary === 'warning') return 'Its checks have warnings.'
  return result.summary === 'pass' ? null : 'No check applied to it.'
}

/**
 * Whether a decision can still be taken back by its author.
 * @throws `invalid_state` once the time is over
 */
export function assertUndoable(file: { name: string; decision: ReviewDecision; decidedAt: Date | null }, now: Date) {
  if (file.decision === 'pending' || !file.decidedAt) {
    throw invalidState(`${quote(file.name)} has no decision to take back.`, 'pending', ['approved', 'rejected'])
  }
  if (now.getTime() - file.decidedAt.getTime() > UNDO_SECONDS * 1000) {
    throw invalidState(
      `The decision on ${quote(file.name)} is more than ${UNDO_SECONDS} seconds old. Decide anew instead.`,
      'too_late',
      [`within ${UNDO_SECONDS} seconds`],
    )
  }
}

/**
 * A place must be in the file: no page after the last, no second after the end, no page where there are none.
 * @throws `validation_failed`
 */
export function assertPlaceIn(
  file: { name: string; kind: string; media: Record<string, unknown> },
  anchor: Anchor | null | undefined,
) {
  if (!anchor) return
  const pages = numberOf(file.media.pages)
  const duration = numberOf(file.media.durationSeconds)
  const page = 'page' in anchor ? anchor.page : undefined
  if (page !== undefined) {
    if (file.kind !== 'document')
      throw invalidField('anchor.page', 'no_pages', `${quote(file.name)} has no pages. Leave out the page.`)
    if (pages !== null && page > pages) {
      const range = pages === 1 ? 'is page 1 only' : `are pages 1 to ${pages}`
      throw invalidField('anchor.page', 'too_large', `${quote(file.name)} has no page ${page}; there ${range}.`)
    }
  }
  const time = 'time' in anchor ? anchor.time : undefined
  if (time !== undefined) {
    const last = ('end' in anchor ? anchor.end : undefined) ?? time
    if (file.kind !== 'video' && file.kind !== 'audio' && duration === null)
      throw invalidField('anchor.time', 'no_time', `${quote(file.name)} does not run. Leave out the time.`)
    // A player may stop a little after the last frame.
    if (duration !== null && last > duration + 0.5) {
      throw invalidField(
        'anchor.time',
        'too_large',
        `${quote(file.name)} ends after ${duration} s; ${last} s lies behind that.`,
      )
    }
  }
}

const numberOf = (value: unknown) => (typeof value === 'number' ? value : null)

import type { PrintFacts, PrintMark, PrintMarks } from '@/lib/media/facts'
import type { Failure } from '@/lib/media/measurements'
import { type Finding, type Occurrence, skip } from '../check'
import { countConfidence } from '../confidence'

/** What checks of painted content have in common. */

export const BEFORE_PRINT = skip('The file was measured before what its pages paint was followed.')

/** Where nothing wrong was found: that, or why not all of it was looked at. */
export function unlessUnread({ unread }: PrintFacts, finding: Finding): Finding | Failure {
  return unread === null ? finding : { failed: `${unread}, so what its pages paint could not be evaluated` }
}

/** Those of a list that lie below a limit, with a tolerance for what matrices are rounded to. */
export const below = ({ marks }: PrintMarks, limit: number | null, tolerance: number): PrintMark[] =>
  limit === null ? [] : marks.filter(({ value }) => value < limit - tolerance)

/** `3`, or `at least 100` where the list holds only the first. */
export function atLeast(found: readonly PrintMark[], { count, marks }: PrintMarks): string {
  return found.length === marks.length && count > marks.length ? `at least ${found.length}` : String(found.length)
}

/** How likely something painted is seen: what is painted later may hide it. */
export const SEEN = 0.95

/**
 * How sure it is that one of several at least is as it was noted. `otherwise`: how likely each is whose ground is known by a
 * bounding box only.
 */
export const seenConfidence = (found: readonly PrintMark[], otherwise = SEEN) =>
  Math.max(
    found.length > 0 ? otherwise : 0,
    countConfidence(found.filter(({ isSurelyOn }) => isSurelyOn).length, SEEN),
    countConfidence(found.length, otherwise),
  )

export const placesOf = (marks: readonly PrintMark[]): Occurrence[] =>
  marks.slice(0, 100).map(({ page, region }) => ({ page, region }))

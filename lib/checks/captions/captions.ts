import type { CaptionFacts, CaptionPlace, OtherFacts } from '@/lib/media/facts'
import type { Occurrence } from '../check'
import { clock, count } from '../wording'

/** What the checks of captions have in common. */

const KEPT = 100
const MOST_SHOWN = 20
/** Files give times in milliseconds or frames: less than one is rounding. */
export const ROUNDING = 0.001

const isCaptions = (media: OtherFacts): media is CaptionFacts => 'cues' in media

export const notCaptions = (media: OtherFacts) => (isCaptions(media) ? null : 'The file holds no captions.')

/** For `run`, which is not asked of other files. */
export function captionsOf(media: OtherFacts): CaptionFacts {
  if (!isCaptions(media)) throw new Error('The file holds no captions')
  return media
}

/** `3 captions`, `at least 100 captions`: of each list the first hundred are kept. */
export function amount(places: readonly CaptionPlace[], singular = 'caption'): string {
  return `${places.length >= KEPT ? 'at least ' : ''}${count(places.length, singular)}`
}

export const at = ({ start }: CaptionPlace) => `at ${clock(start)}`

export const occurrencesOf = (places: readonly CaptionPlace[]): Occurrence[] =>
  places
    .slice(0, MOST_SHOWN)
    .map(({ start, end }) => ({ start, end }))
    .sort((a, b) => a.start - b.start)

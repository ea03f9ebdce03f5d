import type { ImageFacts, VideoFacts } from '@/lib/media/facts'
import type { Box, ReadWord, TextFacts } from '@/lib/media/measurements'
import type { Expectations } from '../check'
import { isFound, matchCopy } from '../match-copy'

/** A phrase of the required copy as it was found: where, and how high its letters are. Pixels of the image as seen. */
export type FoundPhrase = { phrase: string; region: Box; words: ReadWord[]; time?: number }

export function foundCopy({ readings }: TextFacts, requiredCopy: readonly string[]): FoundPhrase[] {
  return requiredCopy.flatMap((phrase) => {
    const match = matchCopy(phrase, readings)
    const region = isFound(match) && around(match.words)
    if (!region) return []
    const time = match.reading?.time
    return [{ phrase, region, words: match.words, ...(time !== undefined && { time }) }]
  })
}

/** Text is read only where a batch requires copy, and of what is drawn. */
export function notRead(media: ImageFacts | VideoFacts, { requiredCopy = [] }: Expectations): string | null {
  if (requiredCopy.length === 0) return 'The batch requires no copy, so no text was read.'
  return media.kind === 'image' && media.format === 'eps' ? 'An EPS drawing is not drawn here.' : null
}

export function around(words: readonly ReadWord[]): Box | null {
  if (words.length === 0) return null
  const left = Math.min(...words.map(({ region }) => region.x))
  const top = Math.min(...words.map(({ region }) => region.y))
  const right = Math.max(...words.map(({ region }) => region.x + region.width))
  const bottom = Math.max(...words.map(({ region }) => region.y + region.height))
  const tenth = (value: number) => Math.round(value * 10) / 10
  return { x: left, y: top, width: tenth(right - left), height: tenth(bottom - top) }
}

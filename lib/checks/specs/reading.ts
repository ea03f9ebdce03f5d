import type { TextFacts, TextReading } from '@/lib/media/measurements'
import { image } from '../testing'

/** A line of words, each so wide and high, from a place on. */
export const lineOf = (
  text: string,
  { x, y, width, height }: { x: number; y: number; width: number; height: number },
  confidence = 0.95,
): TextReading['words'] =>
  text.split(' ').map((word, index) => ({
    text: word,
    confidence,
    region: { x: x + index * width, y, width, height },
  }))

/** An image of which these words were read, in a batch that requires these phrases. */
export const readImage = (
  size: { width: number; height: number },
  words: TextReading['words'],
  ...requiredCopy: string[]
) => {
  const text: TextFacts = {
    readings: [{ how: 'recognised', words }],
    languages: ['eng'],
    words: words.length,
    confidence: 0.95,
    places: { read: 1, of: 1 },
    isComplete: true,
  }
  return image(size, { measures: { text }, expectations: { mediaTypes: [], maxFileBytes: null, requiredCopy } })
}

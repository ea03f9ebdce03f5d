import bidiFactory from 'bidi-js'
import type { Face } from './fonts'

/** A stretch of a line in one face and one direction, written as it is read. */
export type Run = { text: string; face: Face; isRightToLeft: boolean }

/** The embedding level of each UTF-16 unit of a paragraph: even levels are read from left to right, odd ones from right to left. */
export type Levels = ArrayLike<number>

const bidi = bidiFactory()
export const RIGHT_TO_LEFT = /[\p{Script=Hebrew}\p{Script=Arabic}]/u
/** What belongs to the letter before it and is drawn in the same face, if that has it. */
const ATTACHED = /[\p{M}\p{EMod}\u200c\u200d]/u
/** bidi-js inspects single units: halves of a pair would count as letters, which emoji are not. */
const PAIR = /[\u{10000}-\u{10ffff}]/gu

/**
 * Levels of a whole paragraph (Unicode Bidirectional Algorithm, rules P to I): what a comma at the end of a line belongs
 * to may stand on the next one. Null when all of it is read from left to right.
 */
export function levelsOf(paragraph: string, isRightToLeft: boolean): Levels | null {
  if (!isRightToLeft && !RIGHT_TO_LEFT.test(paragraph)) return null
  const units = paragraph.replace(PAIR, (character) => (/\p{L}/u.test(character) ? 'aa' : '☆☆'))
  return bidi.getEmbeddingLevels(units, isRightToLeft ? 'rtl' : 'ltr').levels
}

/** The runs of one line as they are seen, the leftmost first. `levels`: of the units of this line. */
export function runsOf(text: string, levels: Levels | null, faceOf: (character: string) => Face): Run[] {
  const faces = facesOf(text, faceOf)
  const runs: Run[] = []
  for (const index of levels ? visualOrder(levels, text.length) : faces.keys()) {
    const isTurned = (levels?.[index] ?? 0) % 2 === 1
    const unit = text.charAt(index)
    const seen = (isTurned && bidi.getMirroredCharacter(unit)) || unit
    const last = runs.at(-1)
    if (last?.face === faces[index] && last?.isRightToLeft === isTurned) {
      last.text = isTurned ? seen + last.text : last.text + seen
    } else {
      runs.push({ text: seen, face: faces[index] as Face, isRightToLeft: isTurned })
    }
  }
  return runs
}

/** Where each unit of a line is seen, from the left (rule L2). A line ends without spaces, so L1 has nothing to do. */
function visualOrder(levels: Levels, length: number): number[] {
  const order = Array.from({ length }, (_, index) => index)
  const highest = order.reduce((most, index) => Math.max(most, levels[index] ?? 0), 0)
  for (let level = highest; level > 0; level--) {
    let start = 0
    for (let at = 0; at <= length; at++) {
      if (at < length && (levels[at] ?? 0) >= level) continue
      order.splice(start, at - start, ...order.slice(start, at).reverse())
      start = at + 1
    }
  }
  return order
}

/** The face of each UTF-16 unit. */
function facesOf(text: string, faceOf: (character: string) => Face): Face[] {
  const faces: Face[] = []
  for (const character of text) {
    const last = faces.at(-1)
    const face = last && ATTACHED.test(character) && last.has(character) ? last : faceOf(character)
    for (let unit = 0; unit < character.length; unit++) faces.push(face)
  }
  return faces
}

import bidiFactory from 'bidi-js'
import type { Face } from './fonts'

/** A stretch of a line in one face and one direction, written as it is read. */
export type Run = { text: string; face: Face; isRightToLeft: boolean }

const bidi = bidiFactory()
export const RIGHT_TO_LEFT = /[\p{Script=Hebrew}\p{Script=Arabic}]/u
/** What belongs to the letter before it and is drawn in the same face, if that has it. */
const ATTACHED = /[\p{M}\p{EMod}\u200c\u200d]/u

/** The runs of one line as they are seen, the leftmost first (Unicode Bidirectional Algorithm). */
export function runsOf(text: string, isRightToLeft: boolean, faceOf: (character: string) => Face): Run[] {
  const faces = facesOf(text, faceOf)
  const embedding =
    isRightToLeft || RIGHT_TO_LEFT.test(text) ? bidi.getEmbeddingLevels(text, isRightToLeft ? 'rtl' : 'ltr') : null
  const runs: Run[] = []
  for (const index of embedding ? bidi.getReorderedIndices(text, embedding) : faces.keys()) {
    const isTurned = (embedding?.levels[index] ?? 0) % 2 === 1
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

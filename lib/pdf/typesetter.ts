import { REPLACEMENT } from './coverage'
import { type Face, openFaces, type Weight } from './fonts'
import { type Levels, levelsOf, RIGHT_TO_LEFT, type Run, runsOf } from './runs'
import { tidy } from './tidy'

/**
 * Turns text that anybody may have typed into lines that fit, before anything is drawn: where everything stands is known
 * only once it is known how high it is.
 */

export type Line = {
  text: string
  /** In the order they are drawn, from the left. */
  runs: Run[]
  isRightToLeft: boolean
  /** What parts its last word from the next line's; null where a word, or writing without spaces, was broken. */
  space: Run | null
}

/** Written without spaces: a line may end after any character. Korean has spaces, and keeps its words. */
const BREAKS_ANYWHERE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u3000-\u303f\uff00-\uffef]/u
/** What may not begin a line in Chinese or Japanese (kinsoku). */
const MAY_NOT_BEGIN = /^[、。，．：；？！」』）】〉》〕’”…ーっゃゅょぁぃぅぇぉッャュョァィゥェォ々!),.:;?\]}]/u
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })

export class Typesetter {
  private constructor(private readonly faces: Record<Weight, Face[]>) {}

  /** Opens the faces that these texts need. */
  static async for(texts: Iterable<string>): Promise<Typesetter> {
    const seen = new Set<string>()
    for (const text of texts) for (const character of text) seen.add(character)
    const characters = [...seen].join('')
    return new Typesetter({ 400: await openFaces(characters, 400), 700: await openFaces(characters, 700) })
  }

  /** The text as it can be printed: every character of it has a glyph. */
  clean(text: string): string {
    const tidied = tidy(text)
    if (isPlain(tidied)) return tidied
    let shown = ''
    for (const character of tidied) shown += character === '\n' || this.faceOf(character, 400) ? character : REPLACEMENT
    return shown
  }

  /** Width of one line in points. Pairs that move together make it a little less, never more than a hair wider. */
  width(text: string, size: number, weight: Weight = 400): number {
    let ems = 0
    for (const character of text) ems += this.advance(character, weight)
    return ems * size
  }

  /** Breaks a text into lines no wider than `width` points. What has no place to break is broken anywhere. */
  lines(text: string, width: number, size: number, weight: Weight = 400): Line[] {
    return this.clean(text)
      .split('\n')
      .flatMap((paragraph) => this.paragraph(paragraph, width / size, weight))
  }

  /** The first `most` lines; an ellipsis says when there is more. */
  shortened(text: string, width: number, size: number, most: number, weight: Weight = 400): Line[] {
    const lines = this.lines(text, width, size, weight)
    const last = lines[most - 1]
    if (lines.length <= most || !last) return lines
    const rest = `${last.text} ${lines[most]?.text ?? ''}…`
    return [...lines.slice(0, most - 1), this.cut(rest, width / size, weight, last.isRightToLeft)]
  }

  /** One line, cut with an ellipsis where it would be too wide. */
  oneLine(text: string, width: number, size: number, weight: Weight = 400): Line {
    const clean = this.clean(text).replaceAll('\n', ' ')
    return this.cut(clean, width / size, weight, isMostlyRightToLeft(clean))
  }

  private cut(text: string, widest: number, weight: Weight, isRightToLeft: boolean): Line {
    const [line, ...more] = this.paragraph(text, widest, weight, isRightToLeft)
    if (line && more.length === 0) return line
    const [start, end] = this.fill(text, widest - this.advance('…', weight), weight)[0] ?? [0, 0]
    const cut = `${text.slice(start, end)}…`
    return this.line(cut, weight, isRightToLeft, levelsOf(cut, isRightToLeft))
  }

  /** The lines of a text without line breaks. Its directions are those of the whole, wherever it is broken. */
  private paragraph(
    text: string,
    widest: number,
    weight: Weight,
    isRightToLeft: boolean = isMostlyRightToLeft(text),
  ): Line[] {
    const levels = levelsOf(text, isRightToLeft)
    return this.fill(text, widest, weight).map(([start, end], index, all) => {
      const own = levels && Array.prototype.slice.call(levels, start, end)
      return this.line(text.slice(start, end), weight, isRightToLeft, own, all[index + 1]?.[0] === end)
    })
  }

  /** Where each line begins and ends; the space it is broken at is in none. */
  private fill(paragraph: string, widest: number, weight: Weight): [start: number, end: number][] {
    const lines: [number, number][] = []
    let start = 0
    let end = 0
    let lineWidth = 0
    const turn = () => {
      lines.push([start, start + paragraph.slice(start, end).trimEnd().length])
      start = end
      lineWidth = 0
    }
    for (const piece of pieces(paragraph)) {
      const pieceWidth = this.width(piece, 1, weight)
      // A space may hang over the edge, invisible.
      const seen = piece.endsWith(' ') ? pieceWidth - this.advance(' ', weight) : pieceWidth
      if (end > start && lineWidth + seen > widest) turn()
      if (seen <= widest) {
        end += piece.length
        lineWidth += pieceWidth
        continue
      }
      for (const { segment } of graphemes.segment(piece)) {
        const segmentWidth = this.width(segment, 1, weight)
        if (end > start && lineWidth + segmentWidth > widest) turn()
        end += segment.length
        lineWidth += segmentWidth
      }
    }
    turn()
    return lines
  }

  private line(
    text: string,
    weight: Weight,
    isRightToLeft: boolean,
    levels: Levels | null,
    isBrokenInside = false,
  ): Line {
    const [latin] = this.faces[weight] as [Face]
    const runs =
      levels === null && isPlain(text)
        ? [{ text, face: latin, isRightToLeft: false }]
        : runsOf(text, levels, (character) => this.faceOf(character, weight) ?? latin)
    const space = isBrokenInside ? null : { text: ' ', face: latin, isRightToLeft: false }
    return { text, runs, isRightToLeft, space }
  }

  private faceOf(character: string, weight: Weight): Face | undefined {
    return this.faces[weight].find((face) => face.has(character))
  }

  private advance(character: string, weight: Weight): number {
    const codePoint = character.codePointAt(0) ?? 0
    for (const face of this.faces[weight]) {
      const advance = face.advance(codePoint)
      if (advance !== null) return advance
    }
    return 0
  }
}

const isPlain = (text: string) => /^[\x20-\x7e\n]*$/.test(text)

/** The first letter says which way a paragraph runs (Unicode Bidirectional Algorithm, rule P2). */
function isMostlyRightToLeft(paragraph: string): boolean {
  const letter = /\p{L}/u.exec(paragraph)
  return letter !== null && RIGHT_TO_LEFT.test(letter[0])
}

/** What a line may be broken between: words with the space after them, and single characters of East Asian writing. */
function pieces(paragraph: string): string[] {
  const words = paragraph.match(/[^ ]* ?/g)?.filter((word) => word !== '') ?? []
  if (!BREAKS_ANYWHERE.test(paragraph)) return words
  return words.flatMap((word) => {
    if (!BREAKS_ANYWHERE.test(word)) return [word]
    const parts: string[] = []
    let wasAnywhere = false
    for (const { segment } of graphemes.segment(word)) {
      const isAnywhere = BREAKS_ANYWHERE.test(segment)
      const joins = parts.length > 0 && (MAY_NOT_BEGIN.test(segment) || segment === ' ' || !(isAnywhere || wasAnywhere))
      if (joins) parts[parts.length - 1] += segment
      else parts.push(segment)
      wasAnywhere = isAnywhere
    }
    return parts
  })
}

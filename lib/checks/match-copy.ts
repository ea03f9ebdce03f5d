import type { ReadWord, TextReading } from '@/lib/media/measurements'

/** Where a phrase is most likely meant. */
export type CopyMatch = {
  phrase: string
  /** Share of its letters that agree, 0..1. 1: it is there, as far as readers can distinguish letters. */
  likeness: number
  /** The words of that place; none when nothing was read at all. */
  words: ReadWord[]
  /** Those of them that differ, or stand beside what is missing. */
  differing: ReadWord[]
  /** A word of the phrase, its first or last letter, or four in a row were not read there: they may have been overlooked. */
  isCut: boolean
  /** Nothing differs but accents, which capitals may do without and which readers lose first. */
  differsInAccents: boolean
  reading: TextReading | null
}

/** Costs of an edit, in halves of a letter. */
const LETTER = 2
const ACCENT = 1
const NEVER = 1 << 28
const LONGEST_GAP = 4

/** What few readers distinguish in any typeface, and by no reader in some. No two digits are made one. */
const ALIKE: Readonly<Record<string, string>> = { '0': 'o', '1': 'l', i: 'l', ı: 'l', '5': 's', '8': 'b' }

/** A text as it is compared: letters, digits and the signs that change a meaning; case, spaces, quotes and dashes are not. */
function lettersOf(word: string): string {
  const folded = word
    .normalize('NFKC')
    .toLowerCase()
    // A decimal sign is part of a price; any other point or comma is punctuation.
    .replace(/(?<=\p{N})[.,](?=\p{N})/gu, '·')
    .replace(/[^\p{L}\p{N}\p{M}·%€$£¥+&@#§°]/gu, '')
    .normalize('NFC')
  return [...folded]
    .map((letter) => ALIKE[letter] ?? letter)
    .join('')
    .replaceAll('rn', 'm')
    .replaceAll('vv', 'w')
}

const baseOf = (letter: string) => ALIKE[letter.normalize('NFD').charAt(0)] ?? letter.normalize('NFD').charAt(0)

/** Letters of several words without the spaces between them, which readers make and lose. */
class Line {
  readonly letters: string[] = []
  /** The word each letter is of. */
  readonly word: number[] = []
  private readonly starts = new Set<number>([0])

  constructor(words: readonly string[]) {
    words.forEach((text, index) => {
      for (const letter of lettersOf(text)) {
        this.letters.push(letter)
        this.word.push(index)
      }
      this.starts.add(this.letters.length)
    })
  }

  /** Whether a word begins, or the one before it ends, at that letter. */
  isBoundary(at: number): boolean {
    return this.starts.has(at)
  }
}

/** True when the phrase holds nothing that could be searched for. */
export const isEmptyPhrase = (phrase: string) => new Line(phrase.split(/\s+/)).letters.length === 0

/** Two phrases with one key are found by the same text. */
export const phraseKey = (phrase: string) => new Line(phrase.split(/\s+/)).letters.join('')

/** Whether images of the phrase can be read: Latin letters, digits and signs. */
export const isReadable = (phrase: string) =>
  [...phrase.normalize('NFC')].every((letter) => !/\p{L}/u.test(letter) || /\p{Script=Latin}/u.test(letter))

/** The place among all readings that is most like the phrase; of two alike the one that was read more surely. */
export function matchCopy(phrase: string, readings: readonly TextReading[]): CopyMatch {
  const wanted = new Line(phrase.split(/\s+/))
  const matches = readings.map((reading) => matchIn(phrase, wanted, reading))
  const best = matches.sort((a, b) => b.likeness - a.likeness || sureness(b.words) - sureness(a.words))[0]
  return best ?? nothing(phrase)
}

export const isFound = ({ likeness }: Pick<CopyMatch, 'likeness'>) => likeness === 1

/** Mean confidence of words, by their length; 0 without any. */
export function sureness(words: readonly ReadWord[]): number {
  const letters = words.reduce((sum, { text }) => sum + text.length, 0)
  if (letters === 0) return 0
  return words.reduce((sum, { text, confidence }) => sum + confidence * text.length, 0) / letters
}

const nothing = (phrase: string): CopyMatch => ({
  phrase,
  likeness: 0,
  words: [],
  differing: [],
  isCut: true,
  differsInAccents: false,
  reading: null,
})

function matchIn(phrase: string, wanted: Line, reading: TextReading): CopyMatch {
  const read = new Line(reading.words.map(({ text }) => text))
  const place = placeOf(wanted, read)
  if (!place) return nothing(phrase)
  const { start, end, cost } = place
  const from = read.word[start] as number
  const to = read.word[end - 1] as number
  const { differing, isCut } = differences(wanted, read, start, end)
  return {
    phrase,
    likeness: Math.max(0, 1 - cost / LETTER / wanted.letters.length),
    words: reading.words.slice(from, to + 1),
    differing: [...differing].sort((a, b) => a - b).flatMap((index) => reading.words[index] ?? []),
    isCut,
    differsInAccents: cost > 0 && cost < LETTER * 3 && !isCut && isSameWithoutAccents(wanted, read, start, end),
    reading,
  }
}

const isSameWithoutAccents = (wanted: Line, read: Line, start: number, end: number) =>
  wanted.letters.map(baseOf).join('') === read.letters.slice(start, end).map(baseOf).join('')

function costOf(a: string, b: string): number {
  if (a === b) return 0
  return baseOf(a) === baseOf(b) ? ACCENT : LETTER
}

/**
 * The stretch of whole words that needs the fewest edits to become the phrase (the method of Sellers, from word boundary
 * to word boundary). Null where nothing of it is there.
 */
function placeOf(wanted: Line, read: Line): { start: number; end: number; cost: number } | null {
  const [rows, columns] = [wanted.letters.length, read.letters.length]
  if (rows === 0 || columns === 0) return null
  let costs = new Int32Array(columns + 1)
  let starts = new Int32Array(columns + 1)
  for (let at = 0; at <= columns; at++) {
    costs[at] = read.isBoundary(at) ? 0 : NEVER
    starts[at] = at
  }
  for (let row = 1; row <= rows; row++) {
    const letter = wanted.letters[row - 1] as string
    const nextCosts = new Int32Array(columns + 1)
    const nextStarts = new Int32Array(columns + 1)
    nextCosts[0] = (costs[0] as number) + LETTER
    for (let at = 1; at <= columns; at++) {
      const same = (costs[at - 1] as number) + costOf(letter, read.letters[at - 1] as string)
      const missing = (costs[at] as number) + LETTER
      const extra = (nextCosts[at - 1] as number) + LETTER
      if (same <= missing && same <= extra) {
        nextCosts[at] = same
        nextStarts[at] = starts[at - 1] as number
      } else if (missing <= extra) {
        nextCosts[at] = missing
        nextStarts[at] = starts[at] as number
      } else {
        nextCosts[at] = extra
        nextStarts[at] = nextStarts[at - 1] as number
      }
    }
    costs = nextCosts
    starts = nextStarts
  }
  let best: { start: number; end: number; cost: number } | null = null
  for (let end = 1; end <= columns; end++) {
    const [cost, start] = [costs[end] as number, starts[end] as number]
    if (!read.isBoundary(end) || start === end || cost >= rows * LETTER) continue
    // Of two ends for one beginning the later holds what was read in place of the last letters.
    if (!best || cost < best.cost || (cost === best.cost && start === best.start)) best = { start, end, cost }
  }
  return best
}

/** Which words of the stretch are edited, and whether a part of the phrase is not there at all. */
function differences(wanted: Line, read: Line, start: number, end: number) {
  const [rows, columns] = [wanted.letters.length, end - start]
  const width = columns + 1
  const costs = new Int32Array((rows + 1) * width)
  const at = (row: number, column: number) => costs[row * width + column] as number
  for (let row = 0; row <= rows; row++) {
    for (let column = 0; column <= columns; column++) {
      const same = row > 0 && column > 0 ? at(row - 1, column - 1) + letterCost(row, column) : NEVER
      const missing = row > 0 ? at(row - 1, column) + LETTER : NEVER
      const extra = column > 0 ? at(row, column - 1) + LETTER : NEVER
      costs[row * width + column] = row + column === 0 ? 0 : Math.min(same, missing, extra)
    }
  }
  function letterCost(row: number, column: number) {
    return costOf(wanted.letters[row - 1] as string, read.letters[start + column - 1] as string)
  }
  const differing = new Set<number>()
  const lost = new Array<boolean>(rows).fill(false)
  const note = (column: number) => {
    const word = read.word[start + Math.min(Math.max(column, 1), columns) - 1]
    if (word !== undefined) differing.add(word)
  }
  for (let row = rows, column = columns; row > 0 || column > 0; ) {
    const here = at(row, column)
    if (row > 0 && column > 0 && here === at(row - 1, column - 1) + letterCost(row, column)) {
      if (letterCost(row, column) > 0) note(column)
      row--
      column--
    } else if (row > 0 && here === at(row - 1, column) + LETTER) {
      lost[row - 1] = true
      note(column)
      row--
    } else {
      note(column)
      column--
    }
  }
  return { differing, isCut: isCut(wanted, lost) }
}

function isCut(wanted: Line, lost: readonly boolean[]): boolean {
  if (lost[0] || lost.at(-1)) return true
  let run = 0
  const matched = new Set<number>()
  for (const [index, isLost] of lost.entries()) {
    run = isLost ? run + 1 : 0
    if (run >= LONGEST_GAP) return true
    if (!isLost) matched.add(wanted.word[index] as number)
  }
  return wanted.word.some((word) => !matched.has(word))
}

import { COVERED } from './coverage-table'
import { tidy } from './tidy'

/** What stands in print for a character that no typeface has. */
export const REPLACEMENT = '\ufffd'

/** Code points as ranges: how far each begins after the one before it ended, and how much further it goes, in base 36. */
export function packed(codePoints: Iterable<number>): string {
  const ranges: [number, number][] = []
  for (const codePoint of [...codePoints].sort((a, b) => a - b)) {
    const last = ranges.at(-1)
    if (last && last[1] === codePoint - 1) last[1] = codePoint
    else ranges.push([codePoint, codePoint])
  }
  let before = 0
  return ranges
    .map(([start, end]) => {
      const range = (start - before).toString(36) + (end > start ? `.${(end - start).toString(36)}` : '')
      before = end
      return range
    })
    .join(' ')
}

let ranges: [start: number, end: number][] | undefined

function isCovered(codePoint: number): boolean {
  if (!ranges) {
    let before = 0
    ranges = COVERED.split(' ').map((range) => {
      const [gap = '', length = '0'] = range.split('.')
      const start = before + Number.parseInt(gap, 36)
      before = start + Number.parseInt(length, 36)
      return [start, before]
    })
  }
  return ranges.some(([start, end]) => start <= codePoint && codePoint <= end)
}

/** The characters of a text that no typeface has, each once, in the order they come: a PDF shows `\ufffd` for them. */
export function unprintable(text: string): string[] {
  const foreign = tidy(text).replace(/[\x20-\x7e\n]/g, '')
  return [...new Set(foreign)].filter((character) => !isCovered(character.codePointAt(0) ?? 0))
}

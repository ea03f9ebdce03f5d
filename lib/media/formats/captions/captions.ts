import type { CaptionFacts, CaptionFormat, CaptionPlace } from '../../facts'
import type { ByteSource } from '../byte-source'
import { bomb, corrupt, printable } from '../defect'

/** What the formats of captions have in common: cues in seconds, and what stands out among them. */

export const CAPTION_ENGINE = 'captions 1'

const MAX_BYTES = 64 * 1024 * 1024
/** A video of three hours has about 3,000. */
const MAX_CUES = 250_000
const KEPT = 100
/** Closer than half a millisecond, times are one. */
const SAME = 0.0005

export type Cue = {
  /** Seconds from the start of the programme. */
  start: number
  end: number
  /** As shown, without markup; null: an image. */
  lines: readonly string[] | null
  /** Where on the screen: captions at two places do not overlap. */
  place: string
}

/** Takes the cues of one file in any order, and what is wrong with it. */
export class Captions {
  private readonly cues: Cue[] = []
  private readonly problems: CaptionFacts['problems'] = []
  private problemCount = 0

  constructor(
    private readonly format: CaptionFormat,
    private readonly stated: { profile?: string | null; language?: string | null } = {},
  ) {}

  /** `line` from 1; null where the format has no lines. */
  problem(line: number | null, what: string): void {
    this.problemCount += 1
    if (this.problems.length < KEPT) this.problems.push({ line, what: what.slice(0, 300) })
  }

  add(cue: Cue, line: number | null): void {
    if (this.cues.length >= MAX_CUES) throw bomb(`more than ${MAX_CUES} captions`)
    if (cue.end <= cue.start) {
      this.problem(line, `a caption ends at ${clock(cue.end)}, not after it starts at ${clock(cue.start)}`)
      return
    }
    if (cue.lines?.every((each) => each.trim() === '')) {
      this.problem(line, `the caption at ${clock(cue.start)} has no text`)
      return
    }
    this.cues.push(cue)
  }

  finish(): CaptionFacts {
    const shown = together(this.cues.sort((a, b) => a.start - b.start || a.end - b.end))
    const [shortest, longest] = [new Extremes('least'), new Extremes('most')]
    const [fastest, wordiest, widest, tallest] = [most(), most(), most(), most()]
    const [overlaps, smallestGaps, largestGaps] = [most(), new Extremes('least'), most()]
    const ends = new Map<string, number>()
    let until: number | null = null
    for (const cue of shown) {
      const { start, end, lines, place } = cue
      const seconds = end - start
      shortest.take(seconds, start, end)
      longest.take(seconds, start, end)
      if (lines !== null) {
        const widths = lines.map(lengthOf)
        const words = lines.join(' ').split(/\s+/).filter(Boolean).length
        fastest.take(widths.reduce((sum, width) => sum + width, lines.length - 1) / seconds, start, end)
        if (words >= 3) wordiest.take((words * 60) / seconds, start, end)
        widest.take(Math.max(...widths), start, end)
        tallest.take(lines.length, start, end)
      }
      const before = ends.get(place)
      if (before !== undefined && start < before - SAME)
        overlaps.take(Math.min(before, end) - start, start, Math.min(before, end))
      else if (before !== undefined && start > before + SAME) smallestGaps.take(start - before, before, start)
      ends.set(place, Math.max(before ?? end, end))
      if (until !== null && start > until + SAME) largestGaps.take(start - until, until, start)
      until = Math.max(until ?? end, end)
    }
    return {
      kind: 'other',
      format: this.format,
      profile: this.stated.profile ?? null,
      language: this.stated.language ?? null,
      cues: this.cues.length,
      start: shown[0] ? round(shown[0].start) : null,
      end: until === null ? null : round(until),
      problems: this.problems,
      problemCount: this.problemCount,
      shortest: shortest.list(),
      longest: longest.list(),
      fastest: fastest.list(),
      wordiest: wordiest.list(),
      widest: widest.list(),
      tallest: tallest.list(),
      overlaps: overlaps.list(),
      smallestGaps: smallestGaps.list(),
      largestGaps: largestGaps.list(),
    }
  }
}

/** Cues that begin and end together at one place are one caption of several lines. */
function together(cues: readonly Cue[]): Cue[] {
  const shown: Cue[] = []
  for (const cue of cues) {
    const at = shown.findLastIndex((each, index) => index >= shown.length - 4 && each.place === cue.place)
    const last = shown[at]
    const isSame = last && Math.abs(last.start - cue.start) < SAME && Math.abs(last.end - cue.end) < SAME
    if (!last || !isSame || !last.lines || !cue.lines) shown.push(cue)
    else shown[at] = { ...last, lines: [...last.lines, ...cue.lines] }
  }
  return shown
}

/** Letters as people count them: marks on a letter, joiners and direction marks take no room. */
const lengthOf = (line: string) => [...line.trim().replace(/[\p{M}\p{Cf}]/gu, '')].length

/** The most extreme places, without holding all of them. */
class Extremes {
  private places: CaptionPlace[] = []

  constructor(private readonly which: 'least' | 'most') {}

  take(value: number, start: number, end: number): void {
    this.places.push({ value: round(value), start: round(start), end: round(end) })
    if (this.places.length >= 8 * KEPT) this.places = this.list()
  }

  list(): CaptionPlace[] {
    const sign = this.which === 'least' ? 1 : -1
    return this.places.sort((a, b) => sign * (a.value - b.value) || a.start - b.start).slice(0, KEPT)
  }
}

const most = () => new Extremes('most')

/** The text of a file of captions, with the name of its encoding where that is not UTF-8. */
export function captionText(source: ByteSource): { text: string; encoding: string | null } {
  const bytes = captionBytes(source)
  const wide =
    bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : null
  if (wide) return { text: new TextDecoder(wide).decode(bytes), encoding: 'UTF-16' }
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes), encoding: null }
  } catch {
    return { text: new TextDecoder('windows-1252').decode(bytes), encoding: 'no Unicode (perhaps Windows-1252)' }
  }
}

export function captionBytes(source: ByteSource): Buffer {
  if (source.size > MAX_BYTES) throw bomb(`captions of ${Math.round(source.size / 2 ** 20)} MB`)
  return source.whole()
}

/** Its lines, however they end; a zero byte is none of a text. */
export function linesOf(text: string): string[] {
  if (text.includes('\0')) throw corrupt('its text holds zero bytes')
  return text.split(/\r\n|\n|\r/)
}

/** `00:01:02.345` */
export function clock(seconds: number): string {
  const whole = Math.round(Math.abs(seconds) * 1000)
  const part = (value: number, digits = 2) => String(value).padStart(digits, '0')
  const sign = seconds < 0 ? '-' : ''
  return `${sign}${part(Math.floor(whole / 3_600_000))}:${part(Math.floor(whole / 60_000) % 60)}:${part(Math.floor(whole / 1000) % 60)}.${part(whole % 1000, 3)}`
}

/** A line of the file in a message. */
export const shown = (line: string) => `“${printable(line.slice(0, 60))}”`

const round = (value: number) => Math.round(value * 1000) / 1000

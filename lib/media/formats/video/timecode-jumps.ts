import { startFrame, timecode } from '@/lib/timecode'
import type { TimecodeJumps } from '../../facts'

/** What a file states of one frame: its number from the first one, and its timecode, `hh:mm:ss:ff` or `hh:mm:ss;ff`. */
export type TimecodeStatement = { frame: number; code: string }

const MOST_LISTED = 20
/** Two digits count no more frames a second. */
const MOST_FRAMES = 100

const digitsOf = (code: string) => code.replace(';', ':')

/** Numbers of frames in 24 hours, after which timecode begins again (SMPTE ST 12-1). */
const dayOf = (code: string, rate: number) => startFrame(`24:00:00${code[8]}00`, rate)

/** The timecode of a frame that is counted from midnight, before or after the day, too. */
export function codeOf(number: number, rate: number, isDrop: boolean): string {
  const midnight = isDrop ? '00:00:00;00' : '00:00:00:00'
  const day = dayOf(midnight, rate)
  return timecode(((number % day) + day) % day, rate, midnight)
}

/** Where timecode does not run on from one statement to the next; null where fewer than two are made. */
export function jumpsOf(statements: Iterable<TimecodeStatement>, rate: number): TimecodeJumps | null {
  if (rate > MOST_FRAMES) return null
  const found: TimecodeJumps = { count: 0, first: [] }
  let last: TimecodeStatement | undefined
  let isCompared = false
  for (const each of statements) {
    if (last) {
      isCompared = true
      const expected = codeOf(startFrame(last.code, rate) + each.frame - last.frame, rate, last.code[8] === ';')
      // Whether numbers are dropped is a matter of its own.
      if (digitsOf(expected) !== digitsOf(each.code)) {
        found.count += 1
        if (found.first.length < MOST_LISTED)
          found.first.push({ seconds: Number((each.frame / rate).toFixed(6)), found: each.code, expected })
      }
    }
    last = each
  }
  return isCompared ? found : null
}

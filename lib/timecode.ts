/** Frames counted in hours, minutes, seconds and frames, as cutting rooms do (SMPTE ST 12-1). */

/** Whole frames a second that a timecode counts: 30 at 29.97. */
const countOf = (rate: number) => Math.max(1, Math.round(rate))

/** Frames left out of each minute but the tenth, where a start of `01:00:00;00` says so; 29.97 and 59.94 only. */
const droppedOf = (rate: number, start: string | null) =>
  start?.includes(';') && (Math.abs(rate - 29.97) < 0.01 || Math.abs(rate - 59.94) < 0.01)
    ? Math.round(countOf(rate) / 15)
    : 0

/** The number of the first frame by the start timecode of a file, `hh:mm:ss:ff` or `hh:mm:ss;ff`; 0 without one. */
export function startFrame(start: string | null, rate: number): number {
  const match = /^(\d\d):(\d\d):(\d\d)[:;.](\d\d)$/.exec(start ?? '')
  if (!match) return 0
  const [hours = 0, minutes = 0, seconds = 0, frames = 0] = match.slice(1).map(Number)
  const all = hours * 60 + minutes
  return (all * 60 + seconds) * countOf(rate) + frames - droppedOf(rate, start) * (all - Math.floor(all / 10))
}

/** Seconds to the millisecond, as places in time are noted. */
export const toMillisecond = (seconds: number) => Math.round(seconds * 1000) / 1000

/** The frame that is shown at a time, from 0. */
export const frameAt = (seconds: number, rate: number) => Math.max(0, Math.floor(seconds * rate + 0.001))

/** A number of frames as timecode; with a semicolon before the frames where some are dropped. */
export function timecode(frame: number, rate: number, start: string | null = null): string {
  const count = countOf(rate)
  const dropped = droppedOf(rate, start)
  let number = frame
  if (dropped > 0) {
    const perMinute = count * 60 - dropped
    const perTen = count * 600 - dropped * 9
    const tens = Math.floor(number / perTen)
    const rest = number % perTen
    number += dropped * 9 * tens
    if (rest >= count * 60) number += dropped * (Math.floor((rest - count * 60) / perMinute) + 1)
  }
  const two = (value: number) => String(value).padStart(2, '0')
  const total = Math.floor(number / count)
  return `${two(Math.floor(total / 3600))}:${two(Math.floor(total / 60) % 60)}:${two(total % 60)}${dropped > 0 ? ';' : ':'}${two(number % count)}`
}

/** What a clock beside the video shows: the file's own timecode, from 0 where it carries none. */
export const timecodeAt = (seconds: number, rate: number, start: string | null = null) =>
  timecode(startFrame(start, rate) + frameAt(seconds, rate), rate, start)

/** The same digits, with numbers dropped or not: `hh:mm:ss;ff` or `hh:mm:ss:ff`. */
export const marked = (code: string, isDrop: boolean) => `${code.slice(0, 8)}${isDrop ? ';' : ':'}${code.slice(9)}`

import type { Repeats } from '../measurements'

/** Points of a frame that are compared with the one before: one in so many. */
const EVERY = 4
/** Grey levels by which frames differ on the average where something moves. */
const MOVING = 0.8
/** A frame that repeats the one before differs from it by so little of what its neighbours do, as coding draws it anew. */
const REPEATED = 0.25
/** Frames in a row that may repeat another and still count as repeats, not as a still. */
const LONGEST = 2
/** Repeats that come at one distance make a cadence: so many of them, and this share. */
const LEAST_REGULAR = 6
const REGULAR_SHARE = 0.8
const MOST_TIMES = 100
/** A day at 60 frames a second. */
const MOST_FRAMES = 5_184_000

/** Frames that repeat the one before while the image moves: by mistake, or all over, where a frame rate was converted so. */
export class RepeatMeter {
  private last: Uint8Array | null = null
  private readonly changes: number[] = []
  private readonly times: number[] = []

  take(luma: Uint8Array, time: number): void {
    const { last } = this
    let sum = 0
    if (last)
      for (let at = 0; at < luma.length; at += EVERY) sum += Math.abs((luma[at] as number) - (last[at] as number))
    if (this.changes.length < MOST_FRAMES) {
      this.changes.push((sum * EVERY) / luma.length)
      this.times.push(time)
    }
    if (last) last.set(luma)
    else this.last = new Uint8Array(luma)
  }

  finish(): Repeats {
    const repeats = this.find()
    const every = cadenceOf(repeats)
    const stray = repeats.filter((frame, index) => {
      const before = frame - (repeats[index - 1] ?? Number.NEGATIVE_INFINITY)
      const after = (repeats[index + 1] ?? Number.POSITIVE_INFINITY) - frame
      return every === null || (before !== every && after !== every)
    })
    return {
      count: repeats.length,
      every,
      stray: stray.length,
      at: stray.slice(0, MOST_TIMES).map((frame) => Math.round((this.times[frame] ?? 0) * 1000) / 1000),
    }
  }

  /** The first frame of each repeat. */
  private find(): number[] {
    const { changes } = this
    const found: number[] = []
    for (let at = 2; at < changes.length; at++) {
      const before = changes[at - 1] as number
      if (before < MOVING || (changes[at] as number) > before * REPEATED) continue
      let end = at
      while (end < changes.length && (changes[end] as number) <= before * REPEATED) end++
      const after = changes[end]
      const isRepeat = after !== undefined && after >= MOVING && end - at <= LONGEST
      const isLess = after !== undefined && changes.slice(at, end).every((change) => change <= after * REPEATED)
      if (isRepeat && isLess) found.push(at)
      at = end
    }
    return found
  }
}

/** From one repeat to the next, frames, where nearly all are as far apart; null where they are not. */
function cadenceOf(repeats: readonly number[]): number | null {
  const distances = new Map<number, number>()
  for (const [index, frame] of repeats.entries()) {
    const distance = frame - (repeats[index - 1] ?? frame)
    if (distance > 0) distances.set(distance, (distances.get(distance) ?? 0) + 1)
  }
  const [most] = [...distances].sort((a, b) => b[1] - a[1])
  if (!most || most[1] < LEAST_REGULAR || most[1] < REGULAR_SHARE * (repeats.length - 1)) return null
  return most[0]
}

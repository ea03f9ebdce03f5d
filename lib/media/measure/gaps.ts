import type { Gap } from '../measurements'
import { levelOf, type Stretch } from './sample-window'

/**
 * Gaps in audio: samples that stand still, at zero or at one level, between loud ones. What fades or decays before it, what
 * was clipped, and what is drawn with flat parts, as a square wave is, has none.
 */

const LEAST_SAMPLES = 24
const MOST_SECONDS = 0.15
/** Rounding of 16 bits, or dither of one bit. */
const STEP = 1.5 / 32_768
/** Beside a gap it is loud at once: at least -40 dBFS, and at most 9 dB below what lies further out. */
const LEAST_LEVEL = 10 ** (-40 / 20)
const NEAR_SECONDS = 0.003
const FAR_SECONDS = 0.04
const LEAST_NEAR = 0.35
/** The jump at one end at least, relative to the level beside it: to zero, and to a level that is held. */
const LEAST_JUMP = 0.1
const LEAST_JUMP_HELD = 0.25
/** Share of the samples beside it that are as the one before them: where more are, the wave itself has flat parts. */
const MOST_STILL = 0.2
const BESIDE_SECONDS = 0.01
/** Longer ones that come three times and more, each as long and as far from the next, are a rhythm. */
const RHYTHM_SECONDS = 0.02
const LONGEST_BEAT_SECONDS = 1
const SAME_LENGTH = 0.1
const SAME_BEAT = 0.03
const MOST_GAPS = 200

export class GapMeter {
  private readonly gaps: Gap[] = []

  constructor(private readonly sampleRate: number) {}

  take(stretch: Stretch): void {
    const { samples, from, to } = stretch
    const most = this.samplesOf(MOST_SECONDS)
    const step = LEAST_SAMPLES / 2
    // Of every run of so many still samples, one that begins just before the end too, one of these is part.
    for (let at = from; at < to + step; at += step) {
      const level = samples[at] as number
      let start = at
      while (start > from - most && isStill(samples, start - 1, level)) start -= 1
      let end = at + 1
      while (end < samples.length && isStill(samples, end, level)) end += 1
      // One that began before what is judged now was judged with that.
      if (
        start >= from &&
        start < to &&
        end - start >= LEAST_SAMPLES &&
        end - start <= most &&
        this.isGap(samples, start, end)
      )
        this.note(stretch, start, end)
      at = Math.max(at, end - step)
    }
  }

  finish(): Gap[] {
    const gaps = this.gaps.sort((a, b) => a.start - b.start)
    return gaps.filter((gap) => !isRhythm(gap, gaps)).slice(0, MOST_GAPS)
  }

  private isGap(samples: Float32Array, start: number, end: number): boolean {
    const level = samples[start] as number
    const [near, far, beside] = [NEAR_SECONDS, FAR_SECONDS, BESIDE_SECONDS].map((each) => this.samplesOf(each)) as [
      number,
      number,
      number,
    ]
    const [before, after] = [levelOf(samples, start - near, start), levelOf(samples, end, end + near)]
    if (Math.min(before, after) < LEAST_LEVEL) return false
    if (before < LEAST_NEAR * levelOf(samples, start - far, start)) return false
    if (after < LEAST_NEAR * levelOf(samples, end, end + far)) return false
    const isHeld = Math.abs(level) > STEP
    const jump = Math.max(
      Math.abs((samples[start - 1] as number) - level) / before,
      Math.abs((samples[end] as number) - level) / after,
    )
    if (jump < (isHeld ? LEAST_JUMP_HELD : LEAST_JUMP)) return false
    if (isHeld && isTop(samples, start, end, beside)) return false
    return (
      stillShare(samples, start - beside, start) <= MOST_STILL &&
      stillShare(samples, end + 1, end + beside) <= MOST_STILL
    )
  }

  private note({ channel, timeOf }: Stretch, start: number, end: number): void {
    const span = { start: round(timeOf(start)), end: round(timeOf(end)) }
    const same = this.gaps.find((gap) => gap.start < span.end && span.start < gap.end)
    if (same) {
      if (!same.channels.includes(channel + 1)) same.channels.push(channel + 1)
      Object.assign(same, { start: Math.min(same.start, span.start), end: Math.max(same.end, span.end) })
    } else if (this.gaps.length < 2 * MOST_GAPS) this.gaps.push({ ...span, channels: [channel + 1] })
  }

  private samplesOf(seconds: number): number {
    return Math.round(seconds * this.sampleRate)
  }
}

const isStill = (samples: Float32Array, at: number, level: number) => Math.abs((samples[at] as number) - level) <= STEP

function stillShare(samples: Float32Array, from: number, to: number): number {
  let still = 0
  for (let at = from; at < to; at++) if (isStill(samples, at, samples[at - 1] as number)) still += 1
  return still / (to - from)
}

/** Whether nothing around a level goes beyond it: it was cut off there. */
function isTop(samples: Float32Array, start: number, end: number, beside: number): boolean {
  const level = samples[start] as number
  const sign = Math.sign(level)
  for (let at = start - beside; at < end + beside; at++)
    if (sign * ((samples[at] as number) - level) > STEP) return false
  return true
}

/** Whether two others lie as far from it as from each other, all of one length. */
function isRhythm(gap: Gap, gaps: readonly Gap[]): boolean {
  const length = gap.end - gap.start
  if (length < RHYTHM_SECONDS) return false
  const alike = gaps.filter((each) => Math.abs(each.end - each.start - length) <= SAME_LENGTH * length)
  const at = alike.indexOf(gap)
  const between = (first: number) => (alike[first + 1]?.start ?? Number.NaN) - (alike[first]?.start ?? Number.NaN)
  const isEven = (a: number, b: number) => a <= LONGEST_BEAT_SECONDS && Math.abs(a - b) <= SAME_BEAT * a
  return [at - 2, at - 1, at].some((first) => isEven(between(first), between(first + 1)))
}

/** Tenths of a millisecond. */
const round = (seconds: number) => Math.round(seconds * 10_000) / 10_000

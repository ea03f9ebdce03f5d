import type { Span } from '../measurements'

/**
 * Tops that were cut off before the audio was made quieter: runs of equal samples with a corner on both sides, again and
 * again at one level. A wave that was not cut bends before its top, so that its neighbours differ by a step or two.
 */

const LEAST_RUN = 3
/** Below this level, -30 dBFS, the steps of 16 bits are too coarse to tell a corner. */
const LEAST_LEVEL = 10 ** (-30 / 20)
/** Rounding of 16 bits after a change of level. */
const STEP = 1.5 / 32_768
/** How much lower the samples beside a run are, as a share of its level, and at least, in steps. */
const CORNER = 0.004
const CORNER_STEPS = 4
/** Runs are counted by level, in shares of full scale. */
const LEVELS = 2000
/** So many at one level are no accident, and so large a share of all. */
const LEAST_RUNS = 6
const LEAST_SHARE = 0.25
const MOST_SPANS = 200

type Level = { runs: number; at: Span[] }

export class FlatTops {
  private readonly channels: { level: number; run: number; isCorner: boolean }[]
  private readonly levels = new Map<number, Level>()
  private runs = 0
  private peak = 0

  constructor(
    channels: number,
    private readonly fullScale: number,
  ) {
    this.channels = Array.from({ length: channels }, () => ({ level: 0, run: 0, isCorner: false }))
  }

  /** One array of samples (-1..1) per channel, which begin at `position`; rate in samples per second. */
  take(samples: readonly Float32Array[], position: number, sampleRate: number): void {
    for (const [index, channel] of this.channels.entries()) {
      let { level, run, isCorner } = channel
      const block = samples[index] as Float32Array
      for (let at = 0; at < block.length; at++) {
        const sample = block[at] as number
        if (Math.abs(sample - level) <= STEP) {
          run += 1
          continue
        }
        if (run >= LEAST_RUN && isCorner && isLower(sample, level)) {
          this.note(Math.abs(level), (position + at) / sampleRate)
        }
        isCorner = isLower(level, sample)
        if (Math.abs(sample) > this.peak) this.peak = Math.abs(sample)
        level = sample
        run = 1
      }
      Object.assign(channel, { level, run, isCorner })
    }
  }

  finish(): { runs: number; levelDb: number; isHighest: boolean; at: Span[] } | null {
    let most: [number, Level] | null = null
    for (const each of this.levels) if (!most || each[1].runs > most[1].runs) most = each
    if (!most) return null
    const [key] = most
    // Rounding may spread one level over two.
    const near = [key - 1, key, key + 1].flatMap((level) => this.levels.get(level) ?? [])
    const runs = near.reduce((sum, level) => sum + level.runs, 0)
    if (runs < LEAST_RUNS || runs < LEAST_SHARE * this.runs) return null
    const at = near.flatMap((level) => level.at).sort((a, b) => a.start - b.start)
    // One step for the rounding of levels, one for that of samples.
    const isHighest = this.peak * LEVELS <= key + 2
    return { runs, levelDb: Math.round(200 * Math.log10(key / LEVELS)) / 10, isHighest, at: at.slice(0, MOST_SPANS) }
  }

  private note(level: number, time: number): void {
    if (level < LEAST_LEVEL || level >= this.fullScale) return
    this.runs += 1
    const key = Math.round(level * LEVELS)
    const found = this.levels.get(key) ?? { runs: 0, at: [] }
    this.levels.set(key, found)
    found.runs += 1
    const last = found.at.at(-1)
    const second = Math.round(time * 1000) / 1000
    if (last && second - last.end <= 0.1) last.end = Math.max(last.end, second)
    else if (found.at.length < MOST_SPANS) found.at.push({ start: second, end: second })
  }
}

/** Whether a sample lies clearly below a top of this level, on its side of the axis or across it. */
function isLower(sample: number, level: number): boolean {
  const drop = level > 0 ? level - sample : sample - level
  return drop >= Math.max(CORNER * Math.abs(level), CORNER_STEPS / 32_768)
}

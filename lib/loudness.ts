import { channelWeights, KFilter } from './k-weighting'

/**
 * Loudness over time, as meters draw it: ITU-R BS.1770-5 annex 1 (K-weighting, mean square, channel weights) over
 * the sliding 400 ms of EBU Tech 3341 "momentary". For display; what is evaluated, the engine measures.
 */

const HOP_SECONDS = 0.1
const WINDOW_HOPS = 4
/** Shorter than a bar of any waveform that is drawn of a spot. */
const STRETCH_SECONDS = 0.02
/** What silence is drawn as. */
export const FLOOR_LUFS = -60

/** The largest value of each of so many equal stretches; all of them where there are fewer. */
function largestOf(values: readonly number[], count: number): number[] {
  if (values.length <= count) return [...values]
  return Array.from({ length: count }, (_, index) => {
    const first = Math.floor((index * values.length) / count)
    const last = Math.floor(((index + 1) * values.length) / count)
    return Math.max(...values.slice(first, last))
  })
}

/**
 * Peaks and momentary loudness of audio that comes bit by bit; of an hour it keeps some 200,000 numbers. The first channels are
 * left, right, centre, LFE, surrounds.
 */
export class AudioCurve {
  private readonly hop: number
  private readonly stretch: number
  private readonly filters: readonly KFilter[]
  private readonly weights: readonly number[]
  private readonly energy: number[] = []
  private readonly loudest: number[] = []
  private taken = 0

  /** @param rate samples a second */
  constructor(rate: number, channels: number) {
    this.hop = Math.max(1, Math.round(rate * HOP_SECONDS))
    this.stretch = Math.max(1, Math.round(rate * STRETCH_SECONDS))
    this.filters = Array.from({ length: channels }, () => new KFilter(rate))
    this.weights = channelWeights(channels)
  }

  /** @param channels samples of each channel, as many of each, as -1..1 */
  add(channels: readonly Float32Array[]): void {
    const { hop, stretch, energy, loudest, taken } = this
    const length = channels[0]?.length ?? 0
    for (const [channel, samples] of channels.entries()) {
      for (let index = 0; index < length; index++) {
        const place = Math.floor((taken + index) / stretch)
        const level = Math.abs(samples[index] ?? 0)
        if (level > (loudest[place] ?? -1)) loudest[place] = level
      }
      const weight = this.weights[channel] ?? 0
      const filter = this.filters[channel]
      if (!filter || weight === 0) continue
      for (let from = 0; from < length; ) {
        const at = Math.floor((taken + from) / hop)
        const to = Math.min(length, (at + 1) * hop - taken)
        energy[at] = (energy[at] ?? 0) + weight * filter.energy(samples, from, to)
        from = to
      }
    }
    this.taken += length
  }

  /** The loudest sample of each of so many equal stretches, over all channels, 0..1; fewer where the audio is that short. */
  peaks(bars: number): number[] {
    return largestOf(this.loudest, bars).map((peak) => Math.min(1, peak))
  }

  /** Momentary loudness in LUFS: one value for each whole 100 ms, or the loudest of each of so many equal stretches. */
  loudness(points = Number.POSITIVE_INFINITY): number[] {
    const hops = Math.floor(this.taken / this.hop)
    const momentary = Array.from({ length: hops }, (_, at) => {
      const first = Math.max(0, at - WINDOW_HOPS + 1)
      let sum = 0
      for (let index = first; index <= at; index++) sum += this.energy[index] ?? 0
      const mean = sum / ((at - first + 1) * this.hop)
      return mean <= 0 ? FLOOR_LUFS : Math.max(FLOOR_LUFS, -0.691 + 10 * Math.log10(mean))
    })
    return largestOf(momentary, points)
  }
}

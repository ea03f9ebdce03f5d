/**
 * Loudness over time, as meters draw it: ITU-R BS.1770-5 annex 1 (K-weighting, mean square, channel weights) over
 * the sliding 400 ms of EBU Tech 3341 "momentary". For display; what is evaluated, the engine measures.
 */

type Biquad = { b0: number; b1: number; b2: number; a1: number; a2: number }

/** The two filters of the K-weighting for any sample rate, from the analogue prototypes behind the table at 48 kHz. */
function kWeighting(rate: number): [shelf: Biquad, highPass: Biquad] {
  const shelf = () => {
    const [f0, gain, q] = [1681.974450955533, 3.999843853973347, 0.7071752369554196]
    const k = Math.tan((Math.PI * f0) / rate)
    const vh = 10 ** (gain / 20)
    const vb = vh ** 0.4996667741545416
    const a0 = 1 + k / q + k * k
    return {
      b0: (vh + (vb * k) / q + k * k) / a0,
      b1: (2 * (k * k - vh)) / a0,
      b2: (vh - (vb * k) / q + k * k) / a0,
      a1: (2 * (k * k - 1)) / a0,
      a2: (1 - k / q + k * k) / a0,
    }
  }
  const highPass = () => {
    const [f0, q] = [38.13547087602444, 0.5003270373238773]
    const k = Math.tan((Math.PI * f0) / rate)
    const a0 = 1 + k / q + k * k
    return { b0: 1, b1: -2, b2: 1, a1: (2 * (k * k - 1)) / a0, a2: (1 - k / q + k * k) / a0 }
  }
  return [shelf(), highPass()]
}

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
  private readonly filters: readonly ((x: number) => number)[]
  private readonly weights: readonly number[]
  private readonly energy: number[] = []
  private readonly loudest: number[] = []
  private taken = 0

  /** @param rate samples a second */
  constructor(rate: number, channels: number) {
    this.hop = Math.max(1, Math.round(rate * HOP_SECONDS))
    this.stretch = Math.max(1, Math.round(rate * STRETCH_SECONDS))
    const [shelf, highPass] = kWeighting(rate)
    this.filters = Array.from({ length: channels }, () => filterOf(shelf, highPass))
    // The low-frequency channel does not count, the surrounds count 1.5 dB more.
    this.weights = Array.from({ length: channels }, (_, channel) =>
      channels > 3 && channel === 3 ? 0 : channels > 3 && channel > 3 ? 1.41 : 1,
    )
  }

  /** @param channels samples of each channel, as many of each, as -1..1 */
  add(channels: readonly Float32Array[]): void {
    const { hop, stretch, energy, loudest, taken } = this
    const length = channels[0]?.length ?? 0
    for (const [channel, samples] of channels.entries()) {
      const weight = this.weights[channel] ?? 0
      const filter = this.filters[channel]
      if (!filter) continue
      for (let index = 0; index < length; index++) {
        const sample = samples[index] ?? 0
        const place = Math.floor((taken + index) / stretch)
        const level = Math.abs(sample)
        if (level > (loudest[place] ?? -1)) loudest[place] = level
        if (weight === 0) continue
        const heard = filter(sample)
        const at = Math.floor((taken + index) / hop)
        energy[at] = (energy[at] ?? 0) + weight * heard * heard
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

function filterOf(shelf: Biquad, highPass: Biquad): (x: number) => number {
  let [x1, x2, y1, y2, z1, z2] = [0, 0, 0, 0, 0, 0]
  return (x) => {
    const y = shelf.b0 * x + shelf.b1 * x1 + shelf.b2 * x2 - shelf.a1 * y1 - shelf.a2 * y2
    const z = highPass.b0 * y + highPass.b1 * y1 + highPass.b2 * y2 - highPass.a1 * z1 - highPass.a2 * z2
    x2 = x1
    x1 = x
    y2 = y1
    y1 = y
    z2 = z1
    z1 = z
    return z
  }
}

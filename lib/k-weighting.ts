/** K-weighting and channel weights of ITU-R BS.1770-5, Annex 1, at any sample rate. */

/** By channel: surround channels weigh 1.41 (+1.5 dB), the effects channel nothing. */
export function channelWeights(channels: number): number[] {
  if (channels === 6) return [1, 1, 1, 0, 1.41, 1.41]
  if (channels === 8) return [1, 1, 1, 0, 1.41, 1.41, 1.41, 1.41]
  return Array.from({ length: channels }, () => 1)
}

/** A shelf for the head, then a high pass, of one channel; from the analogue prototypes behind the table at 48 kHz. */
export class KFilter {
  private readonly shelf: Float64Array
  private readonly highPass: Float64Array
  private readonly state = new Float64Array(4)

  constructor(sampleRate: number) {
    const k = Math.tan((Math.PI * 1681.974450955533) / sampleRate)
    const q = 0.7071752369554196
    const high = 10 ** (3.999843853973347 / 20)
    const band = high ** 0.4996667741545416
    const a0 = 1 + k / q + k * k
    this.shelf = Float64Array.of(
      (high + (band * k) / q + k * k) / a0,
      (2 * (k * k - high)) / a0,
      (high - (band * k) / q + k * k) / a0,
      (2 * (k * k - 1)) / a0,
      (1 - k / q + k * k) / a0,
    )
    const k2 = Math.tan((Math.PI * 38.13547087602444) / sampleRate)
    const q2 = 0.5003270373238773
    const d0 = 1 + k2 / q2 + k2 * k2
    this.highPass = Float64Array.of((2 * (k2 * k2 - 1)) / d0, (1 - k2 / q2 + k2 * k2) / d0)
  }

  /** Sum of the squares of the filtered samples `from` up to `to`. */
  energy(samples: Float32Array, from: number, to: number): number {
    const { shelf, highPass, state } = this
    const b0 = shelf[0] as number
    const b1 = shelf[1] as number
    const b2 = shelf[2] as number
    const a1 = shelf[3] as number
    const a2 = shelf[4] as number
    const c1 = highPass[0] as number
    const c2 = highPass[1] as number
    let s1 = state[0] as number
    let s2 = state[1] as number
    let h1 = state[2] as number
    let h2 = state[3] as number
    let sum = 0
    for (let at = from; at < to; at++) {
      const x = samples[at] as number
      const y = b0 * x + s1
      s1 = b1 * x - a1 * y + s2
      s2 = b2 * x - a2 * y
      const z = y + h1
      h1 = -2 * y - c1 * z + h2
      h2 = y - c2 * z
      sum += z * z
    }
    // Ever smaller numbers after the audio has ended would slow the processor down.
    const settled = (value: number) => (Math.abs(value) < 1e-20 ? 0 : value)
    state.set([settled(s1), settled(s2), settled(h1), settled(h2)])
    return sum
  }
}

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
/** What silence is drawn as. */
export const FLOOR_LUFS = -60

/** Momentary loudness in LUFS, one value for each 100 ms; the first channels are left, right, centre, LFE, surrounds. */
export function momentaryLoudness(channels: readonly Float32Array[], rate: number): number[] {
  const hop = Math.max(1, Math.round(rate * HOP_SECONDS))
  const length = channels[0]?.length ?? 0
  const hops = Math.floor(length / hop)
  const energy = new Float64Array(hops)
  const [shelf, highPass] = kWeighting(rate)
  channels.forEach((samples, channel) => {
    // The low-frequency channel does not count, the surrounds count 1.5 dB more.
    const weight = channels.length > 3 && channel === 3 ? 0 : channels.length > 3 && channel > 3 ? 1.41 : 1
    if (weight === 0) return
    let [x1, x2, y1, y2, z1, z2] = [0, 0, 0, 0, 0, 0]
    for (let index = 0; index < hops * hop; index++) {
      const x = samples[index] ?? 0
      const y = shelf.b0 * x + shelf.b1 * x1 + shelf.b2 * x2 - shelf.a1 * y1 - shelf.a2 * y2
      const z = highPass.b0 * y + highPass.b1 * y1 + highPass.b2 * y2 - highPass.a1 * z1 - highPass.a2 * z2
      x2 = x1
      x1 = x
      y2 = y1
      y1 = y
      z2 = z1
      z1 = z
      const at = Math.floor(index / hop)
      energy[at] = (energy[at] ?? 0) + weight * z * z
    }
  })
  return Array.from({ length: hops }, (_, at) => {
    const first = Math.max(0, at - WINDOW_HOPS + 1)
    let sum = 0
    for (let index = first; index <= at; index++) sum += energy[index] ?? 0
    const mean = sum / ((at - first + 1) * hop)
    return mean <= 0 ? FLOOR_LUFS : Math.max(FLOOR_LUFS, -0.691 + 10 * Math.log10(mean))
  })
}

/** The loudest sample of each of so many equal stretches, over all channels, 0..1. */
export function peaksOf(channels: readonly Float32Array[], bars: number): number[] {
  const length = channels[0]?.length ?? 0
  return Array.from({ length: bars }, (_, bar) => {
    const first = Math.floor((bar * length) / bars)
    const last = Math.max(first + 1, Math.floor(((bar + 1) * length) / bars))
    let peak = 0
    for (const samples of channels)
      for (let index = first; index < last; index++) peak = Math.max(peak, Math.abs(samples[index] ?? 0))
    return Math.min(1, peak)
  })
}

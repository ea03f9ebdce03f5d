/** Seconds that are known on both sides of what is judged, and that are judged at once. */
const AROUND_SECONDS = 0.2
const STRIDE_SECONDS = 2

/** Samples of one channel: those from `from` up to `to` are to be judged, the others stand around them. */
export type Stretch = {
  samples: Float32Array
  channel: number
  from: number
  to: number
  /** Of a sample, seconds from the start. */
  timeOf: (at: number) => number
}

/** Collects decoded samples, so that a place can be judged by what comes before and after it. Outside the audio lies silence. */
export class SampleWindow {
  private readonly buffers: Float32Array[]
  private readonly around: number
  private readonly length: number
  private filled: number
  private position: number

  constructor(
    private readonly sampleRate: number,
    channels: number,
    private readonly judge: (stretch: Stretch) => void,
  ) {
    this.around = Math.round(sampleRate * AROUND_SECONDS)
    this.length = 2 * this.around + Math.round(sampleRate * STRIDE_SECONDS)
    this.buffers = Array.from({ length: channels }, () => new Float32Array(this.length))
    this.filled = this.around
    this.position = -this.around
  }

  /** One array of samples (-1..1) per channel, all of one length. */
  take(samples: readonly Float32Array[]): void {
    const length = samples[0]?.length ?? 0
    for (let from = 0; from < length; ) {
      const to = Math.min(length, from + this.length - this.filled)
      for (const [channel, buffer] of this.buffers.entries())
        buffer.set((samples[channel] as Float32Array).subarray(from, to), this.filled)
      this.filled += to - from
      from = to
      if (this.filled === this.length) this.move()
    }
  }

  finish(): void {
    for (const buffer of this.buffers) buffer.fill(0, this.filled)
    this.move()
  }

  private move(): void {
    const { around, length, position, sampleRate } = this
    const timeOf = (at: number) => (position + at) / sampleRate
    for (const [channel, samples] of this.buffers.entries()) {
      this.judge({ samples, channel, from: around, to: length - around, timeOf })
      samples.copyWithin(0, length - 2 * around)
    }
    this.position += length - 2 * around
    this.filled = 2 * around
  }
}

/** Root mean square of the samples from `from` up to `to`. */
export function levelOf(samples: Float32Array, from: number, to: number): number {
  let sum = 0
  for (let at = from; at < to; at++) sum += (samples[at] as number) ** 2
  return Math.sqrt(sum / Math.max(1, to - from))
}

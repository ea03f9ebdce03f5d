import type { ChannelContent } from '../measurements'

/**
 * Where the energy of a channel lies: its mean frequency, weighted by energy (root mean square), from the energy of the
 * steps from sample to sample, which of a sine of ω per sample is 2 - 2 cos ω times its own.
 */
export class ChannelContentMeter {
  private energy = 0
  private steps = 0
  private samples = 0
  private last = 0

  constructor(private readonly sampleRate: number) {}

  take(block: Float32Array): void {
    let { energy, steps, last } = this
    for (let at = 0; at < block.length; at++) {
      const sample = block[at] as number
      const step = sample - last
      energy += sample * sample
      steps += step * step
      last = sample
    }
    this.samples += block.length
    Object.assign(this, { energy, steps, last })
  }

  finish(): ChannelContent {
    const { energy, steps, samples, sampleRate } = this
    if (energy === 0) return { levelDb: null, meanHertz: null }
    const angle = Math.acos(Math.max(-1, 1 - steps / (2 * energy)))
    return {
      levelDb: Math.round(100 * Math.log10(energy / samples)) / 10,
      meanHertz: Math.round((angle * sampleRate) / (2 * Math.PI)),
    }
  }
}

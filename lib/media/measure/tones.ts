import type { Tone } from '../measurements'

const WINDOW_SECONDS = 0.1
/** Samples either side of one, at 48 kHz, whose sum a sine of any phase holds in one ratio to it. */
const LAG_SECONDS = 1 / 4800
/** Energy that is not of that sine, of the whole. */
const LEAST_PURITY = 0.002
const LEAST_LEVEL = 10 ** (-50 / 20)
const [LEAST_HERTZ, MOST_HERTZ] = [100, 2300]
/** A tone stands: its frequency and level hardly change from window to window. */
const SAME_HERTZ = 0.01
const SAME_DB = 0.5
const LEAST_SECONDS = 1
const MOST_TONES = 100

/** Steady sines, as line-up tones are: in one channel of audio. */
export class ToneMeter {
  private readonly window: Float32Array
  private readonly lag: number
  private filled = 0
  private windows = 0
  private open: Tone | null = null
  private readonly tones: Tone[] = []

  constructor(private readonly sampleRate: number) {
    this.window = new Float32Array(Math.max(1, Math.round(sampleRate * WINDOW_SECONDS)))
    this.lag = Math.max(1, Math.round(sampleRate * LAG_SECONDS))
  }

  take(samples: Float32Array): void {
    for (let from = 0; from < samples.length; ) {
      const part = samples.subarray(from, from + this.window.length - this.filled)
      this.window.set(part, this.filled)
      this.filled += part.length
      from += part.length
      if (this.filled === this.window.length) this.closeWindow()
    }
  }

  finish(): Tone[] {
    this.close()
    return this.tones.slice(0, MOST_TONES)
  }

  private closeWindow(): void {
    this.filled = 0
    const end = ((this.windows + 1) * this.window.length) / this.sampleRate
    const start = (this.windows * this.window.length) / this.sampleRate
    this.windows += 1
    const sine = this.sineOf()
    const { open } = this
    if (
      sine &&
      open &&
      Math.abs(sine.hertz - open.hertz) <= SAME_HERTZ * open.hertz &&
      Math.abs(sine.levelDb - open.levelDb) <= SAME_DB
    ) {
      open.end = round(end)
      return
    }
    this.close()
    if (sine) this.open = { start: round(start), end: round(end), ...sine }
  }

  private close(): void {
    if (this.open && this.open.end - this.open.start >= LEAST_SECONDS) this.tones.push(this.open)
    this.open = null
  }

  /** Of a sine, x[n - lag] + x[n + lag] is 2 cos(lag ω) x[n], whatever n is. */
  private sineOf(): { hertz: number; levelDb: number } | null {
    const { window, lag } = this
    let [energy, both, sums, crossings] = [0, 0, 0, 0]
    for (let at = lag; at < window.length - lag; at++) {
      const x = window[at] as number
      const sum = (window[at - lag] as number) + (window[at + lag] as number)
      energy += x * x
      both += x * sum
      sums += sum * sum
      if (x >= 0 !== (window[at - 1] as number) >= 0) crossings += 1
    }
    const count = window.length - 2 * lag
    const level = Math.sqrt((2 * energy) / count)
    if (level < LEAST_LEVEL) return null
    if (sums - (both * both) / energy > LEAST_PURITY * 4 * energy) return null
    const cosine = Math.min(1, Math.max(-1, both / (2 * energy)))
    const hertz = (Math.acos(cosine) * this.sampleRate) / (2 * Math.PI * lag)
    const counted = (crossings * this.sampleRate) / (2 * count)
    // A higher one has the same ratio.
    if (Math.abs(counted - hertz) > 15 || hertz < LEAST_HERTZ || hertz > MOST_HERTZ) return null
    return { hertz: Math.round(hertz), levelDb: Math.round(200 * Math.log10(level)) / 10 }
  }
}

const round = (seconds: number) => Math.round(seconds * 1000) / 1000

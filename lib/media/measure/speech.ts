/** A hiss of speech lies below half of it. */
const HEARD_HERTZ = 16_000
const FRAME_SECONDS = 0.01
/** Two seconds, again every half second. */
const WINDOW = 200
const HOP = 50
/** Middles of the bands whose levels rise and fall with the syllables, hertz. */
const BANDS = [450, 900, 1800, 3600]
/** Half a tone more or less than an octave wide. */
const BAND_Q = 1.4
/** 2.5 to 7 Hz, in which syllables follow each other, in half hertz. */
const SYLLABLES = Array.from({ length: 10 }, (_, index) => index + 5)
/** Mean square below which a window holds nothing, -60 dBFS. */
const LEAST_ENERGY = 1e-6
/** What lies 40 dB below the loudest of a window is a pause. */
const PAUSE = 1e-4

const table = (of: (at: number) => number) => Float64Array.from({ length: WINDOW }, (_, at) => of(at))
const HANN = table((at) => 0.5 - 0.5 * Math.cos((2 * Math.PI * at) / WINDOW))
const COSINE = table((at) => Math.cos((2 * Math.PI * at) / WINDOW))

/**
 * Where somebody speaks, by how speech is built: a hiss between vowels, so that some stretches cross zero far more often
 * than most (J. Saunders, ICASSP 1996); pauses between the words; three to seven syllables a second (E. Scheirer and
 * M. Slaney, ICASSP 1997); and levels that fall as fast as they rise, where a drum or a string is struck and dies away.
 * Fed with one channel; keeps one number for each half second.
 */
export class SpeechMeter {
  private readonly step: number
  private readonly frameSamples: number
  private readonly frameSeconds: number
  private readonly bands: BandFilter[]
  private readonly energies = new Float64Array(WINDOW)
  private readonly crossings = new Float64Array(WINDOW)
  private readonly levels = BANDS.map(() => new Float64Array(WINDOW))
  private frames = 0
  private samples = 0
  private skipped = 0
  private sum = 0
  private last = 0
  /** Of each window: log odds that somebody speaks in it; null where it holds nothing. */
  private readonly odds: (number | null)[] = []

  constructor(sampleRate: number) {
    this.step = Math.max(1, Math.round(sampleRate / HEARD_HERTZ))
    const rate = sampleRate / this.step
    this.frameSamples = Math.max(1, Math.round(rate * FRAME_SECONDS))
    this.frameSeconds = this.frameSamples / rate
    this.bands = BANDS.map((hertz) => new BandFilter(hertz, rate))
  }

  /** The mean of these channels, all of one length; samples -1..1. */
  take(channels: readonly Float32Array[]): void {
    const length = channels[0]?.length ?? 0
    for (let at = 0; at < length; at++) {
      for (const samples of channels) this.sum += samples[at] as number
      if (++this.skipped < this.step) continue
      this.hear(this.sum / (this.step * channels.length))
      this.sum = 0
      this.skipped = 0
    }
  }

  /** Of each stretch of `seconds`: log odds that somebody speaks in it, above zero where it is likelier than not; null where nothing is heard. */
  finish(seconds: number, stretches: number): (number | null)[] {
    const { odds, frameSeconds } = this
    const hop = HOP * frameSeconds
    const over = WINDOW / HOP
    return Array.from({ length: stretches }, (_, index) => {
      const newest = Math.floor(((index + 0.5) * seconds) / hop)
      const last = Math.min(odds.length - 1, newest)
      const first = Math.min(last, Math.max(0, newest - over + 1))
      const heard = odds.slice(Math.max(0, first), last + 1).filter((each) => each !== null)
      return heard.length === 0 ? null : heard.reduce((sum, each) => sum + each, 0) / heard.length
    })
  }

  private hear(sample: number): void {
    const { frames, bands, levels, energies, crossings } = this
    energies[frames] = (energies[frames] as number) + sample * sample
    if (sample * this.last < 0) crossings[frames] = (crossings[frames] as number) + 1
    if (sample !== 0) this.last = sample
    for (let band = 0; band < bands.length; band++) {
      const level = levels[band] as Float64Array
      level[frames] = (level[frames] as number) + (bands[band] as BandFilter).energy(sample)
    }
    if (++this.samples === this.frameSamples) this.closeFrame()
  }

  private closeFrame(): void {
    this.samples = 0
    if (++this.frames < WINDOW) return
    this.odds.push(oddsOf(this.energies, this.crossings, this.levels, this.frameSamples))
    for (const values of [this.energies, this.crossings, ...this.levels]) {
      values.copyWithin(0, HOP)
      values.fill(0, WINDOW - HOP)
    }
    this.frames = WINDOW - HOP
  }
}

/** Logistic regression over 219 recordings of speech, also over music, and of music (docs/decisions/0122). */
function oddsOf(
  energies: Float64Array,
  crossings: Float64Array,
  levels: readonly Float64Array[],
  frameSamples: number,
): number | null {
  const most = energies.reduce((a, b) => Math.max(a, b), 0)
  if (most < LEAST_ENERGY * frameSamples) return null
  const faint = most * PAUSE
  const half = mean(energies) / 2
  const quiet = energies.filter((energy) => energy < half).length / WINDOW
  const counts = crossings.filter((_, at) => (energies[at] as number) > faint).sort()
  const hiss = Math.log((mean(counts) + 0.5) / ((counts[counts.length >> 1] as number) + 0.5))
  return (
    -0.21 -
    52.6 * (quiet - 0.5) ** 2 +
    12.3 * Math.min(hiss, 1) -
    3.08 * Math.min(2, Math.max(0, attackOf(energies, faint))) +
    3.28 * syllablesOf(levels)
  )
}

/** How much more steeply the level rises than it falls: log of the squares of the steps, dB, from frame to frame. */
function attackOf(energies: Float64Array, faint: number): number {
  let [rises, falls] = [1, 1]
  const levels = energies.map((energy) => 10 * Math.log10(Math.max(energy, faint)))
  for (let at = 1; at < levels.length; at++) {
    const step = (levels[at] as number) - (levels[at - 1] as number)
    if (step > 0) rises += step * step
    else falls += step * step
  }
  return Math.log(rises / falls)
}

/** Share of how the levels of the bands, dB, change that lies at 2.5 to 7 Hz. */
function syllablesOf(bands: readonly Float64Array[]): number {
  let [part, whole] = [0, 0]
  for (const energies of bands) {
    const least =
      Math.max(
        1e-12,
        energies.reduce((a, b) => Math.max(a, b), 0),
      ) * PAUSE
    const levels = energies.map((energy) => 10 * Math.log10(Math.max(energy, least)))
    const middle = mean(levels)
    const shaped = levels.map((level, at) => (level - middle) * (HANN[at] as number))
    const offset = shaped.reduce((sum, value) => sum + value, 0)
    whole += (shaped.reduce((sum, value) => sum + value * value, 0) * WINDOW - offset * offset) / 2
    for (const bin of SYLLABLES) {
      let real = 0
      let imaginary = 0
      for (let at = 0, angle = 0; at < WINDOW; at++, angle = (angle + bin) % WINDOW) {
        real += (shaped[at] as number) * (COSINE[angle] as number)
        imaginary += (shaped[at] as number) * (COSINE[(angle + (3 * WINDOW) / 4) % WINDOW] as number)
      }
      part += real * real + imaginary * imaginary
    }
  }
  return whole > 0 ? part / whole : 0
}

const mean = (values: Float64Array) => values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length)

/** A band pass about `hertz` (R. Bristow-Johnson, cookbook formulae, of constant peak). */
class BandFilter {
  private readonly gain: number
  private readonly back: number
  private readonly farBack: number
  private near = 0
  private far = 0

  constructor(hertz: number, sampleRate: number) {
    const angle = (2 * Math.PI * Math.min(hertz, sampleRate * 0.45)) / sampleRate
    const alpha = Math.sin(angle) / (2 * BAND_Q)
    this.gain = alpha / (1 + alpha)
    this.back = (2 * Math.cos(angle)) / (1 + alpha)
    this.farBack = (alpha - 1) / (1 + alpha)
  }

  /** Square of the next sample that comes out. */
  energy(sample: number): number {
    const scaled = this.gain * sample
    const out = scaled + this.near
    this.near = this.back * out + this.far
    this.far = this.farBack * out - scaled
    return out * out
  }
}

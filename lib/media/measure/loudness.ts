import { channelWeights, KFilter } from '@/lib/k-weighting'
import type { Dialogue, Loudness, Span } from '../measurements'
import type { SpeechMeter } from './speech'

const ABSOLUTE_GATE = -70
const toLufs = (energy: number) => -0.691 + 10 * Math.log10(energy)
const tenth = (value: number) => Math.round(value * 100) / 100
const MOST_CURVE_SECONDS = 3600
const MOST_STRETCHES = 200
/** Tenths of a second by which a stretch of speech may be found too early or too late: what lies there is not counted. */
const EDGE = 5

export class LoudnessMeter {
  private readonly filters: KFilter[]
  private readonly peaks: TruePeakMeter[]
  private readonly weights: number[]
  private readonly stepSamples: number
  private readonly stepSeconds: number
  private readonly energies: number[] = []
  private sum = 0
  private filled = 0

  constructor(sampleRate: number, channels: number) {
    this.filters = Array.from({ length: channels }, () => new KFilter(sampleRate))
    this.peaks = Array.from({ length: channels }, () => new TruePeakMeter(sampleRate))
    this.weights = channelWeights(channels)
    this.stepSamples = Math.max(1, Math.round(sampleRate / 10))
    this.stepSeconds = this.stepSamples / sampleRate
  }

  /** One array of samples (-1..1) per channel, all of one length. */
  take(channels: readonly Float32Array[]): void {
    const length = channels[0]?.length ?? 0
    for (let from = 0; from < length; ) {
      const to = Math.min(length, from + this.stepSamples - this.filled)
      for (const [index, samples] of channels.entries()) {
        const weight = this.weights[index] ?? 1
        if (weight > 0) this.sum += weight * (this.filters[index]?.energy(samples, from, to) ?? 0)
      }
      this.filled += to - from
      from = to
      if (this.filled === this.stepSamples) {
        this.energies.push(this.sum / this.stepSamples)
        this.sum = 0
        this.filled = 0
      }
    }
    for (const [index, samples] of channels.entries()) this.peaks[index]?.take(samples)
  }

  /** How loud it is where somebody speaks. */
  dialogue(speech: SpeechMeter): Dialogue {
    const odds = speech.finish(this.stepSeconds, this.energies.length)
    const speaks = odds.map((each) => each !== null && each > 0)
    const isInside = (at: number) => speaks.slice(Math.max(0, at - EDGE), at + 4 + EDGE).every(Boolean)
    const blocks = slidingMeans(this.energies, 4).filter((_, at) => isInside(at))
    const audible = above(blocks, ABSOLUTE_GATE)
    const known = odds.filter((each) => each !== null).map((each) => 1 / (1 + Math.exp(-Math.abs(each))))
    return {
      loudness: audible.length === 0 ? null : tenth(toLufs(mean(audible))),
      share: odds.length === 0 ? 0 : tenth(speaks.filter(Boolean).length / odds.length),
      certainty: known.length === 0 ? 1 : tenth(mean(known)),
      at: stretchesOf(speaks).slice(0, MOST_STRETCHES),
    }
  }

  finish(): Loudness {
    const momentary = slidingMeans(this.energies, 4)
    const shortTerm = slidingMeans(this.energies, 30)
    const peak = Math.max(0, ...this.peaks.map((meter) => meter.finish()))
    const loudest = (means: readonly number[]) => {
      const most = means.reduce((a, b) => Math.max(a, b), 0)
      return most > 0 && toLufs(most) > ABSOLUTE_GATE ? tenth(toLufs(most)) : null
    }
    return {
      integrated: integrate(momentary),
      maxMomentary: loudest(momentary),
      maxShortTerm: loudest(shortTerm),
      range: rangeOf(shortTerm),
      truePeak: peak > 0 ? tenth(20 * Math.log10(peak)) : null,
      curve: shortTerm
        .filter((_, index) => index % 10 === 0)
        .slice(0, MOST_CURVE_SECONDS)
        .map((energy) => (energy > 1e-7 ? tenth(toLufs(energy)) : null)),
    }
  }
}

/** Means of `width` neighbours, one for each place they fit. */
function slidingMeans(values: readonly number[], width: number): number[] {
  const means: number[] = []
  for (let first = 0; first + width <= values.length; first++) {
    let sum = 0
    for (let at = first; at < first + width; at++) sum += values[at] as number
    means.push(sum / width)
  }
  return means
}

/** Tenths of a second in a row, in seconds. */
function stretchesOf(speaks: readonly boolean[]): Span[] {
  const stretches: Span[] = []
  for (const [at, isOn] of speaks.entries()) {
    const last = stretches.at(-1)
    if (isOn && last?.end === at / 10) last.end = (at + 1) / 10
    else if (isOn) stretches.push({ start: at / 10, end: (at + 1) / 10 })
  }
  return stretches
}

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
const above = (energies: readonly number[], lufs: number) =>
  energies.filter((energy) => energy > 0 && toLufs(energy) > lufs)

/** BS.1770-5, Annex 1: blocks of 400 ms overlapping by 75 %, gated at -70 LUFS and 10 LU below their mean. */
function integrate(blocks: readonly number[]): number | null {
  const audible = above(blocks, ABSOLUTE_GATE)
  if (audible.length === 0) return null
  const loud = above(audible, toLufs(mean(audible)) - 10)
  return loud.length === 0 ? null : tenth(toLufs(mean(loud)))
}

/** EBU Tech 3342: short-term loudness gated at -70 LUFS and 20 LU below its mean, 95th less 10th percentile. */
function rangeOf(shortTerm: readonly number[]): number | null {
  const audible = above(shortTerm, ABSOLUTE_GATE)
  if (audible.length === 0) return null
  const sorted = above(audible, toLufs(mean(audible)) - 20).sort((a, b) => a - b)
  const percentile = (share: number) => toLufs(sorted[Math.round((sorted.length - 1) * share)] as number)
  return tenth(percentile(0.95) - percentile(0.1))
}

const TAPS = 12
/** Samples of which the largest bend is looked for together. */
const STRETCH = 64

type Phase = { taps: Float64Array; ofBend: number; ofSlope: number }

/** True peak by oversampling (BS.1770-5, Annex 2): fourfold below 96 kHz, twofold below 192 kHz. */
class TruePeakMeter {
  private readonly phases: Phase[]
  /** The last samples of the block before, then those of the present one; as long as the longest block needs. */
  private joined = new Float32Array(TAPS)
  private length = TAPS
  private peak = 0

  constructor(sampleRate: number) {
    const factor = sampleRate < 96_000 ? 4 : sampleRate < 192_000 ? 2 : 1
    this.phases = Array.from({ length: factor - 1 }, (_, phase) => interpolator((phase + 1) / factor))
  }

  take(samples: Float32Array): void {
    this.append(samples)
    const most = this.length - TAPS + 1
    for (let from = 0; from < most; from += STRETCH) this.interpolate(from, Math.min(most, from + STRETCH))
  }

  finish(): number {
    this.take(new Float32Array(TAPS))
    return this.peak
  }

  private append(samples: Float32Array): void {
    const before = this.joined
    const length = TAPS + samples.length
    if (before.length < length) this.joined = new Float32Array(length)
    this.joined.set(before.subarray(this.length - TAPS, this.length))
    this.joined.set(samples, TAPS)
    this.length = length
  }

  /**
   * Interpolates behind the sixth of each twelve samples that begin at `first` up to `last`, where a new peak may lie.
   * Interpolating everywhere took a third of all that is measured of audio.
   */
  private interpolate(first: number, last: number): void {
    const { joined, phases } = this
    let slope = 0
    let bend = 0
    let here = joined[first] as number
    let step = 0
    for (let at = first; at < last + TAPS - 1; at++) {
      const sample = joined[at] as number
      const change = sample - here
      const turn = at < first + 2 ? 0 : change - step
      here = sample
      step = change
      if (change > slope) slope = change
      else if (-change > slope) slope = -change
      if (turn > bend) bend = turn
      else if (-turn > bend) bend = -turn
      const level = sample < 0 ? -sample : sample
      if (level > this.peak) this.peak = level
    }
    let beyond = 0
    for (const { ofBend, ofSlope } of phases) beyond = Math.max(beyond, ofBend * bend + ofSlope * slope)
    for (let at = first; at < last; at++) {
      const before = Math.abs(joined[at + TAPS / 2 - 1] as number)
      const after = Math.abs(joined[at + TAPS / 2] as number)
      const louder = before > after ? before : after
      // Between two quiet samples no peak hides that the loud ones beside them would not show.
      if (louder + beyond <= this.peak || louder * 2 <= this.peak) continue
      for (let phase = 0; phase < phases.length; phase++) {
        const { taps } = phases[phase] as Phase
        let sum = 0
        for (let tap = 0; tap < TAPS; tap++) sum += (taps[tap] as number) * (joined[at + tap] as number)
        if (sum < 0) sum = -sum
        if (sum > this.peak) this.peak = sum
      }
    }
  }
}

/**
 * Windowed sinc that gives the value `fraction` of a sample after the sixth of twelve. It differs from the straight line
 * between the sixth and the seventh by at most `ofBend` times the largest second difference of the twelve and `ofSlope`
 * times their largest difference (by summing the taps' differences from that line twice).
 */
function interpolator(fraction: number): Phase {
  const weights = Float64Array.from({ length: TAPS }, (_, tap) => {
    const distance = tap - (TAPS / 2 - 1) - fraction
    const sinc = distance === 0 ? 1 : Math.sin(Math.PI * distance) / (Math.PI * distance)
    return sinc * (0.5 + 0.5 * Math.cos((Math.PI * distance) / (TAPS / 2)))
  })
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  const taps = weights.map((weight) => weight / total)
  const line = (tap: number) => (tap === TAPS / 2 - 1 ? 1 - fraction : tap === TAPS / 2 ? fraction : 0)
  let [once, twice, ofBend] = [0, 0, 0]
  for (const [tap, weight] of taps.entries()) {
    once += weight - line(tap)
    // The last two sums multiply no difference within the twelve.
    if (tap < TAPS - 1) twice += once
    if (tap < TAPS - 2) ofBend += Math.abs(twice)
  }
  return { taps, ofBend, ofSlope: Math.abs(twice) }
}

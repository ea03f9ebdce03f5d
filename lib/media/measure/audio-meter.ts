import { OPPOSED, type Span, type TrackFacts } from '../measurements'
import { ChannelContentMeter } from './channel-content'
import { ClickMeter } from './clicks'
import { FlatTops } from './flat-tops'
import { GapMeter } from './gaps'
import { HumMeter } from './hum'
import { LoudnessMeter } from './loudness'
import { SampleWindow } from './sample-window'
import { SpeechMeter } from './speech'
import { ToneMeter } from './tones'

const SILENCE_LEVEL = 10 ** (-60 / 20)
const LEAST_SILENCE_SECONDS = 0.5
const WINDOW_SECONDS = 0.01
/** Full scale of 16 bits, less the rounding of a conversion. */
const FULL_SCALE = 32_766 / 32_768
const CLIPPED_RUN = 3
const BITS_24 = 2 ** 23
const MOST_SPANS = 200
type Sums = { left: number; right: number; both: number; apart: number; samples: number }
const nothing = (): Sums => ({ left: 0, right: 0, both: 0, apart: 0, samples: 0 })

export class AudioMeter {
  private readonly loudness: LoudnessMeter
  private readonly windowSamples: number
  private windowPeak = 0
  private inWindow = 0
  private position = 0
  /** Every bit that is set in any sample, as a whole number of 24 bits. */
  private bits = 0
  private quietSince: number | null = 0
  private readonly silences: Span[] = []
  private readonly runLengths: number[]
  private clippedRuns = 0
  private readonly clipped: Span[] = []
  private readonly flatTops: FlatTops
  private readonly tones: ToneMeter
  private readonly gaps: GapMeter
  private readonly clicks: ClickMeter
  private readonly window: SampleWindow
  private readonly hums: HumMeter[]
  private readonly contents: ChannelContentMeter[]
  private readonly speech: SpeechMeter
  private second = nothing()
  private readonly whole = nothing()
  private readonly opposed: Span[] = []

  constructor(
    private readonly sampleRate: number,
    private readonly channels: number,
  ) {
    this.loudness = new LoudnessMeter(sampleRate, channels)
    this.windowSamples = Math.max(1, Math.round(sampleRate * WINDOW_SECONDS))
    this.flatTops = new FlatTops(channels, FULL_SCALE)
    this.tones = new ToneMeter(sampleRate)
    this.gaps = new GapMeter(sampleRate)
    this.clicks = new ClickMeter(sampleRate)
    this.hums = Array.from({ length: channels }, () => new HumMeter(sampleRate))
    // 5.1 and 7.1.
    const surround = channels === 6 || channels === 8 ? channels : 0
    this.contents = Array.from({ length: surround }, () => new ChannelContentMeter(sampleRate))
    this.speech = new SpeechMeter(sampleRate)
    this.window = new SampleWindow(sampleRate, channels, (stretch) => {
      this.gaps.take(stretch)
      this.clicks.take(stretch)
    })
    this.runLengths = Array.from({ length: channels }, () => 0)
  }

  /** One array of samples (-1..1) per channel, all of one length. */
  take(samples: readonly Float32Array[]): void {
    this.loudness.take(samples)
    // Left, right and, of more than two, centre.
    this.speech.take(samples.slice(0, 3))
    this.followLevels(samples)
    this.flatTops.take(samples, this.position, this.sampleRate)
    this.window.take(samples)
    for (const [channel, block] of samples.entries()) {
      this.hums[channel]?.take(block)
      this.contents[channel]?.take(block)
    }
    const [left, right] = samples
    if (left) this.tones.take(left)
    if (this.channels === 2 && left && right) this.followStereo(left, right)
    this.position += samples[0]?.length ?? 0
  }

  finish(): TrackFacts {
    const end = this.position / this.sampleRate
    this.closeSilence(end)
    this.closeSecond()
    this.window.finish()
    return {
      durationSeconds: round(end),
      channels: this.channels,
      loudness: this.loudness.finish(),
      dialogue: this.loudness.dialogue(this.speech),
      silences: this.silences.slice(0, MOST_SPANS).map((span) => ({ ...span, duringBlack: false })),
      clipping: {
        runs: this.clippedRuns,
        at: this.clipped.slice(0, MOST_SPANS),
        below: this.flatTops.finish(),
      },
      stereo:
        this.channels === 2
          ? {
              correlation: correlationOf(this.whole),
              opposed: this.opposed.slice(0, MOST_SPANS),
              isDualMono: this.whole.left > 0 && this.whole.apart === 0,
              leftDb: decibels(this.whole.left, this.whole.samples),
              rightDb: decibels(this.whole.right, this.whole.samples),
              differenceDb: decibels(this.whole.apart, this.whole.left + this.whole.right),
            }
          : null,
      tones: this.tones.finish(),
      gaps: this.gaps.finish(),
      clicks: this.clicks.finish(),
      hums: this.hums.flatMap((hum, channel) => hum.finish().map((each) => ({ ...each, channel: channel + 1 }))),
      ...(this.contents.length > 0 && { contents: this.contents.map((meter) => meter.finish()) }),
      usedBits: this.bits === 0 ? null : 24 - trailingZeros(this.bits),
    }
  }

  /** Window by window, and in each channel by channel: a window is quiet when all of its channels are. */
  private followLevels(samples: readonly Float32Array[]): void {
    const length = samples[0]?.length ?? 0
    for (let from = 0; from < length; ) {
      const to = Math.min(length, from + this.windowSamples - this.inWindow)
      for (const [channel, block] of samples.entries()) this.followChannel(channel, block, from, to)
      this.inWindow += to - from
      from = to
      if (this.inWindow === this.windowSamples) this.closeWindow((this.position + to) / this.sampleRate)
    }
  }

  private followChannel(channel: number, block: Float32Array, from: number, to: number): void {
    let run = this.runLengths[channel] ?? 0
    let peak = this.windowPeak
    let bits = this.bits
    for (let at = from; at < to; at++) {
      const sample = block[at] as number
      bits |= sample * BITS_24
      const level = Math.abs(sample)
      if (level > peak) peak = level
      if (level < FULL_SCALE) run = 0
      else if (++run === CLIPPED_RUN) this.noteClipping((this.position + at) / this.sampleRate)
    }
    this.runLengths[channel] = run
    this.windowPeak = peak
    this.bits = bits
  }

  private closeWindow(time: number): void {
    if (this.windowPeak > SILENCE_LEVEL) this.closeSilence(time - WINDOW_SECONDS)
    else this.quietSince ??= time - WINDOW_SECONDS
    this.windowPeak = 0
    this.inWindow = 0
  }

  private closeSilence(time: number): void {
    if (this.quietSince !== null && time - this.quietSince >= LEAST_SILENCE_SECONDS) {
      this.silences.push({ start: round(Math.max(0, this.quietSince)), end: round(time) })
    }
    this.quietSince = null
  }

  private noteClipping(time: number): void {
    this.clippedRuns += 1
    const last = this.clipped.at(-1)
    if (last && time - last.end <= 0.1) last.end = Math.max(last.end, round(time))
    else if (this.clipped.length < MOST_SPANS) this.clipped.push({ start: round(time), end: round(time) })
  }

  private followStereo(left: Float32Array, right: Float32Array): void {
    for (let from = 0; from < left.length; ) {
      const { second } = this
      const to = Math.min(left.length, from + this.sampleRate - second.samples)
      for (let at = from; at < to; at++) {
        const l = left[at] as number
        const r = right[at] as number
        second.left += l * l
        second.right += r * r
        second.both += l * r
        second.apart += (l - r) * (l - r)
      }
      second.samples += to - from
      from = to
      if (second.samples >= this.sampleRate) this.closeSecond((this.position + to) / this.sampleRate)
    }
  }

  private closeSecond(end = this.position / this.sampleRate): void {
    const { second, whole } = this
    const correlation = correlationOf(second)
    const start = round(end - second.samples / this.sampleRate)
    if (correlation !== null && correlation < OPPOSED) {
      const last = this.opposed.at(-1)
      if (last && Math.abs(last.end - start) < 0.01) last.end = round(end)
      else this.opposed.push({ start, end: round(end) })
    }
    for (const key of ['left', 'right', 'both', 'apart', 'samples'] as const) whole[key] += second[key]
    this.second = nothing()
  }
}

/** Null where a channel is silent: nothing correlates with nothing. */
function correlationOf({ left, right, both, samples }: Sums): number | null {
  const least = samples * SILENCE_LEVEL ** 2
  if (samples === 0 || left < least || right < least) return null
  return Math.round((both / Math.sqrt(left * right)) * 1000) / 1000
}

const decibels = (energy: number, of: number) =>
  energy > 0 && of > 0 ? Math.round(100 * Math.log10(energy / of)) / 10 : null

const trailingZeros = (value: number) => 31 - Math.clz32(value & -value)

const round = (seconds: number) => Math.round(seconds * 1000) / 1000

import type { Hum } from '../measurements'

/**
 * Hum of the mains: lines at 50 or 60 Hz and up to the fourth harmonic that stand still while the programme around them goes
 * up and down. Bass has other frequencies (the notes next to 50, 60, 100 and 120 Hz lie a hertz and more away) and moves; a
 * tone by itself has no programme beside it.
 */

const MAINS = [50, 60] as const
const HARMONICS = [1, 2, 3, 4]
/** The samples are reduced to about this rate. */
const RATE = 1000
/** Of a second each, every half: hertz that are resolved are whole ones. */
const HOP_SECONDS = 0.5
/** Beside a line, hertz away: where notes that come again and again would show lines of their beat. */
const BESIDE = [2, 3, 4, 5, 6]
/** A line stands out when it is 14 dB above all that, within a quarter of a hertz of its place, and stays from half to half. */
const STANDS_OUT = 5
const MOST_LEANING = 2
const MOST_FALL = 10 ** (3 / 20)
/** Windows that are judged together, and how many of them have to show a line. */
const SECTION = 10
const LEAST_SHOWN = 5
/** How far it may move, and from where on it is gone. */
const STEADY = 10 ** (1.5 / 20)
const GONE = 10 ** (-3 / 20)
const LEAST_LEVEL = 10 ** (-80 / 20)
/** What plays beside it: at most 6 dB below it, and changing by 3 dB. */
const LEAST_PROGRAMME = 10 ** (-6 / 20)
const LEAST_CHANGE = 10 ** (3 / 20)
const MOST_HUMS = 100

type Line = { level: number; isShown: boolean }
/** Levels are root mean squares. */
type Shown = { total: number; lines: Line[] }

const LINES = MAINS.flatMap((mains) => HARMONICS.map((harmonic) => ({ mains, hertz: mains * harmonic, harmonic })))

/** Of one channel. */
export class HumMeter {
  /** Samples whose mean is one of the first stage, which has twice the rate. */
  private readonly factor: number
  private readonly rate: number
  private sum = 0
  private energy = 0
  private summed = 0
  /** The two means before the present one. */
  private before = 0
  private last = 0
  private isSecond = false
  private readonly shape: Float64Array
  private readonly halfShape: Float64Array
  private readonly window: Float64Array
  private readonly hop: number
  private filled = 0
  private energies = 0
  private readonly halves: number[] = []
  private windows = 0
  private readonly recent: Shown[] = []
  private readonly hums: Hum[] = []

  constructor(sampleRate: number) {
    this.factor = Math.max(1, Math.round(sampleRate / (2 * RATE)))
    this.rate = sampleRate / (2 * this.factor)
    this.hop = Math.round(this.rate * HOP_SECONDS)
    const length = 2 * this.hop
    this.window = new Float64Array(length)
    this.shape = hann(length)
    this.halfShape = hann(this.hop)
  }

  take(samples: Float32Array): void {
    let { sum, energy, summed } = this
    for (let at = 0; at < samples.length; at++) {
      const sample = samples[at] as number
      sum += sample
      energy += sample * sample
      if (++summed === this.factor) {
        this.takeMean(sum / summed, energy / summed)
        sum = 0
        energy = 0
        summed = 0
      }
    }
    Object.assign(this, { sum, energy, summed })
  }

  finish(): Hum[] {
    return [...this.hums].reverse()
  }

  /** Every second one, smoothed with those beside it, is a sample of the window. */
  private takeMean(mean: number, energy: number): void {
    const { before, last } = this
    this.before = last
    this.last = mean
    this.energies += energy
    this.isSecond = !this.isSecond
    if (this.isSecond) return
    this.window[this.filled++] = (before + 2 * last + mean) / 4
    if (this.filled % this.hop === 0) {
      this.halves.push(this.energies / (2 * this.hop))
      this.energies = 0
    }
    if (this.filled >= 2 * this.hop) this.closeWindow()
  }

  private closeWindow(): void {
    const { window, shape, halfShape, hop, recent, halves } = this
    const shaped = shapedBy(shape, window)
    const parts = [0, hop].map((from) => shapedBy(halfShape, window.subarray(from, from + hop)))
    const level = (hertz: number, samples = shaped) => levelAt(samples, hertz / this.rate) / this.gainAt(hertz)
    const fall = (hertz: number) => {
      const [first = 0, second = 0] = parts.map((part) => level(hertz, part))
      return Math.max(first / second, second / first)
    }
    const [first = 0, second = 0] = halves
    recent.push({
      total: Math.sqrt((first + second) / 2),
      lines: LINES.map(({ hertz }) => lineAt(hertz, level, fall)),
    })
    window.copyWithin(0, hop)
    this.filled = hop
    halves.shift()
    this.windows += 1
    if (recent.length > SECTION) recent.shift()
    if (recent.length === SECTION && this.windows % (SECTION / 2) === 0) this.judge()
  }

  private judge(): void {
    const hop = this.hop / this.rate
    const end = (this.windows + 1) * hop
    const span = { start: round(end - (SECTION + 1) * hop), end: round(end) }
    for (const mains of MAINS) {
      const hum = humOf(this.recent, mains)
      if (hum) this.note({ ...span, ...hum, mains })
    }
  }

  private note(hum: Hum): void {
    const last = this.hums.find(({ mains, end }) => mains === hum.mains && end >= hum.start)
    if (last) Object.assign(last, { end: hum.end, levelDb: Math.max(last.levelDb, hum.levelDb) })
    else if (this.hums.length < MOST_HUMS) this.hums.unshift(hum)
  }

  /** What the two stages of reducing leave of a frequency. */
  private gainAt(hertz: number): number {
    const x = (Math.PI * hertz) / (2 * this.rate)
    return (Math.sin(x) / x) * Math.cos(x) ** 2
  }
}

/** A line of the mains in a window, and whether it stands out. */
function lineAt(hertz: number, levelAt: (hertz: number) => number, fallOf: (hertz: number) => number): Line {
  const level = levelAt(hertz)
  if (level < LEAST_LEVEL) return { level, isShown: false }
  const isHigh = BESIDE.every((away) => level >= STANDS_OUT * Math.max(levelAt(hertz - away), levelAt(hertz + away)))
  if (!isHigh) return { level, isShown: false }
  const leaning = levelAt(hertz - 1) / levelAt(hertz + 1)
  return { level, isShown: leaning <= MOST_LEANING && leaning >= 1 / MOST_LEANING && fallOf(hertz) <= MOST_FALL }
}

/** The hum in a section: of 50 or 60 Hz or twice that at least one line stands, and the rest plays on. */
function humOf(section: readonly Shown[], mains: number): { levelDb: number } | null {
  const standing = LINES.flatMap((line, index) => {
    const level = line.mains === mains ? standingLevel(section.map(({ lines }) => lines[index] as Line)) : null
    return level === null ? [] : [{ level, harmonic: line.harmonic }]
  })
  if (!standing.some(({ harmonic }) => harmonic <= 2)) return null
  const energy = standing.reduce((sum, { level }) => sum + level ** 2, 0)
  const rest = section.map(({ total }) => Math.sqrt(Math.max(0, total ** 2 - energy)))
  const programme = Math.sqrt(rest.reduce((sum, level) => sum + level ** 2, 0) / rest.length)
  if (programme < LEAST_PROGRAMME * Math.sqrt(energy)) return null
  if (Math.max(...rest) < LEAST_CHANGE * Math.min(...rest)) return null
  return { levelDb: Math.round(100 * Math.log10(energy)) / 10 }
}

/** The level of a line that is shown often enough, never leaves its level, and is nowhere gone; else null. */
function standingLevel(lines: readonly Line[]): number | null {
  const shown = lines.filter(({ isShown }) => isShown).map(({ level }) => level)
  if (shown.length < LEAST_SHOWN) return null
  const level = shown.sort((a, b) => a - b)[Math.floor(shown.length / 2)] as number
  if ((shown[0] as number) < level / STEADY || (shown.at(-1) as number) > level * STEADY) return null
  return lines.some((line) => line.level < level * GONE) ? null : level
}

const hann = (length: number) => Float64Array.from({ length }, (_, at) => 1 - Math.cos((2 * Math.PI * at) / length))

const shapedBy = (shape: Float64Array, samples: Float64Array) =>
  samples.map((sample, at) => sample * (shape[at] as number))

/** Level of a frequency, cycles per sample, in samples shaped by a Hann window (Goertzel’s recursion). */
function levelAt(samples: Float64Array, frequency: number): number {
  const angle = 2 * Math.PI * frequency
  const factor = 2 * Math.cos(angle)
  let before = 0
  let last = 0
  for (let at = 0; at < samples.length; at++) {
    const next = (samples[at] as number) + factor * last - before
    before = last
    last = next
  }
  const power = last * last + before * before - factor * last * before
  return Math.sqrt(Math.max(0, 2 * power)) / samples.length
}

const round = (seconds: number) => Math.round(seconds * 1000) / 1000

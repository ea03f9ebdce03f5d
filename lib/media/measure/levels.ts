import type { VideoLevels } from '../measurements'

/**
 * Levels of R, G, B and Y of frames that were averaged to fewer points, which is the low-pass filter before the levels are
 * judged (EBU R 103). In percent of the range from black to white; of PQ the light they stand for as well.
 */

/** A frame in points of luma and both chroma, of 8 bits, in rows without padding. */
export type ColourPoints = {
  luma: Uint8Array
  u: Uint8Array
  v: Uint8Array
  columns: number
  isFullRange: boolean
  matrix: Matrix
  isPq: boolean
}
export type Matrix = 'bt601' | 'bt709' | 'bt2020'

/** What R, G and B take of Cr and Cb (ITU-R BT.601-7, BT.709-6, BT.2020-2). */
const MATRICES: Readonly<Record<Matrix, readonly [red: number, greenU: number, greenV: number, blue: number]>> = {
  bt601: [1.402, 0.344136, 0.714136, 1.772],
  bt709: [1.5748, 0.187324, 0.468124, 1.8556],
  bt2020: [1.4746, 0.164553, 0.571353, 1.8814],
}

/** Percent: what a level may lie below black or above white, and how finely it is counted. */
export const LEAST = -150
const MOST = 250
export const STEP = 0.1
const STEPS = Math.round((MOST - LEAST) / STEP) + 1
/** EBU R 103: an error counts when it takes more than 1 % of the image. */
export const AREA = 0.01
/** Of the light of pixels: specks that overlapping chroma may have made are left out. */
const SPECKS = 0.001

export class LevelMeter {
  private readonly highest = new Uint32Array(STEPS)
  private readonly lowest = new Uint32Array(STEPS)
  private result: VideoLevels | null = null

  take({ luma, u, v, isFullRange, matrix, isPq }: ColourPoints, time: number): void {
    const { highest, lowest } = this
    highest.fill(0)
    lowest.fill(0)
    const { ofLuma, redOfV, greenOfU, greenOfV, blueOfU } = tablesOf(matrix, isFullRange)
    let light = 0
    for (let at = 0; at < luma.length; at++) {
      const cb = u[at] as number
      const cr = v[at] as number
      const y = ofLuma[luma[at] as number] as number
      const r = y + (redOfV[cr] as number)
      const g = y - (greenOfU[cb] as number) - (greenOfV[cr] as number)
      const b = y + (blueOfU[cb] as number)
      const most = r > g ? (r > b ? r : b) : g > b ? g : b
      const least = r < g ? (r < b ? r : b) : g < b ? g : b
      // No level lies below the first step: adding a half rounds.
      const top = (most + 0.5) | 0
      const bottom = (least + 0.5) | 0
      highest[top] = (highest[top] as number) + 1
      lowest[bottom] = (lowest[bottom] as number) + 1
      if (isPq) light += NITS[top] as number
    }
    const points = luma.length
    const [high, low] = [levelOf(highest, points, time, -1), levelOf(lowest, points, time, 1)]
    const { result } = this
    this.result = {
      ...result,
      high: farther(result?.high, high, 1),
      low: farther(result?.low, low, -1),
    }
    if (!isPq) return
    const peak = nitsOf(beyond(highest, SPECKS * points, -1) / 100)
    const mean = light / points
    this.result.light ??= { peak: { nits: 0, at: time }, average: { nits: 0, at: time } }
    if (peak > this.result.light.peak.nits) this.result.light.peak = { nits: rounded(peak), at: time }
    if (mean > this.result.light.average.nits) this.result.light.average = { nits: rounded(mean), at: time }
  }

  finish(): VideoLevels | null {
    return this.result
  }
}

/** The level that lies farther out. */
function farther(known: VideoLevels['high'] | undefined, found: VideoLevels['high'], direction: 1 | -1) {
  return known && direction * (found.percent - known.percent) <= 0 ? known : found
}

type Tables = Record<'ofLuma' | 'redOfV' | 'greenOfU' | 'greenOfV' | 'blueOfU', Float64Array>
const made = new Map<string, Tables>()

/** What each code of 8 bits adds, in steps; that of luma counts from the least level. No sum lies beyond the counted ones. */
export function tablesOf(matrix: Matrix, isFullRange: boolean): Tables {
  const key = `${matrix} ${isFullRange}`
  let tables = made.get(key)
  if (!tables) {
    const [red, greenU, greenV, blue] = MATRICES[matrix]
    const [black, range, chroma] = isFullRange ? [0, 255, 255] : [16, 219, 224]
    const table = (level: (code: number) => number) =>
      Float64Array.from({ length: 256 }, (_, code) => (level(code) * 100) / STEP)
    tables = {
      ofLuma: table((code) => (code - black) / range - LEAST / 100),
      redOfV: table((code) => (red * (code - 128)) / chroma),
      greenOfU: table((code) => (greenU * (code - 128)) / chroma),
      greenOfV: table((code) => (greenV * (code - 128)) / chroma),
      blueOfU: table((code) => (blue * (code - 128)) / chroma),
    }
    made.set(key, tables)
  }
  return tables
}

/** What more than 1 % of a frame reaches, and how far that depends on how its points are averaged: on how large an area counts. */
function levelOf(counts: Uint32Array, points: number, at: number, direction: 1 | -1): VideoLevels['high'] {
  const [most, percent, least] = [0.5, 1, 2].map((times) => beyond(counts, times * AREA * points, direction)) as [
    number,
    number,
    number,
  ]
  return { percent, at, spread: Math.round(Math.abs(most - least) * 5) / 10 }
}

/** The level, percent, beyond which so many points do not lie any more, from the top down (-1) or from the bottom up. */
function beyond(counts: Uint32Array, points: number, direction: 1 | -1): number {
  let passed = 0
  let step = direction === 1 ? 0 : STEPS - 1
  for (let left = STEPS - 1; left > 0; left--) {
    passed += counts[step] as number
    if (passed > points) break
    step += direction
  }
  return Math.round((LEAST + step * STEP) * 10) / 10
}

/** SMPTE ST 2084: light of a signal from 0 to 1, cd/m². */
function nitsOf(signal: number): number {
  const root = Math.min(1, Math.max(0, signal)) ** (1 / 78.84375)
  return 10_000 * (Math.max(0, root - 0.8359375) / (18.8515625 - 18.6875 * root)) ** (1 / 0.1593017578125)
}

/** By steps. */
const NITS = Float64Array.from({ length: STEPS }, (_, step) => nitsOf((LEAST + step * STEP) / 100))

const rounded = (nits: number) => Number(nits.toPrecision(4))

import type { Flashes, Span, VideoMeasures } from '../measurements'
import { isRedChange, type Light } from './red-flash'
import { stripedShare } from './stripes'

/**
 * What one pass over the frames of a video measures: black, standing still, flashing, bars at the edges. Pure arithmetic on
 * decoded images; the decoding and reducing are the caller's. Every frame is inspected in 160 × 90 points, twice a
 * second one is inspected whole.
 */

export const COLUMNS = 160
export const ROWS = 90
/** Chroma is as coarse as in nearly every video: a point of it to four of luma. */
export const CHROMA_COLUMNS = COLUMNS / 2
export const CHROMA_ROWS = ROWS / 2

/** A frame in 160 × 90 points of luma and 80 × 45 of both chroma, of 8 bits, rows without padding. */
export type VideoPoints = {
  luma: Uint8Array
  u: Uint8Array
  v: Uint8Array
  isFullRange: boolean
}

/** The luma plane of a decoded frame. Samples above 8 bits are little-endian words, shifted right to 8. */
export type LumaPlane = {
  data: Uint8Array
  stride: number
  bytesPerSample: 1 | 2
  shift: number
  width: number
  height: number
  /** True where black is 0 and white 255, false where they are 16 and 235. */
  isFullRange: boolean
}
const POINTS = COLUMNS * ROWS
/** Cells in which flashes are counted: 5 × 5 points each. */
const CELL = 5
const CELL_COLUMNS = COLUMNS / CELL
const CELLS = CELL_COLUMNS * (ROWS / CELL)
/** Share of points and darkness of a black frame: the defaults of FFmpeg's blackdetect. */
const BLACK_SHARE = 0.98
const BLACK_LEVEL = 0.1
/** Differences up to this are coding noise. */
const NOISE = 2
/** Mean difference beyond the noise, of full scale, up to which a frame still shows the same. */
const SAME = 0.0003
const LEAST_FREEZE_SECONDS = 0.5
/** WCAG 2.2 “general flash”, ITU-R BT.1702-3: 10 % of luminance, the darker below 0.80, a quarter of the screen. */
const FLASH_STEP = 0.1
const FLASH_DARKER = 0.8
const FLASH_AREA = 0.25
/** A bar is darker than this, of the range from black to white; coding lets black waver. */
const BAR_LEVEL = 0.06
const WHOLE_EVERY_SECONDS = 0.5
/** Chroma of Cr beyond which red may be saturated: cheap to ask of every cell. */
const REDDISH = 160
const STRIPED_AREA = 0.25
const MOST_SPANS = 500

export class VideoMeter {
  private frames = 0
  private time = 0
  private step = 0
  private readonly reference = new Uint8Array(POINTS)
  private blackSince: number | null = null
  private frozenSince = 0
  private readonly black: Span[] = []
  private readonly frozen: Span[] = []
  /** Where each cell's luminance last turned, and in which direction it has gone since. */
  private readonly extremes = new Float32Array(CELLS).fill(-1)
  private readonly directions = new Int8Array(CELLS)
  private readonly general = new TurnCounter()
  /** What each cell showed when it last changed to or from red, and which of both it was. */
  private readonly lights: (Light | undefined)[] = new Array(CELLS)
  private readonly red = new TurnCounter()
  private rowMaxima: Uint8Array | null = null
  private columnMaxima: Uint8Array | null = null
  private nextWhole = 0
  private isWholeFullRange = false
  private readonly striped: Span[] = []
  private readonly means = new Float32Array(POINTS)
  private isFullRange = false
  private luminance = luminanceTable(false)

  /**
   * `time` in seconds from the first frame, never less than the one before. `whole` hands over the frame as decoded; it is
   * asked for now and then only.
   */
  take(points: VideoPoints, time: number, whole: (inspect: (plane: LumaPlane) => void) => void): void {
    if (this.frames === 0 || points.isFullRange !== this.isFullRange) {
      this.isFullRange = points.isFullRange
      this.luminance = luminanceTable(points.isFullRange)
    }
    if (this.frames > 0 && time > this.time) this.step = time - this.time
    this.time = time
    this.frames += 1
    const isBlack = this.countBlack(points.luma) >= BLACK_SHARE * POINTS
    this.followBlack(isBlack, time)
    this.followFreeze(points.luma, isBlack, time)
    this.followFlashes(points, time)
    if (time < this.nextWhole) return
    this.nextWhole = time + WHOLE_EVERY_SECONDS
    if (isBlack) return
    whole((plane) => {
      this.followBars(plane)
      this.followStripes(plane, time)
    })
  }

  finish(): VideoMeasures {
    const end = this.frames > 0 ? this.time + this.step : 0
    this.followBlack(false, end)
    this.closeFreeze(end)
    return {
      frames: this.frames,
      durationSeconds: round(end),
      black: this.black.slice(0, MOST_SPANS),
      frozen: this.frozen.slice(0, MOST_SPANS),
      flashes: this.general.worstSecond(),
      redFlashes: this.red.worstSecond(),
      stripes: this.striped.slice(0, MOST_SPANS).map((span) => ({ ...span, end: Math.min(span.end, round(end)) })),
      bars: this.rowMaxima && this.columnMaxima ? this.bars(this.rowMaxima, this.columnMaxima) : null,
    }
  }

  private level(share: number, isFullRange = this.isFullRange): number {
    return isFullRange ? share * 255 : 16 + share * 219
  }

  private countBlack(luma: Uint8Array): number {
    const limit = this.level(BLACK_LEVEL)
    let black = 0
    for (let at = 0; at < POINTS; at++) if ((luma[at] as number) <= limit) black++
    return black
  }

  private followBlack(isBlack: boolean, time: number): void {
    if (isBlack) this.blackSince ??= time
    else if (this.blackSince !== null) {
      this.black.push({ start: round(this.blackSince), end: round(time) })
      this.blackSince = null
    }
  }

  /** Black is one event: it is never a freeze as well. */
  private followFreeze(luma: Uint8Array, isBlack: boolean, time: number): void {
    if (!isBlack && this.frames > 1 && this.blackSince === null && this.difference(luma) <= SAME * 255) return
    this.closeFreeze(time)
    this.reference.set(luma)
    this.frozenSince = isBlack ? Number.POSITIVE_INFINITY : time
  }

  private closeFreeze(time: number): void {
    if (time - this.frozenSince >= LEAST_FREEZE_SECONDS) {
      this.frozen.push({ start: round(this.frozenSince), end: round(time) })
    }
    this.frozenSince = Number.POSITIVE_INFINITY
  }

  private difference(luma: Uint8Array): number {
    let sum = 0
    for (let at = 0; at < POINTS; at++) {
      const difference = Math.abs((luma[at] as number) - (this.reference[at] as number))
      if (difference > NOISE) sum += difference - NOISE
    }
    return sum / POINTS
  }

  private followFlashes(points: VideoPoints, time: number): void {
    let [rose, fell, reddened, paled] = [0, 0, 0, 0]
    for (let cell = 0; cell < CELLS; cell++) {
      const top = Math.floor(cell / CELL_COLUMNS) * CELL
      const left = (cell % CELL_COLUMNS) * CELL
      const luminance = this.cellLuminance(points.luma, top, left)
      const extreme = this.extremes[cell] as number
      const direction = this.directions[cell] as number
      const change = luminance - extreme
      if (extreme < 0) this.extremes[cell] = luminance
      else if (Math.abs(change) >= FLASH_STEP && Math.sign(change) !== direction) {
        if (Math.min(luminance, extreme) < FLASH_DARKER) change > 0 ? rose++ : fell++
        this.directions[cell] = Math.sign(change)
        this.extremes[cell] = luminance
      } else if (direction !== 0 && Math.sign(change) === direction) this.extremes[cell] = luminance
      const redChange = this.redChange(points, cell, top + 2, left + 2)
      if (redChange > 0) reddened++
      else if (redChange < 0) paled++
    }
    this.general.take(rose, fell, time)
    this.red.take(reddened, paled, time)
  }

  /** 1 when a cell has turned to a saturated red since its last change, -1 when it has left one; by the point amid it. */
  private redChange({ luma, u, v }: VideoPoints, cell: number, row: number, column: number): number {
    const before = this.lights[cell]
    const chroma = (row >> 1) * CHROMA_COLUMNS + (column >> 1)
    const isReddish = (v[chroma] as number) > REDDISH
    if (!isReddish && before === undefined) return 0
    const y = luma[row * COLUMNS + column] as number
    const light = lightOf(y, u[chroma] as number, v[chroma] as number, this.isFullRange)
    if (this.frames === 1) {
      this.lights[cell] = light
      return 0
    }
    // A cell that was never reddish is remembered by its luminance only: as a grey, which is as far from red.
    const from = before ?? this.greyOf(cell)
    if (!isRedChange(from, light)) return 0
    this.lights[cell] = light
    return isReddish ? 1 : -1
  }

  private greyOf(cell: number): Light {
    const level = Math.max(0, this.extremes[cell] as number)
    return [level, level, level]
  }

  private cellLuminance(luma: Uint8Array, top: number, left: number): number {
    let sum = 0
    for (let y = top; y < top + CELL; y++) {
      for (let x = left; x < left + CELL; x++) sum += this.luminance[luma[y * COLUMNS + x] as number] as number
    }
    return sum / (CELL * CELL)
  }

  private followStripes(plane: LumaPlane, time: number): void {
    meanLuminance(plane, this.means)
    if (stripedShare(this.means, COLUMNS, ROWS) < STRIPED_AREA) return
    const [start, end] = [round(time), round(time + WHOLE_EVERY_SECONDS)]
    const last = this.striped.at(-1)
    if (last && start - last.end < WHOLE_EVERY_SECONDS / 2) last.end = end
    else this.striped.push({ start, end })
  }

  /** Goes along the rows and columns that have stayed black so far, at every few points of each. */
  private followBars(plane: LumaPlane): void {
    const { width, height, isFullRange } = plane
    this.isWholeFullRange = isFullRange
    if (this.rowMaxima?.length !== height || this.columnMaxima?.length !== width) {
      this.rowMaxima = new Uint8Array(height)
      this.columnMaxima = new Uint8Array(width)
    }
    const limit = this.level(BAR_LEVEL, isFullRange)
    const [across, down] = [plane.bytesPerSample, plane.stride]
    const acrossStep = Math.max(1, Math.floor(width / 96))
    const downStep = Math.max(1, Math.floor(height / 96))
    brightest(plane, this.rowMaxima, down, across * acrossStep, Math.ceil(width / acrossStep), limit)
    brightest(plane, this.columnMaxima, across, down * downStep, Math.ceil(height / downStep), limit)
  }

  private bars(rows: Uint8Array, columns: Uint8Array): VideoMeasures['bars'] {
    const limit = this.level(BAR_LEVEL, this.isWholeFullRange)
    const lit = (maximum: number) => maximum > limit
    const [top, left] = [rows.findIndex(lit), columns.findIndex(lit)]
    if (top < 0 || left < 0) return null
    return {
      top,
      bottom: rows.length - 1 - rows.findLastIndex(lit),
      left,
      right: columns.length - 1 - columns.findLastIndex(lit),
    }
  }
}

/** Relative luminance by luma, display gamma 2.2 (WCAG 2.2 computes with about that). */
function luminanceTable(isFullRange: boolean): Float32Array {
  return Float32Array.from({ length: 256 }, (_, luma) => {
    const share = isFullRange ? luma / 255 : (luma - 16) / 219
    return Math.min(1, Math.max(0, share)) ** 2.2
  })
}

/** Turns one way and the other over a quarter of the screen; two of them are a flash. */
class TurnCounter {
  private readonly up: number[] = []
  private readonly down: number[] = []
  private readonly turns: { time: number; direction: 1 | -1 }[] = []

  /** Cells that turned one way and the other in this frame. */
  take(up: number, down: number, time: number): void {
    this.evaluate(this.up, up, 1, time)
    this.evaluate(this.down, down, -1, time)
  }

  /** A change may take three frames to be whole. */
  private evaluate(recent: number[], cells: number, direction: 1 | -1, time: number): void {
    recent.push(cells)
    if (recent.length > 3) recent.shift()
    if (recent.reduce((sum, each) => sum + each, 0) < FLASH_AREA * CELLS) return
    recent.length = 0
    if (this.turns.at(-1)?.direction !== direction) this.turns.push({ time, direction })
  }

  worstSecond(): Flashes {
    const { turns } = this
    let worst: Flashes = { mostPerSecond: 0, at: null }
    for (let last = 0, first = 0; last < turns.length; last++) {
      const end = turns[last]?.time ?? 0
      while (end - (turns[first]?.time ?? end) >= 1) first++
      const flashes = Math.floor((last - first + 1) / 2)
      if (flashes > worst.mostPerSecond) {
        worst = { mostPerSecond: flashes, at: { start: round(turns[first]?.time ?? 0), end: round(end) } }
      }
    }
    return worst
  }
}

/** Linear light of a point by ITU-R BT.709, of which BT.601 differs too little to matter here. */
function lightOf(luma: number, u: number, v: number, isFullRange: boolean): Light {
  const y = isFullRange ? luma / 255 : (luma - 16) / 219
  const range = isFullRange ? 255 : 224
  const [blue, red] = [(u - 128) / range, (v - 128) / range]
  const linear = (value: number) => Math.min(1, Math.max(0, value)) ** 2.2
  return [linear(y + 1.5748 * red), linear(y - 0.1873 * blue - 0.4681 * red), linear(y + 1.8556 * blue)]
}

/** Raises the maximum of every line that is not above the limit yet by its brightest point; distances in bytes. */
function brightest(
  { data, bytesPerSample, shift }: LumaPlane,
  maxima: Uint8Array,
  toNextLine: number,
  toNextPoint: number,
  points: number,
  limit: number,
) {
  for (let line = 0; line < maxima.length; line++) {
    let most = maxima[line] as number
    if (most > limit) continue
    for (let point = 0, at = line * toNextLine; point < points; point++, at += toNextPoint) {
      const luma =
        bytesPerSample === 1 ? (data[at] as number) : ((data[at] as number) | ((data[at + 1] as number) << 8)) >> shift
      if (luma > most) most = luma
    }
    maxima[line] = most
  }
}

/** Relative luminance of 160 × 90 fields of a frame, each the mean of sixteen samples, so that fine grain is no pattern. */
function meanLuminance(
  { data, stride, bytesPerSample, shift, width, height, isFullRange }: LumaPlane,
  to: Float32Array,
) {
  const table = isFullRange ? FULL_RANGE : LIMITED_RANGE
  const places = (fields: number, size: number, bytes: number) =>
    Int32Array.from({ length: fields * 4 }, (_, at) => Math.floor(((at / 4) * size) / fields) * bytes)
  const across = places(COLUMNS, width, bytesPerSample)
  const down = places(ROWS, height, stride)
  to.fill(0)
  for (let y = 0; y < down.length; y++) {
    const row = down[y] as number
    const first = (y >> 2) * COLUMNS
    for (let x = 0; x < across.length; x++) {
      const at = row + (across[x] as number)
      const value =
        bytesPerSample === 1 ? (data[at] as number) : ((data[at] as number) | ((data[at + 1] as number) << 8)) >> shift
      const point = first + (x >> 2)
      to[point] = (to[point] as number) + (table[value & 255] as number) / 16
    }
  }
}

const FULL_RANGE = luminanceTable(true)
const LIMITED_RANGE = luminanceTable(false)

const round = (seconds: number) => Math.round(seconds * 1000) / 1000

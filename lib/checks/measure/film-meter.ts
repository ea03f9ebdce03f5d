/**
 * What one pass over the frames of a film tells: black, standing still, flashing, bars at the edges. Pure arithmetic on
 * decoded luma; the decoding is the caller's. A frame is looked at in 160 × 90 points, its edges in every row and column.
 */

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

/** Seconds from the first frame; `end` is where the next frame begins. */
export type Span = { start: number; end: number }

export type FilmFacts = {
  frames: number
  durationSeconds: number
  /** Stretches whose every frame is black: 98 % of the points within 10 % of the black level. */
  black: Span[]
  /** Stretches of at least half a second, not black, whose frames do not differ from their first. */
  frozen: Span[]
  /** Most general flashes (pairs of opposing changes) within any second, and where that second lies. */
  flashes: { mostPerSecond: number; at: Span | null }
  /** Rows and columns that stay black from the first frame to the last, in pixels as coded; null: all is black. */
  bars: { top: number; bottom: number; left: number; right: number } | null
}

const COLUMNS = 160
const ROWS = 90
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
const BAR_EVERY_SECONDS = 0.5
const MOST_SPANS = 500

export class FilmMeter {
  private frames = 0
  private time = 0
  private step = 0
  private readonly points = new Uint8Array(POINTS)
  private readonly reference = new Uint8Array(POINTS)
  private blackSince: number | null = null
  private frozenSince = 0
  private readonly black: Span[] = []
  private readonly frozen: Span[] = []
  /** Where each cell's luminance last turned, and in which direction it has gone since. */
  private readonly extremes = new Float32Array(CELLS).fill(-1)
  private readonly directions = new Int8Array(CELLS)
  private readonly rising: number[] = []
  private readonly falling: number[] = []
  private readonly turns: { time: number; direction: 1 | -1 }[] = []
  private rowMaxima: Uint8Array | null = null
  private columnMaxima: Uint8Array | null = null
  private nextBars = 0
  private isFullRange = false
  private luminance = luminanceTable(false)

  /** `time` in seconds from the first frame, never less than the one before. */
  take(plane: LumaPlane, time: number): void {
    if (this.frames === 0 || plane.isFullRange !== this.isFullRange) {
      this.isFullRange = plane.isFullRange
      this.luminance = luminanceTable(plane.isFullRange)
    }
    if (this.frames > 0 && time > this.time) this.step = time - this.time
    this.time = time
    this.frames += 1
    const blackPoints = this.sample(plane)
    const isBlack = blackPoints >= BLACK_SHARE * POINTS
    this.followBlack(isBlack, time)
    this.followFreeze(isBlack, time)
    this.followFlashes(time)
    if (time >= this.nextBars) {
      this.nextBars = time + BAR_EVERY_SECONDS
      if (!isBlack) this.followBars(plane)
    }
  }

  finish(): FilmFacts {
    const end = this.frames > 0 ? this.time + this.step : 0
    this.followBlack(false, end)
    this.closeFreeze(end)
    return {
      frames: this.frames,
      durationSeconds: round(end),
      black: this.black.slice(0, MOST_SPANS),
      frozen: this.frozen.slice(0, MOST_SPANS),
      flashes: worstSecond(this.turns),
      bars: this.rowMaxima && this.columnMaxima ? this.bars(this.rowMaxima, this.columnMaxima) : null,
    }
  }

  private level(share: number): number {
    return this.isFullRange ? share * 255 : 16 + share * 219
  }

  /** Fills `points`; gives how many of them are black. */
  private sample({ data, stride, bytesPerSample, shift, width, height }: LumaPlane): number {
    const limit = this.level(BLACK_LEVEL)
    let black = 0
    for (let row = 0, to = 0; row < ROWS; row++) {
      const line = Math.floor(((row + 0.5) * height) / ROWS) * stride
      for (let column = 0; column < COLUMNS; column++, to++) {
        const at = line + Math.floor(((column + 0.5) * width) / COLUMNS) * bytesPerSample
        const value = bytesPerSample === 1 ? (data[at] ?? 0) : ((data[at] ?? 0) | ((data[at + 1] ?? 0) << 8)) >> shift
        this.points[to] = value
        if (value <= limit) black++
      }
    }
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
  private followFreeze(isBlack: boolean, time: number): void {
    if (!isBlack && this.frames > 1 && this.blackSince === null && this.difference() <= SAME * 255) return
    this.closeFreeze(time)
    this.reference.set(this.points)
    this.frozenSince = isBlack ? Number.POSITIVE_INFINITY : time
  }

  private closeFreeze(time: number): void {
    if (time - this.frozenSince >= LEAST_FREEZE_SECONDS) {
      this.frozen.push({ start: round(this.frozenSince), end: round(time) })
    }
    this.frozenSince = Number.POSITIVE_INFINITY
  }

  private difference(): number {
    let sum = 0
    for (let at = 0; at < POINTS; at++) {
      const difference = Math.abs((this.points[at] as number) - (this.reference[at] as number))
      if (difference > NOISE) sum += difference - NOISE
    }
    return sum / POINTS
  }

  private followFlashes(time: number): void {
    let [rose, fell] = [0, 0]
    for (let cell = 0; cell < CELLS; cell++) {
      const luminance = this.cellLuminance(cell)
      const extreme = this.extremes[cell] as number
      const direction = this.directions[cell] as number
      const change = luminance - extreme
      if (extreme < 0) this.extremes[cell] = luminance
      else if (Math.abs(change) >= FLASH_STEP && Math.sign(change) !== direction) {
        if (Math.min(luminance, extreme) < FLASH_DARKER) change > 0 ? rose++ : fell++
        this.directions[cell] = Math.sign(change)
        this.extremes[cell] = luminance
      } else if (direction !== 0 && Math.sign(change) === direction) this.extremes[cell] = luminance
    }
    // A change may take three frames to be whole.
    this.judgeTurn(this.rising, rose, 1, time)
    this.judgeTurn(this.falling, fell, -1, time)
  }

  private judgeTurn(recent: number[], cells: number, direction: 1 | -1, time: number): void {
    recent.push(cells)
    if (recent.length > 3) recent.shift()
    if (recent.reduce((sum, each) => sum + each, 0) < FLASH_AREA * CELLS) return
    recent.length = 0
    if (this.turns.at(-1)?.direction !== direction) this.turns.push({ time, direction })
  }

  private cellLuminance(cell: number): number {
    const top = Math.floor(cell / CELL_COLUMNS) * CELL
    const left = (cell % CELL_COLUMNS) * CELL
    let sum = 0
    for (let y = top; y < top + CELL; y++) {
      for (let x = left; x < left + CELL; x++) sum += this.luminance[this.points[y * COLUMNS + x] as number] as number
    }
    return sum / (CELL * CELL)
  }

  private followBars({ data, stride, bytesPerSample, shift, width, height }: LumaPlane): void {
    if (this.rowMaxima?.length !== height || this.columnMaxima?.length !== width) {
      this.rowMaxima = new Uint8Array(height)
      this.columnMaxima = new Uint8Array(width)
    }
    const { rowMaxima, columnMaxima } = this
    const value = (x: number, y: number) => {
      const at = y * stride + x * bytesPerSample
      return bytesPerSample === 1
        ? (data[at] as number)
        : ((data[at] as number) | ((data[at + 1] as number) << 8)) >> shift
    }
    const acrossStep = Math.max(1, Math.floor(width / 96))
    for (let y = 0; y < height; y++) {
      for (let x = 0; x < width; x += acrossStep) {
        const luma = value(x, y)
        if (luma > (rowMaxima[y] as number)) rowMaxima[y] = luma
      }
    }
    const downStep = Math.max(1, Math.floor(height / 96))
    for (let y = 0; y < height; y += downStep) {
      for (let x = 0; x < width; x++) {
        const luma = value(x, y)
        if (luma > (columnMaxima[x] as number)) columnMaxima[x] = luma
      }
    }
  }

  private bars(rows: Uint8Array, columns: Uint8Array): FilmFacts['bars'] {
    const limit = this.level(BAR_LEVEL)
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

function worstSecond(turns: readonly { time: number }[]): FilmFacts['flashes'] {
  let worst: FilmFacts['flashes'] = { mostPerSecond: 0, at: null }
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

const round = (seconds: number) => Math.round(seconds * 1000) / 1000

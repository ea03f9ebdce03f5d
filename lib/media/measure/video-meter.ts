import type { BlockEdges, Flashes, Span, VideoMeasures } from '../measurements'
import { blockEdges } from './blocks'
import { FieldMeter, type Lines } from './fields'
import type { LumaPlane } from './luma-plane'
import { isRedChange, type Light } from './red-flash'
import { stripedShare } from './stripes'

/**
 * What one pass over the frames of a video measures: black, standing still, flashing, bars at the edges, edges of blocks.
 * Pure arithmetic on decoded images; the decoding and reducing are the caller's. Every frame is inspected in 160 × 90
 * points, twice a second one is inspected whole.
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

const POINTS = COLUMNS * ROWS
/** Cells in which flashes are found: 5 × 5 points each. Their area is counted in points. */
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
/**
 * What moves in a small place, or slowly, changes less than that: a point of it by more than coding does, or the mean of
 * a block of points, in which coding noise cancels itself out. Grey levels.
 */
const MOVED_POINT = 40
const MOVED_BLOCK = 1.2
const BLOCK = 10
/** The same of colour: the mean of a block of chroma. Coding a still image anew changes it by one or two. */
const MOVED_COLOUR = 4
const COLOUR_BLOCK = BLOCK / 2
/**
 * Coarse coding draws a still image a little otherwise at each key frame, and settles in the frames behind it: that is no
 * motion where much of the image changes by a little, and where key frames are rare enough for motion to show between them.
 */
const LEAST_KEY_SECONDS = 0.7
const SETTLE_SECONDS = 0.2
const REDRAWN_BLOCK = 0.3
const REDRAWN_SHARE = 0.25
const REDRAWN_MEAN = 4
const BLOCK_COLUMNS = COLUMNS / BLOCK
const BLOCKS = POINTS / (BLOCK * BLOCK)
const LEAST_FREEZE_SECONDS = 0.5
/** WCAG 2.2 “general flash”, ITU-R BT.1702-3: 10 % of luminance, the darker below 0.80, more than a quarter of the screen. */
const FLASH_STEP = 0.1
const FLASH_DARKER = 0.8
const FLASH_AREA = 0.25
/** A bar is darker than this, of the range from black to white; coding lets black waver. */
const BAR_LEVEL = 0.06
const WHOLE_EVERY_SECONDS = 0.5
/** So many pairs of frames are compared for their fields at the start, then one pair now and then, less often in what is long. */
const PAIRS_AT_START = 12
const PAIR_EVERY_SECONDS = 0.5
const LONG_SECONDS = 10
const PAIR_OF_LONG_SECONDS = 1
/** Chroma of Cr beyond which red may be saturated: cheap to ask of every cell. */
const REDDISH = 160
const STRIPED_AREA = 0.25
/** From this share on it is kept that edges of blocks are seen. */
const LEAST_BLOCK_EDGES = 0.01
const MOST_SPANS = 500

export class VideoMeter {
  private frames = 0
  private time = 0
  private step = 0
  private readonly reference = {
    luma: new Uint8Array(POINTS),
    u: new Uint8Array(CHROMA_COLUMNS * CHROMA_ROWS),
    v: new Uint8Array(CHROMA_COLUMNS * CHROMA_ROWS),
  }
  private blackSince: number | null = null
  private frozenSince = 0
  private lastKey = Number.NEGATIVE_INFINITY
  private settlesUntil = Number.NEGATIVE_INFINITY
  private readonly black: Span[] = []
  private readonly frozen: Span[] = []
  /** Where each cell's luminance last turned, and in which direction it has gone since. */
  private readonly extremes = new Float32Array(CELLS).fill(-1)
  private readonly directions = new Int8Array(CELLS)
  /** Luma of every point when its cell's luminance last turned. */
  private readonly turnedFrom = new Uint8Array(POINTS)
  private readonly general = new TurnCounter()
  /** What each cell showed when it last changed to or from red, and which of both it was. */
  private readonly lights: (Light | undefined)[] = new Array(CELLS)
  private readonly red = new TurnCounter()
  private rowMaxima: Uint8Array | null = null
  private columnMaxima: Uint8Array | null = null
  private nextWhole = 0
  private isWholeFullRange = false
  private readonly striped: Span[] = []
  private readonly blocks: BlockEdges[] = []
  private readonly means = new Float32Array(POINTS)
  private isFullRange = false
  private luminance = luminanceTable(false)
  private readonly fields = new FieldMeter()
  private pairs = 0
  private pairOpen = false
  private nextPair = 0

  /**
   * `time` in seconds from the first frame, never less than the one before. `whole` hands over the frame as decoded,
   * `lines` all of its lines; they are asked for now and then only. `isKey`: it is coded by itself.
   */
  take(
    points: VideoPoints,
    time: number,
    whole: (inspect: (plane: LumaPlane) => void) => void,
    lines?: () => Lines,
    isKey = false,
  ): void {
    if (this.frames === 0 || points.isFullRange !== this.isFullRange) {
      this.isFullRange = points.isFullRange
      this.luminance = luminanceTable(points.isFullRange)
    }
    if (this.frames > 0 && time > this.time) this.step = time - this.time
    this.time = time
    this.frames += 1
    const isBlack = this.isBlackFrame(points.luma)
    this.followBlack(isBlack, time)
    if (isKey) {
      if (time - this.lastKey >= LEAST_KEY_SECONDS) this.settlesUntil = time + SETTLE_SECONDS
      this.lastKey = time
    }
    this.followFreeze(points, isBlack, time)
    this.followFlashes(points, time)
    if (lines) this.followFields(lines, time)
    if (time < this.nextWhole) return
    this.nextWhole = time + WHOLE_EVERY_SECONDS
    if (isBlack) return
    whole((plane) => {
      this.followBars(plane)
      this.followStripes(plane, time)
      this.followBlocks(plane, time)
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
      fields: this.fields.finish(),
      blocks: mostSeen(this.blocks),
      bars: this.rowMaxima && this.columnMaxima ? this.bars(this.rowMaxima, this.columnMaxima) : null,
    }
  }

  private level(share: number, isFullRange = this.isFullRange): number {
    return isFullRange ? share * 255 : 16 + share * 219
  }

  private isBlackFrame(luma: Uint8Array): boolean {
    const limit = this.level(BLACK_LEVEL)
    let lighter = 0
    for (let at = 0; at < POINTS; at++)
      if ((luma[at] as number) > limit && ++lighter > (1 - BLACK_SHARE) * POINTS) return false
    return true
  }

  private followBlack(isBlack: boolean, time: number): void {
    if (isBlack) this.blackSince ??= time
    else if (this.blackSince !== null) {
      this.black.push({ start: round(this.blackSince), end: round(time) })
      this.blackSince = null
    }
  }

  /** Black is one event: it is never a freeze as well. */
  private followFreeze(points: VideoPoints, isBlack: boolean, time: number): void {
    if (!isBlack && this.frames > 1 && this.blackSince === null) {
      // Grey first: what moves shows in it sooner.
      if (this.isSame(points.luma) && this.hasSameColours(points)) return
      if (time <= this.settlesUntil && this.isRedrawn(points.luma) && this.hasSameColours(points)) {
        this.refer(points)
        return
      }
    }
    this.closeFreeze(time)
    this.refer(points)
    this.frozenSince = isBlack ? Number.POSITIVE_INFINITY : time
  }

  private closeFreeze(time: number): void {
    if (time - this.frozenSince >= LEAST_FREEZE_SECONDS) {
      this.frozen.push({ start: round(this.frozenSince), end: round(time) })
    }
    this.frozenSince = Number.POSITIVE_INFINITY
  }

  private refer({ luma, u, v }: VideoPoints): void {
    const { reference } = this
    reference.luma.set(luma)
    reference.u.set(u)
    reference.v.set(v)
  }

  private hasSameColours({ u, v }: VideoPoints): boolean {
    return isSameColour(u, this.reference.u) && isSameColour(v, this.reference.v)
  }

  /** Whether a frame shows what the first of its stretch showed, in grey. */
  private isSame(luma: Uint8Array): boolean {
    const reference = this.reference.luma
    let sum = 0
    for (let block = 0; block < BLOCKS; block++) {
      const first = Math.floor(block / BLOCK_COLUMNS) * BLOCK * COLUMNS + (block % BLOCK_COLUMNS) * BLOCK
      let change = 0
      for (let row = first; row < first + BLOCK * COLUMNS; row += COLUMNS) {
        for (let at = row; at < row + BLOCK; at++) {
          const difference = (luma[at] as number) - (reference[at] as number)
          change += difference
          const size = Math.abs(difference)
          if (size > MOVED_POINT) return false
          if (size > NOISE) sum += size - NOISE
        }
      }
      if (Math.abs(change) > MOVED_BLOCK * BLOCK * BLOCK) return false
    }
    return sum / POINTS <= SAME * 255
  }

  /** Whether a frame shows the same as the reference, coded anew. */
  private isRedrawn(luma: Uint8Array): boolean {
    const reference = this.reference.luma
    let [total, redrawn] = [0, 0]
    for (let block = 0; block < BLOCKS; block++) {
      const first = Math.floor(block / BLOCK_COLUMNS) * BLOCK * COLUMNS + (block % BLOCK_COLUMNS) * BLOCK
      let sum = 0
      for (let row = first; row < first + BLOCK * COLUMNS; row += COLUMNS) {
        for (let at = row; at < row + BLOCK; at++) sum += Math.abs((luma[at] as number) - (reference[at] as number))
      }
      total += sum
      if (sum > REDRAWN_BLOCK * BLOCK * BLOCK) redrawn++
    }
    return redrawn >= REDRAWN_SHARE * BLOCKS && total <= REDRAWN_MEAN * POINTS
  }

  private followFields(lines: () => Lines, time: number): void {
    if (!this.pairOpen && this.pairs >= PAIRS_AT_START && time < this.nextPair) return
    this.fields.take(lines(), this.pairOpen)
    if (this.pairOpen) this.pairs += 1
    this.nextPair = time + (time < LONG_SECONDS ? PAIR_EVERY_SECONDS : PAIR_OF_LONG_SECONDS)
    // At the start every frame is the second of one pair and the first of the next.
    this.pairOpen = this.pairs < PAIRS_AT_START || !this.pairOpen
  }

  private followFlashes(points: VideoPoints, time: number): void {
    const { luma } = points
    const { extremes, directions, turnedFrom } = this
    for (let cell = 0; cell < CELLS; cell++) {
      const top = Math.floor(cell / CELL_COLUMNS) * CELL
      const left = (cell % CELL_COLUMNS) * CELL
      const luminance = this.cellLuminance(luma, top, left)
      const extreme = extremes[cell] as number
      const direction = directions[cell] as number
      const change = luminance - extreme
      const turns = extreme >= 0 && Math.abs(change) >= FLASH_STEP && Math.sign(change) !== direction
      if (turns) {
        if (Math.min(luminance, extreme) < FLASH_DARKER) {
          this.general.turn(cell, Math.sign(change), this.changedPoints(luma, top, left, Math.sign(change)))
        }
        directions[cell] = Math.sign(change)
      }
      if (turns || extreme < 0 || (direction !== 0 && Math.sign(change) === direction)) {
        extremes[cell] = luminance
        for (let y = top; y < top + CELL; y++) {
          const row = y * COLUMNS + left
          for (let at = row; at < row + CELL; at++) turnedFrom[at] = luma[at] as number
        }
      }
      const redChange = this.redChange(points, cell, top + 2, left + 2)
      if (redChange !== 0) this.red.turn(cell, redChange, CELL * CELL)
    }
    this.general.close(time)
    this.red.close(time)
  }

  /** Points of a cell that changed as it did since it last turned: it may lie on the edge of what flashes. */
  private changedPoints(luma: Uint8Array, top: number, left: number, direction: number): number {
    let changed = 0
    for (let y = top; y < top + CELL; y++) {
      for (let at = y * COLUMNS + left, end = at + CELL; at < end; at++) {
        const now = luma[at] as number
        const before = this.turnedFrom[at] as number
        const change = (this.luminance[now] as number) - (this.luminance[before] as number)
        if (change * direction >= FLASH_STEP) changed++
      }
    }
    return changed
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
    const { luminance } = this
    let sum = 0
    for (let row = top * COLUMNS + left, last = row + CELL * COLUMNS; row < last; row += COLUMNS) {
      for (let at = row; at < row + CELL; at++) sum += luminance[luma[at] as number] as number
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

  private followBlocks(plane: LumaPlane, time: number): void {
    const share = blockEdges(plane)
    if (share >= LEAST_BLOCK_EDGES) this.blocks.push({ at: round(time), percent: Math.round(share * 1000) / 10 })
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

/** As many as are kept, in the order of time. */
const mostSeen = (blocks: readonly BlockEdges[]) =>
  [...blocks]
    .sort((a, b) => b.percent - a.percent)
    .slice(0, MOST_SPANS)
    .sort((a, b) => a.at - b.at)

/** Relative luminance by luma, display gamma 2.2 (WCAG 2.2 computes with about that). */
function luminanceTable(isFullRange: boolean): Float32Array {
  return Float32Array.from({ length: 256 }, (_, luma) => {
    const share = isFullRange ? luma / 255 : (luma - 16) / 219
    return Math.min(1, Math.max(0, share)) ** 2.2
  })
}

/** A change may take three frames to be whole. */
const TURN_FRAMES = 3
/** Two flashes in a second are four turns. */
const TURNS_OF_TWO = 4

/** Turns one way and the other over more than a quarter of the screen; two of them are a flash. */
class TurnCounter {
  private frame = 0
  /** By cell: in which frame it last turned, which way, and over how many points; none where that has been counted. */
  private readonly frames = new Int32Array(CELLS)
  private readonly directions = new Int8Array(CELLS)
  private readonly points = new Uint8Array(CELLS)
  private hasTurned = false
  private readonly turns: { time: number; direction: 1 | -1 }[] = []

  /** A cell turned in the present frame, over so many of its points. */
  turn(cell: number, direction: number, points: number): void {
    this.frames[cell] = this.frame
    this.directions[cell] = direction
    this.points[cell] = points
    this.hasTurned = true
  }

  /** All cells of the present frame have been seen. */
  close(time: number): void {
    this.frame += 1
    if (!this.hasTurned) return
    this.hasTurned = false
    for (const direction of [1, -1] as const) {
      const isRecent = (cell: number) =>
        this.directions[cell] === direction && this.frame - (this.frames[cell] as number) <= TURN_FRAMES
      let area = 0
      for (let cell = 0; cell < CELLS; cell++) if (isRecent(cell)) area += this.points[cell] as number
      if (area <= FLASH_AREA * POINTS) continue
      for (let cell = 0; cell < CELLS; cell++) if (isRecent(cell)) this.points[cell] = 0
      if (this.turns.at(-1)?.direction !== direction) this.turns.push({ time, direction })
    }
  }

  worstSecond(): Flashes {
    const { turns } = this
    let worst: Flashes = { mostPerSecond: 0, at: null }
    let longest: Span | null = null
    let open: Span | null = null
    for (let last = 0, first = 0; last < turns.length; last++) {
      const end = turns[last]?.time ?? 0
      while (end - (turns[first]?.time ?? end) >= 1) first++
      const flashes = Math.floor((last - first + 1) / 2)
      if (flashes > worst.mostPerSecond) {
        worst = { mostPerSecond: flashes, at: { start: round(turns[first]?.time ?? 0), end: round(end) } }
      }
      if (last - first + 1 < TURNS_OF_TWO) continue
      const from = turns[last - TURNS_OF_TWO + 1]?.time ?? 0
      open = { start: open && from <= open.end ? open.start : from, end }
      if (!longest || open.end - open.start > longest.end - longest.start) longest = { ...open }
    }
    return { ...worst, longest: longest && { start: round(longest.start), end: round(longest.end) } }
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

/** Relative luminance of 160 × 90 fields of a frame, each the mean of eight samples in two rows, so that fine grain is no pattern. */
function meanLuminance(
  { data, stride, bytesPerSample, shift, width, height, isFullRange }: LumaPlane,
  to: Float32Array,
) {
  const table = isFullRange ? FULL_RANGE : LIMITED_RANGE
  const places = (fields: number, inField: number, size: number, bytes: number) =>
    Int32Array.from({ length: fields * inField }, (_, at) => Math.floor(((at / inField) * size) / fields) * bytes)
  const across = places(COLUMNS, 4, width, bytesPerSample)
  // Most of the time goes into reading rows.
  const down = places(ROWS, 2, height, stride)
  // One expression for samples of one byte and of two: of one byte, the low byte is taken twice, which changes nothing.
  const toHigh = bytesPerSample - 1
  const highBits = 8 * toHigh
  to.fill(0)
  for (let line = 0; line < down.length; line++) {
    const row = down[line] as number
    const first = (line >> 1) * COLUMNS
    for (let point = 0; point < COLUMNS; point++) {
      let sum = 0
      for (let x = 4 * point, end = x + 4; x < end; x++) {
        const at = row + (across[x] as number)
        sum += table[(((data[at] as number) | ((data[at + toHigh] as number) << highBits)) >> shift) & 255] as number
      }
      to[first + point] = (to[first + point] as number) + sum / 8
    }
  }
}

const FULL_RANGE = luminanceTable(true)
const LIMITED_RANGE = luminanceTable(false)

const round = (seconds: number) => Math.round(seconds * 1000) / 1000

/** Whether no block of a plane of chroma has moved. */
function isSameColour(plane: Uint8Array, before: Uint8Array): boolean {
  for (let top = 0; top < CHROMA_ROWS; top += COLOUR_BLOCK) {
    for (let left = 0; left < CHROMA_COLUMNS; left += COLOUR_BLOCK) {
      let change = 0
      for (let row = top * CHROMA_COLUMNS + left, of = 0; of < COLOUR_BLOCK; of++, row += CHROMA_COLUMNS)
        for (let at = row; at < row + COLOUR_BLOCK; at++) change += (plane[at] as number) - (before[at] as number)
      if (Math.abs(change) > MOVED_COLOUR * COLOUR_BLOCK * COLOUR_BLOCK) return false
    }
  }
  return true
}

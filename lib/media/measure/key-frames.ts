import { hashDistance } from '@/lib/checks/hash-distance'
import type { KeyFrame, KeyFrames } from '../measurements'
import { COLUMNS, ROWS, type VideoPoints } from './video-meter'

/** How a video is shown: its width by its height as coded, and the clockwise degrees by which it is turned. */
export type Shown = { aspect: number; rotation: number }

const STEP_SECONDS = 0.5
/** Of a video longer than a minute every second, fourth, eighth … sample is kept. */
const MOST_SAMPLES = 128
/** Of black to white: a bar is darker in every sample, a sample without a lighter point shows nothing. */
const BAR_LEVEL = 0.06
const MIDDLE_ASPECT = 9 / 16
/** Steps between neighbouring means, of 64, below which an image is too plain for its hash to distinguish it from others. */
const LEAST_STEPS = 20
/** Differing bits up to which a frame still shows what the last one did. */
const SAME_FRAME = 4

type Sample = { time: number; luma: Uint8Array; isFullRange: boolean }
/** In points: from the first column and row to the one behind the last. */
type Area = { left: number; top: number; right: number; bottom: number }

export class KeyFrameCollector {
  private samples: Sample[] = []
  private step = STEP_SECONDS
  private next = 0

  /** `time` in seconds from the first frame, never less than the one before. */
  wants(time: number): boolean {
    return time >= this.next - 1e-6
  }

  take({ luma, isFullRange }: VideoPoints, time: number): void {
    // A copy: the points lie in memory that the next frame is written to, and `slice` of a Buffer only inspects it.
    this.samples.push({ time, luma: new Uint8Array(luma), isFullRange })
    this.next = (Math.floor(time / this.step + 1e-6) + 1) * this.step
    if (this.samples.length < MOST_SAMPLES) return
    this.step *= 2
    this.samples = this.samples.filter((_, index) => index % 2 === 0)
    this.next = (Math.floor((this.samples.at(-1)?.time ?? 0) / this.step + 1e-6) + 1) * this.step
  }

  finish({ aspect, rotation }: Shown): KeyFrames {
    const area = litArea(this.samples)
    if (!area) return { frames: [] }
    const middle = middleOf(area, aspect, rotation % 180 !== 0)
    const frames: KeyFrame[] = []
    for (const { time, luma } of this.samples) {
      const whole = hashOf(luma, area, rotation)
      const last = frames.at(-1)
      // A card that stands still is one key frame, however long it stands.
      if (!whole || (last && hashDistance(last.whole, whole) <= SAME_FRAME)) continue
      frames.push({ at: Math.round(time * 1000) / 1000, whole, middle: hashOf(luma, middle, rotation) })
    }
    return { frames }
  }
}

/** What is not a black bar from the first sample to the last; null when all is black. */
function litArea(samples: readonly Sample[]): Area | null {
  const rows = new Uint8Array(ROWS)
  const columns = new Uint8Array(COLUMNS)
  for (const { luma, isFullRange } of samples) {
    const limit = isFullRange ? BAR_LEVEL * 255 : 16 + BAR_LEVEL * 219
    for (let y = 0, at = 0; y < ROWS; y++) {
      for (let x = 0; x < COLUMNS; x++, at++) {
        if ((luma[at] as number) <= limit) continue
        rows[y] = 1
        columns[x] = 1
      }
    }
  }
  const [top, left] = [rows.indexOf(1), columns.indexOf(1)]
  if (top < 0) return null
  return { left, top, right: columns.lastIndexOf(1) + 1, bottom: rows.lastIndexOf(1) + 1 }
}

/** The middle of an area, as high as it is and as narrow as an upright phone, as the video is shown. */
function middleOf(area: Area, aspect: number, isTurned: boolean): Area {
  const [across, down] = [(area.right - area.left) / COLUMNS, (area.bottom - area.top) / ROWS]
  const shown = isTurned ? down / (across * aspect) : (across * aspect) / down
  const cut = Math.max(0, 1 - MIDDLE_ASPECT / shown) / 2
  const [dx, dy] = [cut * (area.right - area.left), cut * (area.bottom - area.top)]
  return isTurned
    ? { ...area, top: area.top + dy, bottom: area.bottom - dy }
    : { ...area, left: area.left + dx, right: area.right - dx }
}

/**
 * Difference hash: 9 × 8 means of the area as it is shown, each compared with its right neighbour. A step of less than
 * one level is none, so that what coding does to a plain ground changes nothing. Null when too few steps are left.
 */
function hashOf(luma: Uint8Array, area: Area, rotation: number): string | null {
  const means: number[] = []
  for (let row = 0; row < 8; row++) {
    for (let column = 0; column < 9; column++) means.push(meanOf(luma, area, rotation, column, row))
  }
  let hash = 0n
  let steps = 0
  for (let row = 0; row < 8; row++) {
    for (let column = 0; column < 8; column++) {
      const step = (means[row * 9 + column + 1] as number) - (means[row * 9 + column] as number)
      if (Math.abs(step) >= 1) steps++
      hash = (hash << 1n) | (step >= 1 ? 1n : 0n)
    }
  }
  return steps < LEAST_STEPS ? null : hash.toString(16).padStart(16, '0')
}

function meanOf(luma: Uint8Array, area: Area, rotation: number, column: number, row: number): number {
  const shown = { left: column / 9, right: (column + 1) / 9, top: row / 8, bottom: (row + 1) / 8 }
  const { left, right, top, bottom } = asCoded(shown, rotation)
  const [width, height] = [area.right - area.left, area.bottom - area.top]
  const [x0, y0] = [Math.floor(area.left + left * width), Math.floor(area.top + top * height)]
  const x1 = Math.max(x0 + 1, Math.floor(area.left + right * width + 1e-6))
  const y1 = Math.max(y0 + 1, Math.floor(area.top + bottom * height + 1e-6))
  let sum = 0
  for (let y = y0; y < y1; y++) {
    for (let x = x0; x < x1; x++) sum += luma[y * COLUMNS + x] as number
  }
  return sum / ((x1 - x0) * (y1 - y0))
}

/** Where a field of the image as shown lies in the image as coded; shares of its sides. */
function asCoded({ left, top, right, bottom }: Area, rotation: number): Area {
  if (rotation === 90) return { left: top, right: bottom, top: 1 - right, bottom: 1 - left }
  if (rotation === 180) return { left: 1 - right, right: 1 - left, top: 1 - bottom, bottom: 1 - top }
  if (rotation === 270) return { left: 1 - bottom, right: 1 - top, top: left, bottom: right }
  return { left, top, right, bottom }
}

import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader'
import type { CodeFacts } from '../measurements'
import type { Raster } from './pixels'

/** Longest side in which codes are searched for: a module of a code that people can scan is larger than a pixel then. */
const LONGEST_SIDE = 2000
const MOST_TEXT = 2000

/** Longest side on which it is found whether a code may be there at all, and the tiles of it that are evaluated. */
const GLANCE_SIDE = 1000
const TILE = 8
/** Luma between the darkest and the lightest point of such a tile, and dark-light changes along its rows and columns. */
const LEAST_CONTRAST = 50
const LEAST_CHANGES = 12
/** Share of points in the middle half of the range: half of those of a photo's grain, more than soft edges leave. */
const MOST_MIDDLE = 0.4
const LEAST_TILES = 3
/**
 * The two diagonals of a tile pass through each of its rows and columns: bars of either direction show on them. What
 * they say of sixteen points is asked for more loosely than what the whole tile then has to show.
 */
const DIAGONALS = Array.from({ length: TILE }, (_, at) => [
  { x: at, y: at },
  { x: TILE - 1 - at, y: at },
]).flat()
const LEAST_CONTRAST_ON_DIAGONALS = 40
const MOST_MIDDLE_ON_DIAGONALS = 0.6

let isPrepared = false

/** Finds codes in decoded samples. The reader comes with its package: nothing is fetched. */
export async function findCodes(raster: Raster): Promise<CodeFacts> {
  const step = Math.max(1, Math.ceil(Math.max(raster.width, raster.height) / LONGEST_SIDE))
  if (!mayHoldCode(raster)) return { codes: [] }
  if (!isPrepared) {
    const wasm = createRequire(import.meta.url).resolve('zxing-wasm/reader/zxing_reader.wasm')
    const bytes = await readFile(wasm)
    const wasmBinary = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer
    await prepareZXingModule({ overrides: { wasmBinary }, fireImmediately: true })
    isPrepared = true
  }
  const reduced = reduce(raster, step)
  const found = await readBarcodes(reduced, { tryHarder: true, maxNumberOfSymbols: 20 })
  const factor = step / raster.scale
  return {
    codes: found
      .filter((code) => code.isValid)
      .map(({ format, text, position: { topLeft, topRight, bottomLeft, bottomRight } }) => {
        const corners = [topLeft, topRight, bottomLeft, bottomRight]
        const [xs, ys] = [corners.map(({ x }) => x), corners.map(({ y }) => y)]
        const [x, y] = [Math.min(...xs), Math.min(...ys)]
        return {
          format,
          text: text.slice(0, MOST_TEXT),
          region: {
            x: Math.round(x * factor),
            y: Math.round(y * factor),
            width: Math.round((Math.max(...xs) - x) * factor),
            height: Math.round((Math.max(...ys) - y) * factor),
          },
        }
      }),
  }
}

/**
 * Whether any part of the image is what codes are made of: dark and light and little between, changing often. The reader
 * takes longer than the decoding of the image, and most photos have no such place.
 */
function mayHoldCode({ data, width, height, channels }: Raster): boolean {
  // A small image is read at once; it may be a code from edge to edge.
  if (width * height < 200_000) return true
  const step = Math.max(1, Math.round(Math.max(width, height) / GLANCE_SIDE))
  const [across, down] = [Math.floor(width / step), Math.floor(height / step)]
  const samples = channels * step
  const crossed = new Uint8Array(DIAGONALS.length)
  const crossing = Int32Array.from(DIAGONALS, ({ x, y }) => (y * width + x) * samples)
  const points = new Uint8Array(TILE * TILE)
  let tiles = 0
  for (let top = 0; top + TILE <= down; top += TILE) {
    for (let left = 0; left + TILE <= across; left += TILE) {
      const corner = (top * width + left) * samples
      for (let at = 0; at < crossed.length; at++) {
        crossed[at] = lumaOver(data, channels, corner + (crossing[at] as number))
      }
      if (!isTwoToned(crossed, LEAST_CONTRAST_ON_DIAGONALS, MOST_MIDDLE_ON_DIAGONALS)) continue
      for (let y = 0, to = 0; y < TILE; y++) {
        let at = corner + y * width * samples
        for (let x = 0; x < TILE; x++, to++, at += samples) points[to] = lumaOver(data, channels, at)
      }
      if (isTwoToned(points, LEAST_CONTRAST, MOST_MIDDLE) && changesOften(points) && ++tiles >= LEAST_TILES) return true
    }
  }
  return false
}

function lumaOver(data: Uint8Array, channels: number, at: number): number {
  const luma = ((data[at] as number) * 77 + (data[at + 1] as number) * 150 + (data[at + 2] as number) * 29) >> 8
  const alpha = channels === 4 ? (data[at + 3] as number) : 255
  return alpha === 255 ? luma : (luma * alpha) / 255 + 255 - alpha
}

function rangeOf(points: Uint8Array) {
  let [darkest, lightest] = [255, 0]
  for (let at = 0; at < points.length; at++) {
    const point = points[at] as number
    if (point < darkest) darkest = point
    if (point > lightest) lightest = point
  }
  return { darkest, range: lightest - darkest }
}

/** Dark and light, and little between. */
function isTwoToned(points: Uint8Array, leastContrast: number, mostMiddle: number): boolean {
  const { darkest, range } = rangeOf(points)
  if (range < leastContrast) return false
  const [low, high] = [darkest + range / 4, darkest + (range * 3) / 4]
  let between = 0
  for (let at = 0; at < points.length; at++) {
    const point = points[at] as number
    if (point > low && point < high) between++
  }
  return between <= mostMiddle * points.length
}

function changesOften(points: Uint8Array): boolean {
  const { darkest, range } = rangeOf(points)
  const middle = darkest + range / 2
  let changes = 0
  for (let at = 0; at < points.length; at++) {
    const isLight = (points[at] as number) > middle
    if (at % TILE > 0 && isLight !== (points[at - 1] as number) > middle) changes++
    if (at >= TILE && isLight !== (points[at - TILE] as number) > middle) changes++
  }
  return changes >= LEAST_CHANGES
}

/** RGBA on white, each pixel the mean of a square of `step`. */
function reduce({ data, width, height, channels }: Raster, step: number) {
  const [across, down] = [Math.max(1, Math.floor(width / step)), Math.max(1, Math.floor(height / step))]
  const rgba = new Uint8ClampedArray(across * down * 4)
  for (let y = 0, to = 0; y < down; y++) {
    for (let x = 0; x < across; x++, to += 4) {
      let [red, green, blue] = [0, 0, 0]
      for (let row = y * step; row < (y + 1) * step; row++) {
        for (let column = x * step; column < (x + 1) * step; column++) {
          const at = (row * width + column) * channels
          const alpha = channels === 4 ? (data[at + 3] as number) / 255 : 1
          const white = 255 * (1 - alpha)
          red += (data[at] as number) * alpha + white
          green += (data[at + 1] as number) * alpha + white
          blue += (data[at + 2] as number) * alpha + white
        }
      }
      const area = step * step
      rgba[to] = red / area
      rgba[to + 1] = green / area
      rgba[to + 2] = blue / area
      rgba[to + 3] = 255
    }
  }
  return { data: rgba, width: across, height: down, colorSpace: 'srgb' as const }
}

import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader'
import type { Raster } from './pixels'

/** A QR code or barcode in a picture. Pixels of the picture as seen. */
export type FoundCode = {
  /** `QRCode`, `EAN13` ... */
  format: string
  text: string
  region: { x: number; y: number; width: number; height: number }
}
export type CodeFacts = { codes: FoundCode[] }

/** Longest side in which codes are looked for: a module of a code that people can scan is larger than a pixel then. */
const LONGEST_SIDE = 2000
const MOST_TEXT = 2000

let isPrepared = false

/** Looks for codes in decoded samples. The reader comes with its package: nothing is fetched. */
export async function findCodes(raster: Raster): Promise<CodeFacts> {
  if (!isPrepared) {
    const wasm = createRequire(import.meta.url).resolve('zxing-wasm/reader/zxing_reader.wasm')
    const bytes = await readFile(wasm)
    const wasmBinary = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer
    await prepareZXingModule({ overrides: { wasmBinary }, fireImmediately: true })
    isPrepared = true
  }
  const step = Math.max(1, Math.ceil(Math.max(raster.width, raster.height) / LONGEST_SIDE))
  const picture = reduce(raster, step)
  const found = await readBarcodes(picture, { tryHarder: true, maxNumberOfSymbols: 20 })
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

import type { ByteSource } from '../byte-source'
import { bomb, corrupt, truncated } from '../defect'
import type { Examination, Examined } from '../format'
import { type Density, densityOf } from './exif'
import { decodePage, imageFacts, limitPixels, RASTER_ENGINE, readMetadata } from './raster'

/** More scans than any encoder writes: each costs a pass over the whole image. */
const MAX_SCANS = 1000

type Structure = {
  width: number
  height: number
  scans: number
  /** On the IJG scale, and whether the table is exactly that of the library. */
  quality: { nearest: number; isIjgTable: boolean } | null
  precision: number
  lossless: boolean
  /** By JFIF. */
  density: Density | null
}

/** JPEG: ITU-T T.81, annex B (markers), and JFIF 1.02. */
export async function examineJpeg(source: ByteSource, { storeImage }: Examination): Promise<Examined> {
  const structure = readStructure(source)
  // One of several scans is held as a whole until the last.
  limitPixels(structure.width, structure.height, 1, structure.scans > 1 ? 0 : source.size)
  if (structure.scans > MAX_SCANS)
    throw bomb(`${structure.scans} scans of one image, where at most ${MAX_SCANS} are taken`)
  const metadata = await readMetadata(source.path)
  await decodePage(source.path, 0, storeImage)
  const facts = imageFacts('jpeg', metadata)
  return {
    media: {
      ...facts,
      // Exif says it in fractions; else JFIF in whole numbers of its own unit.
      ...(facts.densityRoundingDpi === undefined && structure.density),
      bitDepth: structure.precision,
      jpegQuality: structure.quality?.nearest ?? null,
      ...(structure.quality?.isIjgTable && { isIjgTable: true }),
    },
    engine: RASTER_ENGINE,
  }
}

/** Walks the markers from the first to the end-of-image mark. What follows that mark (previews, trailers) is free. */
function readStructure(source: ByteSource): Structure {
  const structure: Structure = {
    width: 0,
    height: 0,
    scans: 0,
    quality: null,
    precision: 8,
    lossless: false,
    density: null,
  }
  let hasFrame = false
  let at = 2
  for (;;) {
    const marker = nextMarker(source, at)
    if (marker.code === 0xd9) break
    at = marker.offset + 2
    if (marker.code === 0x01 || (marker.code >= 0xd0 && marker.code <= 0xd8)) continue
    const length = source.bytes(at, 2, 'a segment').readUInt16BE(0)
    if (length < 2) throw corrupt(`the segment at byte ${marker.offset} declares ${length} bytes`)
    const body = source.bytes(at + 2, length - 2, `the segment at byte ${marker.offset}`)
    if (isFrame(marker.code)) {
      if (hasFrame) throw corrupt('it has more than one frame header')
      if (body.length < 6) throw corrupt('its frame header is cut short')
      hasFrame = true
      structure.precision = body.readUInt8(0)
      structure.height = body.readUInt16BE(1)
      structure.width = body.readUInt16BE(3)
    }
    if (marker.code === 0xe0 && body.length >= 12 && body.toString('latin1', 0, 5) === 'JFIF\0') {
      const [unit, lowest] = [body.readUInt8(7), Math.min(body.readUInt16BE(8), body.readUInt16BE(10))]
      if (unit > 0 && lowest > 0) structure.density = densityOf(lowest, unit === 2)
    }
    if (marker.code === 0xdb && structure.quality === null) structure.quality = estimateQuality(body)
    at += length
    if (marker.code === 0xda) {
      if (!hasFrame) throw corrupt('image data stands before the frame header')
      structure.scans += 1
      at = endOfScan(source, at)
    }
  }
  if (!hasFrame || structure.scans === 0) throw corrupt('it has no image data')
  return structure
}

/** SOF0 to SOF15, less the three codes in that range that mean tables (T.81, table B.1). */
function isFrame(code: number): boolean {
  return code >= 0xc0 && code <= 0xcf && code !== 0xc4 && code !== 0xc8 && code !== 0xcc
}

function nextMarker(source: ByteSource, from: number): { code: number; offset: number } {
  let at = from
  for (;;) {
    if (at + 2 > source.size) throw truncated('the end-of-image mark is missing')
    const [first, second] = source.bytes(at, 2) as unknown as [number, number]
    if (first === 0xff && second !== 0xff && second !== 0) return { code: second, offset: at }
    at += 1
  }
}

/** The offset of the first marker after entropy-coded data: neither a stuffed zero nor a restart. */
function endOfScan(source: ByteSource, start: number): number {
  let at = start
  while (at < source.size) {
    const piece = source.upTo(at, 64 * 1024)
    let index = piece.indexOf(0xff)
    while (index >= 0 && index + 1 < piece.length) {
      const next = piece[index + 1] as number
      if (next !== 0 && next !== 0xff && (next < 0xd0 || next > 0xd7)) return at + index
      index = piece.indexOf(0xff, index + 1)
    }
    if (at + piece.length >= source.size) break
    at += piece.length - 1
  }
  throw truncated('the image data stops before the end-of-image mark')
}

/** The luminance table of T.81 annex K in zigzag order, which IJG encoders scale by their quality. */
const LUMINANCE = [
  16, 11, 12, 14, 12, 10, 16, 14, 13, 14, 18, 17, 16, 19, 24, 40, 26, 24, 22, 22, 24, 49, 35, 37, 29, 40, 58, 51, 61,
  60, 57, 51, 56, 55, 64, 72, 92, 78, 64, 68, 87, 69, 55, 56, 80, 109, 81, 87, 95, 98, 103, 104, 103, 62, 77, 113, 121,
  112, 100, 120, 92, 101, 103, 99,
]

/** The IJG quality 1..100 whose table lies nearest to the first one in the file; null when there is no full table. */
function estimateQuality(tables: Buffer): Structure['quality'] {
  const isWide = (tables[0] ?? 0) >> 4 === 1
  const step = isWide ? 2 : 1
  if (((tables[0] ?? 0) & 15) !== 0 || tables.length < 1 + 64 * step) return null
  const values = LUMINANCE.map((_, index) =>
    isWide ? tables.readUInt16BE(1 + index * 2) : tables.readUInt8(1 + index),
  )
  let best = { quality: 1, distance: Number.POSITIVE_INFINITY }
  for (let quality = 1; quality <= 100; quality += 1) {
    const scale = quality < 50 ? 5000 / quality : 200 - quality * 2
    const distance = LUMINANCE.reduce((sum, base, index) => {
      const expected = Math.min(255, Math.max(1, Math.floor((base * scale + 50) / 100)))
      return sum + Math.abs(expected - (values[index] ?? 0))
    }, 0)
    if (distance < best.distance) best = { quality, distance }
  }
  return { nearest: best.quality, isIjgTable: best.distance === 0 }
}

import { crc32 } from 'node:zlib'
import type { ImageFacts } from '../../facts'
import type { ByteSource } from '../byte-source'
import { bomb, corrupt, printable, truncated } from '../defect'
import type { Examination, Examined } from '../format'
import { inflate, OutputLimitError } from '../inflate'
import { readExif } from './exif'
import { readProfile } from './icc'
import { decodePage, imageFacts, limitPixels, RASTER_ENGINE, readMetadata, readOpacity } from './raster'

/** Text and profiles of an image are small; what unpacks to more is a bomb. */
const MAX_ANCILLARY = 32 * 1024 * 1024

const DEPTHS: Readonly<Record<number, { channels: number; depths: readonly number[] }>> = {
  0: { channels: 1, depths: [1, 2, 4, 8, 16] },
  2: { channels: 3, depths: [8, 16] },
  3: { channels: 1, depths: [1, 2, 4, 8] },
  4: { channels: 2, depths: [8, 16] },
  6: { channels: 4, depths: [8, 16] },
}

type Chunk = { type: string; offset: number; length: number }
type Header = {
  width: number
  height: number
  depth: number
  colourType: number
  channels: number
  interlaced: boolean
}

/** PNG and APNG: PNG Specification, Third Edition (W3C 2025), sections 5, 10, 11. */
export async function examinePng(source: ByteSource, { storeImage }: Examination): Promise<Examined> {
  const chunks = readChunks(source)
  const header = readHeader(source, chunks)
  validateOrder(chunks, header)
  await validateCompressedText(source, chunks)
  const animation = readAnimation(source, chunks)
  limitPixels(header.width, header.height, animation?.frames ?? 1, streamed(source, header.interlaced))
  await validatePixels(source, chunks, header)
  const metadata = await readMetadata(source.path)
  await decodePage(source.path, 0, storeImage)
  const media: ImageFacts = { ...imageFacts('png', metadata), ...headerFacts(header), ...(animation?.facts ?? {}) }
  media.isOpaque = await readOpacity(source.path, metadata)
  const exif = chunks.find((chunk) => chunk.type === 'eXIf')
  if (exif) {
    const { orientation, hasGps } = readExif(Buffer.from(source.bytes(exif.offset, exif.length)))
    Object.assign(media, { hasExif: true, orientation, hasGps: hasGps || media.hasGps })
  }
  const physical = chunks.find((chunk) => chunk.type === 'pHYs' && chunk.length === 9)
  if (physical) {
    const bytes = source.bytes(physical.offset, 9)
    // Pixels per metre, whole numbers of them (11.3.4.3); of the other unit, the ratio alone.
    const lowest = Math.min(bytes.readUInt32BE(0), bytes.readUInt32BE(4))
    if (bytes.readUInt8(8) === 1) Object.assign(media, { densityDpi: lowest * 0.0254, densityRoundingDpi: 0.0127 })
  }
  if (metadata.icc) {
    const { name, gamut } = readProfile(metadata.icc)
    Object.assign(media, { profileName: name, profileGamut: gamut })
  }
  return { media, engine: RASTER_ENGINE }
}

function headerFacts(header: Header): Partial<ImageFacts> {
  return {
    bitDepth: header.depth,
    progressive: header.interlaced,
    ...(header.colourType === 3 ? { colourSpace: 'indexed' } : {}),
  }
}

/** Every chunk up to IEND, each with its checksum verified. What follows IEND belongs to no image and is left alone. */
function readChunks(source: ByteSource): Chunk[] {
  const chunks: Chunk[] = []
  let at = 8
  for (;;) {
    if (at + 12 > source.size) throw truncated(`the closing IEND chunk is missing after byte ${at}`)
    const head = source.bytes(at, 8)
    const length = head.readUInt32BE(0)
    const type = head.toString('latin1', 4, 8)
    if (!/^[A-Za-z]{4}$/.test(type)) throw corrupt(`“${printable(type)}” at byte ${at + 4} is not the name of a chunk`)
    if (length > 0x7fffffff) throw corrupt(`the ${type} chunk at byte ${at} declares ${length} bytes`)
    if (at + 12 + length > source.size)
      throw truncated(`the ${type} chunk at byte ${at} has ${length} bytes, the file stops before`)
    let sum = crc32(source.bytes(at + 4, 4))
    for (const piece of source.pieces(at + 8, at + 8 + length)) sum = crc32(piece, sum)
    if (sum !== source.bytes(at + 8 + length, 4).readUInt32BE(0)) {
      throw corrupt(`the checksum of the ${type} chunk at byte ${at} does not match its content`)
    }
    chunks.push({ type, offset: at + 8, length })
    at += 12 + length
    if (type === 'IEND') return chunks
    if (chunks.length > 1_000_000) throw bomb('more than a million chunks')
  }
}

/** One that is interlaced is held as a whole until its last pass. */
const streamed = (source: ByteSource, isInterlaced: boolean) => (isInterlaced ? 0 : source.size)

function readHeader(source: ByteSource, chunks: Chunk[]): Header {
  const first = chunks[0]
  if (first?.type !== 'IHDR' || first.length !== 13) throw corrupt('the image does not begin with its IHDR header')
  const bytes = source.bytes(first.offset, 13)
  const [width, height] = [bytes.readUInt32BE(0), bytes.readUInt32BE(4)]
  const [depth, colourType, compression, filter, interlace] = [...bytes.subarray(8, 13)] as [
    number,
    number,
    number,
    number,
    number,
  ]
  const layout = DEPTHS[colourType]
  if (!layout) throw corrupt(`colour type ${colourType} does not exist (0, 2, 3, 4 or 6)`)
  if (!layout.depths.includes(depth)) {
    throw corrupt(`colour type ${colourType} cannot have ${depth} bits per channel (${layout.depths.join(', ')})`)
  }
  if (compression !== 0 || filter !== 0 || interlace > 1)
    throw corrupt('the header names an unknown compression, filter or interlace method')
  limitPixels(width, height, 1, streamed(source, interlace === 1))
  return { width, height, depth, colourType, channels: layout.channels, interlaced: interlace === 1 }
}

function validateOrder(chunks: Chunk[], header: Header): void {
  const types = chunks.map((chunk) => chunk.type)
  for (const single of ['IHDR', 'PLTE', 'acTL']) {
    if (types.filter((type) => type === single).length > 1) throw corrupt(`it has more than one ${single} chunk`)
  }
  const first = types.indexOf('IDAT')
  if (first < 0) throw corrupt('it has no image data (IDAT chunk)')
  if (types.slice(first, types.lastIndexOf('IDAT') + 1).some((type) => type !== 'IDAT')) {
    throw corrupt('other chunks stand between the parts of the image data')
  }
  for (const { type } of chunks) {
    // A capital first letter marks what a decoder must understand (section 5.4).
    if (/^[A-Z]/.test(type) && !['IHDR', 'PLTE', 'IDAT', 'IEND'].includes(type))
      throw corrupt(`the critical chunk ${type} is unknown`)
  }
  const palette = chunks.find((chunk) => chunk.type === 'PLTE')
  if (header.colourType === 3 && (!palette || types.indexOf('PLTE') > first)) throw corrupt('the palette is missing')
  if (palette && (palette.length % 3 !== 0 || palette.length === 0 || palette.length > 768)) {
    throw corrupt(`the palette has ${palette.length} bytes, which is not a whole number of colours`)
  }
  if (palette && (header.colourType === 0 || header.colourType === 4)) throw corrupt('a greyscale image has a palette')
}

/** zTXt, iTXt and iCCP hold compressed data that viewers unpack whole. */
async function validateCompressedText(source: ByteSource, chunks: Chunk[]): Promise<void> {
  let total = 0
  for (const chunk of chunks) {
    const start = startOfCompressed(source, chunk)
    if (start === undefined) continue
    try {
      const { size } = await inflate(source.pieces(start, chunk.offset + chunk.length), { limit: MAX_ANCILLARY })
      total += size
    } catch (error) {
      if (error instanceof OutputLimitError)
        throw bomb(`its ${chunk.type} chunk holds more than ${MAX_ANCILLARY / 2 ** 20} MB of text`)
      throw corrupt(`the compressed text of its ${chunk.type} chunk cannot be unpacked`)
    }
    if (total > 2 * MAX_ANCILLARY) throw bomb(`its texts unpack to more than ${(2 * MAX_ANCILLARY) / 2 ** 20} MB`)
  }
}

function startOfCompressed(source: ByteSource, chunk: Chunk): number | undefined {
  if (!['zTXt', 'iTXt', 'iCCP'].includes(chunk.type)) return undefined
  const head = source.upTo(chunk.offset, Math.min(chunk.length, 2000))
  const keywordEnd = head.indexOf(0)
  if (keywordEnd < 0) return undefined
  if (chunk.type !== 'iTXt') return chunk.offset + keywordEnd + 2
  if (head[keywordEnd + 1] !== 1) return undefined
  const languageEnd = head.indexOf(0, keywordEnd + 3)
  const translatedEnd = head.indexOf(0, languageEnd + 1)
  return languageEnd < 0 || translatedEnd < 0 ? undefined : chunk.offset + translatedEnd + 1
}

/** The image data of the still image and of every frame must unpack to exactly the bytes their size needs. */
async function validatePixels(source: ByteSource, chunks: Chunk[], header: Header): Promise<void> {
  await validateFrame(
    source,
    chunks.filter((chunk) => chunk.type === 'IDAT'),
    0,
    header,
    header,
  )
  let control: Chunk | undefined
  let parts: Chunk[] = []
  for (const chunk of [...chunks, undefined]) {
    if (chunk?.type === 'fdAT') parts.push(chunk)
    if (chunk !== undefined && chunk.type !== 'fcTL') continue
    if (control && parts.length > 0) {
      const bytes = source.bytes(control.offset, 26)
      const size = { width: bytes.readUInt32BE(4), height: bytes.readUInt32BE(8) }
      if (bytes.readUInt32BE(12) + size.width > header.width || bytes.readUInt32BE(16) + size.height > header.height) {
        throw corrupt('a frame of the animation reaches outside the image')
      }
      await validateFrame(source, parts, 4, size, header)
    }
    control = chunk
    parts = []
  }
}

async function validateFrame(
  source: ByteSource,
  parts: Chunk[],
  skip: number,
  size: { width: number; height: number },
  header: Header,
): Promise<void> {
  const expected = filteredSize(size.width, size.height, header)
  function* data() {
    for (const part of parts) yield* source.pieces(part.offset + skip, part.offset + part.length)
  }
  let unpacked: number
  try {
    unpacked = (await inflate(data(), { limit: expected + 64 * 1024 * 1024 })).size
  } catch (error) {
    if (error instanceof OutputLimitError)
      throw bomb(`the image data of ${size.width} × ${size.height} pixels does not end`)
    const message = error instanceof Error ? error.message : ''
    throw message.includes('unexpected end')
      ? truncated('the image data stops in the middle')
      : corrupt(`the image data cannot be unpacked (${message})`)
  }
  if (unpacked < expected) throw truncated(`the image data gives ${unpacked} of ${expected} bytes`)
}

/** Bytes of the filtered scan lines of one image, interlaced or not (sections 7.2, 8.1). */
function filteredSize(width: number, height: number, header: Header): number {
  const bits = header.depth * header.channels
  const pass = (w: number, h: number) => (w === 0 || h === 0 ? 0 : h * (1 + Math.ceil((w * bits) / 8)))
  if (!header.interlaced) return pass(width, height)
  const adam7 = [
    [0, 0, 8, 8],
    [4, 0, 8, 8],
    [0, 4, 4, 8],
    [2, 0, 4, 4],
    [0, 2, 2, 4],
    [1, 0, 2, 2],
    [0, 1, 1, 2],
  ] as const
  return adam7.reduce(
    (sum, [x, y, dx, dy]) =>
      sum + pass(Math.max(0, Math.ceil((width - x) / dx)), Math.max(0, Math.ceil((height - y) / dy))),
    0,
  )
}

function readAnimation(
  source: ByteSource,
  chunks: Chunk[],
): { frames: number; facts: Partial<ImageFacts> } | undefined {
  const control = chunks.find((chunk) => chunk.type === 'acTL')
  if (control?.length !== 8) return undefined
  const declared = source.bytes(control.offset, 8)
  const frames = declared.readUInt32BE(0)
  const loopCount = declared.readUInt32BE(4)
  const delays = chunks
    .filter((chunk) => chunk.type === 'fcTL' && chunk.length === 26)
    .map((chunk) => {
      const bytes = source.bytes(chunk.offset + 20, 4)
      return Math.round((1000 * bytes.readUInt16BE(0)) / (bytes.readUInt16BE(2) || 100))
    })
  if (delays.length !== frames) throw corrupt(`the animation declares ${frames} frames and has ${delays.length}`)
  const durationSeconds = delays.reduce((sum, delay) => sum + delay, 0) / 1000
  return { frames, facts: { frames, loopCount, frameDelaysMs: delays.slice(0, 10_000), durationSeconds } }
}

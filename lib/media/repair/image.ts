import { readFileSync, writeFileSync } from 'node:fs'
import { crc32, deflateSync, inflateSync } from 'node:zlib'
import sharp from 'sharp'
import { blankGps, blankXmp } from './position'

/** Images by their segments and chunks: what is coded stays as it is, unless their colours are converted. */

const JPEG_XMP = 'http://ns.adobe.com/xap/1.0/\0'
const JPEG_XMP_MORE = 'http://ns.adobe.com/xmp/extension/\0'
const PNG_HEAD = 8

type Segment = { code: number; start: number; offset: number; end: number }

/** The segments before the first scan (ITU-T T.81, B.2.1). */
function jpegSegments(bytes: Buffer): Segment[] {
  const segments: Segment[] = []
  let at = 2
  while (at + 4 <= bytes.length && bytes[at] === 0xff) {
    const code = bytes[at + 1] ?? 0
    if (code === 0xff) {
      at += 1
      continue
    }
    if (code === 0xda || code === 0xd9) break
    const end = at + 2 + bytes.readUInt16BE(at + 2)
    segments.push({ code, start: at, offset: at + 4, end })
    at = end
  }
  return segments
}

type PngChunk = { type: string; data: Buffer; raw: Buffer }

function pngChunks(bytes: Buffer): PngChunk[] {
  const chunks: PngChunk[] = []
  for (let at = PNG_HEAD; at + 12 <= bytes.length; ) {
    const length = bytes.readUInt32BE(at)
    const end = at + 12 + length
    const type = bytes.toString('latin1', at + 4, at + 8)
    chunks.push({ type, data: bytes.subarray(at + 8, at + 8 + length), raw: bytes.subarray(at, end) })
    at = end
    if (type === 'IEND') break
  }
  return chunks
}

function pngChunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const chunk = Buffer.alloc(8 + body.length)
  chunk.writeUInt32BE(data.length, 0)
  body.copy(chunk, 4)
  chunk.writeUInt32BE(crc32(body), 4 + body.length)
  return chunk
}

/** Blanks the position in the EXIF and XMP data of an image. */
export function blankImagePosition(from: string, into: string, mediaType: string): void {
  const bytes = readFileSync(from)
  if (mediaType === 'image/jpeg') blankJpeg(bytes)
  else if (mediaType === 'image/webp') blankWebp(bytes)
  else if (mediaType === 'image/tiff') blankTiff(bytes)
  writeFileSync(into, mediaType === 'image/png' ? blankPng(bytes) : bytes)
}

function blankJpeg(bytes: Buffer): void {
  for (const { code, offset, end } of jpegSegments(bytes)) {
    if (code !== 0xe1) continue
    const content = bytes.subarray(offset, end)
    if (content.toString('latin1', 0, 6) === 'Exif\0\0') blankGps(content.subarray(6))
    for (const mark of [JPEG_XMP, JPEG_XMP_MORE])
      if (content.toString('latin1', 0, mark.length) === mark) blankXmp(content).copy(bytes, offset)
  }
}

function blankWebp(bytes: Buffer): void {
  for (let at = 12; at + 8 <= bytes.length; ) {
    const id = bytes.toString('latin1', at, at + 4)
    const length = bytes.readUInt32LE(at + 4)
    const content = bytes.subarray(at + 8, at + 8 + length)
    if (id === 'EXIF') blankGps(content.toString('latin1', 0, 4) === 'Exif' ? content.subarray(6) : content)
    if (id === 'XMP ') blankXmp(content).copy(bytes, at + 8)
    at += 8 + length + (length % 2)
  }
}

/** A TIFF is the structure that EXIF borrows; its XMP packet is marked where it begins and ends (XMP part 1, 7.3.2). */
function blankTiff(bytes: Buffer): void {
  blankGps(bytes)
  const start = bytes.indexOf('<x:xmpmeta', 0, 'latin1')
  const end = bytes.indexOf('</x:xmpmeta>', Math.max(0, start), 'latin1')
  if (start >= 0 && end > start) blankXmp(bytes.subarray(start, end)).copy(bytes, start)
}

const PNG_XMP = 'XML:com.adobe.xmp\0'

function blankPng(bytes: Buffer): Buffer {
  const parts = pngChunks(bytes).map(({ type, data, raw }) => {
    if (type === 'eXIf') {
      const exif = Buffer.from(data)
      blankGps(exif)
      return pngChunk(type, exif)
    }
    if (type === 'iTXt' && data.toString('latin1', 0, PNG_XMP.length) === PNG_XMP)
      return pngChunk(type, blankText(data))
    // EXIF as ImageMagick writes it: in hexadecimal digits, compressed.
    return /^(zTXt|tEXt)$/.test(type) && /^Raw profile type (exif|APP1)/i.test(data.toString('latin1', 0, 40))
      ? Buffer.alloc(0)
      : raw
  })
  return Buffer.concat([bytes.subarray(0, PNG_HEAD), ...parts])
}

/** A text chunk (11.3.3.4): keyword, whether it is compressed, method, two tags of its language, the text. */
function blankText(data: Buffer): Buffer {
  const isPacked = data[PNG_XMP.length] === 1
  let at = PNG_XMP.length + 2
  for (let tags = 0; tags < 2; tags += 1) at = data.indexOf(0, at) + 1
  const text = data.subarray(at)
  const blank = isPacked
    ? deflateSync(blankXmp(inflateSync(text, { maxOutputLength: 32 * 1024 * 1024 })))
    : blankXmp(text)
  return Buffer.concat([data.subarray(0, at), blank])
}

/** The profile of sRGB that libvips brings (CC0). */
async function srgbProfile(): Promise<Buffer> {
  const blank = sharp({ create: { width: 1, height: 1, channels: 3, background: '#000' } })
  const { icc } = await sharp(await blank.withIccProfile('srgb').png().toBuffer()).metadata()
  if (!icc) throw new Error('libvips brings no profile of sRGB')
  return icc
}

/** Embeds sRGB in an image without a profile. Its coded samples stay byte for byte as they are. */
export async function embedSrgb(from: string, into: string, mediaType: string): Promise<void> {
  const bytes = readFileSync(from)
  const profile = await srgbProfile()
  writeFileSync(into, mediaType === 'image/png' ? pngWith(bytes, profile) : jpegWith(bytes, profile))
}

/** ICC.1:2022, annex B.4: marker APP2 with its name and the number of the piece. */
function jpegWith(bytes: Buffer, profile: Buffer): Buffer {
  const last = jpegSegments(bytes).findLast(({ code }) => code === 0xe0 || code === 0xe1)
  const at = last?.end ?? 2
  const head = Buffer.concat([Buffer.from([0xff, 0xe2, 0, 0]), Buffer.from('ICC_PROFILE\0\x01\x01', 'latin1')])
  head.writeUInt16BE(head.length - 2 + profile.length, 2)
  return Buffer.concat([bytes.subarray(0, at), head, profile, bytes.subarray(at)])
}

/** PNG, 11.3.2.3: iCCP stands before the palette and the samples, and instead of sRGB. */
function pngWith(bytes: Buffer, profile: Buffer): Buffer {
  const chunks = pngChunks(bytes)
  const gamma = chunks.find(({ type }) => type === 'gAMA')?.data.readUInt32BE(0)
  if (gamma !== undefined && Math.abs(gamma - 45_455) > 500)
    throw new Error('it states a gamma that is not that of sRGB')
  const iccp = pngChunk('iCCP', Buffer.concat([Buffer.from('sRGB\0\0', 'latin1'), deflateSync(profile)]))
  const parts = chunks.flatMap(({ type, raw }) =>
    type === 'IHDR' ? [raw, iccp] : ['sRGB', 'gAMA', 'cHRM'].includes(type) ? [] : [raw],
  )
  return Buffer.concat([bytes.subarray(0, PNG_HEAD), ...parts])
}

/** Converts the samples to sRGB by the embedded profile. Lossless formats stay lossless; JPEG is coded at least as finely as it was. */
export async function convertToSrgb(from: string, into: string, mediaType: string): Promise<void> {
  const image = sharp(from, { failOn: 'error', limitInputPixels: 60_000_000 })
  const { density, chromaSubsampling, isProgressive } = await image.metadata()
  const kept = image.keepExif().keepXmp().withIccProfile('srgb')
  if (density) kept.withExifMerge({}).withMetadata({ density, icc: 'srgb' })
  const coded =
    mediaType === 'image/jpeg'
      ? kept.jpeg({
          quality: 95,
          chromaSubsampling: chromaSubsampling === '4:4:4' ? '4:4:4' : '4:2:0',
          progressive: isProgressive ?? false,
        })
      : mediaType === 'image/png'
        ? kept.png({ compressionLevel: 9 })
        : mediaType === 'image/webp'
          ? kept.webp({ lossless: true })
          : kept.tiff({ compression: 'lzw' })
  writeFileSync(into, await coded.toBuffer())
}

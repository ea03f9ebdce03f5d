import { writeFileSync } from 'node:fs'
import { crc32, deflateSync } from 'node:zlib'

/** Files written byte by byte, so that what is in them is known without asking a decoder. */

/** Numbers from 0 to 1 that are the same on every run (mulberry32). */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Normal deviates by the method of Box and Muller. */
export function normalFrom(seed: number): () => number {
  const random = randomFrom(seed)
  return () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
}

/** Samples of a pixel, 0 to 2^depth - 1. */
export type Paint = (x: number, y: number) => readonly number[]

type PngOptions = {
  depth?: 1 | 2 | 4 | 8 | 16
  /** Chunks that stand before the pixels, e.g. `tRNS`, `iCCP`, `pHYs`. */
  chunks?: [type: string, data: Buffer][]
  /** Colours of 8 bits; the one sample of a pixel is then an index. */
  palette?: readonly (readonly [number, number, number])[]
}

const COLOUR_TYPES: Readonly<Record<number, number>> = { 1: 0, 2: 4, 3: 2, 4: 6 }

/** PNG (W3C, third edition): not interlaced, no filter. The number of samples of the first pixel makes the colour type. */
export function png(width: number, height: number, paint: Paint, options: PngOptions = {}): Buffer {
  const { depth = 8, chunks = [], palette } = options
  const channels = paint(0, 0).length
  const stride = Math.ceil((width * channels * depth) / 8)
  const rows = Buffer.alloc((stride + 1) * height)
  for (let y = 0; y < height; y++) {
    const row = y * (stride + 1) + 1
    for (let x = 0; x < width; x++) {
      const samples = paint(x, y)
      for (let channel = 0; channel < channels; channel++) {
        const value = Math.round(samples[channel] ?? 0)
        const at = x * channels + channel
        if (depth === 16) rows.writeUInt16BE(value, row + at * 2)
        else if (depth === 8) rows[row + at] = value
        else {
          const bit = at * depth
          rows[row + (bit >> 3)] = (rows[row + (bit >> 3)] as number) | (value << (8 - depth - (bit & 7)))
        }
      }
    }
  }
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  head[8] = depth
  head[9] = palette ? 3 : (COLOUR_TYPES[channels] ?? 2)
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', head),
    // A profile stands before the palette, the transparency after it (5.6).
    ...chunks.filter(([type]) => type === 'iCCP').map(([type, data]) => chunk(type, data)),
    ...(palette ? [chunk('PLTE', Buffer.from(palette.flat()))] : []),
    ...chunks.filter(([type]) => type !== 'iCCP').map(([type, data]) => chunk(type, data)),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const bytes = Buffer.alloc(body.length + 8)
  bytes.writeUInt32BE(data.length, 0)
  body.copy(bytes, 4)
  bytes.writeUInt32BE(crc32(body), body.length + 4)
  return bytes
}

/** The chunk that carries a colour profile. */
export const iccChunk = (profile: Buffer): [string, Buffer] => [
  'iCCP',
  Buffer.concat([Buffer.from('profile\0\0', 'latin1'), deflateSync(profile)]),
]

/** The chunk that states pixels per metre. */
export function densityChunk(dpi: number): [string, Buffer] {
  const data = Buffer.alloc(9)
  data.writeUInt32BE(Math.round(dpi / 0.0254), 0)
  data.writeUInt32BE(Math.round(dpi / 0.0254), 4)
  data[8] = 1
  return ['pHYs', data]
}

type GifOptions = {
  frames: number
  /** Hundredths of a second of each frame. */
  delay: number
  /** The number of the NETSCAPE2.0 extension: repetitions after the first play, 0 for ever; absent: none. */
  repeats?: number
  /** The index that is transparent. */
  transparent?: number
  /** What becomes of a frame when the next one comes: 1 it stays, 2 it is taken away. */
  disposal?: number
}

/** GIF 89a of four colours. Its codes are never compressed: a clear code before the table could grow. */
export function gif(
  width: number,
  height: number,
  options: GifOptions,
  paint: (frame: number, x: number, y: number) => number,
): Buffer {
  const { frames, delay, repeats, transparent, disposal = 0 } = options
  const head = Buffer.from('GIF89a\0\0\0\0\x81\0\0', 'latin1')
  head.writeUInt16LE(width, 6)
  head.writeUInt16LE(height, 8)
  const colours = Buffer.from([20, 20, 40, 240, 90, 40, 60, 160, 220, 250, 250, 250])
  const parts: Buffer[] = [head, colours]
  if (repeats !== undefined) {
    const extension = Buffer.from('\x21\xff\x0bNETSCAPE2.0\x03\x01\0\0\0', 'latin1')
    extension.writeUInt16LE(repeats, 16)
    parts.push(extension)
  }
  for (let frame = 0; frame < frames; frame++) {
    const control = Buffer.from([
      0x21,
      0xf9,
      4,
      (transparent === undefined ? 0 : 1) | (disposal << 2),
      0,
      0,
      transparent ?? 0,
      0,
    ])
    control.writeUInt16LE(delay, 4)
    const place = Buffer.alloc(10)
    place[0] = 0x2c
    place.writeUInt16LE(width, 5)
    place.writeUInt16LE(height, 7)
    parts.push(
      control,
      place,
      Buffer.from([2]),
      uncompressed(width, height, (x, y) => paint(frame, x, y)),
    )
  }
  return Buffer.concat([...parts, Buffer.from([0x3b])])
}

/** Codes of three bits: 0 to 3 are colours, 4 clears, 5 ends. The table grows a bit after its third code. */
function uncompressed(width: number, height: number, paint: (x: number, y: number) => number): Buffer {
  const bytes: number[] = []
  let [held, bits] = [0, 0]
  const put = (code: number) => {
    held |= code << bits
    for (bits += 3; bits >= 8; bits -= 8) {
      bytes.push(held & 255)
      held >>= 8
    }
  }
  for (let pixel = 0; pixel < width * height; pixel++) {
    if (pixel % 2 === 0) put(4)
    put(paint(pixel % width, Math.floor(pixel / width)))
  }
  put(5)
  if (bits > 0) bytes.push(held)
  const blocks: Buffer[] = []
  for (let at = 0; at < bytes.length; at += 255) {
    const block = bytes.slice(at, at + 255)
    blocks.push(Buffer.from([block.length, ...block]))
  }
  return Buffer.concat([...blocks, Buffer.from([0])])
}

/** TIFF 6.0, RGB in one strip, little endian. */
export function tiff(width: number, height: number, paint: Paint, depth: 8 | 16): Buffer {
  const entries: [tag: number, type: 3 | 4, count: number, value: number][] = [
    [256, 4, 1, width],
    [257, 4, 1, height],
    [258, 3, 3, 8 + 2 + 9 * 12 + 4],
    [259, 3, 1, 1],
    [262, 3, 1, 2],
    [273, 4, 1, 8 + 2 + 9 * 12 + 4 + 6],
    [277, 3, 1, 3],
    [278, 4, 1, height],
    [279, 4, 1, (width * height * 3 * depth) / 8],
  ]
  const head = Buffer.alloc(8 + 2 + entries.length * 12 + 4 + 6)
  head.write('II*\0\x08\0\0\0', 'latin1')
  head.writeUInt16LE(entries.length, 8)
  for (const [index, [tag, type, count, value]] of entries.entries()) {
    const at = 10 + index * 12
    head.writeUInt16LE(tag, at)
    head.writeUInt16LE(type, at + 2)
    head.writeUInt32LE(count, at + 4)
    if (type === 3 && count === 1) head.writeUInt16LE(value, at + 8)
    else head.writeUInt32LE(value, at + 8)
  }
  for (let channel = 0; channel < 3; channel++) head.writeUInt16LE(depth, head.length - 6 + channel * 2)
  const data = Buffer.alloc((width * height * 3 * depth) / 8)
  for (let y = 0, at = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      for (const value of paint(x, y)) {
        depth === 16 ? data.writeUInt16LE(Math.round(value), at) : data.writeUInt8(Math.round(value), at)
        at += depth / 8
      }
    }
  }
  return Buffer.concat([head, data])
}

/** The primaries of colour spaces as D50 colourants (ICC.1:2022, annex E), and their gamma. */
const PRIMARIES = {
  srgb: { gamma: 2.2, xyz: [0.4361, 0.2225, 0.0139, 0.3851, 0.7169, 0.0971, 0.1431, 0.0606, 0.7141] },
  adobe: { gamma: 2.2, xyz: [0.6097, 0.3111, 0.0195, 0.2053, 0.6257, 0.0609, 0.1492, 0.0632, 0.7446] },
  prophoto: { gamma: 1.8, xyz: [0.7977, 0.288, 0, 0.1352, 0.7119, 0, 0.0313, 0.0001, 0.8249] },
} as const

/** A display profile of matrix and curve, version 2.4, by that name. */
export function profile(name: string, primaries: keyof typeof PRIMARIES): Buffer {
  const { gamma, xyz } = PRIMARIES[primaries]
  const fixed = (value: number) => {
    const bytes = Buffer.alloc(4)
    bytes.writeInt32BE(Math.round(value * 65_536))
    return bytes
  }
  const xyzTag = (values: readonly number[]) =>
    Buffer.concat([Buffer.from('XYZ \0\0\0\0', 'latin1'), ...values.map(fixed)])
  const curve = Buffer.from('curv\0\0\0\0\0\0\0\x01\0\0\0\0', 'latin1')
  curve.writeUInt16BE(Math.round(gamma * 256), 12)
  const text = Buffer.from(`${name}\0`, 'latin1')
  const length = Buffer.alloc(4)
  length.writeUInt32BE(text.length)
  const description = Buffer.concat([Buffer.from('desc\0\0\0\0', 'latin1'), length, text, Buffer.alloc(78)])
  const tags: [string, Buffer][] = [
    ['desc', description],
    ['cprt', Buffer.from('text\0\0\0\0None\0\0\0\0', 'latin1')],
    ['wtpt', xyzTag([0.9642, 1, 0.8249])],
    ['rXYZ', xyzTag(xyz.slice(0, 3))],
    ['gXYZ', xyzTag(xyz.slice(3, 6))],
    ['bXYZ', xyzTag(xyz.slice(6))],
    ['rTRC', curve],
    ['gTRC', curve],
    ['bTRC', curve],
  ]
  const table = Buffer.alloc(4 + tags.length * 12)
  table.writeUInt32BE(tags.length)
  const bodies: Buffer[] = []
  let offset = 128 + table.length
  for (const [index, [type, body]] of tags.entries()) {
    const padded = Buffer.concat([body, Buffer.alloc((4 - (body.length % 4)) % 4)])
    table.write(type, 4 + index * 12, 'latin1')
    table.writeUInt32BE(offset, 8 + index * 12)
    table.writeUInt32BE(body.length, 12 + index * 12)
    bodies.push(padded)
    offset += padded.length
  }
  const head = Buffer.alloc(128)
  head.writeUInt32BE(offset, 0)
  head.writeUInt32BE(0x02400000, 8)
  head.write('mntrRGB XYZ ', 12, 'latin1')
  head.write('acsp', 36, 'latin1')
  for (const [index, value] of [0.9642, 1, 0.8249].entries()) fixed(value).copy(head, 68 + index * 4)
  return Buffer.concat([head, table, ...bodies])
}

/** One entry of an EXIF directory: SHORT, ASCII, BYTE or RATIONAL by its values. */
type ExifEntry = { tag: number; type: 'byte' | 'ascii' | 'short' | 'rational'; values: readonly number[] | string }
const EXIF_TYPES = { byte: [1, 1], ascii: [2, 1], short: [3, 2], rational: [5, 8] } as const

/** An EXIF block (CIPA DC-008): the first directory and, where there are entries of it, the GPS directory. */
export function exif(main: ExifEntry[], gps?: ExifEntry[]): Buffer {
  const sizeOf = (entries: number) => 2 + entries * 12 + 4
  const gpsAt = 8 + sizeOf(main.length + (gps ? 1 : 0))
  let overflowAt = gpsAt + (gps ? sizeOf(gps.length) : 0)
  const overflow: Buffer[] = []
  const directory = (entries: ExifEntry[], pointer?: number) => {
    const bytes = Buffer.alloc(sizeOf(entries.length + (pointer === undefined ? 0 : 1)))
    bytes.writeUInt16LE(entries.length + (pointer === undefined ? 0 : 1), 0)
    for (const [index, { tag, type, values }] of entries.entries()) {
      const at = 2 + index * 12
      const [code, width] = EXIF_TYPES[type]
      const data =
        typeof values === 'string'
          ? Buffer.from(`${values}\0`, 'latin1')
          : Buffer.concat(values.map((value) => number(value, width)))
      bytes.writeUInt16LE(tag, at)
      bytes.writeUInt16LE(code, at + 2)
      bytes.writeUInt32LE(data.length / width, at + 4)
      if (data.length <= 4) data.copy(bytes, at + 8)
      else {
        bytes.writeUInt32LE(overflowAt, at + 8)
        const padded = Buffer.concat([data, Buffer.alloc(data.length % 2)])
        overflow.push(padded)
        overflowAt += padded.length
      }
    }
    if (pointer !== undefined) {
      const at = 2 + entries.length * 12
      bytes.writeUInt16LE(0x8825, at)
      bytes.writeUInt16LE(4, at + 2)
      bytes.writeUInt32LE(1, at + 4)
      bytes.writeUInt32LE(pointer, at + 8)
    }
    return bytes
  }
  const head = Buffer.from('II*\0\x08\0\0\0', 'latin1')
  const first = directory(main, gps ? gpsAt : undefined)
  return Buffer.concat([head, first, ...(gps ? [directory(gps)] : []), ...overflow])
}

function number(value: number, width: 1 | 2 | 8): Buffer {
  const bytes = Buffer.alloc(width)
  if (width === 1) bytes[0] = value
  else if (width === 2) bytes.writeUInt16LE(value)
  else {
    bytes.writeUInt32LE(Math.round(value * 1000), 0)
    bytes.writeUInt32LE(1000, 4)
  }
  return bytes
}

/** The picture with a further segment (T.81, B.1.1.4) behind its first mark. */
export function withSegment(jpeg: Buffer, code: number, body: Buffer): Buffer {
  const head = Buffer.from([0xff, code, 0, 0])
  head.writeUInt16BE(body.length + 2, 2)
  return Buffer.concat([jpeg.subarray(0, 2), head, body, jpeg.subarray(2)])
}

export const exifSegment = (block: Buffer) => Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), block])
export const xmpSegment = (packet: string) =>
  Buffer.concat([Buffer.from('http://ns.adobe.com/xap/1.0/\0', 'latin1'), Buffer.from(packet)])

export type Sample = (time: number, channel: number) => number

type SoundOptions = {
  channels?: number
  rate?: number
  /** Which loudspeakers the channels are for (WAVEFORMATEXTENSIBLE, dwChannelMask). */
  mask?: number
}

/** PCM of 16 bits, little endian, RIFF. */
export function writeSound(file: string, seconds: number, sample: Sample, options: SoundOptions = {}): void {
  const { channels = 2, rate = 48_000, mask } = options
  const frames = Math.round(seconds * rate)
  const format = Buffer.alloc(mask === undefined ? 16 : 40)
  format.writeUInt16LE(mask === undefined ? 1 : 0xfffe, 0)
  format.writeUInt16LE(channels, 2)
  format.writeUInt32LE(rate, 4)
  format.writeUInt32LE(rate * channels * 2, 8)
  format.writeUInt16LE(channels * 2, 12)
  format.writeUInt16LE(16, 14)
  if (mask !== undefined) {
    format.writeUInt16LE(22, 16)
    format.writeUInt16LE(16, 18)
    format.writeUInt32LE(mask, 20)
    format.write('0100000000001000800000aa00389b71', 24, 'hex')
  }
  const data = Buffer.alloc(frames * channels * 2)
  for (let frame = 0, at = 0; frame < frames; frame++) {
    for (let channel = 0; channel < channels; channel++, at += 2) {
      const value = Math.round(sample(frame / rate, channel) * 32_768)
      data.writeInt16LE(Math.max(-32_768, Math.min(32_767, value)), at)
    }
  }
  const chunk = (id: string, body: Buffer) => {
    const head = Buffer.alloc(8)
    head.write(id, 'latin1')
    head.writeUInt32LE(body.length, 4)
    return Buffer.concat([head, body])
  }
  const body = Buffer.concat([Buffer.from('WAVE'), chunk('fmt ', format), chunk('data', data)])
  writeFileSync(file, chunk('RIFF', body))
}

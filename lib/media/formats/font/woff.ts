import { brotliDecompressSync, inflateSync } from 'node:zlib'
import { bomb, corrupt, printable, truncated } from '../defect'
import { type FontTables, validateOverlap } from './sfnt'

const MAX_FONT_BYTES = 256 * 1024 * 1024

/** WOFF 1.0 (W3C Recommendation 2012): every table unpacked to its declared length. */
export async function readWoff(bytes: Buffer): Promise<FontTables> {
  if (bytes.length < 44) throw truncated('its header is cut')
  const [flavour, length, count] = [bytes.toString('latin1', 4, 8), bytes.readUInt32BE(8), bytes.readUInt16BE(12)]
  if (length !== bytes.length)
    throw length > bytes.length
      ? truncated(`the header declares ${length} bytes, ${bytes.length} are there`)
      : corrupt(`the header declares ${length} bytes and the file has ${bytes.length}`)
  if (count === 0 || 44 + count * 20 > bytes.length) throw corrupt(`it declares ${count} tables`)
  const tables = new Map<string, Buffer>()
  const places: { tag: string; start: number; end: number }[] = []
  let total = 0
  for (let index = 0; index < count; index += 1) {
    const entry = 44 + index * 20
    const tag = bytes.toString('latin1', entry, entry + 4)
    const [offset, packed, size] = [
      bytes.readUInt32BE(entry + 4),
      bytes.readUInt32BE(entry + 8),
      bytes.readUInt32BE(entry + 12),
    ]
    if (offset + packed > bytes.length)
      throw truncated(`the table ${printable(tag)} reaches to byte ${offset + packed} of ${bytes.length}`)
    if (packed > size) throw corrupt(`the table ${printable(tag)} is larger packed than unpacked`)
    total += size
    if (total > MAX_FONT_BYTES) throw bomb(`tables of ${total} bytes`)
    const data = bytes.subarray(offset, offset + packed)
    const table = packed === size ? data : unpack(tag, data, size)
    if (tag !== 'head' && checksum(table) !== bytes.readUInt32BE(entry + 16))
      throw corrupt(`the checksum of the table ${printable(tag)} does not match its content`)
    tables.set(tag, table)
    if (packed > 0) places.push({ tag, start: offset, end: offset + packed })
  }
  validateOverlap(places)
  return { flavour, tables, transformed: new Set() }
}

function unpack(tag: string, data: Buffer, size: number): Buffer {
  let table: Buffer
  try {
    table = inflateSync(data, { maxOutputLength: size + 1 })
  } catch {
    throw corrupt(`the table ${printable(tag)} cannot be unpacked`)
  }
  if (table.length !== size) throw corrupt(`the table ${printable(tag)} unpacks to ${table.length} of ${size} bytes`)
  return table
}

/** The sum of a table's 32-bit words (ISO/IEC 14496-22, 5.1). */
function checksum(table: Buffer): number {
  let sum = 0
  const whole = table.length & ~3
  for (let at = 0; at < whole; at += 4) sum = (sum + table.readUInt32BE(at)) >>> 0
  if (whole < table.length) {
    const last = Buffer.alloc(4)
    table.copy(last, 0, whole)
    sum = (sum + last.readUInt32BE(0)) >>> 0
  }
  return sum
}

/** WOFF2, section 5.2: the tags that have a number of their own. */
const KNOWN_TAGS = (
  'cmap head hhea hmtx maxp name OS/2 post cvt_ fpgm glyf loca prep CFF_ VORG EBDT EBLC gasp hdmx kern LTSH PCLT VDMX vhea vmtx BASE GDEF GPOS ' +
  'GSUB EBSC JSTF MATH CBDT CBLC COLR CPAL SVG_ sbix acnt avar bdat bloc bsln cvar fdsc feat fmtx fvar gvar hsty just lcar mort morx opbd prop ' +
  'trak Zapf Silf Glat Gloc Feat Sill'
)
  .split(' ')
  .map((tag) => tag.replace('_', ' '))

/** WOFF2 (W3C Recommendation 2024): one brotli stream with all tables, some of them in another shape; one font or several. */
export async function readWoff2(bytes: Buffer): Promise<FontTables[]> {
  if (bytes.length < 48) throw truncated('its header is cut')
  const [flavour, length, count, packed] = [
    bytes.toString('latin1', 4, 8),
    bytes.readUInt32BE(8),
    bytes.readUInt16BE(12),
    bytes.readUInt32BE(20),
  ]
  if (length !== bytes.length)
    throw length > bytes.length
      ? truncated(`the header declares ${length} bytes, ${bytes.length} are there`)
      : corrupt(`the header declares ${length} bytes and the file has ${bytes.length}`)
  const cursor = { at: 48 }
  const entries: { tag: string; size: number; isTransformed: boolean }[] = []
  for (let index = 0; index < count; index += 1) {
    const flags = readByte(bytes, cursor)
    const isNamed = (flags & 63) === 63
    const tag = isNamed ? bytes.toString('latin1', cursor.at, cursor.at + 4) : (KNOWN_TAGS[flags & 63] ?? '')
    if (isNamed) cursor.at += 4
    const version = flags >> 6
    const original = readBase128(bytes, cursor)
    const isTransformed = tag === 'glyf' || tag === 'loca' ? version !== 3 : version !== 0
    entries.push({ tag, size: isTransformed ? readBase128(bytes, cursor) : original, isTransformed })
  }
  const total = entries.reduce((sum, entry) => sum + entry.size, 0)
  if (total > MAX_FONT_BYTES) throw bomb(`tables of ${total} bytes`)
  const fonts =
    flavour === 'ttcf' ? readMembers(bytes, cursor, count) : [{ flavour, tables: entries.map((_, index) => index) }]
  if (cursor.at + packed > bytes.length)
    throw truncated(`its tables have ${packed} bytes, ${bytes.length - cursor.at} are there`)
  const data = unpackBrotli(bytes.subarray(cursor.at, cursor.at + packed), total)
  let at = 0
  const tables = entries.map((entry) => {
    const table = { ...entry, bytes: data.subarray(at, at + entry.size) }
    at += entry.size
    return table
  })
  return fonts.map((member) => {
    const font: FontTables = { flavour: member.flavour, tables: new Map(), transformed: new Set() }
    for (const index of member.tables) {
      const table = tables[index]
      if (!table) throw corrupt(`a font of the collection names table ${index} of ${tables.length}`)
      if (font.tables.has(table.tag)) throw corrupt(`the table ${printable(table.tag)} stands twice`)
      font.tables.set(table.tag, table.bytes)
      if (table.isTransformed) font.transformed.add(table.tag)
    }
    return font
  })
}

const MAX_FONTS = 1024

/** The fonts of a collection by the numbers of their tables (section 4.2). */
function readMembers(bytes: Buffer, cursor: { at: number }, tables: number): { flavour: string; tables: number[] }[] {
  cursor.at += 4
  const count = readShort(bytes, cursor)
  if (count === 0 || count > MAX_FONTS) throw corrupt(`the collection declares ${count} fonts`)
  return Array.from({ length: count }, () => {
    const length = readShort(bytes, cursor)
    if (length > tables) throw corrupt(`a font of the collection has ${length} of ${tables} tables`)
    const flavour = bytes.toString('latin1', cursor.at, cursor.at + 4)
    cursor.at += 4
    return { flavour, tables: Array.from({ length }, () => readShort(bytes, cursor)) }
  })
}

/** 255UInt16: one byte up to 252, else two or three (section 5.1). */
function readShort(bytes: Buffer, cursor: { at: number }): number {
  const first = readByte(bytes, cursor)
  if (first === 253) return readByte(bytes, cursor) * 256 + readByte(bytes, cursor)
  if (first === 254) return readByte(bytes, cursor) + 506
  return first === 255 ? readByte(bytes, cursor) + 253 : first
}

function unpackBrotli(data: Buffer, size: number): Buffer {
  let unpacked: Buffer
  try {
    unpacked = brotliDecompressSync(data, { maxOutputLength: size + 1 })
  } catch {
    throw corrupt('its tables cannot be unpacked')
  }
  if (unpacked.length !== size) throw corrupt(`its tables unpack to ${unpacked.length} of ${size} bytes`)
  return unpacked
}

function readByte(bytes: Buffer, cursor: { at: number }): number {
  const byte = bytes[cursor.at]
  if (byte === undefined) throw truncated('the list of its tables is cut')
  cursor.at += 1
  return byte
}

/** UIntBase128: seven bits a byte, no leading zeros, at most five bytes (section 4.1). */
function readBase128(bytes: Buffer, cursor: { at: number }): number {
  let value = 0
  for (let index = 0; index < 5; index += 1) {
    const byte = readByte(bytes, cursor)
    if (index === 0 && byte === 0x80) break
    value = value * 128 + (byte & 0x7f)
    if ((byte & 0x80) === 0) return value
  }
  throw corrupt('a length in the list of its tables is not valid')
}

import type { FontFacts } from '../../facts'
import { corrupt } from '../defect'
import { type FontTables, view } from './sfnt'

/** What the other readers have to know: how many glyphs there are and how their outlines are found. */
export type FontShape = { glyphs: number; hasLongOffsets: boolean }

const MAGIC = 0x5f0f3cf5

/**
 * The tables no font works without (ISO/IEC 14496-22, 5.2): present, long enough, and at one with each other. The
 * character map, the names and what is for printers (cmap, name, OS/2, post) are left out of fonts for one document or
 * one page; fonts of bitmaps alone have “bhed” in place of “head” and need no widths (Apple, TrueType Reference Manual).
 */
export function validateTables(font: FontTables): { facts: FontFacts; shape: FontShape } {
  const isBitmap = font.tables.has('bhed') && !font.tables.has('head')
  const head = required(font, isBitmap ? 'bhed' : 'head', 54)
  const maxp = required(font, 'maxp', 6)
  if (head.readUInt32BE(12) !== MAGIC) throw corrupt('its head table does not carry the mark of one')
  const unitsPerEm = head.readUInt16BE(18)
  if (!isBitmap && (unitsPerEm < 16 || unitsPerEm > 16_384)) throw corrupt(`${unitsPerEm} units per em (16 to 16384)`)
  const format = head.readInt16BE(50)
  if (format !== 0 && format !== 1) throw corrupt(`its glyph offsets have the unknown format ${format}`)
  const glyphs = maxp.readUInt16BE(4)
  if (glyphs === 0) throw corrupt('it has no glyphs')
  const version = maxp.readUInt32BE(0)
  if (version !== 0x5000 && version !== 0x10000) throw corrupt('its maxp table has an unknown version')
  if (version === 0x10000) required(font, 'maxp', 32)
  if (!isBitmap || font.tables.has('hhea')) {
    validateMetrics(font, 'hmtx', required(font, 'hhea', 36).readUInt16BE(34), glyphs)
  }
  const vhea = font.tables.get('vhea')
  if (vhea && font.tables.has('vmtx')) validateMetrics(font, 'vmtx', view(vhea, 34, 2, 'vhea').readUInt16BE(0), glyphs)
  const codePoints = font.tables.has('cmap') ? validateCmap(required(font, 'cmap', 4), glyphs) : null
  const names = font.tables.has('name') ? readNames(required(font, 'name', 6)) : new Map<number, string>()
  if (font.tables.has('post')) validatePost(font, glyphs)
  const os2 = font.tables.get('OS/2')
  if (os2 && os2.length < 68) throw corrupt(`its OS/2 table has ${os2.length} bytes`)
  return {
    facts: {
      kind: 'other',
      format: 'unknown',
      family: names.get(16) ?? names.get(1) ?? null,
      style: names.get(17) ?? names.get(2) ?? null,
      glyphs,
      codePoints,
      variable: font.tables.has('fvar'),
      embeddingRights: os2 ? embeddingRights(os2.readUInt16BE(8)) : null,
      version: names.get(5) ?? null,
    },
    shape: { glyphs, hasLongOffsets: format === 1 },
  }
}

function required(font: FontTables, tag: string, length: number): Buffer {
  const table = font.tables.get(tag)
  if (!table) throw corrupt(`the table ${tag}, which every font needs, is missing`)
  if (table.length < length && !font.transformed.has(tag))
    throw corrupt(`the table ${tag} has ${table.length} of at least ${length} bytes`)
  return table
}

function validateMetrics(font: FontTables, tag: string, metrics: number, glyphs: number): void {
  if (metrics === 0 || metrics > glyphs) throw corrupt(`it declares ${metrics} widths for ${glyphs} glyphs`)
  if (font.transformed.has(tag)) return
  const needed = metrics * 4 + (glyphs - metrics) * 2
  const table = required(font, tag, 0)
  if (table.length < needed) throw corrupt(`the table ${tag} has ${table.length} of ${needed} bytes`)
}

function embeddingRights(flags: number): FontFacts['embeddingRights'] {
  if (flags & 8) return 'editable'
  if (flags & 4) return 'preview-and-print'
  return flags & 2 ? 'restricted' : 'installable'
}

/** Every subtable inside the table and in a known shape; gives the number of mapped code points of the widest. */
function validateCmap(table: Buffer, glyphs: number): number {
  const count = table.readUInt16BE(2)
  let widest = 0
  const seen = new Set<number>()
  for (let index = 0; index < count; index += 1) {
    const offset = view(table, 4 + index * 8, 8, 'the list of its character maps').readUInt32BE(4)
    if (seen.has(offset)) continue
    seen.add(offset)
    widest = Math.max(widest, validateMap(table, offset, glyphs))
  }
  return widest
}

function validateMap(table: Buffer, offset: number, glyphs: number): number {
  const what = `the character map at byte ${offset}`
  const format = view(table, offset, 2, what).readUInt16BE(0)
  if (format === 4) return validateSegments(table, offset)
  if (format === 0) view(table, offset, 262, what)
  if (format === 6) {
    const entries = view(table, offset, 10, what).readUInt16BE(8)
    view(table, offset, 10 + entries * 2, what)
    return entries
  }
  if (format === 12 || format === 13) {
    const groups = view(table, offset, 16, what).readUInt32BE(12)
    const body = view(table, offset + 16, groups * 12, what)
    let mapped = 0
    let last = -1
    for (let at = 0; at < body.length; at += 12) {
      const [start, end, glyph] = [body.readUInt32BE(at), body.readUInt32BE(at + 4), body.readUInt32BE(at + 8)]
      if (start > end || end > 0x10ffff || start <= last) throw corrupt(`${what} has its ranges out of order`)
      if (glyph >= glyphs + 1) throw corrupt(`${what} names glyph ${glyph} of ${glyphs}`)
      mapped += end - start + 1
      last = end
    }
    return mapped
  }
  return 0
}

/** Format 4: pairs of limits with a shared array behind them. */
function validateSegments(table: Buffer, offset: number): number {
  const what = `the character map at byte ${offset}`
  const segments = view(table, offset, 14, what).readUInt16BE(6) >> 1
  if (segments === 0) throw corrupt(`${what} is empty`)
  const body = view(table, offset + 14, segments * 8 + 2, what)
  let mapped = 0
  for (let index = 0; index < segments; index += 1) {
    const end = body.readUInt16BE(index * 2)
    const start = body.readUInt16BE(segments * 2 + 2 + index * 2)
    if (start > end) throw corrupt(`${what} has its ranges out of order`)
    if (start !== 0xffff) mapped += end - start + 1
  }
  return mapped
}

/** Names by number: the Windows English record where there is one, else the first. */
function readNames(table: Buffer): Map<number, string> {
  const names = new Map<number, string>()
  const [count, storage] = [table.readUInt16BE(2), table.readUInt16BE(4)]
  for (let index = 0; index < count; index += 1) {
    const record = view(table, 6 + index * 12, 12, 'the list of its names')
    const [platform, language, id] = [record.readUInt16BE(0), record.readUInt16BE(4), record.readUInt16BE(6)]
    const [length, offset] = [record.readUInt16BE(8), record.readUInt16BE(10)]
    // Names are for people; one that lies outside is dropped by every reader and hurts nothing.
    if (storage + offset + length > table.length) continue
    const bytes = Buffer.from(table.subarray(storage + offset, storage + offset + length))
    const isWide = platform === 0 || platform === 3
    if (isWide && length % 2 !== 0) continue
    const text = isWide ? bytes.swap16().toString('utf16le') : bytes.toString('latin1')
    if (!names.has(id) || (platform === 3 && language === 0x409)) names.set(id, text.slice(0, 200))
  }
  return names
}

function validatePost(font: FontTables, glyphs: number): void {
  const table = required(font, 'post', 32)
  const version = table.readUInt32BE(0)
  if (![0x10000, 0x20000, 0x25000, 0x30000, 0x40000].includes(version))
    throw corrupt('its post table has an unknown version')
  if (version !== 0x20000) return
  const count = view(table, 32, 2, 'the names of its glyphs').readUInt16BE(0)
  if (count !== glyphs && count > glyphs) throw corrupt(`it names ${count} of ${glyphs} glyphs`)
  const indexes = view(table, 34, count * 2, 'the names of its glyphs')
  let needed = -1
  for (let index = 0; index < count; index += 1) needed = Math.max(needed, indexes.readUInt16BE(index * 2) - 258)
  let at = 34 + count * 2
  for (let index = 0; index <= needed; index += 1) {
    const length = view(table, at, 1, 'the names of its glyphs').readUInt8(0)
    view(table, at + 1, length, 'the names of its glyphs')
    at += 1 + length
  }
}

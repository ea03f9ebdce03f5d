import { corrupt } from '../defect'
import { type FontTables, view } from './sfnt'

const CHARSET = 15
const CHAR_STRINGS = 17
const PRIVATE = 18
const SUBRS = 19
const FD_ARRAY = 12 * 256 + 36
const FD_SELECT = 12 * 256 + 37

type Index = { count: number; end: number; item: (index: number) => Buffer }

/** Compact Font Format (Adobe TN 5176): header, indexes, dictionaries and the place of every charstring. */
export function validateCff(font: FontTables): void {
  const table = font.tables.get('CFF ')
  if (!table) return
  const head = view(table, 0, 4, 'the table CFF')
  if (head.readUInt8(0) !== 1) throw corrupt(`its outlines are in version ${head.readUInt8(0)} of CFF`)
  const names = readIndex(table, head.readUInt8(2), 'the names')
  if (names.count !== 1) throw corrupt(`it holds ${names.count} CFF fonts instead of one`)
  const tops = readIndex(table, names.end, 'the dictionaries')
  if (tops.count !== 1) throw corrupt(`it holds ${tops.count} CFF dictionaries instead of one`)
  const strings = readIndex(table, tops.end, 'the texts')
  readIndex(table, strings.end, 'the shared routines')
  const top = readDictionary(tops.item(0))
  const place = top.get(CHAR_STRINGS)?.[0]
  if (place === undefined) throw corrupt('it does not say where its outlines are')
  const charStrings = readIndex(table, place, 'the outlines')
  const glyphs = font.tables.get('maxp')?.readUInt16BE(4)
  if (glyphs !== undefined && charStrings.count !== glyphs)
    throw corrupt(`it has ${charStrings.count} outlines for ${glyphs} glyphs`)
  validatePrivate(table, top)
  const charset = top.get(CHARSET)?.[0] ?? 0
  if (charset > 2) validateCharset(table, charset, charStrings.count)
  const [fonts, select] = [top.get(FD_ARRAY)?.[0], top.get(FD_SELECT)?.[0]]
  if (fonts !== undefined) {
    const dictionaries = readIndex(table, fonts, 'the parts')
    for (let index = 0; index < dictionaries.count; index += 1)
      validatePrivate(table, readDictionary(dictionaries.item(index)))
    if (select !== undefined) view(table, select, 1, 'the list of parts')
  }
}

function validatePrivate(table: Buffer, dictionary: Map<number, number[]>): void {
  const [size, offset] = dictionary.get(PRIVATE) ?? []
  if (size === undefined || offset === undefined) return
  const inner = readDictionary(view(table, offset, size, 'a private dictionary'))
  const routines = inner.get(SUBRS)?.[0]
  if (routines !== undefined) readIndex(table, offset + routines, 'the routines')
}

function validateCharset(table: Buffer, offset: number, glyphs: number): void {
  const what = 'the list of characters'
  const format = view(table, offset, 1, what).readUInt8(0)
  if (format > 2) throw corrupt(`${what} has the unknown format ${format}`)
  if (format === 0) {
    view(table, offset + 1, (glyphs - 1) * 2, what)
    return
  }
  let at = offset + 1
  for (let covered = 1; covered < glyphs; ) {
    const range = view(table, at, format === 1 ? 3 : 4, what)
    covered += 1 + (format === 1 ? range.readUInt8(2) : range.readUInt16BE(2))
    at += range.length
  }
}

/** INDEX data (section 5): offsets that rise and stay inside. */
function readIndex(table: Buffer, start: number, what: string): Index {
  const count = view(table, start, 2, what).readUInt16BE(0)
  if (count === 0) return { count, end: start + 2, item: () => Buffer.alloc(0) }
  const width = view(table, start + 2, 1, what).readUInt8(0)
  if (width < 1 || width > 4) throw corrupt(`${what} of its outlines have offsets of ${width} bytes`)
  const offsets = view(table, start + 3, (count + 1) * width, what)
  // Offsets count from the byte before the data, so that the first is 1.
  const data = start + 2 + (count + 1) * width
  const offset = (index: number) => offsets.readUIntBE(index * width, width)
  if (offset(0) !== 1) throw corrupt(`${what} of its outlines begin at ${offset(0)} instead of 1`)
  for (let index = 0; index < count; index += 1) {
    if (offset(index + 1) < offset(index)) throw corrupt(`${what} of its outlines are out of order`)
  }
  const end = data + offset(count)
  view(table, start, end - start, what)
  return { count, end, item: (index) => table.subarray(data + offset(index), data + offset(index + 1)) }
}

/** DICT data (section 4): operands before operators. */
function readDictionary(bytes: Buffer): Map<number, number[]> {
  const entries = new Map<number, number[]>()
  let operands: number[] = []
  for (let at = 0; at < bytes.length; ) {
    const first = bytes.readUInt8(at)
    if (first <= 21) {
      const isEscaped = first === 12
      entries.set(isEscaped ? 12 * 256 + view(bytes, at + 1, 1, 'a dictionary').readUInt8(0) : first, operands)
      operands = []
      at += isEscaped ? 2 : 1
    } else if (first === 28) {
      operands.push(view(bytes, at + 1, 2, 'a dictionary').readInt16BE(0))
      at += 3
    } else if (first === 29) {
      operands.push(view(bytes, at + 1, 4, 'a dictionary').readInt32BE(0))
      at += 5
    } else if (first === 30) {
      at += 1
      while ((view(bytes, at, 1, 'a dictionary').readUInt8(0) & 0x0f) !== 0x0f && bytes.readUInt8(at) >> 4 !== 0x0f)
        at += 1
      at += 1
      operands.push(0)
    } else if (first >= 32 && first <= 246) {
      operands.push(first - 139)
      at += 1
    } else if (first >= 247 && first <= 254) {
      const second = view(bytes, at + 1, 1, 'a dictionary').readUInt8(0)
      operands.push(first <= 250 ? (first - 247) * 256 + second + 108 : -(first - 251) * 256 - second - 108)
      at += 2
    } else {
      throw corrupt(`a dictionary of its outlines holds the reserved byte ${first}`)
    }
  }
  return entries
}

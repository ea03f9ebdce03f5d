import { corrupt, printable, truncated } from '../defect'

export type FontTables = {
  flavour: string
  tables: Map<string, Buffer>
  /** Tables whose content was stored in another shape (WOFF2): their own reader does not apply. */
  transformed: Set<string>
}

/** Part of a table, with reads that stop at its end. */
export function view(table: Buffer, offset: number, length: number, what: string): Buffer {
  if (offset < 0 || length < 0 || offset + length > table.length) {
    throw corrupt(`${what} reaches to byte ${offset + length} of a table of ${table.length}`)
  }
  return table.subarray(offset, offset + length)
}

/**
 * The table directory of a bare font, `start` bytes into the file: names, places, no table outside the file or inside
 * another. A table that two names give whole is shared, as those of bitmaps by the readers of two makers are.
 */
export function readSfnt(bytes: Buffer, start = 0): FontTables {
  if (bytes.length < start + 12) throw truncated('the list of its tables is missing')
  const count = bytes.readUInt16BE(start + 4)
  if (count === 0 || count > 4096) throw corrupt(`it declares ${count} tables`)
  if (start + 12 + count * 16 > bytes.length) throw truncated(`the list of its ${count} tables is cut`)
  const tables = new Map<string, Buffer>()
  const places: Place[] = []
  for (let index = 0; index < count; index += 1) {
    const entry = start + 12 + index * 16
    const tag = bytes.toString('latin1', entry, entry + 4)
    const [offset, length] = [bytes.readUInt32BE(entry + 8), bytes.readUInt32BE(entry + 12)]
    if (!/^[\x20-\x7e]{4}$/.test(tag)) throw corrupt(`“${printable(tag)}” is not the name of a table`)
    if (offset + length > bytes.length)
      throw truncated(`the table ${tag} reaches to byte ${offset + length} of ${bytes.length}`)
    if (length > 0 && offset < start + 12 + count * 16 && offset + length > start)
      throw corrupt(`the table ${tag} lies over the list of tables`)
    if (tables.has(tag)) throw corrupt(`the table ${tag} stands twice`)
    tables.set(tag, bytes.subarray(offset, offset + length))
    if (length > 0) places.push({ tag, start: offset, end: offset + length })
  }
  validateOverlap(places)
  return { flavour: bytes.toString('latin1', start, start + 4), tables, transformed: new Set() }
}

const MAX_FONTS = 1024

/** The fonts of a collection (ISO/IEC 14496-22, 4.6.3), which share tables. */
export function readCollection(bytes: Buffer): FontTables[] {
  if (bytes.length < 12) throw truncated('the list of its fonts is missing')
  const [version, count] = [bytes.readUInt16BE(4), bytes.readUInt32BE(8)]
  if (version !== 1 && version !== 2) throw corrupt(`the collection has the unknown version ${version}`)
  if (count === 0 || count > MAX_FONTS) throw corrupt(`the collection declares ${count} fonts`)
  if (12 + count * 4 > bytes.length) throw truncated(`the list of its ${count} fonts is cut`)
  return Array.from({ length: count }, (_, index) => readSfnt(bytes, bytes.readUInt32BE(12 + index * 4)))
}

type Place = { tag: string; start: number; end: number }

export function validateOverlap(places: Place[]): void {
  const sorted = [...places].sort((a, b) => a.start - b.start || a.end - b.end)
  for (let index = 1; index < sorted.length; index += 1) {
    const [before, after] = [sorted[index - 1], sorted[index]]
    if (!before || !after || before.end <= after.start) continue
    if (before.start !== after.start || before.end !== after.end)
      throw corrupt(`the tables ${before.tag} and ${after.tag} share the same bytes`)
  }
}

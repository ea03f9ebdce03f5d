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

/** The table directory of a bare font: names, places, no table outside the file or inside another. */
export function readSfnt(bytes: Buffer): FontTables {
  if (bytes.length < 12) throw truncated('the list of its tables is missing')
  const count = bytes.readUInt16BE(4)
  if (count === 0 || count > 4096) throw corrupt(`it declares ${count} tables`)
  if (12 + count * 16 > bytes.length) throw truncated(`the list of its ${count} tables is cut`)
  const tables = new Map<string, Buffer>()
  const places: { tag: string; start: number; end: number }[] = []
  for (let index = 0; index < count; index += 1) {
    const entry = 12 + index * 16
    const tag = bytes.toString('latin1', entry, entry + 4)
    const [offset, length] = [bytes.readUInt32BE(entry + 8), bytes.readUInt32BE(entry + 12)]
    if (!/^[\x20-\x7e]{4}$/.test(tag)) throw corrupt(`“${printable(tag)}” is not the name of a table`)
    if (offset + length > bytes.length)
      throw truncated(`the table ${tag} reaches to byte ${offset + length} of ${bytes.length}`)
    if (length > 0 && offset < 12 + count * 16) throw corrupt(`the table ${tag} lies over the list of tables`)
    if (tables.has(tag)) throw corrupt(`the table ${tag} stands twice`)
    tables.set(tag, bytes.subarray(offset, offset + length))
    if (length > 0) places.push({ tag, start: offset, end: offset + length })
  }
  validateOverlap(places)
  return { flavour: bytes.toString('latin1', 0, 4), tables, transformed: new Set() }
}

export function validateOverlap(places: { tag: string; start: number; end: number }[]): void {
  const sorted = [...places].sort((a, b) => a.start - b.start)
  for (let index = 1; index < sorted.length; index += 1) {
    const [before, after] = [sorted[index - 1], sorted[index]]
    if (before && after && before.end > after.start)
      throw corrupt(`the tables ${before.tag} and ${after.tag} share the same bytes`)
  }
}

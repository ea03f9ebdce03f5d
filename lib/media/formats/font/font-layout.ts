import { corrupt } from '../defect'
import { view } from './sfnt'

/** Reads numbers of one layout table and refuses those that point outside it. */
class LayoutReader {
  private readonly checked = new Set<string>()

  constructor(
    readonly tag: string,
    private readonly table: Buffer,
    readonly glyphs: number,
  ) {}

  u16(at: number): number {
    return view(this.table, at, 2, `the table ${this.tag}`).readUInt16BE(0)
  }

  u32(at: number): number {
    return view(this.table, at, 4, `the table ${this.tag}`).readUInt32BE(0)
  }

  /** The numbers of a counted array; `at` is the place of the count. */
  array(at: number): number[] {
    const count = this.u16(at)
    const bytes = view(this.table, at + 2, count * 2, `the table ${this.tag}`)
    return Array.from({ length: count }, (_, index) => bytes.readUInt16BE(index * 2))
  }

  reserve(at: number, length: number): void {
    view(this.table, at, length, `the table ${this.tag}`)
  }

  /** Runs a check once for each place: tables share parts. */
  once(kind: string, at: number, check: () => void): void {
    const key = `${kind}${at}`
    if (this.checked.has(key)) return
    this.checked.add(key)
    check()
  }

  fail(what: string): never {
    throw corrupt(`the table ${this.tag} ${what}`)
  }
}

/** GSUB, GPOS and GDEF (ISO/IEC 14496-22, 6.2 and 6.3): every list, lookup and subtable stays inside its table. */
export function validateLayout(tag: string, table: Buffer, glyphs: number): void {
  const reader = new LayoutReader(tag, table, glyphs)
  if (reader.u16(0) !== 1) reader.fail(`has the unknown version ${reader.u16(0)}`)
  if (tag === 'GDEF') {
    const [classes, marks] = [reader.u16(4), reader.u16(10)]
    if (classes) validateClasses(reader, classes)
    if (marks) validateClasses(reader, marks)
    return
  }
  reader.reserve(0, reader.u16(2) >= 1 ? 14 : 10)
  const [scripts, features, lookups] = [reader.u16(4), reader.u16(6), reader.u16(8)]
  const lookupCount = lookups === 0 ? 0 : reader.u16(lookups)
  const featureCount = features === 0 ? 0 : reader.u16(features)
  if (scripts) validateScripts(reader, scripts, featureCount)
  if (features) validateFeatures(reader, features, lookupCount)
  if (lookups) for (const offset of reader.array(lookups)) validateLookup(reader, lookups + offset)
}

function validateScripts(reader: LayoutReader, list: number, features: number): void {
  const count = reader.u16(list)
  for (let index = 0; index < count; index += 1) {
    const script = list + reader.u16(list + 2 + index * 6 + 4)
    const fallback = reader.u16(script)
    if (fallback) validateLanguage(reader, script + fallback, features)
    const languages = reader.u16(script + 2)
    for (let each = 0; each < languages; each += 1)
      validateLanguage(reader, script + reader.u16(script + 4 + each * 6 + 4), features)
  }
}

function validateLanguage(reader: LayoutReader, at: number, features: number): void {
  const needed = reader.u16(at + 2)
  const used = reader.array(at + 4)
  if (needed !== 0xffff) used.push(needed)
  for (const feature of used) if (feature >= features) reader.fail(`uses feature ${feature} of ${features}`)
}

function validateFeatures(reader: LayoutReader, list: number, lookups: number): void {
  const count = reader.u16(list)
  for (let index = 0; index < count; index += 1) {
    const feature = list + reader.u16(list + 2 + index * 6 + 4)
    for (const lookup of reader.array(feature + 2))
      if (lookup >= lookups) reader.fail(`uses lookup ${lookup} of ${lookups}`)
  }
}

function validateLookup(reader: LayoutReader, at: number): void {
  const type = reader.u16(at)
  const last = reader.tag === 'GSUB' ? 8 : 9
  if (type < 1 || type > last) reader.fail(`has a lookup of the unknown type ${type}`)
  const subtables = reader.array(at + 4)
  if ((reader.u16(at + 2) & 0x10) !== 0) reader.u16(at + 6 + subtables.length * 2)
  for (const offset of subtables) validateSubtable(reader, type, at + offset, 0)
}

function validateSubtable(reader: LayoutReader, type: number, at: number, depth: number): void {
  const isExtension = type === (reader.tag === 'GSUB' ? 7 : 9)
  if (!isExtension) {
    const validate = reader.tag === 'GSUB' ? validateSubstitution : validatePosition
    reader.once(`${type}:`, at, () => validate(reader, type, at))
    return
  }
  const inner = reader.u16(at + 2)
  if (reader.u16(at) !== 1 || inner === type || depth > 0) reader.fail('has an extension that leads nowhere')
  validateSubtable(reader, inner, at + reader.u32(at + 4), depth + 1)
}

function validateSubstitution(reader: LayoutReader, type: number, at: number): void {
  const format = reader.u16(at)
  if (type === 5 || type === 6) {
    validateContext(reader, at, type === 6)
    return
  }
  if (type === 8) {
    const before = reader.array(at + 4)
    const after = reader.array(at + 6 + before.length * 2)
    reader.array(at + 8 + (before.length + after.length) * 2)
    for (const offset of [reader.u16(at + 2), ...before, ...after]) validateCoverage(reader, at + offset)
    return
  }
  if (format < 1 || format > (type === 1 ? 2 : 1)) reader.fail(`has a substitution of the unknown format ${format}`)
  validateCoverage(reader, at + reader.u16(at + 2))
  if (type === 1) {
    if (format === 2) validateGlyphList(reader, reader.array(at + 4))
    else reader.u16(at + 4)
  } else if (type === 2 || type === 3) {
    for (const offset of reader.array(at + 4)) validateGlyphList(reader, reader.array(at + offset))
  } else {
    for (const set of reader.array(at + 4)) {
      for (const ligature of reader.array(at + set)) {
        const place = at + set + ligature
        const parts = reader.u16(place + 2)
        if (parts === 0) reader.fail('has a ligature of nothing')
        reader.reserve(place + 4, (parts - 1) * 2)
        validateGlyphList(reader, [reader.u16(place)])
      }
    }
  }
}

function validatePosition(reader: LayoutReader, type: number, at: number): void {
  if (type === 7 || type === 8) {
    validateContext(reader, at, type === 8)
    return
  }
  const format = reader.u16(at)
  if (format < 1 || format > (type <= 2 ? 2 : 1)) reader.fail(`has a position of the unknown format ${format}`)
  validateCoverage(reader, at + reader.u16(at + 2))
  if (type === 1) {
    const size = valueSize(reader, reader.u16(at + 4))
    reader.reserve(at + (format === 1 ? 6 : 8), format === 1 ? size : size * reader.u16(at + 6))
  } else if (type === 2) {
    validatePairs(reader, at, format)
  } else if (type === 3) {
    const count = reader.u16(at + 4)
    for (let index = 0; index < count * 2; index += 1) validateAnchor(reader, at, reader.u16(at + 6 + index * 2))
  } else {
    validateMarks(reader, type, at)
  }
}

function validatePairs(reader: LayoutReader, at: number, format: number): void {
  const size = valueSize(reader, reader.u16(at + 4)) + valueSize(reader, reader.u16(at + 6))
  if (format === 1) {
    for (const offset of reader.array(at + 8)) reader.reserve(at + offset, 2 + reader.u16(at + offset) * (2 + size))
    return
  }
  validateClasses(reader, at + reader.u16(at + 8))
  validateClasses(reader, at + reader.u16(at + 10))
  reader.reserve(at + 16, reader.u16(at + 12) * reader.u16(at + 14) * size)
}

/** Mark-to-base, mark-to-ligature and mark-to-mark. */
function validateMarks(reader: LayoutReader, type: number, at: number): void {
  validateCoverage(reader, at + reader.u16(at + 4))
  const classes = reader.u16(at + 6)
  const [marks, bases] = [at + reader.u16(at + 8), at + reader.u16(at + 10)]
  const count = reader.u16(marks)
  for (let index = 0; index < count; index += 1) {
    const record = marks + 2 + index * 4
    if (reader.u16(record) >= classes) reader.fail(`puts a mark into class ${reader.u16(record)} of ${classes}`)
    validateAnchor(reader, marks, reader.u16(record + 2))
  }
  const matrices = type === 5 ? reader.array(bases).map((offset) => bases + offset) : [bases]
  for (const matrix of matrices) {
    const cells = reader.u16(matrix) * classes
    reader.reserve(matrix + 2, cells * 2)
    for (let cell = 0; cell < cells; cell += 1) validateAnchor(reader, matrix, reader.u16(matrix + 2 + cell * 2))
  }
}

function validateAnchor(reader: LayoutReader, base: number, offset: number): void {
  if (offset === 0) return
  const format = reader.u16(base + offset)
  if (format < 1 || format > 3) reader.fail(`has an anchor of the unknown format ${format}`)
  reader.reserve(base + offset, [0, 6, 8, 10][format] ?? 6)
}

function valueSize(reader: LayoutReader, format: number): number {
  if (format > 0xff) reader.fail(`has a value of the unknown format ${format}`)
  let bits = 0
  for (let rest = format; rest > 0; rest >>= 1) bits += rest & 1
  return bits * 2
}

/** Contextual lookups, chained or not: formats by glyph, by class and by coverage. */
function validateContext(reader: LayoutReader, at: number, isChained: boolean): void {
  const format = reader.u16(at)
  if (format === 3) {
    let place = at + 2
    const lists = isChained ? 3 : 1
    let records = 0
    if (isChained) {
      for (let list = 0; list < lists; list += 1) {
        const offsets = reader.array(place)
        for (const offset of offsets) validateCoverage(reader, at + offset)
        place += 2 + offsets.length * 2
      }
      records = reader.u16(place)
      place += 2
    } else {
      const glyphs = reader.u16(place)
      records = reader.u16(place + 2)
      for (let index = 0; index < glyphs; index += 1) validateCoverage(reader, at + reader.u16(place + 4 + index * 2))
      place += 4 + glyphs * 2
    }
    reader.reserve(place, records * 4)
    return
  }
  if (format !== 1 && format !== 2) reader.fail(`has a context of the unknown format ${format}`)
  validateCoverage(reader, at + reader.u16(at + 2))
  const classes = format === 2 ? (isChained ? 3 : 1) : 0
  for (let index = 0; index < classes; index += 1) {
    const offset = reader.u16(at + 4 + index * 2)
    if (offset) validateClasses(reader, at + offset)
  }
  for (const set of reader.array(at + 4 + classes * 2)) {
    if (set === 0) continue
    for (const rule of reader.array(at + set)) validateRule(reader, at + set + rule, isChained)
  }
}

function validateRule(reader: LayoutReader, at: number, isChained: boolean): void {
  if (!isChained) {
    const glyphs = reader.u16(at)
    if (glyphs === 0) reader.fail('has a rule for nothing')
    reader.reserve(at + 4, (glyphs - 1) * 2 + reader.u16(at + 2) * 4)
    return
  }
  let place = at
  for (const lacks of [0, 1, 0]) {
    const count = reader.u16(place)
    if (count < lacks) reader.fail('has a rule for nothing')
    reader.reserve(place + 2, (count - lacks) * 2)
    place += 2 + (count - lacks) * 2
  }
  reader.reserve(place + 2, reader.u16(place) * 4)
}

function validateCoverage(reader: LayoutReader, at: number): void {
  reader.once('coverage', at, () => {
    const format = reader.u16(at)
    if (format !== 1 && format !== 2) reader.fail(`has a coverage of the unknown format ${format}`)
    const count = reader.u16(at + 2)
    reader.reserve(at + 4, count * (format === 1 ? 2 : 6))
    if (format === 1) {
      for (let index = 0; index < count; index += 1) validateGlyphList(reader, [reader.u16(at + 4 + index * 2)])
      return
    }
    for (let index = 0; index < count; index += 1) {
      const range = at + 4 + index * 6
      if (reader.u16(range) > reader.u16(range + 2)) reader.fail('has a coverage whose ranges are out of order')
    }
  })
}

function validateClasses(reader: LayoutReader, at: number): void {
  reader.once('classes', at, () => {
    const format = reader.u16(at)
    if (format === 1) reader.reserve(at + 6, reader.u16(at + 4) * 2)
    else if (format === 2) reader.reserve(at + 4, reader.u16(at + 2) * 6)
    else reader.fail(`has classes of the unknown format ${format}`)
  })
}

function validateGlyphList(reader: LayoutReader, list: number[]): void {
  for (const glyph of list) if (glyph > reader.glyphs) reader.fail(`names glyph ${glyph} of ${reader.glyphs}`)
}

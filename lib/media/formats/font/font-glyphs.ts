import { corrupt } from '../defect'
import type { FontShape } from './font-tables'
import { type FontTables, view } from './sfnt'

const ON_CURVE_REPEAT = 8
const SHORT_X = 2
const SHORT_Y = 4
const SAME_X = 16
const SAME_Y = 32
const ARGUMENTS_ARE_WORDS = 1
const HAS_SCALE = 8
const MORE_COMPONENTS = 32
const HAS_XY_SCALE = 64
const HAS_MATRIX = 128

/** TrueType outlines (ISO/IEC 14496-22, 5.3): every glyph inside its table, every point there. */
export function validateGlyphs(font: FontTables, shape: FontShape): void {
  const glyf = font.tables.get('glyf')
  const loca = font.tables.get('loca')
  const hasOther = ['CFF ', 'CFF2', 'CBDT', 'EBDT', 'bdat', 'sbix', 'SVG '].some((tag) => font.tables.has(tag))
  if (!glyf && !loca) {
    if (!hasOther) throw corrupt('it has no outlines')
    return
  }
  // A font of bitmaps may keep both tables and put nothing into them.
  if (glyf?.length === 0 && hasOther) return
  if (!glyf || !loca) throw corrupt('its outlines are not complete (glyf and loca)')
  if (font.transformed.has('glyf')) {
    validateTransformed(glyf, shape)
    return
  }
  const width = shape.hasLongOffsets ? 4 : 2
  if (loca.length < (shape.glyphs + 1) * width)
    throw corrupt(`it has places for ${loca.length / width - 1} of ${shape.glyphs} glyphs`)
  const place = (index: number) =>
    shape.hasLongOffsets ? loca.readUInt32BE(index * 4) : loca.readUInt16BE(index * 2) * 2
  for (let glyph = 0; glyph < shape.glyphs; glyph += 1) {
    const [start, end] = [place(glyph), place(glyph + 1)]
    if (start > end || end > glyf.length)
      throw corrupt(`glyph ${glyph} lies at bytes ${start} to ${end} of ${glyf.length}`)
    if (end > start) validateGlyph(glyf.subarray(start, end), glyph, shape.glyphs)
  }
}

function validateGlyph(bytes: Buffer, glyph: number, glyphs: number): void {
  const what = `glyph ${glyph}`
  const contours = view(bytes, 0, 10, what).readInt16BE(0)
  if (contours === 0) return
  // -1 should be used of a glyph that is built from others; any number below zero says so (5.3.3).
  if (contours < 0) validateComposite(bytes, what, glyphs)
  else validateSimple(bytes, contours, what)
}

function validateSimple(bytes: Buffer, contours: number, what: string): void {
  const ends = view(bytes, 10, contours * 2, what)
  let last = -1
  for (let index = 0; index < contours; index += 1) {
    const end = ends.readUInt16BE(index * 2)
    if (end < last || (end === last && index > 0 && end !== 0)) throw corrupt(`${what} has its contours out of order`)
    last = end
  }
  const points = last + 1
  const instructions = view(bytes, 10 + contours * 2, 2, what).readUInt16BE(0)
  let at = 12 + contours * 2 + instructions
  let coordinates = 0
  for (let point = 0; point < points; ) {
    const flags = view(bytes, at, 1, what).readUInt8(0)
    at += 1
    let times = 1
    if (flags & ON_CURVE_REPEAT) {
      times += view(bytes, at, 1, what).readUInt8(0)
      at += 1
    }
    coordinates +=
      times * ((flags & SHORT_X ? 1 : flags & SAME_X ? 0 : 2) + (flags & SHORT_Y ? 1 : flags & SAME_Y ? 0 : 2))
    point += times
    if (point > points) throw corrupt(`${what} repeats more points than it has`)
  }
  view(bytes, at, coordinates, what)
}

function validateComposite(bytes: Buffer, what: string, glyphs: number): void {
  let at = 10
  for (;;) {
    const head = view(bytes, at, 4, what)
    const [flags, part] = [head.readUInt16BE(0), head.readUInt16BE(2)]
    if (part >= glyphs) throw corrupt(`${what} is built from glyph ${part} of ${glyphs}`)
    at +=
      4 +
      (flags & ARGUMENTS_ARE_WORDS ? 4 : 2) +
      (flags & HAS_SCALE ? 2 : flags & HAS_XY_SCALE ? 4 : flags & HAS_MATRIX ? 8 : 0)
    if (at > bytes.length) throw corrupt(`${what} is cut short`)
    if ((flags & MORE_COMPONENTS) === 0) return
  }
}

/** WOFF2 keeps outlines in seven streams, whose lengths have to fill the table (WOFF2, 5.1). */
function validateTransformed(glyf: Buffer, shape: FontShape): void {
  const head = view(glyf, 0, 36, 'the table glyf')
  const glyphs = head.readUInt16BE(4)
  if (glyphs !== shape.glyphs) throw corrupt(`it has outlines for ${glyphs} of ${shape.glyphs} glyphs`)
  let total = 36
  for (let at = 8; at < 36; at += 4) total += head.readUInt32BE(at)
  if (total > glyf.length) throw corrupt(`its outlines have ${glyf.length} of ${total} bytes`)
  view(glyf, 36, glyphs * 2, 'the contours of its glyphs')
}

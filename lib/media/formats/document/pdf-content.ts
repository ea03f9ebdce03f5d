import { isDictionary, PdfName, PdfParser, type PdfValue, PdfWord } from './pdf-syntax'

/** The colour spaces that a content stream sets by an operator of their own (ISO 32000-1, table 74). */
const SETS: Readonly<Record<string, { space: string; isStroke: boolean }>> = {
  g: { space: 'DeviceGray', isStroke: false },
  G: { space: 'DeviceGray', isStroke: true },
  rg: { space: 'DeviceRGB', isStroke: false },
  RG: { space: 'DeviceRGB', isStroke: true },
  k: { space: 'DeviceCMYK', isStroke: false },
  K: { space: 'DeviceCMYK', isStroke: true },
}
const FILLS: ReadonlySet<string> = new Set(['f', 'F', 'f*', 'B', 'B*', 'b', 'b*'])
const STROKES: ReadonlySet<string> = new Set(['S', 's', 'B', 'B*', 'b', 'b*'])
const SHOWS_TEXT: ReadonlySet<string> = new Set(['Tj', 'TJ', "'", '"'])
/** Abbreviations of images within the stream (table 93). */
const SHORT: Readonly<Record<string, string>> = { G: 'DeviceGray', RGB: 'DeviceRGB', CMYK: 'DeviceCMYK' }

/** The text state is part of it (9.3.1), the colours are those of 8.6.8; null: whatever it was before the stream. */
type State = { fill: string | null; stroke: string | null; textMode: number }

/**
 * The device colour spaces a content stream paints with: set, and then used by a path, a text or an image of its own.
 * Spaces that are set by name are listed by the resources, and not here. `initial`: grey for a page (8.6.8), null for
 * what is drawn with the colours of another. Ends quietly where the stream is no longer one.
 */
export function paintedSpaces(content: Buffer, initial: 'DeviceGray' | null): Set<string> {
  const painted = new Set<string>()
  const parser = new PdfParser(content)
  const stack: State[] = []
  let state: State = { fill: initial, stroke: initial, textMode: 0 }
  let operands: PdfValue[] = []
  const paint = (isFill: boolean, isStroke: boolean) => {
    if (isFill && state.fill) painted.add(state.fill)
    if (isStroke && state.stroke) painted.add(state.stroke)
  }
  try {
    for (let token = parser.next(); token !== undefined; token = parser.next()) {
      if (!(token instanceof PdfWord)) {
        operands.push(token)
        // More than any operator takes: this is no content.
        if (operands.length > 1000) break
        continue
      }
      const { word } = token
      const set = SETS[word]
      if (set) state = { ...state, [set.isStroke ? 'stroke' : 'fill']: set.space }
      else if (word === 'cs' || word === 'CS') {
        const name = operands.at(-1)
        const space = name instanceof PdfName && name.name.startsWith('Device') ? name.name : null
        state = { ...state, [word === 'CS' ? 'stroke' : 'fill']: space }
      } else if (word === 'q') stack.push(state)
      else if (word === 'Q') state = stack.pop() ?? state
      else if (word === 'Tr') state = { ...state, textMode: Number(operands.at(-1) ?? 0) }
      else if (SHOWS_TEXT.has(word)) paint([0, 2, 4, 6].includes(state.textMode), [1, 2, 5, 6].includes(state.textMode))
      else if (word === 'BI') {
        const space = inlineSpace(parser)
        if (space === 'mask') paint(true, false)
        else if (space) painted.add(space)
      } else paint(FILLS.has(word), STROKES.has(word))
      operands = []
    }
  } catch {
    // What was painted until here was painted.
  }
  return painted
}

/** Reads over an image within the stream: its colour space, `mask` for a stencil, null where it has another. */
function inlineSpace(parser: PdfParser): string | null {
  const entries = new Map<string, PdfValue>()
  for (let key = parser.next(); key !== undefined; key = parser.next()) {
    if (key instanceof PdfWord) break
    const value = parser.next()
    if (key instanceof PdfName && value !== undefined && !(value instanceof PdfWord)) entries.set(key.name, value)
  }
  // The data begin behind one white space, and end before an EI that stands alone.
  const { bytes } = parser
  for (parser.at += 1; parser.at < bytes.length; parser.at += 1) {
    const at = bytes.indexOf('EI', parser.at, 'latin1')
    if (at < 0) {
      parser.at = bytes.length
      break
    }
    parser.at = at
    if (isSpace(bytes[at - 1]) && (at + 2 >= bytes.length || isSpace(bytes[at + 2]))) {
      parser.at = at + 2
      break
    }
  }
  if ((entries.get('ImageMask') ?? entries.get('IM')) === true) return 'mask'
  const space = entries.get('ColorSpace') ?? entries.get('CS')
  const base = Array.isArray(space) && !isDictionary(space) ? space[1] : space
  if (!(base instanceof PdfName)) return null
  return SHORT[base.name] ?? (base.name.startsWith('Device') ? base.name : null)
}

const isSpace = (byte: number | undefined) => byte !== undefined && [0, 9, 10, 12, 13, 32].includes(byte)

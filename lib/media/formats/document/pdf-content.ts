import { isDictionary, PdfName, PdfParser, PdfSyntaxError, type PdfValue, PdfWord } from './pdf-syntax'

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
export const SHOWS_TEXT: ReadonlySet<string> = new Set(['Tj', 'TJ', "'", '"'])
const FILLS_TEXT: ReadonlySet<number> = new Set([0, 2, 4, 6])
const STROKES_TEXT: ReadonlySet<number> = new Set([1, 2, 5, 6])
/** Abbreviations of images within the stream (table 93). */
export const SHORT_SPACES: Readonly<Record<string, string>> = {
  G: 'DeviceGray',
  RGB: 'DeviceRGB',
  CMYK: 'DeviceCMYK',
  I: 'Indexed',
}

/** A colour as it is set: the name of a space, of a device or of the resources, and of a pattern where it has one. */
export type Colour = { space: string; pattern: string | null }

/** The text state is part of it (9.3.1), the colours are those of 8.6.8; null: whatever it was before the stream. */
type State = { fill: Colour | null; stroke: Colour | null; textMode: number; font: string | null }

/** What a content stream puts on the page. Names are those of its resources. */
export type Painted =
  /** A path, a text or a stencil in this colour; null: the one that was set before the stream. */
  | { what: 'colour'; colour: Colour | null; isStroke: boolean }
  /** A text that is seen, in a font. */
  | { what: 'text'; font: string; fill: Colour | null }
  /** An image or a drawing, with the colours that it may take over. */
  | { what: 'object'; name: string; fill: Colour | null; stroke: Colour | null }
  | { what: 'shading'; name: string }
  /** A graphics state that was set and that something was painted under. */
  | { what: 'state'; name: string }

/** Gets every operator of a stream with its operands, and where the stream is no longer one. */
export type ContentObserver = {
  operator(word: string, operands: readonly PdfValue[]): void
  breakOff(): void
}

const device = (space: string): Colour => ({ space, pattern: null })
export const BLACK: Colour = device('DeviceGray')

/**
 * What a content stream paints: set, and then used by a path, a text, an image or a drawing. `initial`: grey for a page
 * (8.6.8), null for what is drawn with the colours of another. Everything is listed once. Ends quietly where the stream is
 * no longer one.
 */
export function readPainted(content: Buffer, initial: Colour | null, observer?: ContentObserver): Painted[] {
  const painted = new Map<string, Painted>()
  const parser = new PdfParser(content)
  const stack: { state: State; pending: ReadonlySet<string> }[] = []
  let state: State = { fill: initial, stroke: initial, textMode: 0, font: null }
  let pending: ReadonlySet<string> = new Set()
  let operands: PdfValue[] = []
  const note = (each: Painted) => {
    painted.set(JSON.stringify(each), each)
    for (const name of pending) painted.set(`state ${name}`, { what: 'state', name })
  }
  const paint = (isFill: boolean, isStroke: boolean) => {
    if (isFill) note({ what: 'colour', colour: state.fill, isStroke: false })
    if (isStroke) note({ what: 'colour', colour: state.stroke, isStroke: true })
  }
  /** The operators with a name for their last operand. */
  const operateOn = (word: string, name: string) => {
    if (word === 'cs') state = { ...state, fill: device(name) }
    else if (word === 'CS') state = { ...state, stroke: device(name) }
    else if (word === 'scn') state = { ...state, fill: { space: state.fill?.space ?? 'Pattern', pattern: name } }
    else if (word === 'SCN') state = { ...state, stroke: { space: state.stroke?.space ?? 'Pattern', pattern: name } }
    else if (word === 'gs') pending = new Set([...pending, name])
    else if (word === 'Do') note({ what: 'object', name, fill: state.fill, stroke: state.stroke })
    else if (word === 'sh') note({ what: 'shading', name })
  }
  const operate = (word: string) => {
    const [first] = operands
    const last = operands.at(-1)
    const set = SETS[word]
    if (last instanceof PdfName) operateOn(word, last.name)
    else if (set) state = { ...state, [set.isStroke ? 'stroke' : 'fill']: device(set.space) }
    else if (word === 'q') stack.push({ state, pending })
    else if (word === 'Q') {
      const back = stack.pop()
      if (back) ({ state, pending } = back)
    } else if (word === 'Tr') state = { ...state, textMode: Number(last ?? 0) }
    else if (word === 'Tf') state = { ...state, font: first instanceof PdfName ? first.name : null }
    else if (SHOWS_TEXT.has(word)) {
      const [isFilled, isStroked] = [FILLS_TEXT.has(state.textMode), STROKES_TEXT.has(state.textMode)]
      paint(isFilled, isStroked)
      if ((isFilled || isStroked) && state.font !== null) note({ what: 'text', font: state.font, fill: state.fill })
    } else if (word === 'BI') {
      const space = inlineSpace(parser)
      if (space === 'mask') paint(true, false)
      else if (space) note({ what: 'colour', colour: device(space), isStroke: false })
    } else paint(FILLS.has(word), STROKES.has(word))
  }
  try {
    for (let token = parser.next(); token !== undefined; token = parser.next()) {
      if (!(token instanceof PdfWord)) {
        operands.push(token)
        // More than any operator takes: this is no content.
        if (operands.length > 1000) throw new PdfSyntaxError('an operator with too many operands')
        continue
      }
      observer?.operator(token.word, operands)
      operate(token.word)
      operands = []
    }
  } catch {
    // What was painted until here was painted.
    observer?.breakOff()
  }
  return [...painted.values()]
}

/** The entries of an image within the stream, from behind its `BI` to behind its `ID` (8.9.7). */
export function readInlineEntries(parser: PdfParser): Map<string, PdfValue> {
  const entries = new Map<string, PdfValue>()
  for (let key = parser.next(); key !== undefined; key = parser.next()) {
    if (key instanceof PdfWord) break
    const value = parser.next()
    if (key instanceof PdfName && value !== undefined && !(value instanceof PdfWord)) entries.set(key.name, value)
  }
  return entries
}

/** Whether it is a stencil, painted in the colour that is set. */
export const isInlineStencil = (entries: ReadonlyMap<string, PdfValue>) =>
  (entries.get('ImageMask') ?? entries.get('IM')) === true

/** Reads over an image within the stream: its colour space, `mask` for a stencil, null where it has another. */
function inlineSpace(parser: PdfParser): string | null {
  const entries = readInlineEntries(parser)
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
  if (isInlineStencil(entries)) return 'mask'
  const space = entries.get('ColorSpace') ?? entries.get('CS')
  const base = Array.isArray(space) && !isDictionary(space) ? space[1] : space
  return base instanceof PdfName ? (SHORT_SPACES[base.name] ?? base.name) : null
}

export const isSpace = (byte: number | undefined) => byte !== undefined && [0, 9, 10, 12, 13, 32].includes(byte)

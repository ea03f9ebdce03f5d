import { isInlineStencil, isSpace, readInlineEntries, SHORT_SPACES, SHOWS_TEXT } from '../formats/document/pdf-content'
import { isDictionary, PdfName, PdfParser, type PdfValue, PdfWord } from '../formats/document/pdf-syntax'
import { bytesOf } from './written-pdf'

/** Operators that set a space and a colour at once (table 73), and the space. */
const SETS: Readonly<Record<string, 'DeviceGray' | 'DeviceRGB' | 'DeviceCMYK'>> = {
  g: 'DeviceGray',
  G: 'DeviceGray',
  rg: 'DeviceRGB',
  RG: 'DeviceRGB',
  k: 'DeviceCMYK',
  K: 'DeviceCMYK',
}
/** What is left of a path operator where its filling, its stroking, or both are left out (table 59). */
const PATHS: Readonly<Record<string, { fills: string; strokes: string }>> = {
  f: { fills: 'f', strokes: 'n' },
  F: { fills: 'f', strokes: 'n' },
  'f*': { fills: 'f*', strokes: 'n' },
  S: { fills: 'n', strokes: 'S' },
  s: { fills: 'n', strokes: 's' },
  B: { fills: 'f', strokes: 'S' },
  'B*': { fills: 'f*', strokes: 'S' },
  // Filling closes a path by itself.
  b: { fills: 'f', strokes: 's' },
  'b*': { fills: 'f*', strokes: 's' },
}
/** Modes of text (table 104) without their filling, and without their stroking. */
const WITHOUT_FILL = [3, 1, 1, 3, 7, 5, 5, 7]
const WITHOUT_STROKE = [0, 3, 0, 3, 4, 7, 4, 7]
const MOST_OPERANDS = 1000
const MOST_STATES = 500

/**
 * How a colour paints: whether its space is on the plate, whether it is on any, and of CMYK that was given as such whether
 * this plate has none of it (overprint mode 1, 8.6.7). `isInitial`: the black that is there before a colour is set.
 */
export type Paint = { isPainted: boolean; isNothing: boolean; isZero: boolean; isInitial: boolean }
/** The part of the graphics state (8.4) that decides what a plate is left with. */
export type PlateState = {
  fill: Paint
  stroke: Paint
  overprintsFill: boolean
  overprintsStroke: boolean
  overprintMode: number
  textMode: number
}
export type StateChange = Partial<Pick<PlateState, 'overprintsFill' | 'overprintsStroke' | 'overprintMode'>>

/** A space as content uses it: the name under which the plate has it, and the operands of its first colour. */
export type UsedSpace = {
  name: string
  paint: Paint
  initial: readonly number[] | null
  /** Which operand is the share, where zero of it matters. */
  zeroOf: number | null
}

/** What the names of a content stand for on a plate. */
export interface PlateNames {
  /** Something is painted in the black that is there before a colour is set (8.4.1). */
  initial(): void
  /** A colour of a device: its share of the plate, 0..1, and how it paints. */
  device(
    space: 'DeviceGray' | 'DeviceRGB' | 'DeviceCMYK',
    values: readonly number[],
  ): Promise<{ share: number; paint: Paint }>
  space(name: string): Promise<UsedSpace>
  /** A pattern is noted, and how it paints; null: as its space does. */
  pattern(name: string, state: PlateState): Promise<Paint | null>
  state(name: string): Promise<StateChange>
  font(name: string, state: PlateState): Promise<void>
  /** Whether it is drawn. */
  object(name: string, state: PlateState): Promise<boolean>
  shading(name: string, state: PlateState): Promise<boolean>
  property(name: string): Promise<void>
  /** The space of an image within the content, by a name; null: it is not drawn. */
  inlineImage(space: PdfValue, state: PlateState): Promise<string | null>
}

/** Whether what is painted leaves what the plate has. */
export const leaves = (paint: Paint, overprints: boolean, mode: number): boolean =>
  paint.isNothing || (overprints && (!paint.isPainted || (mode === 1 && paint.isZero)))

const leavesFill = (state: PlateState) => leaves(state.fill, state.overprintsFill, state.overprintMode)
const leavesStroke = (state: PlateState) => leaves(state.stroke, state.overprintsStroke, state.overprintMode)

/**
 * A content stream (7.8.2) as it paints one plate, in grey. Everything but colours, and but what overprints without a share
 * of the plate, stays as it is, byte for byte.
 * @throws PdfSyntaxError where it is no content
 */
export async function rewriteContent(content: Buffer, initial: PlateState, names: PlateNames): Promise<Buffer> {
  const out: Buffer[] = []
  const parser = new PdfParser(content)
  const stack: PlateState[] = []
  let state = initial
  let zeroOf: { fill: number | null; stroke: number | null } = { fill: null, stroke: null }
  const zeros: (typeof zeroOf)[] = []
  let operands: PdfValue[] = []
  let start = 0
  const write = (text: string) => out.push(Buffer.from(`${text}\n`, 'latin1'))
  const isUpper = (word: string) => word === word.toUpperCase()
  const setPaint = (isStroke: boolean, paint: Paint, zero: number | null) => {
    state = { ...state, [isStroke ? 'stroke' : 'fill']: paint }
    zeroOf = { ...zeroOf, [isStroke ? 'stroke' : 'fill']: zero }
  }

  /** Whether the operator was written otherwise than it stands. */
  async function operate(word: string): Promise<boolean> {
    const last = operands.at(-1)
    const numbers = operands.filter((each) => typeof each === 'number')
    const set = SETS[word]
    const path = PATHS[word]
    if (set) {
      const { share, paint } = await names.device(set, numbers)
      setPaint(isUpper(word), paint, null)
      write(`${Math.round((1 - share) * 1e6) / 1e6} ${isUpper(word) ? 'G' : 'g'}`)
      return true
    }
    if (word === 'cs' || word === 'CS') {
      const space = await names.space(last instanceof PdfName ? last.name : '')
      setPaint(word === 'CS', space.paint, space.zeroOf)
      write(`${bytesOf(new PdfName(space.name)).toString('latin1')} ${word}`)
      if (space.initial) write(`${space.initial.join(' ')} ${word === 'CS' ? 'SCN' : 'scn'}`)
      return true
    }
    if (word === 'sc' || word === 'scn' || word === 'SC' || word === 'SCN') {
      const isStroke = isUpper(word)
      const zero = zeroOf[isStroke ? 'stroke' : 'fill']
      const before = state[isStroke ? 'stroke' : 'fill']
      if (last instanceof PdfName) {
        const paint = await names.pattern(last.name, state)
        if (paint) setPaint(isStroke, paint, zero)
      } else if (zero !== null) setPaint(isStroke, { ...before, isZero: numbers[zero] === 0 }, zero)
      return false
    }
    if (path) {
      if ((path.fills !== 'n' && state.fill.isInitial) || (path.strokes !== 'n' && state.stroke.isInitial))
        names.initial()
      const [noFill, noStroke] = [leavesFill(state), leavesStroke(state)]
      if (!noFill && !noStroke) return false
      const kept = noFill && noStroke ? 'n' : noFill ? path.strokes : path.fills
      write(kept)
      return true
    }
    if (SHOWS_TEXT.has(word)) {
      let mode = state.textMode
      if (mode !== 3 && mode !== 7 && (state.fill.isInitial || state.stroke.isInitial)) names.initial()
      if (leavesFill(state)) mode = WITHOUT_FILL[mode] ?? mode
      if (leavesStroke(state)) mode = WITHOUT_STROKE[mode] ?? mode
      if (mode === state.textMode) return false
      write(`${mode} Tr`)
      out.push(content.subarray(start, parser.at))
      write(`\n${state.textMode} Tr`)
      return true
    }
    if (word === 'q') {
      if (stack.length >= MOST_STATES) throw new RangeError('its content saves more states than a reader holds')
      stack.push(state)
      zeros.push(zeroOf)
    } else if (word === 'Q') {
      state = stack.pop() ?? state
      zeroOf = zeros.pop() ?? zeroOf
    } else if (word === 'Tr') {
      const mode = Number(last)
      state = { ...state, textMode: Number.isInteger(mode) && mode >= 0 && mode <= 7 ? mode : 0 }
    } else if (word === 'gs' && last instanceof PdfName) state = { ...state, ...(await names.state(last.name)) }
    else if (word === 'Tf' && operands[0] instanceof PdfName) await names.font(operands[0].name, state)
    else if (word === 'BDC' || word === 'DP') {
      if (last instanceof PdfName) await names.property(last.name)
    } else if (word === 'Do') return !(await names.object(last instanceof PdfName ? last.name : '', state))
    else if (word === 'sh') return !(await names.shading(last instanceof PdfName ? last.name : '', state))
    else if (word === 'BI') {
      await image()
      return true
    }
    return false
  }

  /** An image within the content (8.9.7). */
  async function image(): Promise<void> {
    const entries = readInlineEntries(parser)
    const begin = parser.at + 1
    const end = endOfImage(content, begin)
    parser.at = end + 2
    if (isInlineStencil(entries)) {
      if (state.fill.isInitial) names.initial()
      if (leavesFill(state)) return
    } else {
      const space = await names.inlineImage(longSpace(entries.get('ColorSpace') ?? entries.get('CS') ?? null), state)
      if (space === null) return
      entries.delete('ColorSpace')
      entries.set('CS', new PdfName(space))
    }
    out.push(Buffer.from('BI ', 'latin1'))
    for (const [key, value] of entries)
      out.push(bytesOf(new PdfName(key)), Buffer.from(' '), bytesOf(value as never), Buffer.from(' '))
    out.push(Buffer.from('ID '), content.subarray(begin, end))
    write('EI')
  }

  for (let token = parser.next(); token !== undefined; token = parser.next()) {
    if (!(token instanceof PdfWord)) {
      operands.push(token)
      if (operands.length > MOST_OPERANDS) throw new RangeError('its content has an operator with too many operands')
      continue
    }
    if (!(await operate(token.word))) out.push(content.subarray(start, parser.at), Buffer.from('\n'))
    start = parser.at
    operands = []
  }
  return Buffer.concat(out)
}

/** Where the `EI` of an image within the content stands: alone, and with content behind it. */
function endOfImage(bytes: Buffer, from: number): number {
  for (let at = bytes.indexOf('EI', from, 'latin1'); at >= 0; at = bytes.indexOf('EI', at + 1, 'latin1')) {
    if (!isSpace(bytes[at - 1]) || (at + 2 < bytes.length && !isSpace(bytes[at + 2]))) continue
    // What follows in pixels is seldom text.
    if (bytes.subarray(at + 2, at + 12).every((byte) => isSpace(byte) || (byte >= 32 && byte < 127))) return at
  }
  throw new RangeError('an image in its content does not end')
}

function longSpace(value: PdfValue): PdfValue {
  if (value instanceof PdfName) return new PdfName(SHORT_SPACES[value.name] ?? value.name)
  if (Array.isArray(value) && !isDictionary(value)) return value.map((each, at) => (at < 2 ? longSpace(each) : each))
  return value
}

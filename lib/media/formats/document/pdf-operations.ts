import type { ContentObserver } from './pdf-content'
import { PdfName, type PdfValue } from './pdf-syntax'

/** PDF matrices, ISO 32000-1, 8.3.3: a b c d e f. */
export type Matrix = readonly [number, number, number, number, number, number]
export const IDENTITY: Matrix = [1, 0, 0, 1, 0, 0]

/** `inner` first, then `outer`. */
export function multiply(outer: Matrix, inner: Matrix): Matrix {
  const [a, b, c, d, e, f] = outer
  const [A, B, C, D, E, F] = inner
  return [a * A + c * B, b * A + d * B, a * C + c * D, b * C + d * D, a * E + c * F + e, b * E + d * F + f]
}

/** Corners of an upright rectangle, in whatever space. */
export type Corners = { left: number; bottom: number; right: number; top: number }

/** The upright rectangle around a rectangle that a matrix has turned. */
export function transform([a, b, c, d, e, f]: Matrix, { left, bottom, right, top }: Corners): Corners {
  const xs = [a * left + c * bottom, a * right + c * bottom, a * left + c * top, a * right + c * top]
  const ys = [b * left + d * bottom, b * right + d * bottom, b * left + d * top, b * right + d * top]
  return {
    left: Math.min(...xs) + e,
    right: Math.max(...xs) + e,
    bottom: Math.min(...ys) + f,
    top: Math.max(...ys) + f,
  }
}

/** A path as far as it matters here: the space it takes, and what is done with it. */
type Path = { box: Corners; isRectangle: boolean; isFilled: boolean; isStroked: boolean; clips: boolean }

/** One operator of a content stream with what it is given; a path with all that builds it is one. */
export type Operation = { word: string; operands: readonly PdfValue[]; path?: Path }

const KEPT: ReadonlySet<string> = new Set(
  'q Q cm w gs cs CS sc scn SC SCN g G rg RG k K BT Tf Tz Tr Ts TL Tc Tw Td TD Tm T* Tj TJ \' " Do sh BI BDC BMC EMC'.split(
    ' ',
  ),
)
const BUILDS: ReadonlySet<string> = new Set(['m', 'l', 'c', 'v', 'y', 're'])
const FILLS: ReadonlySet<string> = new Set(['f', 'F', 'f*', 'B', 'B*', 'b', 'b*'])
const STROKES: ReadonlySet<string> = new Set(['S', 's', 'B', 'B*', 'b', 'b*'])
/** Of one stream: more are no drawing that is placed as one, or an attack. */
const MOST_OPERATIONS = 600_000

/** Notes the operators of a content stream that say what is painted where and with what. */
export class OperationReader implements ContentObserver {
  readonly operations: Operation[] = []
  isComplete = true
  private box: Corners | null = null
  private rectangles = 0
  /** The first corners of what is drawn by straight lines; null where it is curved. */
  private corners: [number, number][] | null = []
  private clips = false

  breakOff(): void {
    this.isComplete = false
  }

  operator(word: string, operands: readonly PdfValue[]): void {
    if (this.operations.length >= MOST_OPERATIONS) {
      this.isComplete = false
    } else if (BUILDS.has(word)) this.build(word, operands)
    else if (KEPT.has(word)) this.operations.push({ word, operands })
    else if (word === 'W' || word === 'W*') this.clips = true
    else if (word === 'n' || FILLS.has(word) || STROKES.has(word)) this.paint(word)
  }

  private build(word: string, operands: readonly PdfValue[]): void {
    const numbers = operands.map((each) => (typeof each === 'number' ? each : 0))
    if (word === 're') {
      const [x = 0, y = 0, width = 0, height = 0] = numbers
      this.rectangles += 1
      this.reach(x, y)
      this.reach(x + width, y + height)
      return
    }
    if (word === 'm' || word === 'l') {
      if (this.corners && this.corners.length < 6) this.corners.push([numbers[0] ?? 0, numbers[1] ?? 0])
    } else this.corners = null
    for (let at = 0; at + 1 < numbers.length; at += 2) this.reach(numbers[at] ?? 0, numbers[at + 1] ?? 0)
  }

  private reach(x: number, y: number): void {
    const box = this.box
    this.box = box
      ? {
          left: Math.min(box.left, x),
          right: Math.max(box.right, x),
          bottom: Math.min(box.bottom, y),
          top: Math.max(box.top, y),
        }
      : { left: x, right: x, bottom: y, top: y }
  }

  private paint(word: string): void {
    const [isFilled, isStroked] = [FILLS.has(word), STROKES.has(word)]
    if (this.box && (isFilled || isStroked || this.clips)) {
      const isRectangle = this.isRectangle(this.box)
      this.operations.push({
        word: 'path',
        operands: [],
        path: { box: this.box, isRectangle, isFilled, isStroked, clips: this.clips },
      })
    }
    this.box = null
    this.rectangles = 0
    this.corners = []
    this.clips = false
  }

  private isRectangle({ left, right, bottom, top }: Corners): boolean {
    const { corners, rectangles } = this
    if (rectangles === 1) return corners?.length === 0
    if (rectangles > 1 || !corners || corners.length < 4 || corners.length > 5) return false
    return corners.every(([x, y]) => (x === left || x === right) && (y === bottom || y === top))
  }
}

/** The names that a stream takes from its resources, by the kind of resource. */
export function namesIn(operations: readonly Operation[]) {
  const names = {
    ExtGState: new Set<string>(),
    ColorSpace: new Set<string>(),
    Font: new Set<string>(),
    XObject: new Set<string>(),
    Properties: new Set<string>(),
  }
  for (const { word, operands } of operations) {
    const last = operands.at(-1)
    const [first] = operands
    if (word === 'Tf' && first instanceof PdfName) names.Font.add(first.name)
    else if (!(last instanceof PdfName)) continue
    else if (word === 'gs') names.ExtGState.add(last.name)
    else if (word === 'cs' || word === 'CS') names.ColorSpace.add(last.name)
    else if (word === 'Do') names.XObject.add(last.name)
    else if (word === 'BDC') names.Properties.add(last.name)
  }
  return names
}

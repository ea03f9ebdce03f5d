import type { PrintFacts, PrintMark } from '../../facts'
import { contains, EMPTY, grow, isUpright, overlap, thinnest, turned, UNIT_SQUARE } from './pdf-geometry'
import { type GraphicsState, isWhiteRgb, keepsBackdrop } from './pdf-graphics-state'
import type { InkSamples } from './pdf-image-inks'
import {
  type InkColour,
  type Inks,
  inkCount,
  inksOf,
  inkTotal,
  isBlank,
  isPureBlack,
  isRegistration,
  isRichBlack,
} from './pdf-inks'
import { Marks } from './pdf-marks'
import { type Corners, type Matrix, multiply, transform } from './pdf-operations'

const MM_PER_POINT = 25.4 / 72
/** Less ink than anybody limits; and what is too small for it to set off. */
const LEAST_TOTAL = 100
const LEAST_INKED_MM2 = 15
/** Points of images that are looked at, an image as often as it is placed. */
const MOST_SAMPLED = 30_000_000
/** What text may stand on: large fills and images of a page. */
const MOST_GROUNDS = 400
const LEAST_GROUND_POINTS = 10
/** A filled rectangle that is so long and so thin is a line that was drawn as one. */
const LEAST_RULE_POINTS = 4
const RULE_POINTS = 2

/** `isFilled`: all of the box is, as of a rectangle. */
type Ground = { box: Corners; isInk: boolean; isFilled: boolean }
/** Marks of print houses lie in such a margin, where a page does not say to what it is trimmed. */
const MARKS_MM = 25
/** What lies within the trim may touch it. */
const TOUCHING_POINTS = 0.5

/**
 * `box`, `trim` (null: not stated): in points; `unit`: points of one unit (UserUnit); `turn`: degrees clockwise, of 0, 90, 180
 * and 270.
 */
type ShownPage = { number: number; box: Corners; trim: Corners | null; unit: number; turn: number }

/** Notes what is painted on pages that a print house asks about: overprint, thin lines, small text, total ink. */
export class PrintNotes {
  private readonly whites = new Marks((a, b) => b.value - a.value)
  private readonly knockouts = new Marks()
  private readonly texts = new Marks()
  private readonly multiInkTexts = new Marks()
  private readonly reversedTexts = new Marks()
  private readonly lines = new Marks()
  private readonly multiInkLines = new Marks()
  private readonly richTexts = new Marks()
  private readonly richLines = new Marks()
  private readonly registrations = new Marks()
  private readonly inked = new Marks((a, b) => b.value - a.value)
  private unknownInks = 0
  private hasBlends = false
  private sampled = 0
  private grounds: Ground[] = []
  private page: ShownPage = { number: 0, box: EMPTY, trim: null, unit: 1, turn: 0 }

  startPage(page: ShownPage): void {
    this.page = page
    this.grounds = []
  }

  get facts(): Omit<PrintFacts, 'pages' | 'unread'> {
    return {
      whiteOverprints: this.whites.all(),
      blackKnockouts: this.knockouts.all(),
      smallestTexts: this.texts.all(),
      smallestMultiInkTexts: this.multiInkTexts.all(),
      smallestReversedTexts: this.reversedTexts.all(),
      thinnestLines: this.lines.all(),
      thinnestMultiInkLines: this.multiInkLines.all(),
      smallestRichBlackTexts: this.richTexts.all(),
      thinnestRichBlackLines: this.richLines.all(),
      registrations: this.registrations.all(),
      mostInked: this.inked.all(),
      unknownInks: this.unknownInks,
      hasBlends: this.hasBlends,
    }
  }

  /** A filled area. */
  noteArea(state: GraphicsState, painted: Corners, isRectangle: boolean): void {
    const place = overlap(state.clip, painted)
    if (!place) return
    const inks = inksOf(state.fill)
    this.noteInk(state, inks, place, 'area')
    this.noteRegistration(state.fill, place, 'area')
    if (inks && isBlank(inks) && state.overprintsFill) this.noteWhite(state, state.fill, place, 'area')
    else
      this.addGround(
        place,
        inks === null || inkTotal(inks) > 0.05,
        isRectangle && isUpright(state.matrix) && state.isClipFull,
      )
    const [width, height] = [painted.right - painted.left, painted.top - painted.bottom]
    const thickness = Math.min(width, height) * this.page.unit
    const isRule = isRectangle && Math.max(width, height) * this.page.unit >= LEAST_RULE_POINTS
    if (isRule && thickness < RULE_POINTS) this.noteLine(state.fill, place, thickness)
  }

  /** A stroked path. */
  noteStroke(state: GraphicsState, painted: Corners): void {
    const width = state.lineWidth * thinnest(state.matrix) * this.page.unit
    const place = overlap(state.clip, grow(painted, width / 2))
    if (!place) return
    const inks = inksOf(state.stroke)
    if (inks && isBlank(inks) && state.overprintsStroke) this.noteWhite(state, state.stroke, place, 'line')
    this.noteRegistration(state.stroke, place, 'line')
    this.noteLine(state.stroke, place, width)
  }

  /** `samples`: null where the inks of the image are not known. */
  noteImage(state: GraphicsState, samples: InkSamples | null): void {
    const place = overlap(state.clip, transform(state.matrix, UNIT_SQUARE))
    if (!place || state.fillAlpha <= 0) return
    this.addGround(place, true, false)
    this.hasBlends ||= state.addsUp
    const total = samples ? this.reachedBy(samples, state) : null
    if (total === null) this.unknownInks += 1
    else if (total >= LEAST_TOTAL) this.inked.add(this.mark('image', place, total))
  }

  /** A shading fills what the clip leaves (8.7.4.2); its inks are not read. */
  noteShading(state: GraphicsState): void {
    this.addGround(state.clip, true, false)
    this.unknownInks += 1
  }

  /** `from`: the text matrix before it; `advance`: its length in units of text space. */
  noteText(state: GraphicsState, from: Matrix, advance: number): void {
    const mode = state.textMode
    const isFilled = [0, 2, 4, 6].includes(mode) && state.fillAlpha > 0
    const isStroked = [1, 2, 5, 6].includes(mode) && state.strokeAlpha > 0
    if (!isFilled && !isStroked) return
    const matrix = multiply(state.matrix, from)
    const { fontSize, rise } = state
    const box = {
      left: Math.min(0, advance),
      right: Math.max(0, advance),
      bottom: rise + Math.min(-0.2 * fontSize, 0.8 * fontSize),
      top: rise + Math.max(-0.2 * fontSize, 0.8 * fontSize),
    }
    const place = overlap(state.clip, transform(matrix, box))
    if (!place) return
    const size = Math.abs(fontSize) * Math.hypot(matrix[2], matrix[3]) * this.page.unit
    const colour = isFilled ? state.fill : state.stroke
    const overprints = isFilled ? state.overprintsFill : state.overprintsStroke
    const mark = this.mark('text', place, size)
    this.texts.add(mark)
    const inks = inksOf(colour)
    this.noteInk(state, inks, place, 'text')
    this.noteRegistration(colour, place, 'text')
    if (inks === null) {
      if (isWhiteRgb(colour)) this.addOnInk(this.reversedTexts, mark, place)
      return
    }
    if (isBlank(inks)) {
      if (overprints) this.noteWhite(state, colour, place, 'text')
      else this.addOnInk(this.reversedTexts, mark, place)
      return
    }
    if (inkCount(inks) > 1) this.multiInkTexts.add({ ...mark, inks: inkCount(inks) })
    if (isRichBlack(inks) && !isRegistration(colour)) this.richTexts.add({ ...mark, inks: inkCount(inks) })
    if (isPureBlack(inks) && !(overprints && keepsBackdrop(colour.space, state.overprintMode)))
      this.addOnInk(this.knockouts, mark, place)
  }

  private noteLine(colour: InkColour, place: Corners, thickness: number): void {
    const mark = this.mark('line', place, thickness)
    this.lines.add(mark)
    const inks = inksOf(colour)
    if (inks && inkCount(inks) > 1) this.multiInkLines.add({ ...mark, inks: inkCount(inks) })
    if (inks && isRichBlack(inks) && !isRegistration(colour)) this.richLines.add({ ...mark, inks: inkCount(inks) })
  }

  /** Marks of print houses are of this colour and lie outside the trim, or reach around it. */
  private noteRegistration(colour: InkColour, place: Corners, what: PrintMark['what']): void {
    if (!isRegistration(colour)) return
    const { box, trim, unit } = this.page
    const within = trim ? grow(trim, TOUCHING_POINTS) : grow(box, -MARKS_MM / MM_PER_POINT / unit)
    const isInside =
      place.left >= within.left &&
      place.right <= within.right &&
      place.bottom >= within.bottom &&
      place.top <= within.top
    if (isInside) this.registrations.add(this.mark(what, place, 1))
  }

  /** The total ink that at least so many square millimetres of an image reach, of what the clip leaves of it. */
  private reachedBy({ columns, rows, totals }: InkSamples, { matrix, clip }: GraphicsState): number | null {
    this.sampled += totals.length
    if (this.sampled > MOST_SAMPLED) return null
    const [a, b, c, d, e, f] = matrix
    const each = (Math.abs(a * d - b * c) * this.squareMillimetres) / totals.length
    const counts = new Uint32Array(401)
    for (let row = 0; row < rows; row += 1) {
      const v = 1 - (row + 0.5) / rows
      for (let column = 0; column < columns; column += 1) {
        const u = (column + 0.5) / columns
        const [x, y] = [a * u + c * v + e, b * u + d * v + f]
        if (x < clip.left || x > clip.right || y < clip.bottom || y > clip.top) continue
        const total = Math.min(400, totals[row * columns + column] as number)
        counts[total] = (counts[total] as number) + 1
      }
    }
    let area = 0
    for (let total = 400; total > 0; total -= 1) {
      area += (counts[total] as number) * each
      if (area >= LEAST_INKED_MM2) return total
    }
    return 0
  }

  private noteInk(state: GraphicsState, inks: Inks | null, place: Corners, what: PrintMark['what']): void {
    this.hasBlends ||= state.addsUp
    if (inks === null) {
      this.unknownInks += 1
      return
    }
    const total = inkTotal(inks) * 100
    const area = (place.right - place.left) * (place.top - place.bottom) * this.squareMillimetres
    if (total >= LEAST_TOTAL && area >= LEAST_INKED_MM2) this.inked.add(this.mark(what, place, total))
  }

  /** Of a square of one unit of the page. */
  private get squareMillimetres(): number {
    return (this.page.unit * MM_PER_POINT) ** 2
  }

  private addGround(box: Corners, isInk: boolean, isFilled: boolean): void {
    if (Math.min(box.right - box.left, box.top - box.bottom) < LEAST_GROUND_POINTS) return
    this.grounds.push({ box, isInk, isFilled })
    if (this.grounds.length > MOST_GROUNDS) this.grounds.shift()
  }

  /** Adds text to a list where what was painted last at its place is ink. */
  private addOnInk(list: Marks, mark: PrintMark, place: Corners): void {
    const [x, y] = [(place.left + place.right) / 2, (place.bottom + place.top) / 2]
    const ground = this.grounds.findLast(
      ({ box }) => box.left <= x && x <= box.right && box.bottom <= y && y <= box.top,
    )
    if (ground?.isInk) list.add(ground.isFilled && contains(ground.box, place) ? { ...mark, isSurelyOn: true } : mark)
  }

  /** `value`: 1 where it vanishes for sure, 0 where that hangs on how the press reads the file. */
  private noteWhite(
    { overprintMode }: GraphicsState,
    { space }: InkColour,
    place: Corners,
    what: PrintMark['what'],
  ): void {
    this.whites.add(this.mark(what, place, keepsBackdrop(space, overprintMode) ? 1 : 0))
  }

  private mark(what: PrintMark['what'], place: Corners, value: number): PrintMark {
    const { box, unit, number, turn } = this.page
    const { left, top, right, bottom } = turned(place, box, turn)
    const mm = (points: number) => Math.round(points * unit * MM_PER_POINT * 100) / 100
    return {
      page: number,
      what,
      value: Math.round(value * 1000) / 1000,
      region: { x: mm(left), y: mm(top), width: mm(right - left), height: mm(bottom - top) },
    }
  }
}

import type { DocumentContents, PrintFacts, PrintMark } from '../../facts'
import type { PdfDocument, PdfPage } from './pdf-document'
import type { InkSamples } from './pdf-image-inks'
import {
  BLACK_INK,
  CMYK,
  GREY,
  type InkColour,
  type Inks,
  initialValues,
  inkCount,
  inksOf,
  inkTotal,
  isBlank,
  isPureBlack,
  OTHER,
  RGB,
  readSpace,
  type Space,
} from './pdf-inks'
import {
  type Corners,
  IDENTITY,
  type Matrix,
  multiply,
  namesIn,
  type Operation,
  type OperationReader,
  transform,
} from './pdf-operations'
import { type PdfDictionary, PdfName, PdfReference, PdfStream, type PdfValue, textOf } from './pdf-syntax'

const MM_PER_POINT = 25.4 / 72
const MOST_PAGES = 2000
/** Operators that are followed, forms as often as they are placed. */
const MOST_FOLLOWED = 2_500_000
/** Operators of forms that are kept, to be followed wherever they are placed. */
const MOST_KEPT = 1_500_000
const MOST_DEPTH = 12
/** Of hidden layers. */
const MOST_NAMES = 20
/** Of each list, and of each page in it. */
const MOST_MARKS = 100
const MOST_ON_PAGE = 10
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

type State = {
  matrix: Matrix
  clip: Corners
  fill: InkColour
  stroke: InkColour
  lineWidth: number
  overprintsFill: boolean
  overprintsStroke: boolean
  overprintMode: number
  fillAlpha: number
  strokeAlpha: number
  addsUp: boolean
  font: Font | null
  fontSize: number
  widthScale: number
  letterSpace: number
  wordSpace: number
  leading: number
  rise: number
  textMode: number
}

type Font = { bytesOfCode: 1 | 2; widthOf: (code: number) => number; isDrawn: boolean }

/** What the names of a stream stand for. */
type Names = {
  states: Map<string, Partial<State>>
  spaces: Map<string, Space>
  fonts: Map<string, Font>
  forms: Map<string, PlacedForm>
  /** Null where their inks are not known. */
  images: Map<string, InkSamples | null>
  /** Of marked content and of objects: layers that are not printed. */
  hidden: Set<string>
  hiddenObjects: Set<string>
}

type PlacedForm = { key: number; matrix: Matrix; box: Corners | null }
type Content = { operations: readonly Operation[]; names: Names }
type Ground = { box: Corners; isInk: boolean }

/** Collects what a print house asks of what the pages paint: overprint, thin lines, small text. */
export class PdfPrint {
  private readonly forms = new Map<number, Content>()
  private readonly spaces = new Map<PdfValue, Space>()
  private readonly fonts = new Map<PdfDictionary, Font>()
  private kept = 0
  private followed = 0
  private pages = 0
  private unread: string | null = null
  private readonly whites = new Marks((a, b) => b.value - a.value)
  private readonly knockouts = new Marks()
  private readonly texts = new Marks()
  private readonly multiInkTexts = new Marks()
  private readonly reversedTexts = new Marks()
  private readonly lines = new Marks()
  private readonly multiInkLines = new Marks()
  private readonly inked = new Marks((a, b) => b.value - a.value)
  private unknownInks = 0
  private hasBlends = false
  private sampled = 0
  private readonly hiddenLayers = new Set<number>()
  private readonly hiddenNames: string[] = []
  private readonly hiddenOnPages = new Set<number>()
  private layerCount = 0
  // Of the page that is followed.
  private grounds: Ground[] = []
  private page: { number: number; box: Corners; unit: number; turn: number } = {
    number: 0,
    box: EMPTY,
    unit: 1,
    turn: 0,
  }

  /** `inks`: of images, by where their streams begin. */
  constructor(
    private readonly document: PdfDocument,
    private readonly inks: ReadonlyMap<number, InkSamples>,
  ) {}

  /** Layers that the document switches off where it is opened (8.11.4.3). */
  async readLayers(root: PdfDictionary): Promise<void> {
    const properties = await this.document.dictionary(root.get('OCProperties'))
    const initial = await this.document.dictionary(properties?.get('D'))
    const add = (values: readonly PdfValue[] = []) => {
      for (const each of values) if (each instanceof PdfReference) this.hiddenLayers.add(each.number)
    }
    if ((await this.document.name(initial?.get('BaseState'))) === 'OFF')
      add(await this.document.array(properties?.get('OCGs')))
    add(await this.document.array(initial?.get('OFF')))
    for (const each of (await this.document.array(initial?.get('ON'))) ?? [])
      if (each instanceof PdfReference) this.hiddenLayers.delete(each.number)
    this.layerCount = ((await this.document.array(properties?.get('OCGs'))) ?? []).length
    for (const number of [...this.hiddenLayers].slice(0, MOST_NAMES)) {
      const layer = await this.document.dictionary(new PdfReference(number, 0))
      this.hiddenNames.push(textOf(await this.document.resolve(layer?.get('Name')))?.slice(0, 100) ?? 'unnamed')
    }
  }

  get layers(): DocumentContents['layers'] {
    return {
      count: this.layerCount,
      hidden: this.hiddenNames,
      hiddenOnPages: [...this.hiddenOnPages].slice(0, MOST_MARKS),
    }
  }

  /** Keeps the operators of a form, to be followed where a page places it. */
  async keepForm(stream: PdfStream, reader: OperationReader, resources: PdfDictionary | undefined): Promise<void> {
    if (this.forms.has(stream.start)) return
    this.kept += reader.operations.length
    if (!reader.isComplete || this.kept > MOST_KEPT) {
      this.unread ??= 'the content of its drawings is too long or breaks off'
      return
    }
    this.forms.set(stream.start, { operations: reader.operations, names: await this.resolve(reader, resources) })
  }

  /** Follows what a page paints. Its forms were kept before. */
  async followPage(page: PdfPage, reader: OperationReader, resources: PdfDictionary | undefined): Promise<void> {
    this.pages += 1
    if (this.pages > MOST_PAGES) {
      this.unread ??= `it has more than ${MOST_PAGES} pages`
      this.pages = MOST_PAGES
      return
    }
    if (!reader.isComplete) this.unread ??= `the content of page ${this.pages} is too long or breaks off`
    const box = await this.shownBox(page)
    const unit = (await this.document.number(page.dictionary.get('UserUnit') ?? null)) ?? 1
    if (!box) return
    const turn = (await this.document.number(page.dictionary.get('Rotate') ?? page.inherited.get('Rotate'))) ?? 0
    this.page = { number: this.pages, box, unit: unit > 0 ? unit : 1, turn: ((turn % 360) + 360) % 360 }
    this.grounds = []
    this.follow({ operations: reader.operations, names: await this.resolve(reader, resources) }, initialState(box), 0)
  }

  get facts(): PrintFacts {
    return {
      pages: this.pages,
      unread: this.unread,
      whiteOverprints: this.whites.all(),
      blackKnockouts: this.knockouts.all(),
      smallestTexts: this.texts.all(),
      smallestMultiInkTexts: this.multiInkTexts.all(),
      smallestReversedTexts: this.reversedTexts.all(),
      thinnestLines: this.lines.all(),
      thinnestMultiInkLines: this.multiInkLines.all(),
      mostInked: this.inked.all(),
      unknownInks: this.unknownInks,
      hasBlends: this.hasBlends,
    }
  }

  private async shownBox({ dictionary, inherited }: PdfPage): Promise<Corners | null> {
    const read = async (key: string): Promise<Corners | null> => {
      const values = await this.document.array(dictionary.get(key) ?? inherited.get(key))
      return values ? this.corners(values) : null
    }
    const [media, crop] = [await read('MediaBox'), await read('CropBox')]
    return media && crop ? (overlap(media, crop) ?? media) : (crop ?? media)
  }

  private async corners(values: readonly PdfValue[]): Promise<Corners | null> {
    const numbers: number[] = []
    for (const value of values.slice(0, 4)) numbers.push((await this.document.number(value)) ?? Number.NaN)
    const [a, b, c, d] = numbers
    if (a === undefined || b === undefined || c === undefined || d === undefined || numbers.some(Number.isNaN))
      return null
    return { left: Math.min(a, c), bottom: Math.min(b, d), right: Math.max(a, c), top: Math.max(b, d) }
  }

  private async resolve({ operations }: OperationReader, resources: PdfDictionary | undefined): Promise<Names> {
    const { document } = this
    const used = namesIn(operations)
    const names: Names = {
      states: new Map(),
      spaces: new Map(),
      fonts: new Map(),
      forms: new Map(),
      images: new Map(),
      hidden: new Set(),
      hiddenObjects: new Set(),
    }
    const listed = async (kind: string) => document.dictionary(resources?.get(kind))
    const [states, spaces, fonts, objects, properties] = [
      await listed('ExtGState'),
      await listed('ColorSpace'),
      await listed('Font'),
      await listed('XObject'),
      await listed('Properties'),
    ]
    for (const name of used.ExtGState) names.states.set(name, await this.readState(states?.get(name)))
    for (const name of used.ColorSpace) names.spaces.set(name, await this.space(spaces?.get(name) ?? new PdfName(name)))
    for (const name of used.Font) names.fonts.set(name, await this.font(await document.dictionary(fonts?.get(name))))
    for (const name of used.Properties) if (await this.isHidden(properties?.get(name))) names.hidden.add(name)
    for (const name of used.XObject) {
      const object = await document.resolve(objects?.get(name))
      if (!(object instanceof PdfStream)) continue
      if (await this.isHidden(object.dictionary.get('OC'))) names.hiddenObjects.add(name)
      if ((await document.name(object.dictionary.get('Subtype'))) === 'Image') {
        const isMasked = object.dictionary.has('SMask') || object.dictionary.has('Mask')
        const isStencil = (await document.resolve(object.dictionary.get('ImageMask'))) === true
        if (!isStencil) names.images.set(name, (isMasked ? undefined : this.inks.get(object.start)) ?? null)
        continue
      }
      const matrix = await this.numbers(object.dictionary.get('Matrix'))
      const box = await document.array(object.dictionary.get('BBox'))
      names.forms.set(name, {
        key: object.start,
        matrix: matrix?.length === 6 ? (matrix as unknown as Matrix) : IDENTITY,
        box: box ? await this.corners(box) : null,
      })
    }
    return names
  }

  private async numbers(value: PdfValue | undefined): Promise<number[] | null> {
    const values = await this.document.array(value)
    if (!values) return null
    const numbers: number[] = []
    for (const each of values.slice(0, 20_000)) numbers.push((await this.document.number(each)) ?? 0)
    return numbers
  }

  private async space(value: PdfValue): Promise<Space> {
    const known = this.spaces.get(value)
    if (known) return known
    const space = await readSpace(this.document, value)
    if (value instanceof PdfReference || Array.isArray(value)) this.spaces.set(value, space)
    return space
  }

  private async readState(value: PdfValue | undefined): Promise<Partial<State>> {
    const dictionary = await this.document.dictionary(value)
    if (!dictionary) return {}
    const state: Partial<State> = {}
    const stroke = await this.document.resolve(dictionary.get('OP'))
    const fill = await this.document.resolve(dictionary.get('op'))
    // OP alone sets both (table 58).
    if (typeof stroke === 'boolean') Object.assign(state, { overprintsStroke: stroke, overprintsFill: stroke })
    if (typeof fill === 'boolean') state.overprintsFill = fill
    const number = async (key: string) => this.document.number(dictionary.get(key))
    const [overprintMode, fillAlpha, strokeAlpha, lineWidth] = [
      await number('OPM'),
      await number('ca'),
      await number('CA'),
      await number('LW'),
    ]
    if (overprintMode !== undefined) state.overprintMode = overprintMode
    if (fillAlpha !== undefined) state.fillAlpha = fillAlpha
    if (strokeAlpha !== undefined) state.strokeAlpha = strokeAlpha
    if (lineWidth !== undefined) state.lineWidth = lineWidth
    const mode =
      (await this.document.name((await this.document.array(dictionary.get('BM')))?.[0] ?? dictionary.get('BM'))) ?? null
    if (mode !== null) state.addsUp = !KEEPS_TOTAL.has(mode)
    const font = await this.document.array(dictionary.get('Font'))
    if (font) {
      state.font = await this.font(await this.document.dictionary(font[0]))
      state.fontSize = (await this.document.number(font[1])) ?? 0
    }
    return state
  }

  private async isHidden(value: PdfValue | undefined): Promise<boolean> {
    if (value === undefined || this.hiddenLayers.size === 0) return false
    if (value instanceof PdfReference && this.hiddenLayers.has(value.number)) return true
    const dictionary = await this.document.dictionary(value)
    if ((await this.document.name(dictionary?.get('Type'))) !== 'OCMD' || !dictionary) return false
    const given = dictionary.get('OCGs') ?? null
    const groups = given instanceof PdfReference ? ((await this.document.array(given)) ?? [given]) : given
    const members = (Array.isArray(groups) ? groups : []).filter((each) => each instanceof PdfReference)
    if (members.length === 0 || dictionary.has('VE')) return false
    const areHidden = members.map((each) => this.hiddenLayers.has(each.number))
    const policy = (await this.document.name(dictionary.get('P'))) ?? 'AnyOn'
    if (policy === 'AllOn') return areHidden.some(Boolean)
    if (policy === 'AnyOff') return !areHidden.some(Boolean)
    return policy === 'AllOff' ? !areHidden.every(Boolean) : areHidden.every(Boolean)
  }

  private async font(dictionary: PdfDictionary | undefined): Promise<Font> {
    const known = dictionary && this.fonts.get(dictionary)
    if (known) return known
    const font = await this.readFont(dictionary)
    if (dictionary) this.fonts.set(dictionary, font)
    return font
  }

  /** Widths in thousandths of the size, which places and measures what is shown (9.2.4, 9.7.4.3). */
  private async readFont(dictionary: PdfDictionary | undefined): Promise<Font> {
    const type = await this.document.name(dictionary?.get('Subtype'))
    if (type === 'Type0') {
      const descendant = await this.document.dictionary(
        (await this.document.array(dictionary?.get('DescendantFonts')))?.[0],
      )
      const usual = (await this.document.number(descendant?.get('DW'))) ?? 1000
      const widths = await this.compositeWidths(descendant)
      return { bytesOfCode: 2, widthOf: (code) => widths.get(code) ?? usual, isDrawn: false }
    }
    const first = (await this.document.number(dictionary?.get('FirstChar'))) ?? 0
    const widths = await this.numbers(dictionary?.get('Widths'))
    return { bytesOfCode: 1, widthOf: (code) => widths?.[code - first] ?? 500, isDrawn: type === 'Type3' }
  }

  private async compositeWidths(descendant: PdfDictionary | undefined): Promise<Map<number, number>> {
    const widths = new Map<number, number>()
    const values = (await this.document.array(descendant?.get('W'))) ?? []
    for (let at = 0; at + 1 < values.length && widths.size < 70_000; ) {
      const start = (await this.document.number(values[at])) ?? 0
      const list = await this.numbers(values[at + 1])
      if (list) {
        for (const [index, width] of list.entries()) widths.set(start + index, width)
        at += 2
        continue
      }
      const end = Math.min((await this.document.number(values[at + 1])) ?? 0, start + 70_000)
      const width = (await this.document.number(values[at + 2])) ?? 0
      for (let code = start; code <= end; code += 1) widths.set(code, width)
      at += 3
    }
    return widths
  }

  private follow({ operations, names }: Content, initial: State, depth: number): void {
    let state = initial
    const stack: State[] = []
    const marked: boolean[] = []
    let text = IDENTITY
    let line = IDENTITY
    const moveLine = (x: number, y: number) => {
      line = multiply(line, [1, 0, 0, 1, x, y])
      text = line
    }
    const show = (parts: readonly PdfValue[]) => {
      text = this.showText(state, text, parts, !marked.includes(true))
    }
    for (const { word, operands, path } of operations) {
      this.followed += 1
      if (this.followed > MOST_FOLLOWED) {
        this.unread ??= `its pages hold more than ${MOST_FOLLOWED / 1_000_000} million operators`
        return
      }
      const number = (index: number) => {
        const value = operands[index]
        return typeof value === 'number' ? value : 0
      }
      const last = operands.at(-1)
      const name = last instanceof PdfName ? last.name : ''
      const isSeen = !marked.includes(true)
      switch (word) {
        case 'q':
          if (stack.length < 5000) stack.push(state)
          break
        case 'Q':
          state = stack.pop() ?? state
          break
        case 'cm':
          state = { ...state, matrix: multiply(state.matrix, matrixOf(operands)) }
          break
        case 'w':
          state = { ...state, lineWidth: Math.abs(number(0)) }
          break
        case 'gs':
          state = { ...state, ...names.states.get(name) }
          break
        case 'path':
          if (path) state = this.paintPath(state, path, isSeen)
          break
        case 'Do': {
          if (names.hiddenObjects.has(name)) this.hiddenOnPages.add(this.page.number)
          if (!isSeen || names.hiddenObjects.has(name)) break
          const form = names.forms.get(name)
          if (form) this.followForm(form, state, depth)
          else if (names.images.has(name)) this.paintImage(state, names.images.get(name) ?? null)
          break
        }
        case 'BI':
          if (isSeen) this.paintImage(state, null)
          break
        case 'sh':
          if (isSeen) this.addGround(state.clip, true)
          if (isSeen) this.unknownInks += 1
          break
        case 'BMC':
        case 'BDC': {
          const [tag] = operands
          const isHidden = word === 'BDC' && tag instanceof PdfName && tag.name === 'OC' && names.hidden.has(name)
          if (isHidden) this.hiddenOnPages.add(this.page.number)
          marked.push(isHidden)
          break
        }
        case 'EMC':
          marked.pop()
          break
        case 'BT':
          text = IDENTITY
          line = IDENTITY
          break
        case 'Tf': {
          const [font] = operands
          state = {
            ...state,
            font: (font instanceof PdfName ? names.fonts.get(font.name) : null) ?? null,
            fontSize: number(1),
          }
          break
        }
        case 'Tz':
          state = { ...state, widthScale: number(0) / 100 }
          break
        case 'Tr':
          state = { ...state, textMode: number(0) }
          break
        case 'Ts':
          state = { ...state, rise: number(0) }
          break
        case 'TL':
          state = { ...state, leading: number(0) }
          break
        case 'Tc':
          state = { ...state, letterSpace: number(0) }
          break
        case 'Tw':
          state = { ...state, wordSpace: number(0) }
          break
        case 'TD':
          state = { ...state, leading: -number(1) }
          moveLine(number(0), number(1))
          break
        case 'Td':
          moveLine(number(0), number(1))
          break
        case 'Tm':
          line = matrixOf(operands)
          text = line
          break
        case 'T*':
          moveLine(0, -state.leading)
          break
        case 'Tj':
          show(operands)
          break
        case 'TJ':
          show(Array.isArray(last) ? last : [])
          break
        case "'":
          moveLine(0, -state.leading)
          show(operands)
          break
        case '"':
          state = { ...state, wordSpace: number(0), letterSpace: number(1) }
          moveLine(0, -state.leading)
          show(operands.slice(2))
          break
        default:
          state = setColour(state, word, operands, names.spaces)
      }
    }
  }

  private followForm({ key, matrix, box }: PlacedForm, state: State, depth: number): void {
    const content = this.forms.get(key)
    if (!content) return
    if (depth >= MOST_DEPTH) {
      this.unread ??= `its drawings lie more than ${MOST_DEPTH} deep in one another`
      return
    }
    const placed = multiply(state.matrix, matrix)
    const clip = box ? overlap(state.clip, transform(placed, box)) : state.clip
    if (clip) this.follow(content, { ...state, matrix: placed, clip }, depth + 1)
  }

  private paintPath(state: State, { box, isRectangle, isFilled, isStroked, clips }: PathOf, isSeen: boolean): State {
    const painted = transform(state.matrix, box)
    if (isSeen && isFilled && state.fillAlpha > 0) this.paintArea(state, painted, isRectangle)
    if (isSeen && isStroked && state.strokeAlpha > 0) this.paintLine(state, painted)
    if (!clips) return state
    return { ...state, clip: overlap(state.clip, painted) ?? NOWHERE }
  }

  private paintArea(state: State, painted: Corners, isRectangle: boolean): void {
    const place = overlap(state.clip, painted)
    if (!place) return
    const inks = inksOf(state.fill)
    this.noteInk(state, inks, place, 'area')
    if (inks && isBlank(inks) && state.overprintsFill) this.noteWhite(state, state.fill, place, 'area')
    else this.addGround(place, inks === null || inkTotal(inks) > 0.05)
    const [width, height] = [painted.right - painted.left, painted.top - painted.bottom]
    const thickness = Math.min(width, height) * this.page.unit
    const isRule = isRectangle && Math.max(width, height) * this.page.unit >= LEAST_RULE_POINTS
    if (isRule && thickness < RULE_POINTS) this.noteLine(state.fill, place, thickness)
  }

  private paintLine(state: State, painted: Corners): void {
    const width = state.lineWidth * thinnest(state.matrix) * this.page.unit
    const place = overlap(state.clip, grow(painted, width / 2))
    if (!place) return
    const inks = inksOf(state.stroke)
    if (inks && isBlank(inks) && state.overprintsStroke) this.noteWhite(state, state.stroke, place, 'line')
    this.noteLine(state.stroke, place, width)
  }

  private noteLine(colour: InkColour, place: Corners, thickness: number): void {
    const mark = this.mark('line', place, thickness)
    this.lines.add(mark)
    const inks = inksOf(colour)
    if (inks && inkCount(inks) > 1) this.multiInkLines.add({ ...mark, inks: inkCount(inks) })
  }

  private paintImage(state: State, samples: InkSamples | null): void {
    const place = overlap(state.clip, transform(state.matrix, UNIT_SQUARE))
    if (!place || state.fillAlpha <= 0) return
    this.addGround(place, true)
    this.hasBlends ||= state.addsUp
    const total = samples ? this.reachedBy(samples, state) : null
    if (total === null) this.unknownInks += 1
    else if (total >= LEAST_TOTAL) this.inked.add(this.mark('image', place, total))
  }

  /** The total ink that at least so many square millimetres of an image reach, of what the clip leaves of it. */
  private reachedBy({ columns, rows, totals }: InkSamples, { matrix, clip }: State): number | null {
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

  private noteInk(state: State, inks: Inks | null, place: Corners, what: PrintMark['what']): void {
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

  private addGround(box: Corners, isInk: boolean): void {
    if (Math.min(box.right - box.left, box.top - box.bottom) < LEAST_GROUND_POINTS) return
    this.grounds.push({ box, isInk })
    if (this.grounds.length > MOST_GROUNDS) this.grounds.shift()
  }

  /** Whether what was painted last at a place is ink. */
  private standsOnInk(place: Corners): boolean {
    const [x, y] = [(place.left + place.right) / 2, (place.bottom + place.top) / 2]
    const ground = this.grounds.findLast(
      ({ box }) => box.left <= x && x <= box.right && box.bottom <= y && y <= box.top,
    )
    return ground?.isInk ?? false
  }

  /** Notes a text and returns the matrix behind it. */
  private showText(state: State, from: Matrix, parts: readonly PdfValue[], isSeen: boolean): Matrix {
    const { font, fontSize, widthScale } = state
    let advance = 0
    let glyphs = 0
    for (const part of parts) {
      if (typeof part === 'number') advance -= (part / 1000) * fontSize * widthScale
      if (!Buffer.isBuffer(part)) continue
      const step = font?.bytesOfCode ?? 1
      for (let at = 0; at + step <= part.length; at += step) {
        const code = step === 2 ? part.readUInt16BE(at) : (part[at] as number)
        const space = step === 1 && code === 32 ? state.wordSpace : 0
        const width = font?.isDrawn ? 0 : ((font?.widthOf(code) ?? 500) / 1000) * fontSize
        advance += (width + state.letterSpace + space) * widthScale
        if (code !== 32 || step === 2) glyphs += 1
      }
    }
    const after = multiply(from, [1, 0, 0, 1, advance, 0])
    if (isSeen && glyphs > 0 && font && !font.isDrawn && fontSize !== 0) this.noteText(state, from, advance)
    return after
  }

  private noteText(state: State, from: Matrix, advance: number): void {
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
    if (inks === null) {
      if (isWhiteRgb(colour) && this.standsOnInk(place)) this.reversedTexts.add(mark)
      return
    }
    if (isBlank(inks)) {
      if (overprints) this.noteWhite(state, colour, place, 'text')
      else if (this.standsOnInk(place)) this.reversedTexts.add(mark)
      return
    }
    if (inkCount(inks) > 1) this.multiInkTexts.add({ ...mark, inks: inkCount(inks) })
    if (
      isPureBlack(inks) &&
      !(overprints && keepsBackdrop(colour.space, state.overprintMode)) &&
      this.standsOnInk(place)
    )
      this.knockouts.add(mark)
  }

  /** `value`: 1 where it vanishes for sure, 0 where that hangs on how the press reads the file. */
  private noteWhite({ overprintMode }: State, { space }: InkColour, place: Corners, what: PrintMark['what']): void {
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

/** From the upper left corner of the page as it is seen, downwards. */
function turned(place: Corners, page: Corners, turn: number) {
  const [width, height] = [page.right - page.left, page.top - page.bottom]
  const at = {
    left: place.left - page.left,
    right: place.right - page.left,
    top: page.top - place.top,
    bottom: page.top - place.bottom,
  }
  if (turn === 90) return { left: height - at.bottom, right: height - at.top, top: at.left, bottom: at.right }
  if (turn === 180)
    return { left: width - at.right, right: width - at.left, top: height - at.bottom, bottom: height - at.top }
  if (turn === 270) return { left: at.top, right: at.bottom, top: width - at.right, bottom: width - at.left }
  return at
}

type PathOf = NonNullable<Operation['path']>

const EMPTY: Corners = { left: 0, bottom: 0, right: 0, top: 0 }
/** Where nothing is: what a clip leaves that misses the page. */
const NOWHERE: Corners = { left: 1e9, bottom: 1e9, right: 1e9, top: 1e9 }
const UNIT_SQUARE: Corners = { left: 0, bottom: 0, right: 1, top: 1 }

const initialState = (clip: Corners): State => ({
  matrix: IDENTITY,
  clip,
  fill: BLACK_INK,
  stroke: BLACK_INK,
  lineWidth: 1,
  overprintsFill: false,
  overprintsStroke: false,
  overprintMode: 0,
  fillAlpha: 1,
  strokeAlpha: 1,
  addsUp: false,
  font: null,
  fontSize: 0,
  widthScale: 1,
  letterSpace: 0,
  wordSpace: 0,
  leading: 0,
  rise: 0,
  textMode: 0,
})

/**
 * Whether what is painted with overprint leaves the inks below that its colour has none of (table 149): the named inks of
 * Separation and DeviceN alone are painted; of CMYK those that are not 0, in mode 1 and where it was given as such.
 */
const keepsBackdrop = (space: Space, mode: number): boolean =>
  space.kind === 'inks' || (space.kind === 'cmyk' && space.isDevice && mode === 1)

/** Modes of blending whose result is never darker than what is blended. */
const KEEPS_TOTAL: ReadonlySet<string> = new Set(['Normal', 'Compatible', 'Screen', 'Lighten'])

const isWhiteRgb = ({ space, values }: InkColour) => space.kind === 'rgb' && values.every((value) => value > 0.995)

function matrixOf(operands: readonly PdfValue[]): Matrix {
  const [a, b, c, d, e, f] = operands.map((each) => (typeof each === 'number' ? each : 0))
  return f === undefined ? IDENTITY : ([a, b, c, d, e, f] as Matrix)
}

/** How much a matrix scales where it scales least: the smaller singular value. */
function thinnest([a, b, c, d]: Matrix): number {
  const [sum, difference] = [a * a + b * b + c * c + d * d, Math.abs(a * d - b * c)]
  const root = Math.sqrt(Math.max(0, sum * sum - 4 * difference * difference))
  return Math.sqrt(Math.max(0, (sum - root) / 2))
}

/** What two rectangles share; null where they miss one another. A line has no height, and is there nevertheless. */
function overlap(a: Corners, b: Corners): Corners | null {
  const shared = {
    left: Math.max(a.left, b.left),
    right: Math.min(a.right, b.right),
    bottom: Math.max(a.bottom, b.bottom),
    top: Math.min(a.top, b.top),
  }
  return shared.left <= shared.right && shared.bottom <= shared.top ? shared : null
}

const grow = ({ left, bottom, right, top }: Corners, by: number): Corners => ({
  left: left - by,
  bottom: bottom - by,
  right: right + by,
  top: top + by,
})

const SETS: Readonly<Record<string, { space: Space; isStroke: boolean }>> = {
  g: { space: GREY, isStroke: false },
  G: { space: GREY, isStroke: true },
  rg: { space: RGB, isStroke: false },
  RG: { space: RGB, isStroke: true },
  k: { space: CMYK, isStroke: false },
  K: { space: CMYK, isStroke: true },
}

function setColour(state: State, word: string, operands: readonly PdfValue[], spaces: Names['spaces']): State {
  const values = operands.filter((each) => typeof each === 'number')
  const last = operands.at(-1)
  const isStroke = word === word.toUpperCase()
  const key = isStroke ? 'stroke' : 'fill'
  const set = SETS[word]
  if (set) return { ...state, [key]: { space: set.space, values } }
  if (word === 'cs' || word === 'CS') {
    const space = (last instanceof PdfName ? spaces.get(last.name) : undefined) ?? OTHER
    return { ...state, [key]: { space, values: initialValues(space) } }
  }
  // A pattern paints with inks of its own.
  if (last instanceof PdfName) return { ...state, [key]: { space: OTHER, values: [] } }
  return { ...state, [key]: { space: state[key].space, values } }
}

/** The first by an order, at most so many of each page; how many there were in all. */
class Marks {
  private marks: PrintMark[] = []
  private count = 0

  constructor(private readonly order: (a: PrintMark, b: PrintMark) => number = (a, b) => a.value - b.value) {}

  add(mark: PrintMark): void {
    // Of a matrix that is none.
    if (!Number.isFinite(mark.value)) return
    this.count += 1
    this.marks.push(mark)
    if (this.marks.length >= 8 * MOST_MARKS) this.marks = this.first()
  }

  all(): PrintFacts['thinnestLines'] {
    return { count: this.count, marks: this.first() }
  }

  private first(): PrintMark[] {
    const onPage = new Map<number, number>()
    return this.marks
      .sort((a, b) => this.order(a, b) || a.page - b.page)
      .filter(({ page }) => {
        const before = onPage.get(page) ?? 0
        onPage.set(page, before + 1)
        return before < MOST_ON_PAGE
      })
      .slice(0, MOST_MARKS)
  }
}

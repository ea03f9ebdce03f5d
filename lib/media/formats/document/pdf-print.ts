import type { DocumentContents, PrintFacts } from '../../facts'
import type { PdfDocument, PdfPage } from './pdf-document'
import { isUpright, matrixOf, NOWHERE, overlap } from './pdf-geometry'
import { type GraphicsState, initialState, setColour } from './pdf-graphics-state'
import type { InkSamples } from './pdf-image-inks'
import { PdfLayers } from './pdf-layers'
import {
  type Corners,
  IDENTITY,
  type Matrix,
  multiply,
  type Operation,
  type OperationReader,
  transform,
} from './pdf-operations'
import { PrintNotes } from './pdf-print-notes'
import { type Names, PdfResources, type PlacedForm } from './pdf-resources'
import { type PdfDictionary, PdfName, type PdfStream, type PdfValue } from './pdf-syntax'

const MOST_PAGES = 2000
/** Operators that are followed, forms as often as they are placed. */
const MOST_FOLLOWED = 2_500_000
/** Operators of forms that are kept, to be followed wherever they are placed. */
const MOST_KEPT = 1_500_000
const MOST_DEPTH = 12

type Content = { operations: readonly Operation[]; names: Names }
type PathOf = NonNullable<Operation['path']>

/** Follows what the pages of a document paint, for what a print house asks of it. */
export class PdfPrint {
  private readonly forms = new Map<number, Content>()
  private readonly notes = new PrintNotes()
  private readonly layersOf: PdfLayers
  private readonly resources: PdfResources
  private kept = 0
  private followed = 0
  private pages = 0
  private unread: string | null = null

  /** `inks`: of images, by where their streams begin. */
  constructor(
    private readonly document: PdfDocument,
    inks: ReadonlyMap<number, InkSamples>,
  ) {
    this.layersOf = new PdfLayers(document)
    this.resources = new PdfResources(document, inks, this.layersOf)
  }

  /** Layers that the document switches off where it is opened (8.11.4.3). */
  async readLayers(root: PdfDictionary): Promise<void> {
    await this.layersOf.read(root)
  }

  get layers(): DocumentContents['layers'] {
    return this.layersOf.facts
  }

  /** Keeps the operators of a form, to be followed where a page places it. */
  async keepForm(stream: PdfStream, reader: OperationReader, resources: PdfDictionary | undefined): Promise<void> {
    if (this.forms.has(stream.start)) return
    this.kept += reader.operations.length
    if (!reader.isComplete || this.kept > MOST_KEPT) {
      this.unread ??= 'the content of its drawings is too long or breaks off'
      return
    }
    this.forms.set(stream.start, {
      operations: reader.operations,
      names: await this.resources.resolve(reader, resources),
    })
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
    const { box, trim } = await this.boxes(page)
    const unit = (await this.document.number(page.dictionary.get('UserUnit') ?? null)) ?? 1
    if (!box) return
    const turn = (await this.document.number(page.dictionary.get('Rotate') ?? page.inherited.get('Rotate'))) ?? 0
    const place = { box, trim, unit: unit > 0 ? unit : 1, turn: ((turn % 360) + 360) % 360 }
    this.notes.startPage({ number: this.pages, ...place })
    this.follow(
      { operations: reader.operations, names: await this.resources.resolve(reader, resources) },
      initialState(box),
      0,
    )
  }

  get facts(): PrintFacts {
    return { pages: this.pages, unread: this.unread, ...this.notes.facts }
  }

  /** What is shown of a page, and to what it is trimmed, where it says so. */
  private async boxes({ dictionary, inherited }: PdfPage): Promise<{ box: Corners | null; trim: Corners | null }> {
    const read = async (key: string): Promise<Corners | null> => {
      const values = await this.document.array(dictionary.get(key) ?? inherited.get(key))
      return values ? this.resources.corners(values) : null
    }
    const [media, crop] = [await read('MediaBox'), await read('CropBox')]
    const box = media && crop ? (overlap(media, crop) ?? media) : (crop ?? media)
    return { box, trim: (await read('TrimBox')) ?? (await read('ArtBox')) }
  }

  private follow({ operations, names }: Content, initial: GraphicsState, depth: number): void {
    let state = initial
    const stack: GraphicsState[] = []
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
          if (names.hiddenObjects.has(name)) this.layersOf.noteHidden(this.pages)
          if (!isSeen || names.hiddenObjects.has(name)) break
          const form = names.forms.get(name)
          if (form) this.followForm(form, state, depth)
          else if (names.images.has(name)) this.notes.noteImage(state, names.images.get(name) ?? null)
          break
        }
        case 'BI':
          if (isSeen) this.notes.noteImage(state, null)
          break
        case 'sh':
          if (isSeen) this.notes.noteShading(state)
          break
        case 'BMC':
        case 'BDC': {
          const [tag] = operands
          const isHidden = word === 'BDC' && tag instanceof PdfName && tag.name === 'OC' && names.hidden.has(name)
          if (isHidden) this.layersOf.noteHidden(this.pages)
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

  private followForm({ key, matrix, box }: PlacedForm, state: GraphicsState, depth: number): void {
    const content = this.forms.get(key)
    if (!content) return
    if (depth >= MOST_DEPTH) {
      this.unread ??= `its drawings lie more than ${MOST_DEPTH} deep in one another`
      return
    }
    const placed = multiply(state.matrix, matrix)
    const clip = box ? overlap(state.clip, transform(placed, box)) : state.clip
    const isClipFull = state.isClipFull && (!box || isUpright(placed))
    if (clip) this.follow(content, { ...state, matrix: placed, clip, isClipFull }, depth + 1)
  }

  private paintPath(
    state: GraphicsState,
    { box, isRectangle, isFilled, isStroked, clips }: PathOf,
    isSeen: boolean,
  ): GraphicsState {
    const painted = transform(state.matrix, box)
    if (isSeen && isFilled && state.fillAlpha > 0) this.notes.noteArea(state, painted, isRectangle)
    if (isSeen && isStroked && state.strokeAlpha > 0) this.notes.noteStroke(state, painted)
    if (!clips) return state
    return {
      ...state,
      clip: overlap(state.clip, painted) ?? NOWHERE,
      isClipFull: state.isClipFull && isRectangle && isUpright(state.matrix),
    }
  }

  /** Notes a text and returns the matrix behind it. */
  private showText(state: GraphicsState, from: Matrix, parts: readonly PdfValue[], isSeen: boolean): Matrix {
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
    if (isSeen && glyphs > 0 && font && !font.isDrawn && fontSize !== 0) this.notes.noteText(state, from, advance)
    return after
  }
}

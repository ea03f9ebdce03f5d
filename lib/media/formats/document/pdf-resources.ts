import type { PdfDocument } from './pdf-document'
import { type Font, type GraphicsState, KEEPS_TOTAL } from './pdf-graphics-state'
import type { InkSamples } from './pdf-image-inks'
import { readSpace, type Space } from './pdf-inks'
import type { PdfLayers } from './pdf-layers'
import { type Corners, IDENTITY, type Matrix, namesIn, type OperationReader } from './pdf-operations'
import { type PdfDictionary, PdfName, PdfReference, PdfStream, type PdfValue } from './pdf-syntax'

/** What the names of a stream stand for. */
export type Names = {
  states: Map<string, Partial<GraphicsState>>
  spaces: Map<string, Space>
  fonts: Map<string, Font>
  forms: Map<string, PlacedForm>
  /** Null where their inks are not known. */
  images: Map<string, InkSamples | null>
  /** Of marked content and of objects: layers that are not printed. */
  hidden: Set<string>
  hiddenObjects: Set<string>
}

export type PlacedForm = { key: number; matrix: Matrix; box: Corners | null }

/** What a graphics state says of overprint (table 58): nothing where it stays as it was. */
export async function readOverprint(
  document: PdfDocument,
  state: PdfDictionary,
): Promise<Partial<Pick<GraphicsState, 'overprintsStroke' | 'overprintsFill' | 'overprintMode'>>> {
  const stroke = await document.resolve(state.get('OP'))
  const fill = await document.resolve(state.get('op'))
  const overprintMode = await document.number(state.get('OPM'))
  return {
    // OP alone sets both.
    ...(typeof stroke === 'boolean' && { overprintsStroke: stroke, overprintsFill: stroke }),
    ...(typeof fill === 'boolean' && { overprintsFill: fill }),
    ...(overprintMode !== undefined && { overprintMode }),
  }
}

/** Reads what the names in a content stream stand for (7.8.3). Fonts and colour spaces are read once. */
export class PdfResources {
  private readonly spaces = new Map<PdfValue, Space>()
  private readonly fonts = new Map<PdfDictionary, Font>()

  /** `inks`: of images, by where their streams begin. */
  constructor(
    private readonly document: PdfDocument,
    private readonly inks: ReadonlyMap<number, InkSamples>,
    private readonly layers: PdfLayers,
  ) {}

  async resolve({ operations }: OperationReader, resources: PdfDictionary | undefined): Promise<Names> {
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
    for (const name of used.Properties) if (await this.layers.isHidden(properties?.get(name))) names.hidden.add(name)
    for (const name of used.XObject) {
      const object = await document.resolve(objects?.get(name))
      if (!(object instanceof PdfStream)) continue
      if (await this.layers.isHidden(object.dictionary.get('OC'))) names.hiddenObjects.add(name)
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

  /** Null where a value is no rectangle. */
  async corners(values: readonly PdfValue[]): Promise<Corners | null> {
    const numbers: number[] = []
    for (const value of values.slice(0, 4)) numbers.push((await this.document.number(value)) ?? Number.NaN)
    const [a, b, c, d] = numbers
    if (a === undefined || b === undefined || c === undefined || d === undefined || numbers.some(Number.isNaN))
      return null
    return { left: Math.min(a, c), bottom: Math.min(b, d), right: Math.max(a, c), top: Math.max(b, d) }
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

  private async readState(value: PdfValue | undefined): Promise<Partial<GraphicsState>> {
    const dictionary = await this.document.dictionary(value)
    if (!dictionary) return {}
    const state: Partial<GraphicsState> = await readOverprint(this.document, dictionary)
    const number = async (key: string) => this.document.number(dictionary.get(key))
    const [fillAlpha, strokeAlpha, lineWidth] = [await number('ca'), await number('CA'), await number('LW')]
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
}

import { BLACK, type Colour, readPainted } from './pdf-content'
import type { PdfDocument, PdfPage } from './pdf-document'
import { OperationReader } from './pdf-operations'
import type { PdfPrint } from './pdf-print'
import { isDictionary, type PdfDictionary, PdfName, PdfStream, type PdfValue } from './pdf-syntax'

/** Content that is read: beyond that a document has shown what it paints with. */
const MAX_CONTENT_BYTES = 256 * 1024 * 1024
const MAX_DEPTH = 20
const HIDDEN = 2

/** A colour with the space that its name stands for, in the resources of the content that set it. */
type Ink = { space: PdfValue; pattern: PdfValue }
const NO_INK: Ink = { space: null, pattern: null }
const PAGE_INK: Ink = { space: new PdfName(BLACK.space), pattern: null }

/**
 * What the pages of a document really paint with: colour spaces, fonts and states that resources only list are left out.
 * Goes through the content of pages and of what it draws: forms, patterns, glyphs of Type 3, appearances of annotations
 * (ISO 32000-1, 7.8, 8.7, 8.10, 9.6.5, 12.5.5).
 */
export class PdfPainting {
  readonly spaces = new Set<PdfValue>()
  readonly fonts = new Set<PdfDictionary>()
  /** States set before something was painted, and images and groups that were: where transparency may come from. */
  readonly states = new Set<PdfDictionary>()
  readonly drawn = new Set<PdfDictionary>()
  private readonly walked = new Set<string>()
  private readonly inkNumbers = new Map<PdfValue, number>()
  private left = MAX_CONTENT_BYTES
  private isMask = false

  /** `print` follows what is read here: no content is unpacked or parsed twice. */
  constructor(
    private readonly document: PdfDocument,
    private readonly print: PdfPrint,
  ) {}

  async walk(pages: readonly PdfPage[]): Promise<void> {
    for (const { dictionary, inherited } of pages) {
      const contents = await this.document.resolve(dictionary.get('Contents') ?? null)
      const streams: PdfStream[] = []
      for (const part of Array.isArray(contents) ? contents : [contents]) {
        const stream = await this.document.resolve(part)
        if (stream instanceof PdfStream) streams.push(stream)
      }
      const resources = await this.document.dictionary(dictionary.get('Resources') ?? inherited.get('Resources'))
      this.drawn.add(dictionary)
      const reader = await this.content(streams, resources, PAGE_INK, PAGE_INK, 0)
      await this.annotations(dictionary, resources)
      await this.print.followPage({ dictionary, inherited }, reader, resources)
    }
  }

  private async content(
    streams: readonly PdfStream[],
    resources: PdfDictionary | undefined,
    fill: Ink,
    stroke: Ink,
    depth: number,
  ): Promise<OperationReader> {
    const reader = new OperationReader()
    if (depth > MAX_DEPTH || this.left <= 0) {
      reader.isComplete = false
      return reader
    }
    const parts: Buffer[] = []
    for (const stream of streams) {
      const data = await this.document.data(stream, 'the content of a page')
      this.left -= data.length
      // The parts of a page's content are one text, with a space where they meet (7.7.3.3).
      parts.push(data, Buffer.from(' '))
    }
    const named = async (kind: string, name: string) =>
      this.document.resolve((await this.document.dictionary(resources?.get(kind)))?.get(name))
    const ink = async (colour: Colour | null, before: Ink): Promise<Ink> => {
      if (colour === null) return before
      const listed = await this.document.dictionary(resources?.get('ColorSpace'))
      return {
        space: listed?.get(colour.space) ?? new PdfName(colour.space),
        pattern: colour.pattern === null ? null : await named('Pattern', colour.pattern),
      }
    }
    for (const each of readPainted(Buffer.concat(parts), null, reader)) {
      if (each.what === 'colour') {
        await this.paint(await ink(each.colour, each.isStroke ? stroke : fill), resources, depth)
      } else if (each.what === 'text') {
        await this.text(await named('Font', each.font), resources, await ink(each.fill, fill), depth)
      } else if (each.what === 'object') {
        const object = await named('XObject', each.name)
        if (object instanceof PdfStream)
          await this.object(object, resources, await ink(each.fill, fill), await ink(each.stroke, stroke), depth)
      } else if (each.what === 'shading') {
        await this.shading(await named('Shading', each.name))
      } else {
        const state = await named('ExtGState', each.name)
        if (isDictionary(state)) await this.state(state, resources, depth)
      }
    }
    return reader
  }

  private async paint({ space, pattern }: Ink, resources: PdfDictionary | undefined, depth: number): Promise<void> {
    if (pattern === null) {
      if (space !== null) this.spaces.add(space)
      return
    }
    if (pattern instanceof PdfStream) {
      // An uncoloured tile is drawn in the space below that of the pattern (8.7.3.3).
      const isColoured = (await this.document.number(pattern.dictionary.get('PaintType'))) !== 2
      const below = isColoured ? null : ((await this.document.array(space))?.[1] ?? null)
      const ink = below === null ? NO_INK : { space: below, pattern: null }
      if (below !== null) this.spaces.add(below)
      await this.drawing(pattern, resources, ink, ink, depth)
    } else if (isDictionary(pattern)) await this.shading(await this.document.resolve(pattern.get('Shading')))
  }

  private async shading(value: PdfValue): Promise<void> {
    const dictionary = value instanceof PdfStream ? value.dictionary : value
    if (isDictionary(dictionary) && dictionary.has('ColorSpace')) this.spaces.add(dictionary.get('ColorSpace') ?? null)
  }

  private async text(value: PdfValue, resources: PdfDictionary | undefined, ink: Ink, depth: number): Promise<void> {
    if (!isDictionary(value)) return
    this.fonts.add(value)
    for (const each of (await this.document.array(value.get('DescendantFonts'))) ?? []) {
      const descendant = await this.document.dictionary(each)
      if (descendant) this.fonts.add(descendant)
    }
    const glyphs = await this.document.dictionary(value.get('CharProcs'))
    const own = (await this.document.dictionary(value.get('Resources'))) ?? resources
    for (const each of glyphs?.values() ?? []) {
      const glyph = await this.document.resolve(each)
      if (glyph instanceof PdfStream) await this.drawing(glyph, own, ink, ink, depth)
    }
  }

  private async object(
    object: PdfStream,
    resources: PdfDictionary | undefined,
    fill: Ink,
    stroke: Ink,
    depth: number,
  ): Promise<void> {
    const { dictionary } = object
    this.drawn.add(dictionary)
    if ((await this.document.name(dictionary.get('Subtype'))) !== 'Image') {
      await this.drawing(object, resources, fill, stroke, depth)
    } else if ((await this.document.resolve(dictionary.get('ImageMask'))) === true) {
      await this.paint(fill, resources, depth)
    } else if (dictionary.has('ColorSpace')) this.spaces.add(dictionary.get('ColorSpace') ?? null)
  }

  /** A form, a tile or a glyph: each once with the same colours to take over. Old ones use the resources around them. */
  private async drawing(
    stream: PdfStream,
    around: PdfDictionary | undefined,
    fill: Ink,
    stroke: Ink,
    depth: number,
  ): Promise<void> {
    const key = [
      this.isMask,
      stream.start,
      ...[fill.space, fill.pattern, stroke.space, stroke.pattern].map((ink) => this.numberOf(ink)),
    ]
    if (this.walked.has(key.join())) return
    this.walked.add(key.join())
    const resources = (await this.document.dictionary(stream.dictionary.get('Resources'))) ?? around
    const reader = await this.content([stream], resources, fill, stroke, depth + 1)
    await this.print.keepForm(stream, reader, resources)
  }

  private numberOf(ink: PdfValue): number | string {
    if (ink instanceof PdfName) return ink.name
    const known = this.inkNumbers.get(ink) ?? this.inkNumbers.size
    this.inkNumbers.set(ink, known)
    return known
  }

  /** A state may set a font, and a mask that is drawn, whose colours are not printed. */
  private async state(state: PdfDictionary, resources: PdfDictionary | undefined, depth: number): Promise<void> {
    this.states.add(state)
    const font = await this.document.dictionary((await this.document.array(state.get('Font')))?.[0])
    if (font) this.fonts.add(font)
    const mask = await this.document.dictionary(state.get('SMask'))
    const group = await this.document.resolve(mask?.get('G'))
    if (!(group instanceof PdfStream)) return
    const [known, wasMask] = [new Set(this.spaces), this.isMask]
    this.isMask = true
    await this.drawing(group, resources, PAGE_INK, PAGE_INK, depth)
    this.isMask = wasMask
    for (const space of this.spaces) if (!known.has(space)) this.spaces.delete(space)
  }

  /** The appearance that is shown (12.5.5), of annotations that are. */
  private async annotations(page: PdfDictionary, resources: PdfDictionary | undefined): Promise<void> {
    for (const each of (await this.document.array(page.get('Annots'))) ?? []) {
      const annotation = await this.document.dictionary(each)
      const flags = (await this.document.number(annotation?.get('F'))) ?? 0
      if (!annotation || (flags & HIDDEN) !== 0) continue
      const appearances = await this.document.dictionary(annotation.get('AP'))
      const normal = await this.document.resolve(appearances?.get('N'))
      const state = await this.document.name(annotation.get('AS'))
      const shown =
        isDictionary(normal) && state !== undefined ? await this.document.resolve(normal.get(state)) : normal
      if (shown instanceof PdfStream) await this.object(shown, resources, PAGE_INK, PAGE_INK, 0)
    }
  }
}

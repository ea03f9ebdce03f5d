/** The parts of pdfkit and fontkit that are used here; neither package brings types. */

declare module 'pdfkit' {
  import type { Readable } from 'node:stream'

  /** Marked content of a page, to be hung into the structure tree. */
  export type Content = { readonly refs: unknown[] }
  export type StructElement = { readonly dictionary: { data: Record<string, unknown> } }
  type Font = import('./fonts').OpenFont

  export default class PDFDocument extends Readable {
    constructor(options: {
      pdfVersion: string
      tagged: boolean
      lang: string
      displayTitle: boolean
      autoFirstPage: boolean
      font: null
      info: Record<string, string | Date>
    })
    addPage(options: { size: [width: number, height: number]; margin: number }): this
    font(font: Font, name: string, size: number): this
    fillColor(color: string): this
    text(text: string, x: number, y: number, options: object): this
    rect(x: number, y: number, width: number, height: number): this
    path(path: string): this
    fill(): this
    save(): this
    restore(): this
    translate(x: number, y: number): this
    scale(factor: number): this
    image(data: Buffer, x: number, y: number, options: { width: number; height: number }): this
    markContent(tag: 'Artifact', options: { type: 'Layout' | 'Pagination' }): this
    markStructureContent(tag: string): Content
    endMarkedContent(): this
    struct(role: string, options: { alt?: string; actual?: string }, kids: (StructElement | Content)[]): StructElement
    addStructure(element: StructElement): this
    readonly outline: { addItem(title: string, options: { fit: boolean }): unknown }
    end(): void
  }
}

declare module 'fontkit' {
  export function create(data: Uint8Array): import('./fonts').OpenFont
}

import type PDFDocument from 'pdfkit'
import type { Content, StructElement } from 'pdfkit'
import type { Line } from './typesetter'

/** Standard structure types (ISO 32000-1, 14.8.4) that documents here are made of. */
type Role =
  | 'Document'
  | 'H1'
  | 'H2'
  | 'H3'
  | 'P'
  | 'L'
  | 'LI'
  | 'Lbl'
  | 'LBody'
  | 'Table'
  | 'THead'
  | 'TBody'
  | 'TR'
  | 'TH'
  | 'TD'
  | 'Figure'

/** `alt`: what an image shows, in words. `scope`: what the header of a table is the header of. */
type More = { alt?: string; scope?: 'Column' | 'Row' }

/**
 * What a piece of a document is, for those who hear it: an element of the structure tree. Elements stand in the order in
 * which they are read; what is painted under an element is added to it, on one page or on several.
 */
export class Tag {
  private readonly kids: (Tag | Content)[] = []
  private readonly said: Line[] = []

  constructor(
    readonly role: Role,
    private readonly more: More = {},
  ) {}

  /** A new element, read after what is in this one already. */
  add(role: Role, more?: More): Tag {
    const kid = new Tag(role, more)
    this.kids.push(kid)
    return kid
  }

  hold(...kids: (Tag | Content)[]): this {
    this.kids.push(...kids)
    return this
  }

  /** What was painted, as it is read: lines from right to left are painted as they are seen. */
  say(lines: readonly Line[]): void {
    this.said.push(...lines)
  }

  /** Null when nothing was painted under it. */
  private write(document: PDFDocument): StructElement | null {
    const kids = this.kids.flatMap((kid): (StructElement | Content)[] => {
      const written = kid instanceof Tag ? kid.write(document) : kid
      return written ? [written] : []
    })
    if (kids.length === 0) return null
    const { alt, scope } = this.more
    const isTurned = this.said.some(({ runs }) => runs.some(({ isRightToLeft }) => isRightToLeft))
    const actual = isTurned
      ? this.said
          .map(({ text, space }) => text + (space ? ' ' : ''))
          .join('')
          .trimEnd()
      : undefined
    const element = document.struct(this.role, { ...(alt && { alt }), ...(actual && { actual }) }, kids)
    if (scope) element.dictionary.data.A = { O: 'Table', Scope: scope }
    return element
  }

  /** Writes the tree whose root this is. */
  finish(document: PDFDocument): void {
    const root = this.write(document)
    if (root) document.addStructure(root)
  }
}

import type PDFDocument from 'pdfkit'
import { COLOR } from './paper'
import type { Run } from './runs'
import type { Tag } from './tags'
import type { Line } from './typesetter'

type TextStyle = {
  size: number
  left?: number
  top?: number
  color?: string
  isStruck?: boolean
  /** What it is; without one it is an artifact: screen readers leave it out. */
  tag?: Tag
}

/** From the top of a line of Noto Sans down to its baseline, in ems. Lines in other faces share that baseline. */
const ASCENT = 1.069
/** How high above the baseline a line is struck through, in ems, and how strong. */
const STRIKE = { height: 0.3, weight: 0.06 }
/** One line that is measured already; its words are laid out one by one and remembered by pdfkit. */
const WORDS = { lineBreak: false, baseline: 'alphabetic' }
/** With features named, even none, a run is laid out in one piece: its words stand from right to left. */
const RIGHT_TO_LEFT = { ...WORDS, features: [] }

/** What all pens of a page share: the colour that is set, and the lines to be ruled when everything else is painted. */
type Page = { document: PDFDocument; color: string; rules: (Required<Rule> & { color: string })[] }

/** Draws at exact places, in points from the upper left corner of what it was made for. */
export class Pen {
  private constructor(
    private readonly page: Page,
    private readonly x: number,
    private readonly y: number,
    private readonly isTagged: boolean,
  ) {}

  /** The pen of the page that was added last; `finish` ends it. */
  static on(document: PDFDocument, left: number): Pen {
    return new Pen({ document, color: '', rules: [] }, left, 0, true)
  }

  /** A pen for a part of the page. */
  at(left: number, top: number): Pen {
    return new Pen(this.page, this.x + left, this.y + top, this.isTagged)
  }

  /** A pen for what was said before: the head of a table that goes on. */
  untagged(): Pen {
    return new Pen(this.page, this.x, this.y, false)
  }

  /** One line of text; `width` matters to one that ends at the right. */
  words(line: Line, style: TextStyle & { width?: number; align?: 'left' | 'right' }): void {
    this.marked(style.tag, 'Pagination', () => this.line(line, style))
    if (this.isTagged) style.tag?.say([line])
  }

  /** Several lines below each other; unless set otherwise, those written from right to left end at the right. */
  lines(
    lines: readonly Line[],
    style: TextStyle & { width: number; leading: number; align?: 'left' | 'right' | undefined },
  ): void {
    if (lines.every(({ text }) => text === '')) return
    this.marked(style.tag, 'Pagination', () => {
      for (const [index, line] of lines.entries()) {
        const align = style.align ?? (line.isRightToLeft ? 'right' : 'left')
        const top = (style.top ?? 0) + index * style.leading
        this.line(line, { ...style, top, align, isFollowed: index < lines.length - 1 })
      }
    })
    if (this.isTagged) style.tag?.say(lines)
  }

  rule({ top, left = 0, width, color = COLOR.rule, weight = 0.5 }: Rule): void {
    this.page.rules.push({ top: this.y + top, left: this.x + left, width, color, weight })
  }

  /** Rules the lines of the page, all of them one artifact. */
  finish(): void {
    const { document, rules } = this.page
    this.marked(undefined, 'Layout', () => {
      for (const { top, left, width, color, weight } of rules) {
        this.dip(color)
        document.rect(left, top, width, weight).fill()
      }
    })
  }

  /** Takes a colour, unless it is taken already. */
  private dip(color: string): void {
    if (this.page.color === color) return
    this.page.color = color
    this.page.document.fillColor(color)
  }

  image(data: Buffer, { tag, left = 0, top = 0, width, height }: Place): void {
    this.marked(tag, 'Layout', () => this.page.document.image(data, this.x + left, this.y + top, { width, height }))
  }

  /** A shape (SVG path data) in one colour; `units`: how wide it is in its own units. */
  shape(path: string, units: number, { tag, left = 0, top = 0, width }: Omit<Place, 'height'>): void {
    this.marked(tag, 'Layout', () =>
      this.page.document
        .save()
        .translate(this.x + left, this.y + top)
        .scale(width / units)
        .path(path)
        .fillColor(COLOR.ink)
        .fill()
        .restore(),
    )
  }

  private marked(tag: Tag | undefined, artifact: 'Layout' | 'Pagination', paint: () => void): void {
    const { document } = this.page
    if (tag && this.isTagged) tag.hold(document.markStructureContent(tag.role))
    else document.markContent('Artifact', { type: artifact })
    paint()
    document.endMarkedContent()
  }

  /** `isFollowed`: by a line that goes on; the space between them is drawn, so that their words are not read as one. */
  private line(
    line: Line,
    style: TextStyle & { width?: number; align?: 'left' | 'right'; isFollowed?: boolean },
  ): void {
    const { size, left = 0, top = 0, width = 0, align = 'left', color = COLOR.ink, isStruck = false } = style
    const { document } = this.page
    const start = this.x + left + (align === 'right' ? width - widthOf(line.runs) * size : 0)
    const baseline = this.y + top + ASCENT * size
    let x = start
    this.dip(color)
    const isTurned = line.runs.some(({ isRightToLeft }) => isRightToLeft)
    const runs = style.isFollowed && line.space && !isTurned ? [...line.runs, line.space] : line.runs
    for (const run of runs) {
      const { face, text, isRightToLeft } = run
      document.font(face.font, face.name, size).text(text, x, baseline, isRightToLeft ? RIGHT_TO_LEFT : WORDS)
      if (runs.length > 1) x += widthOf([run]) * size
    }
    if (isStruck) {
      const width = widthOf(line.runs) * size
      document.rect(start, baseline - STRIKE.height * size, width, STRIKE.weight * size).fill()
    }
  }
}

type Rule = { top: number; left?: number; width: number; color?: string; weight?: number }
type Place = { tag: Tag; left?: number; top?: number; width: number; height: number }

const widthOf = (runs: readonly Run[]) =>
  runs.reduce((sum, { face, text, isRightToLeft }) => sum + face.width(text, isRightToLeft), 0)

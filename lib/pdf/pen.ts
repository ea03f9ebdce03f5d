import type { OpenFont } from './fonts'
import { COLOR } from './paper'
import type { Run } from './runs'
import type { Line } from './typesetter'

/** What react-pdf's `Canvas` gives to paint with, as far as it is used here: pdfkit's own methods. */
export type Painter = {
  font(font: OpenFont, name: string, size: number): Painter
  fillColor(color: string): Painter
  text(text: string, x: number, y: number, options: object): Painter
  rect(x: number, y: number, width: number, height: number): Painter
  fill(): Painter
}

type Look = {
  size: number
  left?: number
  top?: number
  color?: string
  isStruck?: boolean
}

/** From the top of a line of Noto Sans down to its baseline, in ems. Lines in other faces share that baseline. */
const ASCENT = 1.069
/** How high above the baseline a line is struck through, in ems, and how strong. */
const STRIKE = { height: 0.3, weight: 0.06 }
/** One line that is measured already; its words are laid out one by one and remembered by pdfkit. */
const WORDS = { lineBreak: false, baseline: 'alphabetic' }
/** With features named, even none, a run is laid out in one piece: its words stand from right to left. */
const RIGHT_TO_LEFT = { ...WORDS, features: [] }

/** Draws at exact places, in points from the upper left corner of what it was made for. */
export class Pen {
  constructor(
    private readonly painter: Painter,
    private readonly x = 0,
    private readonly y = 0,
  ) {}

  /** A pen for a part of the page. */
  at(left: number, top: number): Pen {
    return new Pen(this.painter, this.x + left, this.y + top)
  }

  /** One line of text; `width` matters to one that ends at the right. */
  words(line: Line, look: Look & { width?: number; align?: 'left' | 'right' }): void {
    const { size, left = 0, top = 0, width = 0, align = 'left', color = COLOR.ink, isStruck = false } = look
    const start = this.x + left + (align === 'right' ? width - widthOf(line.runs) * size : 0)
    const baseline = this.y + top + ASCENT * size
    let x = start
    this.painter.fillColor(color)
    for (const run of line.runs) {
      const { face, text, isRightToLeft } = run
      this.painter.font(face.font, face.name, size).text(text, x, baseline, isRightToLeft ? RIGHT_TO_LEFT : WORDS)
      if (line.runs.length > 1) x += widthOf([run]) * size
    }
    if (isStruck) {
      const width = widthOf(line.runs) * size
      this.painter.rect(start, baseline - STRIKE.height * size, width, STRIKE.weight * size).fill()
    }
  }

  /** Several lines below each other; unless told otherwise, those written from right to left end at the right. */
  lines(
    lines: readonly Line[],
    look: Look & { width: number; leading: number; align?: 'left' | 'right' | undefined },
  ): void {
    for (const [index, line] of lines.entries()) {
      const align = look.align ?? (line.isRightToLeft ? 'right' : 'left')
      this.words(line, { ...look, top: (look.top ?? 0) + index * look.leading, align })
    }
  }

  rule({ top, left = 0, width, color = COLOR.rule, weight = 0.5 }: Rule): void {
    this.painter
      .fillColor(color)
      .rect(this.x + left, this.y + top, width, weight)
      .fill()
  }
}

type Rule = { top: number; left?: number; width: number; color?: string; weight?: number }

const widthOf = (runs: readonly Run[]) =>
  runs.reduce((sum, { face, text, isRightToLeft }) => sum + face.width(text, isRightToLeft), 0)

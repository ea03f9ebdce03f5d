import { OPS, type PDFPageProxy } from 'pdfjs-dist/legacy/build/pdf.mjs'
import type { ReadWord, TextReading } from '@/lib/media/measurements'
import { withPdf } from '../decode/pdf-document'

const MOST_PAGES = 200
const MOST_WORDS_PER_PAGE = 5000
const MM_PER_POINT = 25.4 / 72

/** How surely what a text layer says is what people see: it may be hidden, or beneath an image. */
const LAYER_CONFIDENCE = 0.95

export type TextLayer = {
  readings: TextReading[]
  /** Widths of the pages read, as shown. */
  widthsMm: number[]
  /** Of the document; the first 200 are read. */
  pages: number
}

/** Neither filled nor stroked, with and without becoming part of the clipping path (ISO 32000-1, table 106). */
const INVISIBLE: ReadonlySet<unknown> = new Set([3, 7])

/**
 * The text a PDF states, page by page; a page that states none has no words. Neither has one that also holds invisible
 * text, as a scanned page does: which of its words can be seen, its pixels have to say. Regions are millimetres of the page as
 * shown. Runs in the sandboxed child; rejects with the reader's reason.
 */
export async function readTextLayer(path: string): Promise<TextLayer> {
  return withPdf(path, async (document) => {
    const readings: TextReading[] = []
    const widthsMm: number[] = []
    for (let number = 1; number <= Math.min(document.numPages, MOST_PAGES); number++) {
      const page = await document.getPage(number)
      const view = page.getViewport({ scale: 1 })
      const { items } = (await hasInvisibleText(page)) ? { items: [] } : await page.getTextContent()
      const words = items.flatMap((item) => ('str' in item ? wordsOf(item, view.transform as Matrix) : []))
      readings.push({ how: 'layer', page: number, words: words.slice(0, MOST_WORDS_PER_PAGE) })
      widthsMm.push(view.width * MM_PER_POINT)
      page.cleanup()
    }
    return { readings, widthsMm, pages: document.numPages }
  })
}

async function hasInvisibleText(page: PDFPageProxy): Promise<boolean> {
  const { fnArray, argsArray } = await page.getOperatorList()
  const stack: unknown[] = []
  let mode: unknown = 0
  for (const [index, operator] of fnArray.entries()) {
    if (operator === OPS.save) stack.push(mode)
    else if (operator === OPS.restore) mode = stack.pop() ?? 0
    else if (operator === OPS.setTextRenderingMode) mode = (argsArray[index] as unknown[])[0]
    else if (operator === OPS.showText && INVISIBLE.has(mode)) return true
  }
  return false
}

/** PDF matrices, ISO 32000-1, 8.3.3: a b c d e f. */
type Matrix = [number, number, number, number, number, number]
type Item = { str: string; transform: unknown[]; width: number; height: number }

/** The words of a run of text, each with its share of the run's length. */
function wordsOf({ str, transform, width, height }: Item, view: Matrix): ReadWord[] {
  if (!str.trim() || !(width > 0)) return []
  const [a, b, c, d, e, f] = transform as Matrix
  const along = unit(a, b)
  const up = unit(c, d)
  const size = height || Math.hypot(c, d)
  return [...str.matchAll(/\S+/g)].map(({ 0: text, index }) => {
    const from = (index / str.length) * width
    const to = ((index + text.length) / str.length) * width
    // Letters reach a fifth of their size below the line they stand on.
    const corners = [from, to].flatMap((x) =>
      [-0.2 * size, 0.9 * size].map((y) => shown(view, e + along.x * x + up.x * y, f + along.y * x + up.y * y)),
    )
    const [xs, ys] = [corners.map(({ x }) => x), corners.map(({ y }) => y)]
    const [left, top] = [Math.min(...xs), Math.min(...ys)]
    const region = { x: left, y: top, width: Math.max(...xs) - left, height: Math.max(...ys) - top }
    return { text, confidence: LAYER_CONFIDENCE, region: inMillimetres(region) }
  })
}

const shown = ([a, b, c, d, e, f]: Matrix, x: number, y: number) => ({ x: a * x + c * y + e, y: b * x + d * y + f })

function unit(x: number, y: number) {
  const length = Math.hypot(x, y) || 1
  return { x: x / length, y: y / length }
}

const millimetres = (points: number) => Math.round(points * MM_PER_POINT * 10) / 10
const inMillimetres = ({ x, y, width, height }: ReadWord['region']) => ({
  x: millimetres(x),
  y: millimetres(y),
  width: millimetres(width),
  height: millimetres(height),
})

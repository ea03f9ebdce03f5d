import { OPS } from 'pdfjs-dist/legacy/build/pdf.mjs'
import { withPdf } from '../decode/pdf-document'
import type { PlacedFacts, PlacedImage } from '../measurements'

const MOST_PAGES = 100
const MOST_IMAGES = 2000
const MM_PER_POINT = 25.4 / 72

/** PDF matrices, ISO 32000-1, 8.3.3: a b c d e f. */
type Matrix = [number, number, number, number, number, number]
const IDENTITY: Matrix = [1, 0, 0, 1, 0, 0]

function multiply([a, b, c, d, e, f]: Matrix, [A, B, C, D, E, F]: Matrix): Matrix {
  return [a * A + c * B, b * A + d * B, a * C + c * D, b * C + d * D, a * E + c * F + e, b * E + d * F + f]
}

/**
 * Goes through the drawing operators of a PDF and notes every image with the matrix it is drawn by. Nothing is painted.
 * Runs in the sandboxed child; rejects with the reader's reason.
 */
export async function measurePlaced(path: string): Promise<PlacedFacts> {
  return withPdf(path, async (document) => {
    const pages = Math.min(document.numPages, MOST_PAGES)
    const images: PlacedImage[] = []
    for (let number = 1; number <= pages && images.length < MOST_IMAGES; number++) {
      const page = await document.getPage(number)
      const { fnArray, argsArray } = await page.getOperatorList()
      images.push(...placedOn(number, page.view as [number, number, number, number], page.userUnit, fnArray, argsArray))
      page.cleanup()
    }
    return { images: images.slice(0, MOST_IMAGES), pages }
  })
}

function placedOn(
  page: number,
  [left, , , top]: [number, number, number, number],
  userUnit: number,
  operators: readonly number[],
  operands: readonly unknown[],
): PlacedImage[] {
  const images: PlacedImage[] = []
  const stack: Matrix[] = []
  let matrix = IDENTITY
  const place = (width: number, height: number, to = matrix) => {
    const [a, b, c, d, e, f] = to
    const acrossInches = (Math.hypot(a, b) * userUnit) / 72
    const downInches = (Math.hypot(c, d) * userUnit) / 72
    if (!(acrossInches > 0 && downInches > 0 && width > 0 && height > 0)) return
    const xs = [e, e + a, e + c, e + a + c]
    const ys = [f, f + b, f + d, f + b + d]
    const millimetres = (points: number) => Math.round(points * userUnit * MM_PER_POINT * 100) / 100
    images.push({
      page,
      width,
      height,
      dpi: Math.round(Math.min(width / acrossInches, height / downInches) * 10) / 10,
      region: {
        x: millimetres(Math.min(...xs) - left),
        y: millimetres(top - Math.max(...ys)),
        width: millimetres(Math.max(...xs) - Math.min(...xs)),
        height: millimetres(Math.max(...ys) - Math.min(...ys)),
      },
    })
  }
  for (const [index, operator] of operators.entries()) {
    const args = (operands[index] ?? []) as unknown[]
    if (operator === OPS.save) stack.push(matrix)
    else if (operator === OPS.restore || operator === OPS.paintFormXObjectEnd) matrix = stack.pop() ?? matrix
    else if (operator === OPS.transform) matrix = multiply(matrix, args as unknown as Matrix)
    else if (operator === OPS.paintFormXObjectBegin) {
      stack.push(matrix)
      if (args[0]) matrix = multiply(matrix, [...(args[0] as ArrayLike<number> & Iterable<number>)] as Matrix)
    } else if (operator === OPS.paintImageXObject) place(Number(args[1]), Number(args[2]))
    else if (operator === OPS.paintInlineImageXObject || operator === OPS.paintImageMaskXObject) {
      const image = args[0] as { width?: number; height?: number } | undefined
      place(Number(image?.width ?? 0), Number(image?.height ?? 0))
    }
  }
  return images
}

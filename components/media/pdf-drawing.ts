import type { PDFDocumentProxy } from 'pdfjs-dist/legacy/build/pdf.mjs'
import type { OptionalContentConfig } from 'pdfjs-dist/types/src/display/optional_content_config'

/** Where a page stands in its frame: CSS pixels, and those of them that one unit of `size` takes. */
export type Placed = { scale: number; x: number; y: number }

export type PartOfPage = {
  /** Of the page, from 1. */
  number: number
  placed: Placed
  /** The page as its box has it, in units of `placed`. */
  size: { width: number; height: number }
  /** Pixels of the screen per CSS pixel. */
  ratio: number
  layers: OptionalContentConfig
}

/**
 * Draws the part of a page that is seen in a frame, on a canvas as large as the frame. Rejects when `signal` is aborted, or
 * with the reason of pdf.js.
 */
export async function drawPart(
  document: PDFDocumentProxy,
  canvas: HTMLCanvasElement,
  { number, placed, size, ratio, layers }: PartOfPage,
  signal: AbortSignal,
): Promise<void> {
  const page = await document.getPage(number)
  signal.throwIfAborted()
  // The crop box, turned, in points. The box of the page was rounded, and may have not quite its proportions.
  const whole = page.getViewport({ scale: 1 })
  const scale = (size.width * placed.scale * ratio) / whole.width
  const down = (size.height * placed.scale * ratio) / (whole.height * scale)
  const task = page.render({
    canvas,
    viewport: page.getViewport({ scale }),
    transform: [1, 0, 0, down, placed.x * ratio, placed.y * ratio],
    optionalContentConfigPromise: Promise.resolve(layers),
  })
  const cancel = () => task.cancel()
  signal.addEventListener('abort', cancel)
  try {
    await task.promise
  } finally {
    signal.removeEventListener('abort', cancel)
  }
  signal.throwIfAborted()
}

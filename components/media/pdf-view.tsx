'use client'

import {
  GlobalWorkerOptions,
  getDocument,
  InvalidPDFException,
  type PDFDocumentProxy,
  ResponseException,
  VerbosityLevel,
  version,
} from 'pdfjs-dist/legacy/build/pdf.mjs'
import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { drawPart, type Placed } from './pdf-drawing'
import type { PdfState } from './use-pdf'
import { useSizeOf } from './use-size-of'

/** Where this server has the parts of pdf.js. */
const PARTS = `/pdfjs/${version}`
/** Bytes of one request: less are asked for more often than they take to come. */
const CHUNK_BYTES = 256 * 1024

GlobalWorkerOptions.workerSrc = `${PARTS}/build/pdf.worker.min.mjs`

type Size = { width: number; height: number }
/** What was drawn, of what, and where. */
type Drawn = {
  opened: PdfState['opened']
  document: PDFDocumentProxy
  number: number
  viewport: Placed | null
  area: Size
  placed: Placed
  /** CSS pixels of the canvas. */
  size: Size
}

/**
 * The part of a PDF page that is in sight, drawn by pdf.js at the pixels of the screen. It stands over the preview in the
 * box of the page, which stands in `frame`; until it is drawn, the preview is seen.
 */
export function PdfView({
  pdf,
  number,
  viewport,
  size,
  isDrawn,
  frame,
  fileId,
  label,
}: {
  pdf: PdfState
  /** Of the page, from 1. */
  number: number
  /** null: the whole page, where its box stands. */
  viewport: Placed | null
  size: Size
  /** Whether a drawing is wanted; the document stays open while none is. */
  isDrawn: boolean
  frame: RefObject<HTMLElement | null>
  fileId: string
  label: string
}) {
  useDocument(pdf)
  const { plate, openPlate, failPlate } = pdf
  useDocument({ source: plate?.source ?? null, attempt: pdf.attempt, open: openPlate, fail: failPlate })
  const canvas = useRef<HTMLCanvasElement>(null)
  const area = useSizeOf(frame)
  const ratio = globalThis.devicePixelRatio || 1
  const [drawn, setDrawn] = useState<Drawn | null>(null)
  const { opened, fail } = pdf
  // A plate is a document of one page, with the layers of the whole.
  const document = plate ? plate.document : opened?.document
  const isPlate = plate !== null
  const numberThere = plate ? 1 : number
  const { width, height } = size

  useEffect(() => {
    const held = canvas.current
    if (!opened || !document || !area || !held || !isDrawn) return
    const { layers } = opened
    const stop = new AbortController()
    const next = requestAnimationFrame(async () => {
      const placed = viewport ?? placeOf(held.parentElement, frame.current, width)
      // Drawn aside: what was drawn before is seen until then.
      const made = globalThis.document.createElement('canvas')
      made.width = Math.round(area.width * ratio)
      made.height = Math.round(area.height * ratio)
      try {
        await drawPart(
          document,
          made,
          { number: numberThere, placed, size: { width, height }, ratio, layers },
          stop.signal,
        )
        held.width = made.width
        held.height = made.height
        held.getContext('2d')?.drawImage(made, 0, 0)
        const size = { width: made.width / ratio, height: made.height / ratio }
        // Its place with its pixels: they are seen together.
        flushSync(() => setDrawn({ opened, document, number, viewport, area, placed, size }))
      } catch (error) {
        if (!stop.signal.aborted) (isPlate ? failPlate : fail)(reasonOf(error))
      } finally {
        made.width = 0
        made.height = 0
      }
    })
    return () => {
      cancelAnimationFrame(next)
      stop.abort()
    }
  }, [
    opened,
    document,
    isPlate,
    number,
    numberThere,
    viewport,
    width,
    height,
    area,
    ratio,
    isDrawn,
    frame,
    fail,
    failPlate,
  ])

  useLayoutEffect(() => {
    if (!isDrawn) setDrawn(null)
  }, [isDrawn])

  useEffect(
    () => () => {
      // What was read for a page is let go with it; a document that was closed has none.
      document?.getPage(numberThere).then(
        (page) => page.cleanup(),
        () => {},
      )
    },
    [document, numberThere],
  )

  const isOfPage = drawn !== null && document !== undefined && drawn.document === document && drawn.number === number
  const isComplete = isOfPage && drawn.opened === opened && drawn.viewport === viewport && drawn.area === area
  const style = isOfPage && isDrawn ? styleOf(drawn, viewport) : null
  return (
    <canvas
      ref={canvas}
      role="img"
      aria-label={label}
      data-image-of={fileId}
      data-complete={isComplete}
      className="absolute top-0 left-0 max-w-none origin-top-left"
      style={style ?? { display: 'none' }}
    />
  )
}

/** Where the box of a page stands in its frame. */
function placeOf(box: HTMLElement | null, frame: HTMLElement | null, width: number): Placed {
  const inner = box?.getBoundingClientRect()
  const outer = frame?.getBoundingClientRect()
  if (!inner || !outer) return { scale: 1, x: 0, y: 0 }
  return { scale: inner.width / width, x: inner.left - outer.left, y: inner.top - outer.top }
}

/** A drawing in the box of its page, which may have been moved and zoomed since; null where it says nothing any more. */
function styleOf({ placed, size, ...drawn }: Drawn, viewport: Placed | null) {
  if (viewport === null && drawn.viewport !== null) return null
  const grown = viewport ? viewport.scale / placed.scale : 1
  return {
    ...size,
    // By a transform, as the box is: places of CSS are rounded, and pixels would be mixed.
    transform: `translate(${-placed.x * grown}px, ${-placed.y * grown}px) scale(${grown})`,
  }
}

/** Opens a document, which is then read by the ranges that its pages need. */
function useDocument({ source, attempt, open, fail }: Pick<PdfState, 'source' | 'attempt' | 'open' | 'fail'>) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt opens it anew
  useEffect(() => {
    if (source === null) return
    const task = getDocument({
      url: source,
      rangeChunkSize: CHUNK_BYTES,
      // Only what is asked for comes (both are needed for that).
      disableAutoFetch: true,
      disableStream: true,
      cMapUrl: `${PARTS}/cmaps/`,
      standardFontDataUrl: `${PARTS}/fonts/`,
      iccUrl: `${PARTS}/profiles/`,
      wasmUrl: `${PARTS}/wasm/`,
      isEvalSupported: false,
      enableXfa: false,
      // Typefaces that are not embedded look the same on every machine.
      useSystemFonts: false,
      verbosity: VerbosityLevel.ERRORS,
    })
    let isCurrent = true
    void (async () => {
      try {
        const document = await task.promise
        const layers = await document.getOptionalContentConfig()
        if (isCurrent) open(document, layers)
      } catch (error) {
        if (isCurrent) fail(reasonOf(error))
      }
    })()
    return () => {
      isCurrent = false
      void task.destroy()
    }
  }, [source, attempt, open, fail])
}

function reasonOf(error: unknown): string {
  // Its class is not exported.
  if (error instanceof Error && error.name === 'PasswordException') return 'The file asks for a password.'
  if (error instanceof InvalidPDFException) return 'The file is damaged.'
  if (error instanceof ResponseException) return 'The file could not be loaded.'
  return error instanceof Error ? `The reader stopped: ${error.message}` : 'The reader stopped.'
}

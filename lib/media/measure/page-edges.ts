import { readFile } from 'node:fs/promises'
import { PDFiumLibrary, type PDFiumPage } from '@hyzyla/pdfium'
import type { EdgeFacts, PageEdges } from '../measurements'

const MOST_PAGES = 20
const POINTS_PER_INCH = 72
const MM_PER_POINT = 25.4 / POINTS_PER_INCH
const DPI = 144
const LONGEST_SIDE = 4000
/** A channel that is darker than this is ink. */
const PAPER = 250
/** Points of an edge whose ink may end earlier: what ends there by design, and the corners. */
const SPARE = 0.05

/** Points from the lower left corner of the page's space. */
type Rectangle = { left: number; bottom: number; right: number; top: number }

/**
 * How far beyond the trim the pages are painted, of pages that state a trim and a bleed box: drawn whole, and followed
 * outwards from every point of the trim's edges that bears ink. Runs in the sandboxed child; rejects with the drawer's
 * reason.
 */
export async function measureEdges(path: string): Promise<PageEdges[]> {
  const bytes = await readFile(path)
  const library = await PDFiumLibrary.init()
  try {
    const document = await library.loadDocument(bytes)
    try {
      const edges: PageEdges[] = []
      for (let index = 0; index < Math.min(document.getPageCount(), MOST_PAGES); index++) {
        const measured = await edgesOf(document.getPage(index))
        if (measured) edges.push({ page: index + 1, ...measured })
      }
      return edges
    } finally {
      document.destroy()
    }
  } finally {
    library.destroy()
  }
}

async function edgesOf(page: PDFiumPage): Promise<Omit<PageEdges, 'page'> | null> {
  const access = boxesOf(page)
  const [trim, bleed, media] = [access.read('Trim'), access.read('Bleed'), access.read('Media')]
  if (!trim || !bleed || !media) return null
  // The drawer shows the crop box, which may end at the trim.
  access.showWhole(media)
  const size = { width: media.right - media.left, height: media.top - media.bottom }
  const scale = Math.min(DPI / POINTS_PER_INCH, LONGEST_SIDE / Math.max(size.width, size.height))
  const { data, width, height } = await page.render({ scale, render: 'bitmap', colorSpace: 'BGRA' })
  const isInk = (x: number, y: number): boolean => {
    if (x < 0 || y < 0 || x >= width || y >= height) return false
    const at = (y * width + x) * 4
    if ((data[at + 3] as number) < 255 - PAPER) return false
    return (data[at] as number) < PAPER || (data[at + 1] as number) < PAPER || (data[at + 2] as number) < PAPER
  }
  const across = (points: number) => (points - media.left) * (width / size.width)
  const down = (points: number) => (media.top - points) * (height / size.height)
  const edge = (of: Rectangle) => ({
    left: across(of.left),
    right: across(of.right),
    top: down(of.top),
    bottom: down(of.bottom),
  })
  const [cut, end] = [edge(trim), edge(bleed)]
  const mm = MM_PER_POINT * (size.width / width)
  const inner = {
    left: Math.ceil(cut.left),
    right: Math.floor(cut.right),
    top: Math.ceil(cut.top),
    bottom: Math.floor(cut.bottom),
  }
  const columns = [inner.left, inner.right] as const
  const rows = [inner.top, inner.bottom] as const
  return {
    left: follow(rows, (at, out) => isInk(inner.left - out, at), cut.left - end.left, mm),
    right: follow(rows, (at, out) => isInk(inner.right - 1 + out, at), end.right - cut.right, mm),
    top: follow(columns, (at, out) => isInk(at, inner.top - out), cut.top - end.top, mm),
    bottom: follow(columns, (at, out) => isInk(at, inner.bottom - 1 + out), end.bottom - cut.bottom, mm),
  }
}

/** `isInk`: at a point of the edge, so many points outwards; at 0 and below it lies within the trim. */
function follow(
  [from, until]: readonly [number, number],
  isInk: (at: number, out: number) => boolean,
  depth: number,
  mm: number,
): EdgeFacts {
  const reaches: number[] = []
  const most = Math.ceil(depth)
  for (let at = from; at < until; at++) {
    // Two points within, since the outermost may be one that the edge of the ink half covers.
    if (!isInk(at, 0) || !isInk(at, -1) || !isInk(at, -2)) continue
    let out = 1
    while (out <= most && isInk(at, out)) out++
    reaches.push(out - 1)
  }
  if (reaches.length === 0 || until <= from) return { inkShare: 0, reachMm: null }
  reaches.sort((a, b) => a - b)
  const reach = reaches[Math.floor(reaches.length * SPARE)] ?? 0
  const round = (value: number) => Math.round(value * 100) / 100
  // Ink up to the end of the box goes on beyond it, for all that matters here.
  return {
    inkShare: round(reaches.length / (until - from)),
    reachMm: round(Math.min(reach >= most - 1 ? depth : reach, depth) * mm),
  }
}

/** PDFium's own functions, which its wrapper keeps to itself. */
type Native = Record<string, (...args: number[]) => number> & {
  HEAPU8: Uint8Array
  wasmExports: { malloc(bytes: number): number; free(place: number): void }
}

function boxesOf(page: PDFiumPage) {
  const { module, pageIdx } = page as unknown as { module: Native; pageIdx: number }
  return {
    /** Null where the page does not state the box. */
    read(name: 'Trim' | 'Bleed' | 'Media'): Rectangle | null {
      const place = module.wasmExports.malloc(16)
      try {
        const isStated = module[`_FPDFPage_Get${name}Box`]?.(pageIdx, place, place + 4, place + 8, place + 12)
        if (!isStated) return null
        const [left, bottom, right, top] = new Float32Array(module.HEAPU8.slice(place, place + 16).buffer)
        if (left === undefined || bottom === undefined || right === undefined || top === undefined) return null
        return {
          left: Math.min(left, right),
          bottom: Math.min(bottom, top),
          right: Math.max(left, right),
          top: Math.max(bottom, top),
        }
      } finally {
        module.wasmExports.free(place)
      }
    },
    /** Draws all of the sheet from now on, not turned. */
    showWhole({ left, bottom, right, top }: Rectangle): void {
      module._FPDFPage_SetRotation?.(pageIdx, 0)
      module._FPDFPage_SetCropBox?.(pageIdx, left, bottom, right, top)
    },
  }
}

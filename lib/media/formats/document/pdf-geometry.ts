import { type Corners, IDENTITY, type Matrix } from './pdf-operations'
import type { PdfValue } from './pdf-syntax'

export const EMPTY: Corners = { left: 0, bottom: 0, right: 0, top: 0 }
/** Where nothing is: what a clip leaves that misses the page. */
export const NOWHERE: Corners = { left: 1e9, bottom: 1e9, right: 1e9, top: 1e9 }
export const UNIT_SQUARE: Corners = { left: 0, bottom: 0, right: 1, top: 1 }

export function matrixOf(operands: readonly PdfValue[]): Matrix {
  const [a, b, c, d, e, f] = operands.map((each) => (typeof each === 'number' ? each : 0))
  return f === undefined ? IDENTITY : ([a, b, c, d, e, f] as Matrix)
}

/** How much a matrix scales where it scales least: the smaller singular value. */
export function thinnest([a, b, c, d]: Matrix): number {
  const [sum, difference] = [a * a + b * b + c * c + d * d, Math.abs(a * d - b * c)]
  const root = Math.sqrt(Math.max(0, sum * sum - 4 * difference * difference))
  return Math.sqrt(Math.max(0, (sum - root) / 2))
}

/** What two rectangles share; null where they miss one another. A line has no height, and is there nevertheless. */
export function overlap(a: Corners, b: Corners): Corners | null {
  const shared = {
    left: Math.max(a.left, b.left),
    right: Math.min(a.right, b.right),
    bottom: Math.max(a.bottom, b.bottom),
    top: Math.min(a.top, b.top),
  }
  return shared.left <= shared.right && shared.bottom <= shared.top ? shared : null
}

/** Whether a matrix leaves the sides of rectangles along the axes. */
export const isUpright = ([a, b, c, d]: Matrix) => Math.min(Math.abs(a) + Math.abs(d), Math.abs(b) + Math.abs(c)) < 1e-6

export const contains = (outer: Corners, inner: Corners) =>
  outer.left <= inner.left && outer.right >= inner.right && outer.bottom <= inner.bottom && outer.top >= inner.top

export const grow = ({ left, bottom, right, top }: Corners, by: number): Corners => ({
  left: left - by,
  bottom: bottom - by,
  right: right + by,
  top: top + by,
})

/** From the upper left corner of the page as it is seen, downwards. */
export function turned(place: Corners, page: Corners, turn: number) {
  const [width, height] = [page.right - page.left, page.top - page.bottom]
  const at = {
    left: place.left - page.left,
    right: place.right - page.left,
    top: page.top - place.top,
    bottom: page.top - place.bottom,
  }
  if (turn === 90) return { left: height - at.bottom, right: height - at.top, top: at.left, bottom: at.right }
  if (turn === 180)
    return { left: width - at.right, right: width - at.left, top: height - at.bottom, bottom: height - at.top }
  if (turn === 270) return { left: at.top, right: at.bottom, top: width - at.right, bottom: width - at.left }
  return at
}

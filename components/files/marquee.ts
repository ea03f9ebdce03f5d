/** Points and boxes of the document, in pixels. */
export type Point = { x: number; y: number }
export type Box = { left: number; top: number; right: number; bottom: number }

/** The box between the point where a drag began and the one where it is. */
export const boxBetween = (from: Point, to: Point): Box => ({
  left: Math.min(from.x, to.x),
  top: Math.min(from.y, to.y),
  right: Math.max(from.x, to.x),
  bottom: Math.max(from.y, to.y),
})

export const meets = (a: Box, b: Box) =>
  a.left <= b.right && b.left <= a.right && a.top <= b.bottom && b.top <= a.bottom

/** As far a pointer moves before a press is a drag. */
const LEAST_DRAG = 5
export const isDrag = (from: Point, to: Point) => Math.hypot(to.x - from.x, to.y - from.y) >= LEAST_DRAG

/** A grid of cards of one size: `left` and `top` are those of the first card. */
export type Grid = Point & { columns: number; cardWidth: number; cardHeight: number; gap: number; count: number }

/** Places of the cards that a box touches, from 0, in order. Cards that are not on the page are found as well. */
export function touched(box: Box, { x, y, columns, cardWidth, cardHeight, gap, count }: Grid): number[] {
  const [firstColumn, lastColumn] = span(box.left - x, box.right - x, cardWidth, gap, columns)
  const [firstRow, lastRow] = span(box.top - y, box.bottom - y, cardHeight, gap, Math.ceil(count / columns))
  const places: number[] = []
  for (let row = firstRow; row <= lastRow; row++) {
    for (let column = firstColumn; column <= lastColumn; column++) {
      const place = row * columns + column
      if (place < count) places.push(place)
    }
  }
  return places
}

/** The first and the last of a line of cards that a stretch touches; the gaps between them belong to none. */
function span(from: number, to: number, size: number, gap: number, count: number): [first: number, last: number] {
  const pitch = size + gap
  const first = Math.max(0, Math.ceil((from - size) / pitch))
  const last = Math.min(count - 1, Math.floor(to / pitch))
  return [first, last]
}

/** The page scrolls when the pointer is as near to an edge of the window, and as many pixels a frame at the most. */
const EDGE = 48
const FASTEST = 24

/** How far to scroll in this frame, pixels: the nearer to an edge, the farther. */
export function scrollStep(pointerY: number, windowHeight: number): number {
  const above = EDGE - pointerY
  const below = pointerY - (windowHeight - EDGE)
  if (above > 0) return -Math.ceil((Math.min(above, EDGE) / EDGE) * FASTEST)
  return below > 0 ? Math.ceil((Math.min(below, EDGE) / EDGE) * FASTEST) : 0
}

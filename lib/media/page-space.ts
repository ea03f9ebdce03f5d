/** Places on a page as it is seen, in the coordinates of its content. */

/** The part of a page that is shown, in points of its user space, and by how many degrees it is turned for viewing. */
export type SeenPage = { x: number; y: number; width: number; height: number; rotation: number }

type Spot = readonly [x: number, y: number]
export type Rect = readonly [left: number, bottom: number, right: number, top: number]

export const turnOf = ({ rotation }: SeenPage) => ((rotation % 360) + 360) % 360

/** Width and height of the page as it is seen, points. */
function seenSizeOf(page: SeenPage): { width: number; height: number } {
  const { width, height } = page
  return turnOf(page) % 180 === 0 ? { width, height } : { width: height, height: width }
}

/**
 * From shares of the seen page, counted from its upper left corner, to points of its user space (ISO 32000-1, 8.3.2.3). A
 * page that is turned for viewing is turned back.
 */
export function inUserSpace(page: SeenPage, [x, y]: Spot): [number, number] {
  const back = (): Spot => {
    switch (turnOf(page)) {
      case 90:
        return [y, x]
      case 180:
        return [1 - x, y]
      case 270:
        return [1 - y, 1 - x]
      default:
        return [x, 1 - y]
    }
  }
  const [right, up] = back()
  return [page.x + right * page.width, page.y + up * page.height]
}

/** The rectangle around places of the seen page, wider by `margin` points at each side. */
export function rectAround(page: SeenPage, places: readonly Spot[], margin = 0): Rect {
  const points = places.map((place) => inUserSpace(page, place))
  const [xs, ys] = [points.map(([x]) => x), points.map(([, y]) => y)]
  return [Math.min(...xs) - margin, Math.min(...ys) - margin, Math.max(...xs) + margin, Math.max(...ys) + margin]
}

/** Points: the side of a note’s icon, the type of a label, the width of what is drawn. */
const ICON = 20
export const LABEL = { size: 12, padding: 3 }
export const LINE = 2

/** Where a note stands whose place is `at`: its icon hangs from it. */
export function noteRect(page: SeenPage, at: Spot): Rect {
  const [x, y] = inUserSpace(page, at)
  return [x, y - ICON, x + ICON, y]
}

/** The corners of a label on the seen page, as shares, by how wide its words are in points; kept on the page. */
export function labelCorners(page: SeenPage, [x, y]: Spot, textWidth: number): [Spot, Spot] {
  const size = seenSizeOf(page)
  const width = Math.min(1, (textWidth + 2 * LABEL.padding) / size.width)
  const height = Math.min(1, (LABEL.size * 1.2 + 2 * LABEL.padding) / size.height)
  const [left, top] = [Math.min(x, 1 - width), Math.min(y, 1 - height)]
  return [
    [left, top],
    [left + width, top + height],
  ]
}

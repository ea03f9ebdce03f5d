import { levelsOf, TILE_SIZE } from '@/lib/domain/tiles/rules'

/** Where an image stands in its frame: CSS pixels, and those of them that one pixel of the image takes. */
export type Viewport = { scale: number; x: number; y: number }
type Size = { width: number; height: number }

/** A tile on the screen: whole pixels of the screen, so that no line is seen between two tiles. */
export type Placed = {
  level: number
  column: number
  row: number
  left: number
  top: number
  right: number
  bottom: number
}

/** The level that has a pixel for each of the screen and no more than it needs; the last where there are none smaller. */
export function levelFor(levels: number, deviceScale: number): number {
  const halved = Math.floor(Math.log2(1 / deviceScale) + 1e-9)
  return Math.min(levels - 1, Math.max(0, levels - 1 - halved))
}

/**
 * The tiles in sight, those in the middle first.
 * @param frame what is seen, CSS pixels
 * @param ratio pixels of the screen per CSS pixel
 */
export function tilesInSight(image: Size, viewport: Viewport, frame: Size, ratio: number): Placed[] {
  const levels = levelsOf(image.width, image.height)
  const number = levelFor(levels.length, viewport.scale * ratio)
  const level = levels[number]
  if (!level) return []
  const factor = 2 ** (levels.length - 1 - number)
  /** CSS pixels of a tile's side. */
  const side = TILE_SIZE * factor * viewport.scale
  const span = (at: number, length: number, count: number) => ({
    first: Math.max(0, Math.floor(-at / side)),
    last: Math.min(count - 1, Math.ceil((length - at) / side) - 1),
  })
  const columns = span(viewport.x, frame.width, level.columns)
  const rows = span(viewport.y, frame.height, level.rows)
  const x = (pixel: number) => Math.round((viewport.x + pixel * factor * viewport.scale) * ratio)
  const y = (pixel: number) => Math.round((viewport.y + pixel * factor * viewport.scale) * ratio)
  const placed: Placed[] = []
  for (let row = rows.first; row <= rows.last; row++)
    for (let column = columns.first; column <= columns.last; column++)
      placed.push({
        level: number,
        column,
        row,
        left: x(column * TILE_SIZE),
        top: y(row * TILE_SIZE),
        right: x(Math.min(level.width, (column + 1) * TILE_SIZE)),
        bottom: y(Math.min(level.height, (row + 1) * TILE_SIZE)),
      })
  const [middleX, middleY] = [frame.width * ratio, frame.height * ratio]
  const distance = ({ left, right, top, bottom }: Placed) => Math.hypot(left + right - middleX, top + bottom - middleY)
  return placed.sort((a, b) => distance(a) - distance(b))
}

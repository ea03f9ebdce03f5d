/** Which images are shown in tiles, and how these lie. Pure: the worker, the interface and the review room ask the same. */

/** Longest side of a tile, pixels. */
export const TILE_SIZE = 512
/** Up to here an image that browsers draw is no larger than a good screen, and is shown as a whole. */
const MOST_PIXELS_WHOLE = 4_000_000

const DRAWN_BY_BROWSERS: ReadonlySet<string> = new Set(['image/jpeg', 'image/png', 'image/webp', 'image/avif'])
/** Of these a browser has no pixels but those of a preview, which is coded with losses, however small they are. */
const DRAWN_BY_NONE: ReadonlySet<string> = new Set(['image/tiff', 'image/heic', 'image/vnd.adobe.photoshop'])

/** Of a file as the interface shows it, or as its row holds it. An animation is shown as it moves. */
export function needsTiles(mediaType: string, media: Record<string, unknown>): boolean {
  const isStill = mediaType === 'image/tiff' || Number(media.frames ?? 1) <= 1
  const pixels = Number(media.width) * Number(media.height)
  if (!isStill || !(pixels > 0)) return false
  return DRAWN_BY_NONE.has(mediaType) || (DRAWN_BY_BROWSERS.has(mediaType) && pixels > MOST_PIXELS_WHOLE)
}

export type Level = {
  width: number
  height: number
  columns: number
  rows: number
  /** How many tiles smaller levels have. */
  before: number
}

/**
 * The levels of an image, from the smallest, which is one tile, to the last, which has every pixel; each has half the
 * sides of the next, rounded up, as in Deep Zoom images.
 */
export function levelsOf(width: number, height: number): Level[] {
  const sizes = [{ width, height }]
  for (let size = { width, height }; Math.max(size.width, size.height) > TILE_SIZE; sizes.unshift(size))
    size = { width: Math.ceil(size.width / 2), height: Math.ceil(size.height / 2) }
  let before = 0
  return sizes.map((size) => {
    const columns = Math.ceil(size.width / TILE_SIZE)
    const rows = Math.ceil(size.height / TILE_SIZE)
    const level = { ...size, columns, rows, before }
    before += columns * rows
    return level
  })
}

/** The number of a tile among all, row by row; null where there is none at that place. */
export function tileNumber(levels: readonly Level[], level: number, column: number, row: number): number | null {
  const at = levels[level]
  if (!at || !(column >= 0 && column < at.columns && row >= 0 && row < at.rows)) return null
  return at.before + row * at.columns + column
}

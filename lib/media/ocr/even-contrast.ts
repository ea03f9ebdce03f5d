/** Side of the parts whose darkest and lightest point are noted; a letter is smaller, a headline is not. */
const TILE = 40
/** Share of points at either end that are left out as noise. */
const OUTLIERS = 0.005
/** A part that differs less shows nothing but a ground: it is stretched like the parts around it. */
const LEAST_RANGE = 16

/**
 * Stretches grey locally, so that what is pale on white is read like what is black on it. Each part is stretched by
 * what it and its neighbours hold, with soft transitions; an image that shows nothing stays as it is.
 */
export function evenContrast(grey: Uint8Array, width: number, height: number): Uint8Array {
  const [across, down] = [Math.max(1, Math.ceil(width / TILE)), Math.max(1, Math.ceil(height / TILE))]
  const own = Array.from({ length: across * down }, (_, tile) =>
    rangeOf(grey, width, height, (tile % across) * TILE, Math.floor(tile / across) * TILE),
  )
  const around = own.map((_, tile) => pooled(own, neighbours(tile, across, down)))
  const ranges = filled(around, across, down)
  if (!ranges) return grey
  const even = new Uint8Array(grey.length)
  for (let y = 0; y < height; y++) {
    const row = Math.min(down - 1, Math.max(0, (y + 0.5) / TILE - 0.5))
    const [top, share] = [Math.floor(row), row - Math.floor(row)]
    const bottom = Math.min(down - 1, top + 1)
    for (let tile = 0; tile < across; tile++) {
      // Between the middles of two parts both count.
      const next = Math.min(across - 1, tile + 1)
      const low0 = mix(ranges[top * across + tile]?.low, ranges[bottom * across + tile]?.low, share)
      const high0 = mix(ranges[top * across + tile]?.high, ranges[bottom * across + tile]?.high, share)
      const low1 = mix(ranges[top * across + next]?.low, ranges[bottom * across + next]?.low, share)
      const high1 = mix(ranges[top * across + next]?.high, ranges[bottom * across + next]?.high, share)
      const from = tile === 0 ? 0 : tile * TILE + TILE / 2
      const to = Math.min(width, tile === across - 1 ? width : next * TILE + TILE / 2)
      for (let x = from; x < to; x++) {
        const part = Math.min(1, Math.max(0, (x - tile * TILE - TILE / 2) / TILE))
        const low = low0 + (low1 - low0) * part
        const high = high0 + (high1 - high0) * part
        const value = (((grey[y * width + x] as number) - low) * 255) / (high - low)
        even[y * width + x] = Math.min(255, Math.max(0, value))
      }
    }
  }
  return even
}

type Range = { low: number; high: number }

const mix = (a = 0, b = 0, share: number) => a + (b - a) * share

function rangeOf(grey: Uint8Array, width: number, height: number, left: number, top: number): Range {
  const counts = new Uint16Array(256)
  const [right, bottom] = [Math.min(width, left + TILE), Math.min(height, top + TILE)]
  for (let y = top; y < bottom; y++) {
    for (let x = left; x < right; x++) {
      const value = grey[y * width + x] as number
      counts[value] = (counts[value] as number) + 1
    }
  }
  const most = Math.floor((right - left) * (bottom - top) * OUTLIERS)
  const end = (from: number, step: 1 | -1) => {
    let at = from
    for (
      let seen = counts[at] as number;
      seen <= most && at + step >= 0 && at + step < 256;
      seen += counts[at] as number
    ) {
      at += step
    }
    return at
  }
  return { low: end(0, 1), high: end(255, -1) }
}

/** The part itself and those that touch it. */
function neighbours(tile: number, across: number, down: number): number[] {
  const [column, row] = [tile % across, Math.floor(tile / across)]
  return [-1, 0, 1].flatMap((dy) =>
    [-1, 0, 1].flatMap((dx) => {
      const [x, y] = [column + dx, row + dy]
      return x >= 0 && x < across && y >= 0 && y < down ? [y * across + x] : []
    }),
  )
}

function pooled(ranges: readonly Range[], tiles: readonly number[]): Range | null {
  const low = Math.min(...tiles.map((tile) => ranges[tile]?.low ?? 255))
  const high = Math.max(...tiles.map((tile) => ranges[tile]?.high ?? 0))
  return high - low >= LEAST_RANGE ? { low, high } : null
}

/** Gives parts that show nothing the mean range of those around them, from the edges of what shows something inwards. */
function filled(known: readonly (Range | null)[], across: number, down: number): Range[] | null {
  let ranges = [...known]
  if (ranges.every((range) => range === null)) return null
  while (ranges.includes(null)) {
    ranges = ranges.map((range, tile) => {
      if (range) return range
      const near = neighbours(tile, across, down).flatMap((other) => ranges[other] ?? [])
      if (near.length === 0) return null
      const mean = (of: (range: Range) => number) => near.reduce((sum, each) => sum + of(each), 0) / near.length
      return { low: mean(({ low }) => low), high: mean(({ high }) => high) }
    })
  }
  return ranges as Range[]
}

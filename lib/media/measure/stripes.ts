/**
 * Regular patterns that may harm photosensitive people (ITU-R BT.1702-3, Annex 1; Ofcom's guidance on flashing images):
 * more than five pairs of clearly visible light and dark stripes over a quarter of the screen and more.
 */

/** Least step of relative luminance between stripes that are clearly seen, the darker below 0.80. */
const STEP = 0.2
const DARKER = 0.8
const LEAST_PAIRS = 6
/** Stripes whose widths vary by more than this, of their mean, are no pattern but a scene. */
const MOST_VARIATION = 0.2

/** Share of the image that lies in rows or columns of regular stripes; `luminance` by rows, 0..1. */
export function stripedShare(luminance: Float32Array, columns: number, rows: number): number {
  let [inRows, inColumns] = [0, 0]
  for (let row = 0; row < rows; row++) inRows += stripedLength(luminance, row * columns, 1, columns)
  for (let column = 0; column < columns; column++) inColumns += stripedLength(luminance, column, columns, rows)
  return Math.max(inRows, inColumns) / (columns * rows)
}

/** Points of one line that lie in a regular run of stripes. */
function stripedLength(luminance: Float32Array, first: number, step: number, length: number): number {
  let extreme = luminance[first] as number
  let direction = 0
  let turnedAt = 0
  let run: number[] = []
  let covered = 0
  const close = () => {
    // The outermost stripes have no turn on one of their sides: they are counted as wide as the others.
    if (run.length >= 2 * LEAST_PAIRS - 2 && isRegular(run)) {
      covered += Math.min(length, run.reduce((sum, width) => sum + width, 0) * (1 + 2 / run.length))
    }
    run = []
  }
  for (let at = 1; at < length; at++) {
    const here = luminance[first + at * step] as number
    const change = here - extreme
    if (Math.abs(change) >= STEP && Math.sign(change) !== direction && Math.min(here, extreme) < DARKER) {
      if (direction !== 0) run.push(at - turnedAt)
      // A stripe far wider than those before is where the pattern ends.
      if (run.length > 2 && (run.at(-1) ?? 0) > 2 * (run.at(-2) ?? 0)) close()
      turnedAt = at
      direction = Math.sign(change)
      extreme = here
    } else if (direction === 0 ? false : Math.sign(change) === direction) extreme = here
  }
  close()
  return covered
}

/** Pairs are compared: light stripes may be wider than dark ones. */
function isRegular(widths: readonly number[]): boolean {
  const pairs = widths.slice(1).map((width, index) => width + (widths[index] ?? 0))
  const mean = pairs.reduce((sum, width) => sum + width, 0) / pairs.length
  const variance = pairs.reduce((sum, width) => sum + (width - mean) ** 2, 0) / pairs.length
  return Math.sqrt(variance) <= Math.max(MOST_VARIATION * mean, 1)
}

import { AREA, LEAST, type Matrix, STEP, tablesOf } from './levels'
import { CHROMA_COLUMNS, type VideoPoints } from './video-meter'

/** Steps of a table of levels, of black and of white. */
const stepOf = (percent: number) => (percent - LEAST) / STEP
const BLACK = stepOf(0)
const WHITE = stepOf(100)

/**
 * Finds the frames whose levels have to be measured, by the 80 × 45 points that were picked from each anyway: a frame counts
 * where more than 1 % of its points lie farther beyond black or white than those of all frames before. Points are picked and
 * not averaged, so what averaging would take off is farther out here, and no frame is left out for it.
 */
export class LevelScreen {
  private highest = WHITE
  private lowest = BLACK

  /** Whether a frame counts; all later ones are compared with it. */
  isFarther({ luma, u, v, isFullRange }: VideoPoints, matrix: Matrix): boolean {
    const { ofLuma, redOfV, greenOfU, greenOfV, blueOfU } = tablesOf(matrix, isFullRange)
    const { highest, lowest } = this
    const above: number[] = []
    const below: number[] = []
    for (let at = 0; at < u.length; at++) {
      const cb = u[at] as number
      const cr = v[at] as number
      // Every second point of every second row of luma.
      const row = Math.floor(at / CHROMA_COLUMNS)
      const y = ofLuma[luma[2 * (at + row * CHROMA_COLUMNS)] as number] as number
      const r = y + (redOfV[cr] as number)
      const g = y - (greenOfU[cb] as number) - (greenOfV[cr] as number)
      const b = y + (blueOfU[cb] as number)
      if (r > highest || g > highest || b > highest) above.push(Math.max(r, g, b))
      if (r < lowest || g < lowest || b < lowest) below.push(Math.min(r, g, b))
    }
    const few = Math.floor(AREA * u.length)
    const isFarther = above.length > few || below.length > few
    // The level that more points than these reach.
    if (above.length > few) this.highest = above.sort((a, b) => b - a)[few] as number
    if (below.length > few) this.lowest = below.sort((a, b) => a - b)[few] as number
    return isFarther
  }
}

/** A stroke as it is kept: fewer points than the pointer gave, by the same line to the eye. */

export type Spot = [x: number, y: number]

/** Pixels of the screen by which the line may differ from what was drawn. */
const TOLERANCE = 0.8
/** Points of one stroke; a comment has 2,000 in all. */
const MOST = 300

/**
 * Drops points that lie on the line between their neighbours (Ramer, Douglas and Peucker), more of them until few enough
 * are left.
 * @param points shares of the image
 * @param size of the image on the screen, pixels
 */
export function simplify(points: readonly Spot[], size: { width: number; height: number }, most = MOST): Spot[] {
  let tolerance = TOLERANCE
  let kept = reduce(points, size, tolerance)
  while (kept.length > most) {
    tolerance *= 1.6
    kept = reduce(points, size, tolerance)
  }
  return kept
}

function reduce(points: readonly Spot[], size: { width: number; height: number }, tolerance: number): Spot[] {
  const keep = new Set([0, points.length - 1])
  const open: [number, number][] = [[0, points.length - 1]]
  for (let span = open.pop(); span; span = open.pop()) {
    const [first, last] = span
    let farthest = -1
    let most = tolerance
    for (let index = first + 1; index < last; index++) {
      const distance = distanceTo(points[index], points[first], points[last], size)
      if (distance <= most) continue
      most = distance
      farthest = index
    }
    if (farthest < 0) continue
    keep.add(farthest)
    open.push([first, farthest], [farthest, last])
  }
  return points.filter((_, index) => keep.has(index))
}

/** Pixels from a point to the line between two others. */
function distanceTo(
  at: Spot | undefined,
  from: Spot | undefined,
  to: Spot | undefined,
  { width, height }: { width: number; height: number },
): number {
  if (!at || !from || !to) return 0
  const [dx, dy] = [(to[0] - from[0]) * width, (to[1] - from[1]) * height]
  const [px, py] = [(at[0] - from[0]) * width, (at[1] - from[1]) * height]
  const length = dx * dx + dy * dy
  const along = length === 0 ? 0 : Math.min(1, Math.max(0, (px * dx + py * dy) / length))
  return Math.hypot(px - along * dx, py - along * dy)
}

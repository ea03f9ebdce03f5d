/**
 * How many characters must be typed, deleted, replaced or swapped with their neighbour to turn one text into the
 * other (optimal string alignment distance). Only the first 64 characters count.
 */
function editDistance(left: string, right: string): number {
  const a = Array.from(left).slice(0, 64)
  const b = Array.from(right).slice(0, 64)
  let beforeLast: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, at) => at)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const replaced = (last[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      let least = Math.min(replaced, (last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1)
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        least = Math.min(least, (beforeLast[j - 2] ?? 0) + 1)
      }
      row.push(least)
    }
    beforeLast = last
    last = row
  }
  return last[b.length] ?? 0
}

/**
 * The one candidate that a person most likely meant, compared without case; null when none is near enough (one typing
 * error in four characters), both ends differ, or two are equally near.
 */
export function findNearest(text: string, candidates: readonly string[]): string | null {
  const wanted = text.toLowerCase()
  let nearest: string | null = null
  let least = Number.POSITIVE_INFINITY
  for (const candidate of candidates) {
    const length = Math.max(wanted.length, candidate.length)
    const limit = length <= 5 ? 1 : Math.floor(length / 4)
    if (wanted.length < 2 || Math.abs(wanted.length - candidate.length) > limit) continue
    const other = candidate.toLowerCase()
    if (wanted[0] !== other[0] && wanted.at(-1) !== other.at(-1)) continue
    const distance = editDistance(wanted, other)
    if (distance > limit || distance > least) continue
    nearest = distance === least ? null : candidate
    least = distance
  }
  return nearest
}

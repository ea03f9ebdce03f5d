import type { KeyFrame, SharedFrames } from '@/lib/media/measurements'
import { hashDistance } from './hash-distance'

/**
 * The longest row of key frames that two videos show in the same order: a copy with its beginning cut off, in another size or
 * another coding shares nearly all of them, a spot with the same end card only that. A single key frame says nothing unless
 * both videos consist of it. Null when they share no row.
 */
export function sharedFrames(
  own: readonly KeyFrame[],
  other: readonly KeyFrame[],
  mostBits: number,
): SharedFrames | null {
  const [rows, columns] = [own.length, other.length]
  /** Length of the row and its differing bits that begins at each pair or later. */
  const lengths = Array.from({ length: rows + 1 }, () => new Int32Array(columns + 1))
  const bits = Array.from({ length: rows + 1 }, () => new Int32Array(columns + 1))
  for (let a = rows - 1; a >= 0; a--) {
    for (let b = columns - 1; b >= 0; b--) {
      const differing = frameDistance(own[a] as KeyFrame, other[b] as KeyFrame)
      const ways = [
        [at(lengths, a + 1, b), at(bits, a + 1, b)],
        [at(lengths, a, b + 1), at(bits, a, b + 1)],
        ...(differing <= mostBits ? [[at(lengths, a + 1, b + 1) + 1, at(bits, a + 1, b + 1) + differing]] : []),
      ] as [number, number][]
      const [length, sum] = ways.reduce((best, way) =>
        way[0] > best[0] || (way[0] === best[0] && way[1] < best[1]) ? way : best,
      )
      ;(lengths[a] as Int32Array)[b] = length
      ;(bits[a] as Int32Array)[b] = sum
    }
  }
  const shared = at(lengths, 0, 0)
  if (shared < Math.min(2, Math.max(rows, columns)) || shared === 0) return null
  return { shared, of: Math.min(rows, columns), distance: Math.round(at(bits, 0, 0) / shared) }
}

const at = (table: Int32Array[], row: number, column: number) => table[row]?.[column] ?? 0

/** Two frames are as near as the nearer of both ways to compare them. */
function frameDistance(a: KeyFrame, b: KeyFrame): number {
  const whole = hashDistance(a.whole, b.whole)
  return a.middle && b.middle ? Math.min(whole, hashDistance(a.middle, b.middle)) : whole
}

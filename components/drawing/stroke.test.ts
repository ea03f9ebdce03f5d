import { describe, expect, test } from 'vitest'
import { type Spot, simplify } from './stroke'

const size = { width: 1000, height: 500 }

describe('a stroke', () => {
  test('keeps the ends of a straight line, and the corners of one with corners', () => {
    const line = Array.from({ length: 200 }, (_, index): Spot => [index / 200, 0.5])
    expect(simplify(line, size)).toEqual([line[0], line[199]])
    const corner: Spot[] = [
      ...line.slice(0, 100),
      ...line.slice(0, 100).map(([x], at): Spot => [0.495, 0.5 + x * (at ? 1 : 0)]),
    ]
    expect(simplify(corner, size)).toHaveLength(3)
  })

  test('differs from what was drawn by less than a pixel', () => {
    const wave = Array.from({ length: 400 }, (_, index): Spot => [index / 400, 0.5 + 0.2 * Math.sin(index / 30)])
    const kept = simplify(wave, size)
    expect(kept.length).toBeLessThan(120)
    for (const [x, y] of wave) {
      const after = kept.findIndex(([at]) => at >= x)
      const a: Spot = kept[Math.max(0, after - 1)] ?? [0, 0]
      const b: Spot = kept[after] ?? [1, 1]
      const share = b[0] === a[0] ? 0 : (x - a[0]) / (b[0] - a[0])
      expect(Math.abs(a[1] + share * (b[1] - a[1]) - y) * size.height).toBeLessThan(2)
    }
  })

  test('of any length has few enough points to be sent', () => {
    const scribble = Array.from({ length: 20_000 }, (_, index): Spot => [(index * 0.37) % 1, (index * 0.73) % 1])
    expect(simplify(scribble, size).length).toBeLessThanOrEqual(300)
    expect(
      simplify(
        [
          [0.1, 0.1],
          [0.1, 0.1],
        ],
        size,
      ),
    ).toHaveLength(2)
  })
})

import { describe, expect, it } from 'vitest'
import { levelFor, tilesInSight } from './tile-layout'

describe('the level that is shown', () => {
  it.each([
    [4, 5],
    [1, 5],
    [0.7, 5],
    [0.5, 4],
    [0.3, 4],
    [0.25, 3],
    [0.001, 0],
  ])('at %d pixels of the screen per pixel', (scale, level) => {
    expect(levelFor(6, scale)).toBe(level)
  })
})

describe('the tiles in sight', () => {
  const image = { width: 10_000, height: 8000 }
  const frame = { width: 800, height: 600 }

  it('are those of the frame only, at whole pixels of the screen', () => {
    const placed = tilesInSight(image, { scale: 1, x: -1000.4, y: -700.4 }, frame, 1)
    expect(placed.map(({ column, row }) => `${column},${row}`).sort()).toEqual([
      '1,1',
      '1,2',
      '2,1',
      '2,2',
      '3,1',
      '3,2',
    ])
    const one = placed.find(({ column, row }) => column === 2 && row === 1)
    expect(one).toEqual({ level: 5, column: 2, row: 1, left: 24, top: -188, right: 536, bottom: 324 })
  })

  it('are placed without gaps at any scale, and take the pixels of a dense screen', () => {
    for (const scale of [0.013, 0.37, 1.7, 31]) {
      const placed = tilesInSight(image, { scale, x: 3.3, y: -2.7 }, frame, 1.5)
      for (const tile of placed) {
        const next = placed.find(({ column, row }) => column === tile.column + 1 && row === tile.row)
        if (next) expect(next.left).toBe(tile.right)
      }
    }
    expect(tilesInSight(image, { scale: 0.5, x: 0, y: 0 }, frame, 2)[0]?.level).toBe(5)
  })

  it('are none where the image is out of sight', () => {
    expect(tilesInSight(image, { scale: 1, x: 900, y: 0 }, frame, 1)).toEqual([])
  })
})

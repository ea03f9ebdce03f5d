import { describe, expect, it } from 'vitest'
import { levelsOf, needsTiles, tileNumber } from './rules'

describe('which images are shown in tiles', () => {
  const large = { width: 3000, height: 2000 }
  it.each([
    ['a large JPEG', 'image/jpeg', large, true],
    ['a large PSD', 'image/vnd.adobe.photoshop', large, true],
    ['a TIFF of several pages, by its first', 'image/tiff', { ...large, frames: 4 }, true],
    ['a small TIFF, which no browser draws', 'image/tiff', { width: 40, height: 30 }, true],
    ['a small HEIC', 'image/heic', { width: 40, height: 30 }, true],
    ['four megapixels', 'image/png', { width: 2000, height: 2000 }, false],
    ['an animation', 'image/webp', { ...large, frames: 12 }, false],
    ['a GIF', 'image/gif', large, false],
    ['a drawing, which has no pixels', 'image/svg+xml', large, false],
    ['what was not measured', 'image/png', {}, false],
    ['a TIFF that was not measured', 'image/tiff', {}, false],
  ])('%s', (_name, mediaType, media, isNeeded) => {
    expect(needsTiles(mediaType, media)).toBe(isNeeded)
  })
})

describe('levels', () => {
  it('go from one tile to every pixel, half of the next each', () => {
    expect(levelsOf(10_000, 8000).map(({ width, height }) => [width, height])).toEqual([
      [313, 250],
      [625, 500],
      [1250, 1000],
      [2500, 2000],
      [5000, 4000],
      [10_000, 8000],
    ])
  })

  it('count their tiles', () => {
    const levels = levelsOf(1100, 600)
    expect(levels).toEqual([
      { width: 275, height: 150, columns: 1, rows: 1, before: 0 },
      { width: 550, height: 300, columns: 2, rows: 1, before: 1 },
      { width: 1100, height: 600, columns: 3, rows: 2, before: 3 },
    ])
    expect(tileNumber(levels, 0, 0, 0)).toBe(0)
    expect(tileNumber(levels, 2, 2, 1)).toBe(8)
    expect(tileNumber(levels, 2, 3, 0)).toBeNull()
    expect(tileNumber(levels, 2, 0, -1)).toBeNull()
    expect(tileNumber(levels, 3, 0, 0)).toBeNull()
    expect(tileNumber(levels, 1.5, 0, 0)).toBeNull()
    expect(tileNumber(levels, 1, Number.NaN, 0)).toBeNull()
  })

  it('of a small image are one', () => {
    expect(levelsOf(512, 1)).toHaveLength(1)
  })
})

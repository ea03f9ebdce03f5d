import { describe, expect, test } from 'vitest'
import type { Box } from '../measurements'
import { inkBox, letterHeights } from './ink-box'

const [WIDTH, HEIGHT] = [120, 60]
type Ink = (x: number, y: number) => boolean

/** Upright strokes in these rows, as of small letters. */
const strokes =
  (from: number, to: number): Ink =>
  (x, y) =>
    y >= from && y < to && x >= 20 && x < 100 && x % 6 < 2
const image = (ink: Ink, [dark, light]: readonly [number, number] = [20, 240]) => ({
  data: Uint8Array.from({ length: WIDTH * HEIGHT }, (_, at) =>
    ink(at % WIDTH, Math.floor(at / WIDTH)) ? dark : light,
  ),
  width: WIDTH,
  height: HEIGHT,
})
const BOX = { x: 20, y: 10, width: 80, height: 40 }

describe('the box of a word', () => {
  test.each<[string, Ink, readonly [number, number] | undefined, [number, number]]>([
    ['where the reader stated the line', strokes(24, 32), undefined, [24, 8]],
    ['light on dark', strokes(24, 32), [240, 20], [24, 8]],
    ['pale on pale', strokes(24, 32), [200, 235], [24, 8]],
    [
      'with dots above the letters',
      (x, y) => strokes(24, 34)(x, y) || (x % 24 < 2 && y >= 19 && y < 21),
      undefined,
      [19, 15],
    ],
    ['without a part of the line above', (x, y) => strokes(26, 36)(x, y) || strokes(10, 14)(x, y), undefined, [26, 10]],
    ['without a part of a headline below', (x, y) => strokes(14, 24)(x, y) || (y >= 44 && x > 50), undefined, [14, 10]],
  ])('is that of its ink, %s', (_name, ink, colours, [y, height]) => {
    expect(inkBox(image(ink, colours), BOX)).toEqual({ ...BOX, y, height })
  })

  test('stays as it was where nothing parts ink from ground', () => {
    expect(inkBox(image(strokes(24, 32), [128, 140]), BOX)).toEqual(BOX)
    expect(
      inkBox(
        image(() => false),
        BOX,
      ),
    ).toEqual(BOX)
  })

  test('may reach out of the image', () => {
    expect(inkBox(image(strokes(2, 9)), { x: -4, y: -6, width: 140, height: 30 })).toMatchObject({ y: 2, height: 7 })
  })
})

describe('letters of words that slope', () => {
  /** Boxes around words of that height, each so wide, along a line of that slope. */
  const line = (slope: number, height: number, ...widths: number[]): Box[] => {
    let x = 10
    return widths.map((width) => {
      const box = {
        x,
        y: 100 + slope * x - (slope < 0 ? -slope * width : 0),
        width,
        height: height + Math.abs(slope) * width,
      }
      x += width + height / 2
      return box
    })
  }
  test.each([-0.2, -0.1, 0.1, 0.2])('are as high as they are set, at a slope of %f', (slope) => {
    for (const height of letterHeights(line(slope, 12, 50, 50, 50, 50))) expect(height).toBeCloseTo(12, 0)
  })

  test('are as high as their boxes where they are level, with descenders and beside other lines', () => {
    const level = [
      { x: 10, y: 100, width: 50, height: 12 },
      { x: 66, y: 100, width: 30, height: 16 },
      { x: 102, y: 97, width: 60, height: 15 },
    ]
    expect(letterHeights(level)).toEqual([12, 16, 15])
    const lines = [
      { x: 400, y: 80, width: 170, height: 70 },
      { x: 60, y: 185, width: 62, height: 16 },
      { x: 60, y: 205, width: 80, height: 16 },
    ]
    expect(letterHeights(lines)).toEqual([70, 16, 16])
    expect(letterHeights([])).toEqual([])
  })
})

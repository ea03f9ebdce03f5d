import { expect, test } from 'vitest'
import { LevelScreen } from './level-screen'
import { CHROMA_COLUMNS, CHROMA_ROWS, COLUMNS, ROWS, type VideoPoints } from './video-meter'

/** A frame of one luma, with other codes in the upper part of it. */
function points({ luma = 126, v = 128, rows = 0 }: { luma?: number; v?: number; rows?: number }): VideoPoints {
  const frame = {
    luma: new Uint8Array(COLUMNS * ROWS).fill(126),
    u: new Uint8Array(CHROMA_COLUMNS * CHROMA_ROWS).fill(128),
    v: new Uint8Array(CHROMA_COLUMNS * CHROMA_ROWS).fill(128),
    isFullRange: false,
  }
  frame.luma.fill(luma, 0, 2 * rows * COLUMNS)
  frame.v.fill(v, 0, rows * CHROMA_COLUMNS)
  return frame
}

const found = (...frames: VideoPoints[]) => {
  const screen = new LevelScreen()
  return frames.map((frame) => screen.isFarther(frame, 'bt709'))
}

test('only frames that lie farther beyond black or white than all before count', () => {
  const white = (luma: number) => points({ luma, rows: 10 })
  expect(found(points({}), white(235), white(240), white(240), white(238), white(241), white(255))).toEqual([
    false,
    false,
    true,
    false,
    false,
    true,
    true,
  ])
  expect(found(white(16), white(15), white(15), white(1)), 'black').toEqual([false, true, false, true])
})

test('more than 1 % of the points have to, wherever they stand', () => {
  // A row is 2.2 % of the points.
  expect(found(points({ luma: 255, rows: 1 }))).toEqual([true])
  const speck = points({})
  speck.luma.fill(255, 40 * COLUMNS, 40 * COLUMNS + 70)
  expect(found(speck)).toEqual([false])
  const last = points({})
  last.luma.fill(255, 88 * COLUMNS)
  expect(found(last)).toEqual([true])
})

test('colours count by the highest and lowest of R, G and B', () => {
  expect(found(points({ luma: 110, v: 200, rows: 10 }))).toEqual([false])
  expect(found(points({ luma: 200, v: 200, rows: 10 })), 'red above white').toEqual([true])
  expect(found(points({ luma: 30, v: 60, rows: 10 })), 'red below black').toEqual([true])
})

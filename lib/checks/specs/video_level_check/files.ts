import { bad, good } from '../files'
import { clip } from '../video-files'

type Colour = readonly [luma: number, u: number, v: number]

/** A grey ground that moves, and a patch of codes in its middle; BT.601, as a small video without a statement is taken for. */
const patch = (width: number, height: number, colour: Colour) =>
  clip({
    width: 320,
    height: 180,
    frames: 25,
    options: { crf: '1' },
    paint: (frame, x, y) =>
      Math.abs(x - 160) < width / 2 && Math.abs(y - 90) < height / 2 ? colour : [90 + ((x + 3 * frame) % 64), 128, 128],
  })
/** In uncompressed video every code is what was written: U Y V Y has no chroma here. */
const codes = (luma: number, frames = 12, isShown = (_frame: number) => true) =>
  clip({
    codec: 'raw',
    width: 320,
    height: 180,
    frames,
    paint: (frame, x) => (x < 40 && isShown(frame) ? luma : 100 + ((x + frame) % 50)),
  })
/** Two frames in the second half of two seconds. */
const shortly = (frame: number) => frame === 31 || frame === 32

export const FILES = [
  good('codes-246.mov', codes(246)),
  good('codes-5.mov', codes(5)),
  good('codes-246-2s.mov', codes(246, 50)),
  good('codes-5-2s.mov', codes(5, 50)),
  good('codes-235.mov', codes(235)),
  bad('codes-248.mov', codes(248)),
  bad('codes-3.mov', codes(3)),
  bad('codes-254.mov', codes(254)),
  good('shortly-246.mov', codes(246, 50, shortly)),
  bad('shortly-248.mov', codes(248, 50, shortly)),
  bad('shortly-3.mov', codes(3, 50, shortly)),
  bad('shortly-254.mov', codes(254, 50, shortly), { onceWrong: true }),
  good('white.mp4', patch(120, 90, [235, 128, 128])),
  // 18 × 18 of 320 × 180 points are 0.6 % of the image.
  good('speck.mp4', patch(18, 18, [252, 128, 128])),
  bad('area.mp4', patch(60, 60, [252, 128, 128])),
  // Pure red of BT.601 is 81, 90, 240; a luma of 120 with it is a red of 118 %.
  good('red.mp4', patch(120, 90, [81, 90, 240])),
  bad('red-too-bright.mp4', patch(120, 90, [120, 90, 240])),
  // Blue is 41, 240, 110; a luma of 20 with it lies below black.
  bad('blue-too-dark.mp4', patch(120, 90, [20, 240, 110])),
  good(
    'full-range.mp4',
    clip({
      width: 320,
      height: 180,
      frames: 12,
      colour: { primaries: 1, transfer: 1, matrix: 1, isFull: true },
      paint: (frame, x) => (x < 40 ? 254 : (x + frame) % 200),
    }),
  ),
]

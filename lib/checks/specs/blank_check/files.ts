import { type Paint, png } from '@/fixtures/images'
import { normalFrom } from '@/fixtures/random'
import { bad, good } from '../files'
import { bytes, drawn, motif, plain } from '../image-files'

const noise = (sigma: number) => {
  const normal = normalFrom(7)
  return bytes(() =>
    png(200, 150, () => {
      const value = Math.min(255, Math.max(0, 128 + sigma * normal()))
      return [value, value, value]
    }),
  )
}

const clear = (alpha: (x: number, y: number) => number): Paint => {
  const scene = motif(8, 200, 150)
  return (x, y) => [...scene(x, y), alpha(x, y)]
}

// Of a ramp over n levels the standard deviation is n / sqrt(12).
const ramp = (levels: number) => bytes(() => png(240, 100, (x) => [100 + Math.floor((x / 240) * levels), 90, 80]))

export const FILES = [
  good('scene.png', plain(200, 150)),
  good('grain-4.png', noise(4)),
  good('ramp-12.png', ramp(12)),
  // One row of 150 is black: sqrt(p (1 - p)) = 8 %.
  good(
    'line.png',
    bytes(() => png(200, 150, (_, y) => (y === 70 ? [0, 0, 0] : [255, 255, 255]))),
  ),
  good(
    'logo.png',
    bytes(() =>
      png(
        200,
        150,
        clear((x, y) => (Math.hypot(x - 90, y - 70) < 12 ? 255 : 0)),
      ),
    ),
  ),
  bad(
    'white.png',
    bytes(() => png(200, 150, () => [255, 255, 255])),
  ),
  bad('grain-1.png', noise(1)),
  bad('ramp-7.png', ramp(7)),
  bad(
    'hidden.png',
    bytes(() =>
      png(
        200,
        150,
        clear(() => 0),
      ),
    ),
  ),
  bad(
    'black.jpg',
    bytes(() =>
      drawn(200, 150, () => [3, 3, 3])
        .jpeg()
        .toBuffer(),
    ),
  ),
]

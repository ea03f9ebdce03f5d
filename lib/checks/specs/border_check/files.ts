import { png } from '@/fixtures/images'
import { bad, good } from '../files'
import { bytes } from '../image-files'

const framed = (edge: (x: number, y: number) => number, width = 100, height = 100) =>
  bytes(() =>
    png(width, height, (x, y) => {
      const isEdge = x === 0 || y === 0 || x === width - 1 || y === height - 1
      const value = isEdge ? edge(x, y) : 255
      return [value, value, value]
    }),
  )

// The ring of 100 × 100 pixels has 396; `count` of them, from the upper left clockwise, are white.
const along = (x: number, y: number) => (y === 0 ? x : x === 99 ? 99 + y : y === 99 ? 198 + (99 - x) : 297 + (99 - y))
const white = (count: number) => framed((x, y) => (along(x, y) < count ? 255 : 90))

export const FILES = [
  good(
    'grey-border.png',
    framed(() => 0xcc),
  ),
  good(
    'dark.png',
    framed(() => 20),
  ),
  good('half.png', white(198)),
  good('quarter.png', white(99)),
  good(
    'pale-grey-border.png',
    framed(() => 225),
  ),
  bad(
    'white.png',
    framed(() => 255),
  ),
  bad(
    'nearly-white.png',
    framed(() => 245),
  ),
  bad('more-than-half.png', white(202)),
  bad(
    'clear-edge.png',
    bytes(() => png(100, 100, (x, y) => [20, 40, 60, x === 0 || y === 0 || x === 99 || y === 99 ? 0 : 255])),
  ),
]

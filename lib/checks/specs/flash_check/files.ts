import type { Painter } from '@/fixtures/video'
import { bad, good, label } from '../files'
import { VIDEO, video } from '../video-files'

type Colour = ReturnType<Painter>

/** So many pairs of changes a second, between two colours. */
const flashing = (perSecond: number, one: Colour, other: Colour, lasts = 3) =>
  video(lasts, (frame) => (perSecond > 0 && Math.floor((frame / 25) * perSecond * 2) % 2 === 1 ? other : one))

// Saturated red and a grey of the same luma, so that nothing else changes.
const [red, grey] = [[63, 102, 240] as const, [63, 128, 128] as const]

const stripes = (pairs: number, share: number, low: number, high: number) =>
  video(2, (_frame, x, y) =>
    y < VIDEO.height * share && Math.floor((x * pairs * 2) / VIDEO.width) % 2 === 1 ? high : low,
  )

const corner = (side: number, one: Colour, other: Colour) =>
  video(3, (frame, x, y) => (x < side && y < side && frame % 4 < 2 ? other : one))

/** Flashes over the left part of the screen, so much of it. */
const part = (share: number, frames: number) =>
  video(3, (frame, x) => (x < VIDEO.width * share && Math.floor(frame / frames) % 2 === 1 ? 210 : 40))

export const FILES = [
  // A quarter is the limit: 40 columns are an eighth of 320, 80 a quarter.
  ...[1, 2, 3].flatMap((frames) => [
    good(`part-24-every-${frames}.mp4`, part(0.24, frames)),
    good(`part-25-every-${frames}.mp4`, part(0.25, frames)),
    bad(`part-27-every-${frames}.mp4`, part(0.27, frames)),
  ]),
  good(
    'two-places.mp4',
    video(3, (frame, x) => (x % 160 < 38 && Math.floor(frame / 2) % 2 === 1 ? 210 : 40)),
  ),
  bad(
    'two-large-places.mp4',
    video(3, (frame, x) => (x % 160 < 44 && Math.floor(frame / 2) % 2 === 1 ? 210 : 40)),
  ),
  good('at-the-limit-5s.mp4', flashing(3, 40, 210, 5)),
  good('slow-9s.mp4', flashing(1, 40, 210, 9)),
  bad('at-the-limit-8s.mp4', flashing(3, 40, 210, 8)),
  bad('two-a-second-8s.mp4', flashing(2, 40, 210, 8)),
  bad('red-two-a-second-8s.mp4', flashing(2, grey, red, 8)),
  ...[0, 1, 2, 3, 4, 5, 6, 12].map((count) => label(count > 3)(`flash${count}.mp4`, flashing(count, 40, 210))),
  ...[0, 1, 3, 4, 5, 6, 12].map((count) => label(count > 3)(`red${count}.mp4`, flashing(count, grey, red))),
  // A quarter of 320 × 180 is a square of 120.
  good('corner.mp4', corner(100, 40, 210)),
  bad('large-corner.mp4', corner(140, 40, 210)),
  good('red-corner.mp4', corner(100, grey, red)),
  good(
    'faint.mp4',
    video(3, (frame) => (frame % 4 < 2 ? 100 : 90)),
  ),
  // Both above 0.80 of the relative luminance of white.
  good(
    'bright.mp4',
    video(3, (frame) => (frame % 4 < 2 ? 216 : 235)),
  ),
  good('blue6.mp4', flashing(6, grey, [63, 200, 110])),
  good('stripes4.mp4', stripes(4, 1, 40, 210)),
  good('stripes5.mp4', stripes(5, 1, 40, 210)),
  bad('stripes6.mp4', stripes(6, 1, 40, 210)),
  bad('stripes8.mp4', stripes(8, 1, 40, 210)),
  bad('stripes20.mp4', stripes(20, 1, 40, 210)),
  bad('stripes-half.mp4', stripes(12, 0.5, 40, 210)),
  good('stripes-low.mp4', stripes(12, 0.15, 40, 210)),
  good('stripes-faint.mp4', stripes(12, 1, 90, 110)),
]

import { scene } from '@/fixtures/video'
import { bad, good } from '../files'
import { during, video } from '../video-files'

const black = (from: number, lasts: number) =>
  video(4, (frame, x, y) => (during(frame, from, lasts) ? 16 : scene(frame, x, y)))

export const FILES = [
  good('none.mp4', black(0, 0)),
  good('inside-0.4.mp4', black(2, 0.4)),
  good('head-0.48.mp4', black(0, 0.48)),
  bad('inside-0.6.mp4', black(2, 0.6)),
  bad('head-0.56.mp4', black(0, 0.56)),
  bad('tail-1.mp4', black(3, 1)),
  good(
    'night.mp4',
    video(3, (frame, x, y) => 16 + scene(frame, x, y) / 4),
  ),
  // Three per cent of the screen stay lit: a title on black.
  good(
    'title.mp4',
    video(3, (frame, x, y) => (y < 22 && x < 80 ? 200 : during(frame, 1, 1) ? 16 : scene(frame, x, y))),
  ),
]

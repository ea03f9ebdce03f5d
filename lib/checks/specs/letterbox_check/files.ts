import { scene } from '@/fixtures/video'
import { bad, good, label } from '../files'
import { VIDEO, video } from '../video-files'

const barred = (bar: number) =>
  video(2, (frame, x, y) => (y < bar || y >= VIDEO.height - bar ? 16 : scene(frame, x, y)))

// One per cent of 180 rows are 1.8 of them.
export const FILES = [
  ...[0, 1, 2, 4, 12, 24].map((bar) => label(bar > 1)(`bars${bar}.mp4`, barred(bar))),
  bad(
    'pillars.mp4',
    video(2, (frame, x, y) => (x < 40 || x >= 280 ? 16 : scene(frame, x, y))),
  ),
  bad(
    'window.mp4',
    video(2, (frame, x, y) => (x < 20 || x >= 300 || y < 12 || y >= 168 ? 16 : scene(frame, x, y))),
  ),
  good(
    'dark-start.mp4',
    video(3, (frame, x, y) => (frame < 25 && y < 40 ? 16 : scene(frame, x, y))),
  ),
  good(
    'dark-sky.mp4',
    video(2, (frame, x, y) => (y < 40 ? 24 + ((x + frame) % 20) : scene(frame, x, y))),
  ),
]

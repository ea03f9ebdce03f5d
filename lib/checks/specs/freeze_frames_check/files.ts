import { scene } from '@/fixtures/video'
import { good, label } from '../files'
import { during, video } from '../video-files'

const still = (lasts: number) => video(5, (frame, x, y) => scene(during(frame, 1, lasts) ? 25 : frame, x, y))

export const FILES = [
  ...[0, 1, 1.9, 2.1, 3, 4].map((lasts) => label(lasts > 2)(`still${lasts}.mp4`, still(lasts))),
  good(
    'black-tail.mp4',
    video(5, (frame, x, y) => (frame >= 50 ? 16 : scene(frame, x, y))),
  ),
  // A clear small thing that moves over a still ground is no freeze.
  good(
    'small-mover.mp4',
    video(4, (frame, x, y) => (Math.abs(x - 20 - frame * 2) < 12 && Math.abs(y - 90) < 12 ? 220 : 60 + (x % 40))),
  ),
]

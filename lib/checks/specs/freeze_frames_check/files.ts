import { scene, writeMedia } from '@/fixtures/video'
import { bad, good, label } from '../files'
import { during, video } from '../video-files'

const still = (lasts: number) => video(5, (frame, x, y) => scene(during(frame, 1, lasts) ? 25 : frame, x, y))

/** A soft ground, such as sky: it hardly differs from place to place. */
const sky = (x: number, y: number) => 110 + 40 * Math.sin(x / 60) + 30 * Math.sin(y / 45)
/** A ground that stands for so long; before and after it the whole image drifts by so many pixels a frame. */
const drifting = (speed: number, lasts: number) => (frame: number, x: number, y: number) => {
  const held = Math.min(Math.max(0, frame - 25), Math.round(lasts * 25))
  return sky(x + speed * (frame - held), y)
}
/** A spot of some pixels that goes its way over a ground that stands, and waits for so long. */
const crossing = (side: number, speed: number, lasts: number) => (frame: number, x: number, y: number) => {
  const held = Math.min(Math.max(0, frame - 25), Math.round(lasts * 25))
  const at = 30 + speed * (frame - held)
  return x >= at && x < at + side && Math.abs(y - 90) < side / 2 ? 215 : 60 + (x % 40)
}

/** Colours that go round, over a ground whose brightness stays. */
const hues = (frame: number, x: number, y: number) =>
  [sky(x, y), 128 + 40 * Math.sin(frame / 16), 128 + 40 * Math.cos(frame / 16)] as const

const painting = (_frame: number, x: number, y: number) =>
  [scene(25, x, y), 128 + 60 * Math.sin((x + y) / 9), 128 + 50 * Math.cos(x / 7 - y / 13)] as const

export const FILES = [
  ...[0, 1.52, 2.2, 3].map((lasts) => label(lasts > 2)(`slow-pan-stands-${lasts}.mp4`, video(6, drifting(0.4, lasts)))),
  good('slower-pan.mp4', video(6, drifting(0.15, 0))),
  ...[0, 1.52, 2.2, 3].map((lasts) =>
    label(lasts > 2)(`small-part-stands-${lasts}.mp4`, video(6, crossing(6, 1, lasts))),
  ),
  good(
    'clock.mp4',
    video(6, (frame, x, y) => (x > 290 && y > 160 && Math.floor(frame / 12) % 2 === 1 ? 200 : sky(x, y))),
  ),
  bad(
    'one-still.mp4',
    video(4, (_frame, x, y) => sky(x, y)),
  ),
  bad('one-still-coarse.mp4', (file) =>
    writeMedia(file, {
      video: { frames: 100, paint: (_frame, x, y) => scene(25, x, y), options: { crf: '36', g: '20' } },
    }),
  ),
  ...[0, 1, 1.9, 2.1, 3, 4].map((lasts) => label(lasts > 2)(`still${lasts}.mp4`, still(lasts))),
  good(
    'black-tail.mp4',
    video(5, (frame, x, y) => (frame >= 50 ? 16 : scene(frame, x, y))),
  ),
  // A wash of colour that goes round, at one brightness; and colours that only coding draws anew.
  good('colours-only.mp4', video(4, hues)),
  bad('one-still-coarse-colours.mp4', (file) =>
    writeMedia(file, { video: { frames: 100, paint: painting, options: { crf: '36', g: '20' } } }),
  ),
  // A clear small thing that moves over a still ground is no freeze.
  good(
    'small-mover.mp4',
    video(4, (frame, x, y) => (Math.abs(x - 20 - frame * 2) < 12 && Math.abs(y - 90) < 12 ? 220 : 60 + (x % 40))),
  ),
]

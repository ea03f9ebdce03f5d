import { scene } from '@/fixtures/video'
import { bad, good } from '../files'
import { clip } from '../video-files'

/** A video whose frames show these of the scene. */
const showing = (rate: number, source: (frame: number) => number, frames = 90) =>
  clip({
    width: 320,
    height: 180,
    frames,
    rate: [rate, 1],
    paint: (frame, x, y) => scene(source(frame), x, y),
  })
/** Of so many frames a second in others. */
const pulled = (from: number, to: number) => showing(to, (frame) => Math.floor((frame * from) / to))
const stuttering = (...at: number[]) => showing(25, (frame) => frame - at.filter((each) => frame >= each).length)

export const FILES = [
  good(
    'plain.mp4',
    showing(25, (frame) => frame),
  ),
  good(
    'plain-30.mp4',
    showing(30, (frame) => frame),
  ),
  good(
    'still.mp4',
    showing(25, () => 7),
  ),
  // Two stills of a second are frozen, not repeated.
  good(
    'held.mp4',
    showing(25, (frame) => Math.min(frame, 30) + Math.max(0, frame - 60)),
  ),
  good(
    'a-jump.mp4',
    showing(25, (frame) => (frame < 40 ? frame : frame + 12)),
  ),
  bad('24-in-30.mp4', pulled(24, 30)),
  bad('25-in-30.mp4', pulled(25, 30)),
  bad('on-twos.mp4', pulled(12.5, 25)),
  bad('one-repeated.mp4', stuttering(40)),
  bad('three-repeated.mp4', stuttering(20, 47, 61)),
  good('three-allowed.mp4', stuttering(20, 47, 61), { thresholds: { max_repeats: 3 } }),
  good('on-twos-taken.mp4', pulled(12.5, 25), { thresholds: { cadence: 'any' } }),
]

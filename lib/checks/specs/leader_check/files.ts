import { type Painter, scene } from '@/fixtures/video'
import { bad, good } from '../files'
import { clip } from '../video-files'

type Colour = readonly [luma: number, u: number, v: number]
/** 75 % bars of BT.601 in codes of 8 bits, from white to black (EBU). */
const EBU: readonly Colour[] = [
  [180, 128, 128],
  [162, 44, 142],
  [131, 156, 44],
  [112, 72, 58],
  [84, 184, 198],
  [65, 100, 212],
  [35, 212, 114],
  [16, 128, 128],
]
const stripes =
  (colours: readonly Colour[], lower?: Colour): Painter =>
  (_, x, y) =>
    lower && y > 120 ? lower : (colours[Math.floor((x * colours.length) / 320)] ?? [16, 128, 128])
/** Seven stripes over a dark part, as SMPTE has them. */
const smpte = stripes(EBU.slice(0, 7), [30, 128, 128])
/** Bars for so many seconds, then the scene. */
const leading =
  (bars: Painter, seconds: number): Painter =>
  (frame, x, y) =>
    frame < seconds * 25 ? bars(frame, x, y) : scene(frame, x, y)
const SIZE = { width: 320, height: 180, frames: 100 }
const tone = { seconds: 4, sample: (time: number) => 0.126 * Math.sin(2 * Math.PI * 1000 * time) }
const music = {
  seconds: 4,
  sample: (time: number) =>
    [220, 277.2, 329.6, 440, 554.4].reduce((sum, hertz) => sum + 0.08 * Math.sin(2 * Math.PI * hertz * time), 0),
}
const speech = {
  seconds: 4,
  sample: (time: number) =>
    0.3 * Math.sin(2 * Math.PI * (180 + 40 * Math.sin(5 * time)) * time) * Math.abs(Math.sin(9 * time)) +
    0.1 * Math.sin(2 * Math.PI * 1310 * time),
}
const toneForbidden = { thresholds: { tone: 'forbidden' } }

export const FILES = [
  good('scene.mp4', clip(SIZE)),
  bad('ebu.mp4', clip({ ...SIZE, paint: leading(stripes(EBU), 2) })),
  bad('smpte.mp4', clip({ ...SIZE, paint: leading(smpte, 2) })),
  bad('all-bars.mov', clip({ ...SIZE, frames: 50, paint: stripes(EBU) })),
  // The rainbow goes the other way, and has other colours.
  good('rainbow.mp4', clip({ ...SIZE, paint: leading(stripes([...EBU].reverse()), 2) })),
  good(
    'other-stripes.mp4',
    clip({ ...SIZE, paint: leading(stripes([EBU[0], EBU[5], EBU[3], EBU[6]].map((one) => one ?? [16, 128, 128])), 2) }),
  ),
  bad('no-bars.mp4', clip(SIZE), { thresholds: { bars: 'required' } }),
  good('bars-wanted.mp4', clip({ ...SIZE, paint: leading(stripes(EBU), 2) }, [tone]), {
    thresholds: { bars: 'required', tone: 'required' },
  }),
  bad('tone.mp4', clip(SIZE, [tone]), toneForbidden),
  good('chord.mp4', clip(SIZE, [music]), toneForbidden),
  good('speech.mp4', clip(SIZE, [speech]), toneForbidden),
]

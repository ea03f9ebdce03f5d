import { type Painter, scene } from '@/fixtures/video'
import { bad, good } from '../files'
import { clip, VIDEO } from '../video-files'

/** A scene with smooth places, as films have them: large waves that drift, and a little grain. */
const waves: Painter = (frame, x, y) =>
  120 + 50 * Math.sin((x + 3 * frame) / 37) * Math.cos((y - 2 * frame) / 29) + ((x * 31 + y * 17 + frame * 13) % 3)

/** The scene in blocks that do not meet, from this column on: as a decoder shows what it lost. */
const broken =
  (size: number, from = 0, during = (_: number) => true): Painter =>
  (frame, x, y) => {
    if (x < from || !during(frame)) return waves(frame, x, y)
    const [column, row] = [Math.floor(x / size), Math.floor(y / size)]
    return Number(waves(frame, x, y)) + 12 * ((column * 7 + row * 5 + frame) % 3)
  }
const { width, height } = VIDEO
const coarse = (quantiser: number) => ({ qmin: String(quantiser), qmax: String(quantiser) })
const shown = (paint: Painter) => clip({ width, height, paint })
const mpeg4 = (quantiser: number, paint: Painter) =>
  clip({ width, height, codec: 'mpeg4', options: coarse(quantiser), paint })

export const FILES = [
  good('scene.mp4', shown(scene)),
  good('waves.mp4', shown(waves)),
  good('waves.webm', clip({ width, height, codec: 'vp9', paint: waves })),
  good('waves.mov', clip({ width, height, codec: 'prores', pixels: 'yuv422p10', paint: waves })),
  good('strong-compression.mp4', clip({ width, height, options: { crf: '36' }, paint: waves })),
  good('fine.mp4', mpeg4(2, waves)),
  good('mosaic-of-ten.mp4', shown(broken(10))),
  good(
    'columns.mp4',
    shown((_, x) => ((x >> 3) % 2 ? 60 : 160)),
  ),
  good('a-corner.mp4', shown(broken(16, 300))),
  bad('coarse-20.mp4', mpeg4(20, waves)),
  bad('coarse-31.mp4', mpeg4(31, waves)),
  bad('coarse.mov', mpeg4(31, waves)),
  bad('broken-8.mp4', shown(broken(8))),
  bad('broken-16.mp4', shown(broken(16))),
  bad('broken-half.mp4', shown(broken(16, 160))),
  bad('broken-a-second.mp4', shown(broken(8, 0, (frame) => frame >= 20))),
  bad('broken.mov', clip({ width, height, codec: 'prores', pixels: 'yuv422p10', paint: broken(8) })),
  good('broken-taken.mp4', shown(broken(8)), { thresholds: { max_percent: 100 } }),
]

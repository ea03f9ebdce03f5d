import sharp from 'sharp'
import { gif } from '@/fixtures/images'
import { bad, good } from '../files'
import { bytes, samples } from '../image-files'

const moving = (frames: number, delay: number, repeats?: number) =>
  bytes(() => gif(40, 30, { frames, delay, ...(repeats !== undefined && { repeats }) }, (frame, x) => (x + frame) % 4))

const webp = (frames: number, delay: number, loop: number) =>
  bytes(() => {
    const pages = samples(40, 30 * frames, (x, y) => [(x * 6 + Math.floor(y / 30) * 40) % 256, y % 30, 90])
    return sharp(pages, { raw: { width: 40, height: 30 * frames, channels: 3, pageHeight: 30 } })
      .webp({ loop, delay: Array.from({ length: frames }, () => delay), lossless: true })
      .toBuffer()
  })

export const FILES = [
  // NETSCAPE2.0 states repetitions: 2 of them are three plays.
  good('ten-thrice.gif', moving(10, 100, 2)),
  good('thirty-once.gif', moving(30, 100)),
  good('ten-once.webp', webp(5, 2000, 1)),
  good('fifteen-twice.webp', webp(5, 3000, 2)),
  good('thrice.gif', moving(5, 20, 2), { thresholds: { max_plays: 3 } }),
  good('ten-a-second.gif', moving(12, 10, 0), {
    thresholds: { max_total_seconds: null, max_frames_per_second: 10 },
  }),
  // Browsers give frames without a delay a tenth of a second.
  good('undelayed.gif', moving(12, 0, 0), {
    onceWrong: true,
    thresholds: { max_total_seconds: null, max_frames_per_second: 10 },
  }),
  bad('endless.gif', moving(4, 50, 0)),
  bad('endless.webp', webp(4, 500, 0)),
  bad('ten-four-times.gif', moving(10, 100, 3)),
  bad('thirty-one.gif', moving(31, 100)),
  bad('sixteen-twice.webp', webp(4, 4000, 2)),
  bad('four-times.gif', moving(5, 20, 3), { thresholds: { max_plays: 3 } }),
  bad('eleven-a-second.gif', moving(12, 9, 0), {
    thresholds: { max_total_seconds: null, max_frames_per_second: 10 },
  }),
  bad('undelayed-long.gif', moving(310, 0), { onceWrong: true }),
  bad('moves.gif', moving(3, 50), { thresholds: { allowed: false } }),
]

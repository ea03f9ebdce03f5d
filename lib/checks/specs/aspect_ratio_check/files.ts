import { turn } from '@/fixtures/video'
import { bad, good, sharing } from '../files'
import { plain } from '../image-files'
import { clip } from '../video-files'

const sized = (width: number, height: number, aspect?: readonly [number, number]) =>
  clip({ frames: 6, width, height, ...(aspect && { aspect }) })

const turnedVideo = (width: number, height: number) => (file: string) => {
  sized(width, height)(file)
  turn(file)
}

export const FILES = [
  ...sharing({ thresholds: { ratios: ['16x9', '1x1', '1.91x1'] } }, [
    good('wide.png', plain(1600, 900)),
    good('square.png', plain(400, 400)),
    good('link.png', plain(1080, 566)),
    good('square-nearly.png', plain(400, 397)),
    good('wide-nearly.png', plain(1000, 568)),
    good('banner_4x5.png', plain(400, 500), { thresholds: {}, template: '{title}_{ratio}.{ext}' }),
    bad('square-hardly.png', plain(400, 395)),
    bad('wide-hardly.png', plain(1000, 571)),
    bad('high.png', plain(900, 1600)),
    bad('banner_5x4.png', plain(400, 500), { thresholds: {}, template: '{title}_{ratio}.{ext}' }),
  ]),
  ...sharing({ thresholds: { ratios: ['16x9'] } }, [
    good('wide.mp4', sized(320, 180)),
    good('wide-pixels.mp4', sized(240, 180, [4, 3])),
    good('wide-nearly.webm', clip({ frames: 6, width: 320, height: 182, codec: 'vp9' }), {
      thresholds: { ratios: ['16x9'], tolerance: 0.02 },
    }),
    bad('wide-hardly.mp4', sized(320, 184)),
    bad('high.mp4', turnedVideo(320, 180)),
  ]),
]

import { exif, exifSegment, withSegment } from '@/fixtures/images'
import { turn } from '@/fixtures/video'
import { bad, good, sharing } from '../files'
import { bytes, drawn, jpeg, motif, plain } from '../image-files'
import { clip } from '../video-files'

const turned = (width: number, height: number) =>
  bytes(async () =>
    withSegment(
      await jpeg(width, height).toBuffer(),
      0xe1,
      exifSegment(exif([{ tag: 0x0112, type: 'short', values: [6] }])),
    ),
  )
const template = '{title}_{width}x{height}.{ext}'

const sized = (width: number, height: number, aspect?: readonly [number, number]) =>
  clip({ frames: 6, width, height, ...(aspect && { aspect }) })

const turnedVideo = (width: number, height: number) => (file: string) => {
  sized(width, height)(file)
  turn(file)
}

export const FILES = [
  ...sharing({ thresholds: { sizes: ['300x250', '728x90'] } }, [
    good('exact.png', plain(300, 250)),
    good('other.png', plain(728, 90)),
    good(
      'exact.webp',
      bytes(() =>
        drawn(300, 250, motif(1, 300, 250))
          .webp()
          .toBuffer(),
      ),
    ),
    good('turned.jpg', turned(250, 300)),
    good('hero_640x480.png', plain(640, 480), { template, thresholds: {} }),
    good('wide.png', plain(1080, 20), { thresholds: { min_width: 1080 } }),
    bad('narrow.png', plain(299, 250)),
    bad('high.png', plain(300, 251)),
    bad('mixed.png', plain(728, 250)),
    bad('turned-away.jpg', turned(300, 250)),
    bad('hero_640x481.png', plain(640, 480), { template, thresholds: {} }),
    bad('slim.png', plain(1079, 20), { thresholds: { min_width: 1080 } }),
  ]),
  ...sharing({ thresholds: { sizes: ['320x180'] } }, [
    good('exact.mp4', sized(320, 180)),
    // Pixels of 4:3 are shown wider than they are high.
    good('wide-pixels.mp4', sized(240, 180, [4, 3])),
    good('turned.mp4', turnedVideo(180, 320)),
    bad('narrow.mp4', sized(318, 180)),
    bad('wide-pixels-away.mp4', sized(320, 180, [4, 3])),
    bad('turned-away.mp4', turnedVideo(320, 180)),
  ]),
]

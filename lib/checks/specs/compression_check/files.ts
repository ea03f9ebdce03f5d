import sharp from 'sharp'
import { png } from '@/fixtures/images'
import { bad, good } from '../files'
import { bytes, drawn, photo } from '../image-files'

const saved = (quality: number, options: object = {}) =>
  bytes(() =>
    drawn(320, 240, photo(6, 320, 240))
      .jpeg({ quality, ...options })
      .toBuffer(),
  )

const again = (quality: number, grain = 6) =>
  bytes(async () =>
    sharp(
      await drawn(320, 240, photo(6, 320, 240, grain))
        .jpeg({ quality })
        .toBuffer(),
    )
      .png()
      .toBuffer(),
  )

/** Saved poorly, cropped and saved well: the grid no longer begins at the corner. */
const cropped = (quality: number, left: number, top: number, as: 'png' | 'jpeg' = 'jpeg') =>
  bytes(async () => {
    const poor = await drawn(360, 280, photo(6, 360, 280))
      .jpeg({ quality })
      .toBuffer()
    const part = sharp(poor).extract({ left, top, width: 320, height: 240 })
    return (as === 'png' ? part.png() : part.jpeg({ quality: 95 })).toBuffer()
  })

export const FILES = [
  good('70.jpg', saved(70)),
  good('75.jpg', saved(75)),
  good('92.jpg', saved(92)),
  good('progressive-80.jpg', saved(80, { progressive: true })),
  good('full-colour-75.jpg', saved(75, { chromaSubsampling: '4:4:4' })),
  good(
    'never.png',
    bytes(() => png(320, 240, photo(6, 320, 240))),
  ),
  good('saved-90.png', again(90)),
  // A drawing on a raster of eight: its own contours, not the coder's.
  good(
    'pixel-art.png',
    bytes(() => png(320, 240, (x, y) => (((x >> 3) + (y >> 3)) % 2 ? [240, 200, 90] : [30, 60, 120]))),
    { onceWrong: true },
  ),
  good('cropped-90.jpg', cropped(90, 3, 5)),
  good('cropped-95.png', cropped(95, 4, 4, 'png')),
  bad('cropped-10.jpg', cropped(10, 3, 5), { onceWrong: true }),
  bad('cropped-20.png', cropped(20, 4, 1, 'png')),
  bad('cropped-15.jpg', cropped(15, 7, 2)),
  bad('saved-again-20.jpg', cropped(20, 0, 0)),
  bad('69.jpg', saved(69)),
  bad('60.jpg', saved(60)),
  bad('progressive-40.jpg', saved(40, { progressive: true })),
  bad('15.jpg', saved(15)),
  bad('saved-10.png', again(10)),
  bad('saved-15.png', again(15)),
]

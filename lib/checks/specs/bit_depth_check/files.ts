import { type Paint, png, tiff } from '@/fixtures/images'
import { bad, good, sharing } from '../files'
import { bytes, jpeg, plain } from '../image-files'

const deep: Paint = (x, y) => [x * 1000, y * 1300, 30_000]

const grey = (depth: 1 | 2 | 4 | 8 | 16) =>
  bytes(() => png(64, 48, (x, y) => [Math.floor(((x + y) / 112) * (2 ** depth - 1))], { depth }))
const colours = Array.from({ length: 16 }, (_, index) => [index * 16, 255 - index * 16, 90] as const)

export const FILES = sharing({ thresholds: { allowed: [8] } }, [
  good('colour.png', plain(64, 48)),
  good('grey.png', grey(8)),
  good(
    'photo.jpg',
    bytes(() => jpeg(64, 48).toBuffer()),
  ),
  good(
    'palette.png',
    bytes(() => png(64, 48, (x) => [x % 16], { depth: 4, palette: colours })),
  ),
  good('master.png', grey(16), { thresholds: { allowed: [16] } }),
  good(
    'master.tif',
    bytes(() => tiff(64, 48, deep, 16)),
    { thresholds: { allowed: [16] } },
  ),
  good(
    'screen.tif',
    bytes(() => tiff(64, 48, (x, y) => [x * 3, y * 4, 90], 8)),
  ),
  bad('deep.png', grey(16)),
  bad('line.png', grey(1)),
  bad('coarse.png', grey(4)),
  bad(
    'deep.tif',
    bytes(() => tiff(64, 48, deep, 16)),
  ),
  bad('shallow.png', grey(8), { thresholds: { allowed: [16] } }),
])

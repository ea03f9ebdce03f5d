import { writeFileSync } from 'node:fs'
import { deflateSync } from 'node:zlib'
import sharp from 'sharp'
import { pdf, stream } from '@/fixtures/pdf'
import { tiff } from '@/fixtures/tiff'
import { onePage, RECTANGLE } from '../document-files'
import { bad, good, sharing } from '../files'
import { cmyk, painted } from '../painted-files'

type Ink = readonly [number, number, number, number]

const area = (ink: Ink, side = 200) =>
  painted(({ page }) => page.drawRectangle({ x: 50, y: 50, width: side, height: side, color: cmyk(...ink) }))

const SIZE = 8
const inBytes = (ink: Ink) => ink.map((percent) => Math.round(percent * 2.55))
const writeImage = (data: Buffer, entries: string, place = '200 0 0 200 50 50 cm') =>
  pdf({
    pages: [{ content: `q ${place} /Im Do Q`, resources: '/XObject << /Im 10 0 R >>' }],
    objects: {
      10: stream(
        `/Type /XObject /Subtype /Image /Width ${SIZE} /Height ${SIZE} /ColorSpace /DeviceCMYK /BitsPerComponent 8 ${entries}`,
        data,
      ),
    },
  })

/** An image of one colour, percent, placed by a matrix, perhaps after a clip. */
const image = (ink: Ink, place?: string) => (file: string) =>
  writeFileSync(
    file,
    writeImage(deflateSync(Buffer.alloc(SIZE * SIZE * 4, Buffer.from(inBytes(ink)))), '/Filter /FlateDecode', place),
  )

/** As Photoshop writes it: a JPEG whose samples are turned over, and that says so. */
const jpeg = (ink: Ink, entries: string) => async (file: string) => {
  const image = sharp(tiff({ samples: 4, photometric: 5, pixel: inBytes(ink) }))
  const data = await image.pipelineColourspace('cmyk').toColourspace('cmyk').jpeg({ quality: 95 }).toBuffer()
  writeFileSync(file, writeImage(data, `/Filter /DCTDecode ${entries}`))
}
const TURNED = '/Decode [1 0 1 0 1 0 1 0]'

export const FILES = sharing({ thresholds: { max_percent: 300 } }, [
  good('area-300.pdf', area([0.75, 0.75, 0.75, 0.75])),
  good('area-tiny.pdf', area([1, 1, 1, 1], 5)),
  good('area-never-painted.pdf', onePage(`1 1 1 1 k 0 0 0 1 k ${RECTANGLE}`)),
  good('image-280.pdf', image([70, 70, 70, 70])),
  good('jpeg-280.pdf', jpeg([70, 70, 70, 70], TURNED)),
  good('jpeg-280-as-it-stands.pdf', jpeg([30, 30, 30, 30], '')),
  good('image-cut-off.pdf', image([100, 100, 100, 100], '0 0 40 40 re W n 200 0 0 200 50 50 cm')),
  bad('area-320.pdf', area([0.8, 0.8, 0.8, 0.8])),
  bad('area-400.pdf', area([1, 1, 1, 1])),
  bad(
    'registration.pdf',
    onePage(
      `/S cs 1 scn ${RECTANGLE}`,
      '/ColorSpace << /S [/Separation /All /DeviceCMYK << /FunctionType 2 /Domain [0 1] /C0 [0 0 0 0] /C1 [1 1 1 1] /N 1 >>] >>',
    ),
  ),
  bad(
    'text-360.pdf',
    painted(({ page, font }) =>
      page.drawText('Far too much ink', { x: 50, y: 80, size: 40, font, color: cmyk(1, 0.8, 0.8, 1) }),
    ),
  ),
  bad('image-340.pdf', image([85, 85, 85, 85])),
  bad('jpeg-340.pdf', jpeg([85, 85, 85, 85], TURNED)),
  bad('jpeg-340-as-it-stands.pdf', jpeg([15, 15, 15, 15], '')),
])

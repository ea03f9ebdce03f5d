import { writeFileSync } from 'node:fs'
import { PDFDocument } from '@cantoo/pdf-lib'
import { pdf, stream } from '@/fixtures/pdf'
import { bad, good, sharing } from '../files'
import { photoJpeg } from '../image-files'

const placed =
  (dpi: number, vertical = dpi) =>
  async (file: string) => {
    const document = await PDFDocument.create()
    const image = await document.embedJpg(await photoJpeg(600, 400))
    document
      .addPage([700, 500])
      .drawImage(image, { x: 20, y: 20, width: (600 / dpi) * 72, height: (400 / vertical) * 72 })
    writeFileSync(file, await document.save())
  }

/** Drawn by hand: `matrices` one after the other. */
const byMatrix = (matrices: string) => async (file: string) => {
  const data = await photoJpeg(600, 400)
  writeFileSync(
    file,
    pdf({
      pages: [{ content: `q ${matrices} /Im Do Q`, resources: '/XObject << /Im 10 0 R >>' }],
      objects: {
        10: stream(
          '/Type /XObject /Subtype /Image /Width 600 /Height 400 /ColorSpace /DeviceRGB /BitsPerComponent 8 /Filter /DCTDecode',
          data,
        ),
      },
    }),
  )
}

// 600 pixels on 144 points are 300 dpi, on 208 points 207.7.
export const FILES = sharing({ thresholds: { min_dpi: 225 } }, [
  good('dpi-310.pdf', placed(310)),
  good('dpi-225.pdf', placed(225)),
  good('turned.pdf', byMatrix('0 144 -96 0 300 300 cm')),
  good('in-steps.pdf', byMatrix('2 0 0 2 0 0 cm 72 0 0 48 20 20 cm')),
  // Four millimetres: a dot, whose resolution is not visible.
  good('beside-a-dot.pdf', byMatrix('144 0 0 96 20 20 cm /Im Do Q q 11 0 0 11 300 300 cm'), {
    thresholds: { min_dpi: 299 },
  }),
  good('dpi-300.pdf', placed(300), { thresholds: { min_dpi: 300 } }),
  bad('dpi-299.7.pdf', placed(299.7), { thresholds: { min_dpi: 300 }, onceWrong: true }),
  bad('dpi-299.2.pdf', placed(299.2), { thresholds: { min_dpi: 300 } }),
  bad('dpi-222.pdf', placed(222)),
  bad('dpi-150.pdf', placed(150)),
  bad('stretched.pdf', placed(300, 150)),
  bad('turned-large.pdf', byMatrix('0 208 -138 0 300 300 cm')),
  bad('in-steps-large.pdf', byMatrix('4 0 0 4 0 0 cm 72 0 0 48 20 20 cm')),
  bad('form.pdf', async (file) => {
    const data = await photoJpeg(600, 400)
    const image =
      '/Type /XObject /Subtype /Image /Width 600 /Height 400 /ColorSpace /DeviceRGB /BitsPerComponent 8 /Filter /DCTDecode'
    const form = '/Type /XObject /Subtype /Form /BBox [0 0 1 1] /Resources << /XObject << /Im 10 0 R >> >>'
    writeFileSync(
      file,
      pdf({
        pages: [{ content: 'q 400 0 0 266 50 50 cm /Fm Do Q', resources: '/XObject << /Fm 11 0 R >>' }],
        objects: { 10: stream(image, data), 11: stream(form, '/Im Do') },
      }),
    )
  }),
])

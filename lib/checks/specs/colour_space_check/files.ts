import { writeFileSync } from 'node:fs'
import { PDFDocument, rgb } from '@cantoo/pdf-lib'
import sharp from 'sharp'
import { gif, iccChunk, type Paint, png, profile } from '@/fixtures/images'
import { pdf, stream } from '@/fixtures/pdf'
import { tiff } from '@/fixtures/tiff'
import { onePage, RECTANGLE, write } from '../document-files'
import { bad, good, sharing } from '../files'
import { bytes, jpeg, motif, photoJpeg, plain } from '../image-files'

const tagged = (name: string, primaries: Parameters<typeof profile>[1]) =>
  bytes(() => png(64, 48, motif(3, 64, 48), { chunks: [iccChunk(profile(name, primaries))] }))
const grey: Paint = (x, y) => [(x * 3 + y) % 256]

const icc = async (components: 3 | 4) => {
  const image = sharp({ create: { width: 8, height: 8, channels: 3, background: '#888' } })
  const tagged = components === 3 ? image.withIccProfile('srgb') : image.toColourspace('cmyk').withIccProfile('cmyk')
  return (await sharp(await tagged.jpeg().toBuffer()).metadata()).icc ?? Buffer.alloc(0)
}

const intent =
  '/OutputIntents [<< /Type /OutputIntent /S /GTS_PDFX /OutputConditionIdentifier (FOGRA51) /Info (Coated) >>]'

const inlineImage = (space: string, bytes: string) =>
  `q 100 0 0 100 50 50 cm BI /W 1 /H 1 /BPC 8 /CS ${space} ID ${bytes} EI Q`

const lab = (photometric: number) => bytes(() => tiff({ samples: 3, photometric }))

export const FILES = [
  ...sharing({ thresholds: { allowed: ['srgb'] } }, [
    good('untagged.png', plain(64, 48)),
    good('tagged.png', tagged('sRGB IEC61966-2.1', 'srgb')),
    good('by-its-colours.png', tagged('Monitor of the studio', 'srgb'), { onceWrong: true }),
    good(
      'tagged.jpg',
      bytes(() => jpeg(64, 48).withIccProfile('srgb').toBuffer()),
    ),
    good(
      'palette.gif',
      bytes(() => gif(64, 48, { frames: 1, delay: 0 }, (_, x) => x % 4)),
    ),
    good(
      'print.jpg',
      bytes(() => jpeg(64, 48).toColourspace('cmyk').withIccProfile('cmyk').toBuffer()),
      {
        thresholds: { allowed: ['cmyk'], require_profile: true },
      },
    ),
    good(
      'grey.png',
      bytes(() => png(64, 48, grey)),
      { thresholds: { allowed: ['grey'] } },
    ),
    bad(
      'wide.jpg',
      bytes(() => jpeg(64, 48).withIccProfile('p3').toBuffer()),
    ),
    bad('adobe.png', tagged('Adobe RGB (1998)', 'adobe')),
    bad('unnamed-adobe.png', tagged('Scanner of the studio', 'adobe'), { onceWrong: true }),
    bad('prophoto.png', tagged('ProPhoto RGB', 'prophoto')),
    bad(
      'print-web.jpg',
      bytes(() => jpeg(64, 48).toColourspace('cmyk').withIccProfile('cmyk').toBuffer()),
    ),
    bad(
      'grey-web.png',
      bytes(() => png(64, 48, grey)),
    ),
    ...[8, 9, 10].flatMap((photometric) => [
      good(`lab-${photometric}.tif`, lab(photometric), { thresholds: { allowed: ['lab'] } }),
      bad(`lab-${photometric}-web.tif`, lab(photometric), { onceWrong: photometric === 8 }),
    ]),
    bad('untagged-print.png', plain(64, 48), { thresholds: { require_profile: true } }),
  ]),
  ...sharing({ thresholds: { allowed: ['cmyk', 'grey'] } }, [
    good('cmyk.pdf', onePage(`0 0.5 1 0 k ${RECTANGLE}`)),
    good('grey.pdf', onePage(`0.4 g ${RECTANGLE}`)),
    good('stated-cmyk.pdf', onePage(`/DeviceCMYK cs 0 0 1 0 sc ${RECTANGLE}`)),
    good(
      'words.pdf',
      onePage(
        `0 0 0 1 k BT /F1 12 Tf (1 0 0 rg) Tj ET ${RECTANGLE}`,
        '/Font << /F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >>',
      ),
      { onceWrong: true },
    ),
    good('icc-cmyk.pdf', async (file) => {
      const objects = { 10: stream('/N 4', await icc(4)) }
      writeFileSync(
        file,
        pdf({
          pages: [{ content: `/C cs 0 0 1 0 sc ${RECTANGLE}`, resources: '/ColorSpace << /C [/ICCBased 10 0 R] >>' }],
          objects,
        }),
      )
    }),
    good('web.pdf', onePage(`1 0 0 rg ${RECTANGLE}`), { thresholds: { allowed: ['srgb'] } }),
    good('intent.pdf', onePage(`0 0.5 1 0 k ${RECTANGLE}`, '', { catalogue: intent }), {
      thresholds: { allowed: ['cmyk'], require_profile: true },
    }),
    good(
      'rgb-listed-only.pdf',
      onePage(`0 0.5 1 0 k ${RECTANGLE}`, '/ColorSpace << /C [/CalRGB << /WhitePoint [0.95 1 1.09] >>] >>'),
      {
        onceWrong: true,
      },
    ),
    good(
      'rgb-form-not-drawn.pdf',
      write({
        pages: [{ content: `0 0 0 1 k ${RECTANGLE}`, resources: '/XObject << /Fm 10 0 R >>' }],
        objects: { 10: stream('/Type /XObject /Subtype /Form /BBox [0 0 300 300]', `0 0 1 rg ${RECTANGLE}`) },
      }),
    ),
    bad(
      'rgb-of-the-page.pdf',
      write({
        pages: [{ content: '1 0 0 rg /Fm Do', resources: '/XObject << /Fm 10 0 R >>' }],
        objects: { 10: stream('/Type /XObject /Subtype /Form /BBox [0 0 300 300]', RECTANGLE) },
      }),
    ),
    bad(
      'shading.pdf',
      onePage(
        '/Sh sh',
        '/Shading << /Sh << /ShadingType 2 /ColorSpace /DeviceRGB /Coords [0 0 300 300] /Function << /FunctionType 2 /Domain [0 1] /C0 [1 0 0] /C1 [0 0 1] /N 1 >> >> >>',
      ),
    ),
    bad('rgb.pdf', onePage(`1 0.2 0 rg ${RECTANGLE}`), { onceWrong: true }),
    bad('rgb-line.pdf', onePage('0 0 1 0 k 10 10 9 9 re f 1 0 0 RG 50 50 m 200 200 l S')),
    bad('stated-rgb.pdf', onePage(`/DeviceRGB cs 1 0 0 sc ${RECTANGLE}`)),
    bad('library.pdf', async (file) => {
      const document = await PDFDocument.create()
      document.addPage().drawRectangle({ x: 20, y: 20, width: 100, height: 80, color: rgb(1, 0.4, 0) })
      writeFileSync(file, await document.save())
    }),
    bad('icc-rgb.pdf', async (file) => {
      const objects = { 10: stream('/N 3', await icc(3)) }
      writeFileSync(
        file,
        pdf({
          pages: [{ content: `/C cs 1 0 0 sc ${RECTANGLE}`, resources: '/ColorSpace << /C [/ICCBased 10 0 R] >>' }],
          objects,
        }),
      )
    }),
    bad('inline.pdf', onePage(inlineImage('/RGB', 'abc')), { onceWrong: true }),
    bad(
      'form.pdf',
      write({
        pages: [{ content: '0 0 0 1 k /Fm Do', resources: '/XObject << /Fm 10 0 R >>' }],
        objects: { 10: stream('/Type /XObject /Subtype /Form /BBox [0 0 300 300]', `0 0 1 rg ${RECTANGLE}`) },
      }),
      { onceWrong: true },
    ),
    bad('image.pdf', async (file) => {
      const document = await PDFDocument.create()
      document.addPage().drawImage(await document.embedJpg(await photoJpeg(60, 40)))
      writeFileSync(file, await document.save())
    }),
    bad('print-for-web.pdf', onePage(`0 0.5 1 0 k ${RECTANGLE}`), { thresholds: { allowed: ['srgb'] } }),
    bad('no-intent.pdf', onePage(`0 0.5 1 0 k ${RECTANGLE}`), {
      thresholds: { allowed: ['cmyk'], require_profile: true },
    }),
  ]),
]

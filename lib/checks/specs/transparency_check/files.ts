import { writeFileSync } from 'node:fs'
import { PDFDocument, rgb } from '@cantoo/pdf-lib'
import { gif, type Paint, png } from '@/fixtures/images'
import { type PdfParts, stream } from '@/fixtures/pdf'
import { onePage, RECTANGLE, write } from '../document-files'
import { bad, good, sharing } from '../files'
import { bytes, drawn, jpeg, motif, plain } from '../image-files'

const ANIMATED = { frames: 3, delay: 50, repeats: 1, transparent: 3 }
const scene = motif(5, 64, 48)

const withAlpha =
  (alpha: (x: number, y: number) => number): Paint =>
  (x, y) => [...scene(x, y), alpha(x, y)]
const opaque = withAlpha(() => 255)
const onePixel = withAlpha((x, y) => (x === 40 && y === 20 ? 254 : 255))
const logo = withAlpha((x) => (x < 20 ? 0 : 255))

const state = (entries: string, objects: PdfParts['objects'] = {}) =>
  onePage(`/G gs 0 0 0 1 k ${RECTANGLE}`, `/ExtGState << /G << /Type /ExtGState ${entries} >> >>`, { objects })

const mask = stream(
  '/Type /XObject /Subtype /Image /Width 1 /Height 1 /ColorSpace /DeviceGray /BitsPerComponent 8',
  '\x40',
)

const blendedIn = (space: string) =>
  write({
    pages: [
      {
        entries: `/Group << /S /Transparency /CS /${space} >>`,
        content: `/G gs 0 0 0 1 k ${RECTANGLE}`,
        resources: '/ExtGState << /G << /ca 0.5 >> >>',
      },
    ],
  })

export const FILES = [
  ...sharing({ thresholds: { blend_space: 'cmyk' } }, [
    good('blended-in-cmyk.pdf', blendedIn('DeviceCMYK')),
    bad('blended-in-rgb.pdf', blendedIn('DeviceRGB')),
  ]),
  ...sharing({ thresholds: { rule: 'forbidden' } }, [
    good('solid.png', plain(64, 48)),
    good(
      'unused.png',
      bytes(() => png(64, 48, opaque)),
      { onceWrong: true },
    ),
    good(
      'unused.webp',
      bytes(() => drawn(64, 48, opaque).webp({ lossless: true }).toBuffer()),
    ),
    good(
      'solid.jpg',
      bytes(() => jpeg(64, 48).toBuffer()),
    ),
    good(
      'solid.gif',
      bytes(() => gif(64, 48, { frames: 1, delay: 0 }, (_, x) => x % 4)),
    ),
    good(
      'unused.gif',
      bytes(() => gif(64, 48, { frames: 1, delay: 0, transparent: 3 }, (_, x) => x % 3)),
      { onceWrong: true },
    ),
    good(
      'unused-key.png',
      bytes(() => png(64, 48, (x) => [x, 90, 200], { chunks: [['tRNS', Buffer.from([0, 250, 0, 90, 0, 200])]] })),
    ),
    bad(
      'one-pixel.png',
      bytes(() => png(64, 48, onePixel)),
    ),
    bad(
      'deep.png',
      bytes(() => png(64, 48, (x, y) => [257 * x, 257 * y, 30_000, x === 9 ? 65_278 : 65_535], { depth: 16 })),
    ),
    bad(
      'logo.webp',
      bytes(() => drawn(64, 48, logo).webp({ lossless: true }).toBuffer()),
    ),
    bad(
      'logo.tif',
      bytes(() => drawn(64, 48, logo).tiff({ compression: 'lzw' }).toBuffer()),
    ),
    bad(
      'logo.gif',
      bytes(() => gif(64, 48, { frames: 1, delay: 0, transparent: 3 }, (_, x) => x % 4)),
    ),
    // What is transparent in a later frame shows the frame before it, unless that one is taken away first.
    good(
      'over.gif',
      bytes(() => gif(64, 48, { ...ANIMATED, disposal: 1 }, (frame, x) => (frame === 0 ? x % 3 : x % 4))),
      { onceWrong: true },
    ),
    bad(
      'taken-away.gif',
      bytes(() => gif(64, 48, { ...ANIMATED, disposal: 2 }, (frame, x) => (frame === 0 ? x % 3 : x % 4))),
      { onceWrong: true },
    ),
    bad(
      'key.png',
      bytes(() => png(64, 48, (x) => [x, 90, 200], { chunks: [['tRNS', Buffer.from([0, 20, 0, 90, 0, 200])]] })),
    ),
    bad(
      'drawing.svg',
      (file) =>
        writeFileSync(
          file,
          '<svg xmlns="http://www.w3.org/2000/svg" width="64" height="48"><rect x="8" y="8" width="30" height="20" fill="#0a0"/></svg>',
        ),
      { onceWrong: true },
    ),
    good('drawing-ground.svg', (file) =>
      writeFileSync(
        file,
        '<svg xmlns="http://www.w3.org/2000/svg" width="64" height="48"><rect width="64" height="48" fill="#fff"/><circle cx="30" cy="20" r="9" fill="#0a0"/></svg>',
      ),
    ),
  ]),
  ...sharing({ thresholds: { rule: 'required' } }, [
    good(
      'cut-out.png',
      bytes(() => png(64, 48, logo)),
    ),
    bad('ground.png', plain(64, 48)),
    bad(
      'full.png',
      bytes(() => png(64, 48, opaque)),
    ),
  ]),
  ...sharing({ thresholds: { rule: 'forbidden' } }, [
    good('none.pdf', onePage(`0 0 0 1 k ${RECTANGLE}`)),
    good('opaque-state.pdf', state('/ca 1 /CA 1.0 /BM /Normal /SMask /None')),
    good('compatible.pdf', state('/BM /Compatible')),
    bad('alpha.pdf', state('/ca 0.99')),
    bad('stroke-alpha.pdf', state('/CA 0.5')),
    bad('indirect-alpha.pdf', state('/ca 10 0 R', { 10: '0.5' }), { onceWrong: true }),
    bad('multiply.pdf', state('/BM /Multiply')),
    bad('first-of-modes.pdf', state('/BM [/Multiply /Normal]')),
    bad(
      'soft-mask.pdf',
      write({
        pages: [{ content: 'q 90 0 0 90 50 50 cm /Im Do Q', resources: '/XObject << /Im 10 0 R >>' }],
        objects: {
          10: stream(
            '/Type /XObject /Subtype /Image /Width 1 /Height 1 /ColorSpace /DeviceGray /BitsPerComponent 8 /SMask 11 0 R',
            '\x80',
          ),
          11: mask,
        },
      }),
    ),
    bad('library.pdf', async (file) => {
      const document = await PDFDocument.create()
      document.addPage().drawRectangle({ x: 20, y: 20, width: 100, height: 80, color: rgb(1, 0.4, 0), opacity: 0.5 })
      writeFileSync(file, await document.save())
    }),
  ]),
]

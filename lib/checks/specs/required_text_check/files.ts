import { writeFile } from 'node:fs/promises'
import { PDFDocument, StandardFonts } from '@cantoo/pdf-lib'
import sharp from 'sharp'
import { drawLettering, type Lettering } from '@/fixtures/lettering'
import { writeMedia } from '@/fixtures/video'
import { write } from '../document-files'
import { bad, good, sharing } from '../files'

/** Banners and pages that show, or do not show, what their batch requires; set by Pango and by pdf-lib. */
const CLAIM = 'Summer sale'
const PRICE = 'Only 19,90 €'
const LEGAL = 'Terms and conditions apply. 18+ only.'
const expects = { requiredCopy: [CLAIM, PRICE, LEGAL] }

type Style = Partial<Record<'ink' | 'small' | 'ground' | 'claim' | 'price' | 'legal', string>> & {
  face?: Lettering['face']
  degrees?: number
  size?: number
}

/** A banner of 640 × 400 with claim, price and small print. */
function banner(style: Style = {}) {
  const { ink = '#1a1a2e', small = '#666666', ground = '#ffffff', face = 'bold', degrees = 0, size = 14 } = style
  const lines: Lettering[] = [
    { text: style.claim ?? 'Summer Sale', x: 40, y: 50, size: 56, face, colour: ink, degrees },
    { text: style.price ?? 'Only 19,90 €', x: 40, y: 190, size: 34, colour: ink },
    { text: style.legal ?? LEGAL, x: 40, y: 365, size, colour: small },
  ]
  return drawLettering(
    640,
    400,
    lines.filter(({ text }) => text !== ''),
    ground,
  )
}
/** Short small print far below letters of 90 px, beside which readers take it for specks. */
const beside = (small: string) => async (file: string) =>
  writeFile(
    file,
    await drawLettering(1200, 628, [
      { text: CLAIM, x: 60, y: 80, size: 90, face: 'bold' },
      { text: small, x: 60, y: 520, size: 12 },
    ]),
  )
const png = (style?: Style) => async (file: string) => writeFile(file, await banner(style))

const jpeg = (quality: number, style?: Style) => async (file: string) => {
  await sharp(await banner(style))
    .jpeg({ quality })
    .toFile(file)
}

/** A page of A4 with its copy as text, as an image of text, or some of both. */
const pdf = (texts: string[], image?: Style) => async (file: string) => {
  const document = await PDFDocument.create()
  const font = await document.embedFont(StandardFonts.TimesRoman)
  const page = document.addPage([595.28, 841.89])
  if (image) {
    page.drawImage(await document.embedPng(await banner(image)), { x: 0, y: 400, width: 595.28, height: 372 })
  }
  for (const [index, text] of texts.entries()) page.drawText(text, { x: 60, y: 300 - index * 40, size: 14, font })
  await writeFile(file, await document.save())
}

/** A page with its copy in this colour and rendering mode, over a ground. */
const stated = (texts: string[], colour: string, mode = 0, ground = '') =>
  write({
    pages: [
      {
        resources: '/Font << /F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >> >>',
        content: `${ground} ${colour} rg BT /F1 14 Tf ${mode} Tr 60 700 Td ${texts.map((text) => `(${text.replace('€', '\\200')}) Tj 0 -40 Td`).join(' ')} ET`,
      },
    ],
  })
/** A video of ten seconds that shows its copy for one of them, from there on; without a time never. */
const shownFrom = (start: number | null) => async (file: string) => {
  const ground = await sharp(await drawLettering(640, 400, []))
    .greyscale()
    .raw()
    .toBuffer()
  const copy = await sharp(await banner({ size: 20, small: '#222222' }))
    .greyscale()
    .raw()
    .toBuffer()
  writeMedia(file, {
    video: {
      width: 640,
      height: 400,
      frames: 100,
      rate: [10, 1],
      paint: (frame, x, y) => {
        const isShown = start !== null && frame >= start * 10 && frame < start * 10 + 10
        return 16 + (((isShown ? copy : ground)[y * 640 + x] ?? 0) * 219) / 255
      },
    },
  })
}
const ALL = ['Summer Sale', 'Only 19,90 €', LEGAL]
const DARK = '0.1 0.1 0.3 rg 0 0 600 850 re f'

export const FILES = sharing({ expects }, [
  good('plain.png', png()),
  good('light-on-dark.png', png({ ground: '#12233f', ink: '#ffffff', small: '#c8d0dc' })),
  good('yellow-on-green.png', png({ ground: '#0b3d2e', ink: '#ffd400', small: '#e8e8e8' })),
  good('red-on-green.png', png({ ground: '#3c7a3c', ink: '#dd1111', small: '#f4f4f4' })),
  good('pale.png', png({ ink: '#bbbbbb', small: '#c4c4c4' })),
  good('italic.png', png({ face: 'italic' })),
  good('slanted.png', png({ degrees: -6 })),
  good('capitals.png', png({ claim: 'SUMMER SALE', legal: LEGAL.toUpperCase() })),
  good('small.png', png({ size: 10, small: '#444444' })),
  good('saved-at-60.jpg', jpeg(60)),
  good('short-below-a-headline.png', beside('18+ only'), {
    onceWrong: true,
    expects: { requiredCopy: [CLAIM, '18+ only'] },
  }),
  bad('another-below-a-headline.png', beside('16+ only'), { expects: { requiredCopy: [CLAIM, '18+ only'] } }),
  good('text.pdf', pdf(['Summer Sale', 'Only 19,90 €', LEGAL])),
  good('image-and-text.pdf', pdf([LEGAL], { legal: '' })),
  good('shown-at-3.mp4', shownFrom(3)),
  good('shown-at-5.mp4', shownFrom(5)),
  good('shown-at-6.9.mp4', shownFrom(6.9)),
  bad('never-shown.mp4', shownFrom(null)),
  good('dark.pdf', stated(ALL, '0 0 0')),
  good('white-on-dark.pdf', stated(ALL, '1 1 1', 0, DARK)),
  good('pale.pdf', stated(ALL, '0.75 0.75 0.75')),
  bad('white-on-white.pdf', stated(ALL, '1 1 1'), { onceWrong: true }),
  bad('dark-on-dark.pdf', stated(ALL, '0.1 0.1 0.3', 0, DARK)),
  bad('invisible.pdf', stated(ALL, '0 0 0', 3), { onceWrong: true }),
  bad('invisible-clipping.pdf', stated(ALL, '0 0 0', 7)),
  bad('without-small-print.png', png({ legal: '' })),
  bad('without-price.jpg', jpeg(80, { price: '' })),
  bad('claim-misspelt.png', png({ claim: 'Sumer Sale' })),
  bad('another-price.png', png({ price: 'Only 18,90 €' })),
  bad('point-moved.png', png({ price: 'Only 199,0 €' })),
  bad('another-age.png', png({ legal: 'Terms and conditions apply. 16+ only.' })),
  bad('small-print-cut.png', png({ legal: 'Terms and conditions apply.' })),
  bad(
    'word-left-out.png',
    png({ ground: '#12233f', ink: '#ffffff', small: '#c8d0dc', legal: 'Terms apply. 18+ only.' }),
  ),
  bad('nothing.png', png({ claim: '', price: '', legal: '' })),
  bad('text-lacks.pdf', pdf(['Summer Sale', 'Only 19,90 €'])),
  bad('image-lacks.pdf', pdf([LEGAL], { legal: '', price: 'Only 15,90 €' })),
])

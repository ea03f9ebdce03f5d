import { writeFile } from 'node:fs/promises'
import { PDFDocument, StandardFonts } from '@cantoo/pdf-lib'
import sharp from 'sharp'
import { drawLettering, type Lettering } from '@/fixtures/lettering'
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
  good('text.pdf', pdf(['Summer Sale', 'Only 19,90 €', LEGAL])),
  good('image-and-text.pdf', pdf([LEGAL], { legal: '' })),
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

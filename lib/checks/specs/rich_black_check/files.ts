import { stream } from '@/fixtures/pdf'
import { write } from '../document-files'
import { bad, good } from '../files'
import { cmyk, painted } from '../painted-files'

type Ink = readonly [number, number, number, number]
const BLACK: Ink = [0, 0, 0, 1]
const RICH: Ink = [0.6, 0.4, 0.4, 1]

const text = (size: number, ink: Ink) =>
  painted(({ page, font }) => page.drawText('Set in type', { x: 60, y: 80, size, font, color: cmyk(...ink) }))
const line = (thickness: number, ink: Ink) =>
  painted(({ page }) =>
    page.drawLine({ start: { x: 60, y: 80 }, end: { x: 300, y: 80 }, thickness, color: cmyk(...ink) }),
  )
const area = (ink: Ink) =>
  painted(({ page }) => page.drawRectangle({ x: 60, y: 80, width: 300, height: 200, color: cmyk(...ink) }))

/** A page of 600 × 600 pt, which also has a colour space for marks (/Reg) and one for a spot colour (/Gold). */
const inks = (content: string, { trim = '/TrimBox [30 30 570 570]', tint = '{ dup dup dup }' } = {}) =>
  write({
    pages: [
      {
        size: [600, 600],
        entries: trim,
        content,
        resources:
          '/ColorSpace << /Reg [/Separation /All /DeviceCMYK 11 0 R] /Gold [/Separation /Gold /DeviceCMYK 11 0 R] >> /Font << /F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >>',
      },
    ],
    objects: { 11: stream('/FunctionType 4 /Domain [0 1] /Range [0 1 0 1 0 1 0 1]', tint) },
  })
const CROP_MARKS =
  '/Reg CS 1 SCN 0.25 w 30 0 m 30 24 l 570 0 m 570 24 l 30 576 m 30 600 l 570 576 m 570 600 l 0 30 m 24 30 l 576 570 m 600 570 l S'
const SLUG = '/Reg cs 1 scn BT /F1 6 Tf 60 8 Td (Page 1, 26 November) Tj ET'

export const FILES = [
  good('black-text.pdf', text(6, BLACK)),
  good('black-line.pdf', line(0.25, BLACK)),
  good('rich-headline.pdf', text(36, RICH)),
  good('rich-eight.pdf', text(8, RICH)),
  good('rich-line.pdf', line(2, RICH)),
  good('rich-area.pdf', area(RICH)),
  good('black-area.pdf', area(BLACK)),
  good('dark-blue.pdf', text(6, [1, 0.9, 0.1, 0.4])),
  good('rounded.pdf', text(6, [0.004, 0.004, 0.004, 1])),
  good('marks.pdf', inks(`${CROP_MARKS} ${SLUG} 0 0 0 1 k BT /F1 10 Tf 60 80 Td (Copy) Tj ET`)),
  good('marks-without-trim.pdf', inks(`${CROP_MARKS} ${SLUG}`, { trim: '' })),
  good('marks-turned.pdf', inks(`${CROP_MARKS} ${SLUG}`, { trim: '/TrimBox [30 30 570 570] /Rotate 90' })),
  good('spot.pdf', inks('/Gold cs 1 scn BT /F1 6 Tf 60 80 Td (Gold) Tj ET')),
  good('registration-of-nothing.pdf', inks('/Reg cs 0 scn 100 100 200 200 re f')),
  good('twelve-allowed.pdf', text(10, RICH), { thresholds: { text_below_pt: 10 } }),
  bad('rich-six.pdf', text(6, RICH)),
  bad('rich-with-cyan.pdf', text(6, [0.6, 0, 0, 1])),
  bad('converted-from-rgb.pdf', text(7, [0.75, 0.68, 0.67, 0.9])),
  bad('rich-hairline.pdf', line(0.25, RICH)),
  bad('ten-of-twelve.pdf', text(10, RICH), { thresholds: { text_below_pt: 12 } }),
  bad('registration-text.pdf', inks(`${CROP_MARKS} ${SLUG} /Reg cs 1 scn BT /F1 24 Tf 60 80 Td (Copy) Tj ET`)),
  bad('registration-area.pdf', inks('/Reg cs 1 scn 100 100 200 200 re f')),
  bad('registration-line.pdf', inks('/Reg CS 1 SCN 2 w 100 100 m 300 100 l S')),
  bad('registration-tint.pdf', inks('/Reg cs 0.5 scn BT /F1 24 Tf 60 80 Td (Copy) Tj ET')),
  bad('registration-without-trim.pdf', inks('/Reg cs 1 scn BT /F1 24 Tf 200 300 Td (Copy) Tj ET', { trim: '' })),
]

import { stream } from '@/fixtures/pdf'
import { onePage, RECTANGLE, TEXT, write } from '../document-files'
import { bad, good } from '../files'
import { cmyk, painted } from '../painted-files'

const OVERPRINT = { OP: true, op: true, OPM: 1 }
const states = (state: string) => `/ExtGState << /G << ${state} >> >>`
const FONT = '/Font << /F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >>'
const TINT = '<< /FunctionType 2 /Domain [0 1] /C0 [0 0 0 0] /C1 [0 1 1 0] /N 1 >>'
const SPOT = `/ColorSpace << /S [/Separation /Gold /DeviceCMYK ${TINT}] >>`
const ground = `0.6 0.4 0 0 k 0 500 600 300 re f`
const below12 = { thresholds: { black_text_below_pt: 12 } }

/** Ink below, and above it what `paint` paints. */
const onInk = (state: Record<string, number | boolean>, size: number, colour = cmyk(0, 0, 0, 1)) =>
  painted(({ page, font, under }) => {
    page.drawRectangle({ x: 50, y: 50, width: 400, height: 400, color: cmyk(0.8, 0.2, 0, 0) })
    under(state, () => page.drawText('Printed small', { x: 100, y: 100, size, font, color: colour }))
  })

export const FILES = [
  good('white-knocks-out.pdf', onInk({}, 20, cmyk(0, 0, 0, 0))),
  good('ink-overprints.pdf', onInk(OVERPRINT, 20)),
  good(
    'white-off-again.pdf',
    onePage(`${ground} q /G gs Q 0 0 0 0 k ${RECTANGLE}`, states('/OP true /op true /OPM 1')),
  ),
  good('white-strokes-only.pdf', onePage(`/G gs 0 0 0 0 k ${RECTANGLE}`, states('/OP true /op false /OPM 1'))),
  good('white-text-invisible.pdf', onePage(`/G gs 0 0 0 0 k 3 Tr ${TEXT}`, `${states('/op true /OPM 1')} ${FONT}`)),
  good('white-outside.pdf', onePage('/G gs 0 0 0 0 k -500 -500 90 90 re f', states('/op true /OPM 1'))),
  good('black-text-overprints.pdf', onInk(OVERPRINT, 9), below12),
  good('black-text-large.pdf', onInk({}, 30), below12),
  good(
    'black-text-on-paper.pdf',
    painted(({ page, font }) => page.drawText('Plain', { x: 50, y: 50, size: 8, font, color: cmyk(0, 0, 0, 1) })),
    below12,
  ),
  bad('white-text.pdf', onInk(OVERPRINT, 20, cmyk(0, 0, 0, 0))),
  bad(
    'white-area.pdf',
    painted(({ page, under }) => {
      page.drawRectangle({ x: 50, y: 50, width: 400, height: 400, color: cmyk(0.8, 0.2, 0, 0) })
      under(OVERPRINT, () => page.drawRectangle({ x: 90, y: 90, width: 90, height: 90, color: cmyk(0, 0, 0, 0) }))
    }),
  ),
  bad(
    'white-line.pdf',
    painted(({ page, under }) => {
      under(OVERPRINT, () =>
        page.drawLine({ start: { x: 50, y: 50 }, end: { x: 300, y: 50 }, thickness: 4, color: cmyk(0, 0, 0, 0) }),
      )
    }),
  ),
  bad('no-spot.pdf', onePage(`${ground} /G gs /S cs 0 scn ${RECTANGLE}`, `${states('/op true')} ${SPOT}`)),
  bad('stroke-sets-both.pdf', onePage(`${ground} /G gs 0 0 0 0 k ${RECTANGLE}`, states('/OP true /OPM 1'))),
  bad(
    'in-a-form.pdf',
    write({
      pages: [
        {
          content: `${ground} /G gs 0 0 0 0 k /Fm Do`,
          resources: `${states('/op true /OPM 1')} /XObject << /Fm 10 0 R >>`,
        },
      ],
      objects: { 10: stream('/Type /XObject /Subtype /Form /BBox [0 0 300 300]', '20 20 100 100 re f') },
    }),
  ),
  bad('black-text-small.pdf', onInk({}, 9), below12),
  bad('black-text-mode-0.pdf', onInk({ OP: true, op: true, OPM: 0 }, 9), below12),
]

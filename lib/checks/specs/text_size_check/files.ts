import { stream } from '@/fixtures/pdf'
import { onePage, write } from '../document-files'
import { bad, good, sharing } from '../files'
import { cmyk, painted } from '../painted-files'

const FONT = '/Font << /F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >>'
const text = (size: number, color = cmyk(0, 0, 0, 1)) =>
  painted(({ page, font }) => page.drawText('Set in type', { x: 60, y: 80, size, font, color }))
const reversed = (size: number) =>
  painted(({ page, font }) => {
    page.drawRectangle({ x: 40, y: 40, width: 400, height: 200, color: cmyk(1, 0.5, 0, 0.2) })
    page.drawText('Reversed', { x: 60, y: 80, size, font, color: cmyk(0, 0, 0, 0) })
  })

export const FILES = sharing({ thresholds: { min_pt: 5, min_multi_ink_pt: 8, min_reversed_pt: 7 } }, [
  good('five.pdf', text(5)),
  good('twelve-in-three-inks.pdf', text(12, cmyk(0.4, 0.4, 0, 1))),
  good('reversed-nine.pdf', reversed(9)),
  good('enlarged.pdf', onePage('BT /F1 1 Tf 12 0 0 12 60 80 Tm (Enlarged) Tj ET', FONT)),
  good('invisible.pdf', onePage('BT /F1 2 Tf 3 Tr 60 80 Td (Read by machines) Tj 0 Tr /F1 12 Tf (Seen) Tj ET', FONT)),
  good('white-on-paper-again.pdf', onePage('0 0 0 0 k BT /F1 6 Tf 60 80 Td (White) Tj ET', FONT)),
  bad('four.pdf', text(4)),
  bad('six-in-three-inks.pdf', text(6, cmyk(0.4, 0.4, 0, 1))),
  bad('six-in-rich-black.pdf', text(6, cmyk(0.6, 0, 0, 1))),
  bad('reversed-five.pdf', reversed(5.5)),
  bad('reduced.pdf', onePage('q 0.25 0 0 0.25 0 0 cm BT /F1 12 Tf 240 320 Td (Reduced) Tj ET Q', FONT)),
  bad('by-matrix.pdf', onePage('BT /F1 12 Tf 0.3 0 0 0.3 60 80 Tm [(By) -20 (matrix)] TJ ET', FONT)),
  bad(
    'in-a-form.pdf',
    write({
      pages: [{ content: 'q 0.3 0 0 0.3 0 0 cm /Fm Do Q', resources: '/XObject << /Fm 10 0 R >>' }],
      objects: {
        10: stream(
          `/Type /XObject /Subtype /Form /BBox [0 0 900 900] /Resources << ${FONT} >>`,
          'BT /F1 10 Tf 60 80 Td (Form) Tj ET',
        ),
      },
    }),
  ),
])

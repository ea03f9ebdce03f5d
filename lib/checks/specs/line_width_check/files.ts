import { stream } from '@/fixtures/pdf'
import { onePage, write } from '../document-files'
import { bad, good } from '../files'
import { cmyk, painted } from '../painted-files'

const line = (thickness: number, color = cmyk(0, 0, 0, 1)) =>
  painted(({ page }) => page.drawLine({ start: { x: 50, y: 50 }, end: { x: 300, y: 90 }, thickness, color }))
const least = { thresholds: { min_pt: 0.25 } }
const multi = { thresholds: { min_multi_ink_pt: 0.5 } }

export const FILES = [
  good('quarter.pdf', line(0.25), least),
  good('thick.pdf', line(2), least),
  good('thin-and-enlarged.pdf', onePage('q 10 0 0 10 0 0 cm 0.1 w 5 5 m 30 9 l S Q'), least),
  good('thin-but-not-used.pdf', onePage('0.01 w 1 w 50 50 m 300 90 l S'), least),
  good('thin-outside.pdf', onePage('0.01 w -50 -50 m -300 -90 l S 1 w 50 50 m 300 90 l S'), least),
  good('a-dot.pdf', onePage('50 50 0.1 0.1 re f 1 w 50 50 m 300 90 l S'), least),
  good('own-limit.pdf', line(0.1), { thresholds: { min_pt: 0.1 } }),
  good('one-ink.pdf', line(0.3), multi),
  bad('tenth.pdf', line(0.1), least),
  bad('zero.pdf', onePage('0 w 50 50 m 300 90 l S'), least),
  bad('zero-where-anything-goes.pdf', onePage('0 w 50 50 m 300 90 l S'), { thresholds: { min_pt: 0 } }),
  bad('reduced.pdf', onePage('q 0.1 0 0 0.1 0 0 cm 1 w 500 500 m 3000 900 l S Q'), least),
  bad('squeezed.pdf', onePage('q 1 0 0 0.1 0 0 cm 1 w 50 500 m 300 500 l S Q'), least),
  bad('by-state.pdf', onePage('/G gs 50 50 m 300 90 l S', '/ExtGState << /G << /LW 0.1 >> >>'), least),
  bad(
    'a-filled-rule.pdf',
    painted(({ page }) => page.drawRectangle({ x: 50, y: 50, width: 300, height: 0.1, color: cmyk(0, 0, 0, 1) })),
    least,
  ),
  bad(
    'in-a-form.pdf',
    write({
      pages: [{ content: 'q 0.2 0 0 0.2 0 0 cm /Fm Do Q', resources: '/XObject << /Fm 10 0 R >>' }],
      objects: { 10: stream('/Type /XObject /Subtype /Form /BBox [0 0 900 900]', '1 w 50 50 m 300 90 l S') },
    }),
    least,
  ),
  bad('three-inks.pdf', line(0.3, cmyk(0.5, 0.5, 0, 1)), multi),
]

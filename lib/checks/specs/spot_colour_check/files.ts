import { stream } from '@/fixtures/pdf'
import { onePage, RECTANGLE, write } from '../document-files'
import { bad, good } from '../files'

const TINT = '<< /FunctionType 2 /Domain [0 1] /C0 [0 0 0 0] /C1 [0 1 1 0] /N 1 >>'
const separation = (ink: string) => `[/Separation /${ink} /DeviceCMYK ${TINT}]`
const deviceN = (inks: string) => `[/DeviceN [${inks}] /DeviceCMYK 19 0 R]`
const function4 = { 19: stream('/FunctionType 4 /Domain [0 1 0 1] /Range [0 1 0 1 0 1 0 1]', '{0 exch 0 exch}') }
const painted = (space: string) => onePage(`/S cs 1 scn ${RECTANGLE}`, `/ColorSpace << /S ${space} >>`)

const painted2 = (inks: string) =>
  onePage(`/S cs 1 0.5 scn ${RECTANGLE}`, `/ColorSpace << /S ${deviceN(inks)} >>`, { objects: function4 })

export const FILES = [
  good('process.pdf', onePage(`0 1 1 0 k ${RECTANGLE}`)),
  good('registration.pdf', painted(separation('All'))),
  good('black-plate.pdf', painted(separation('Black'))),
  good('two-process.pdf', painted2('/Cyan /Magenta')),
  good('ordered.pdf', painted(separation('PANTONE#20185#20C')), { thresholds: { allowed: ['PANTONE 185 C'] } }),
  good('one-allowed.pdf', painted(separation('Varnish')), { thresholds: { max_count: 1 } }),
  good('listed-only.pdf', onePage(`0 1 1 0 k ${RECTANGLE}`, `/ColorSpace << /S ${separation('Gold')} >>`), {
    onceWrong: true,
  }),
  bad(
    'tile.pdf',
    write({
      pages: [{ content: `/Pattern cs /P scn ${RECTANGLE}`, resources: '/Pattern << /P 10 0 R >>' }],
      objects: {
        10: stream(
          `/Type /Pattern /PatternType 1 /PaintType 1 /TilingType 1 /BBox [0 0 9 9] /XStep 9 /YStep 9 /Resources << /ColorSpace << /S ${separation('Gold')} >> >>`,
          '/S cs 1 scn 0 0 5 5 re f',
        ),
      },
    }),
  ),
  bad('spot.pdf', painted(separation('PANTONE#20185#20C'))),
  bad('other-than-ordered.pdf', painted(separation('PANTONE#20186#20C')), {
    thresholds: { allowed: ['PANTONE 185 C'] },
  }),
  bad('one-of-two.pdf', painted2('/Black /Gold')),
  bad(
    'two.pdf',
    onePage(
      `/S cs 1 scn ${RECTANGLE} /T cs 1 scn ${RECTANGLE}`,
      `/ColorSpace << /S ${separation('Varnish')} /T ${separation('Gold')} >>`,
    ),
    {
      thresholds: { max_count: 1 },
    },
  ),
  bad(
    'by-reference.pdf',
    onePage(`/S cs 1 scn ${RECTANGLE}`, '/ColorSpace 10 0 R', {
      objects: { 10: `<< /S 11 0 R >>`, 11: separation('Gold') },
    }),
    { onceWrong: true },
  ),
  bad(
    'indexed.pdf',
    write({
      pages: [{ content: 'q 90 0 0 90 50 50 cm /Im Do Q', resources: '/XObject << /Im 10 0 R >>' }],
      objects: {
        10: stream(
          `/Type /XObject /Subtype /Image /Width 1 /Height 1 /BitsPerComponent 8 /ColorSpace [/Indexed 11 0 R 1 <00ff>]`,
          '\x01',
        ),
        11: separation('Gold'),
      },
    }),
    { onceWrong: true },
  ),
]

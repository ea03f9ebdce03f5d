import { z } from 'zod'
import { fail, mediaCheck, pass, skip } from '../check'
import { decimal } from '../wording'
import { atLeast, BEFORE_PRINT, below, placesOf, unlessUnread } from './painted'

/** Of matrices that are written with few decimals. */
const ROUNDING_PT = 0.005
/** Thinner than this is 0: the thinnest line of whatever draws it (ISO 32000-1, 8.4.3.2). */
const ZERO_PT = 0.001

export const lineWidthCheck = mediaCheck({
  id: 'line_width_check',
  label: 'Line width',
  kinds: ['document'],
  describe:
    'Lines as thick as they are printed, with every scaling they are placed by: strokes, and filled rectangles that are drawn as lines. A width of 0 is the thinnest line of whatever draws it, one dot of a platesetter, and is found wherever a least width is set (ISO 32000-1, 8.4.3.2). Text that is stroked, shadings, tiles of patterns and layers that are switched off are not looked at.',
  severity: 'advisory',
  confidence: '0.95: computed from the drawing matrix; where that scales by different amounts, the smaller one.',
  thresholds: z.strictObject({
    min_pt: z.number().min(0).nullable().default(null).meta({
      title: 'Least line width',
      unit: 'pt',
      source:
        'Reasoned: none unless set, as screens draw any; 0.25 pt (0.09 mm) is what offset printers commonly call a hairline',
    }),
    min_multi_ink_pt: z.number().min(0).nullable().default(null).meta({
      title: 'Least width of a line in more than one ink',
      unit: 'pt',
      source: 'Reasoned: none unless set; inks that are a little off show at thin lines first',
    }),
  }),
  run({ name, media: { print } }, { min_pt, min_multi_ink_pt }) {
    if (!print) return BEFORE_PRINT
    const { thinnestLines, thinnestMultiInkLines } = print
    const [thinnest] = thinnestLines.marks
    if (!thinnest) return unlessUnread(print, skip('No line is drawn on the pages.'))
    const written = (points: number) => (points < ZERO_PT ? '0 pt' : `${decimal(points, 3)} pt`)
    if (min_pt === null && min_multi_ink_pt === null)
      return skip(
        `The thinnest line is ${written(thinnest.value)} wide; no least width is set for this media category.`,
      )
    const extras = {
      measured: thinnest.value,
      ...(min_pt !== null && { expected: min_pt }),
      unit: 'pt',
      confidence: 0.95,
    }
    const zero = min_pt === null ? [] : thinnestLines.marks.filter(({ value }) => value < ZERO_PT)
    const thin = [...new Set([...zero, ...below(thinnestLines, min_pt, ROUNDING_PT)])]
    const multi = below(thinnestMultiInkLines, min_multi_ink_pt, ROUNDING_PT)
    const [firstThin] = thin
    const [firstMulti] = multi
    if (firstThin && min_pt !== null) {
      const why = zero.length > 0 ? ', which each press draws by its own measure' : ''
      return fail(
        `The thinnest line is ${written(firstThin.value)} wide${why} (page ${firstThin.page}; ${atLeast(thin, thinnestLines)} too thin); at least ${decimal(min_pt, 3)} pt is wanted.`,
        {
          ...extras,
          standard: 'ISO 32000-1:2008, 8.4.3.2',
          occurrences: placesOf([...thin, ...multi]),
          fix: `Draw the lines of “${name}” at ${decimal(Math.max(min_pt, 0.25), 3)} pt or more at the size they are placed, and export it again (Acrobat: Preflight > Fixups > Increase line width).`,
        },
      )
    }
    if (firstMulti && min_multi_ink_pt !== null) {
      return fail(
        `A line of ${firstMulti.inks ?? 2} inks is ${written(firstMulti.value)} wide (page ${firstMulti.page}; ${atLeast(multi, thinnestMultiInkLines)} too thin); at least ${decimal(min_multi_ink_pt, 3)} pt is wanted in more than one ink.`,
        {
          ...extras,
          measured: firstMulti.value,
          expected: min_multi_ink_pt,
          occurrences: placesOf(multi),
          fix: `Draw these lines of “${name}” in one ink, or at ${decimal(min_multi_ink_pt, 3)} pt or more, and export it again.`,
        },
      )
    }
    return unlessUnread(
      print,
      pass(
        `The thinnest line is ${written(thinnest.value)} wide${min_pt === null ? '' : `; at least ${decimal(min_pt, 3)} pt is wanted`}.`,
        extras,
      ),
    )
  },
})

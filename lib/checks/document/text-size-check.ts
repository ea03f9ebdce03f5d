import { z } from 'zod'
import type { PrintMark, PrintMarks } from '@/lib/media/facts'
import { fail, mediaCheck, pass, skip } from '../check'
import { decimal } from '../wording'
import { atLeast, BEFORE_PRINT, below, placesOf, unlessUnread } from './painted'

const ROUNDING_PT = 0.01

const size = (title: string, source: string) =>
  z
    .number()
    .min(0)
    .nullable()
    .default(null)
    .meta({ title, unit: 'pt', source: `Reasoned: none unless set; ${source}` })

export const textSizeCheck = mediaCheck({
  id: 'text_size_check',
  label: 'Text size',
  kinds: ['document'],
  describe:
    'Text at the size it is printed, with every scaling it is placed by: the height of the em square. Text in more than one ink (rich black included) and white text on ink have limits of their own, as plates that are a little off blur the one and fill the other. Inks count by the declared colour: text in RGB, Lab or a pattern only has a size. Invisible text, glyphs of Type 3, tiles of patterns and layers that are switched off are not looked at.',
  severity: 'advisory',
  confidence:
    '0.95: computed from the matrix of the text; 0.85 for white text, as a bounding box says what it stands on.',
  thresholds: z.strictObject({
    min_pt: size('Least text size', '5 or 6 pt is the least that is read in print'),
    min_multi_ink_pt: size('Least size of text in more than one ink', 'printers commonly ask for 8 to 10 pt'),
    min_reversed_pt: size('Least size of white text on ink', 'printers commonly ask for 6 to 8 pt'),
  }),
  run({ name, media: { print } }, { min_pt, min_multi_ink_pt, min_reversed_pt }) {
    if (!print) return BEFORE_PRINT
    const [smallest] = print.smallestTexts.marks
    if (!smallest) return unlessUnread(print, skip('No text is set on the pages.'))
    const is = `The smallest text is ${decimal(smallest.value, 1)} pt (page ${smallest.page})`
    if (min_pt === null && min_multi_ink_pt === null && min_reversed_pt === null)
      return skip(`${is}; no text size is set for this media category.`)
    const rules: { limit: number | null; list: PrintMarks; what: (mark: PrintMark) => string; cure: string }[] = [
      { limit: min_pt, list: print.smallestTexts, what: () => 'Text', cure: 'Set it larger' },
      {
        limit: min_multi_ink_pt,
        list: print.smallestMultiInkTexts,
        what: ({ inks = 2 }) => `Text in ${inks} inks`,
        cure: 'Set it larger, or in one ink (black text: 100 % black alone)',
      },
      {
        limit: min_reversed_pt,
        list: print.smallestReversedTexts,
        what: () => 'White text on ink',
        cure: 'Set it larger or bolder',
      },
    ]
    const broken = rules.flatMap((rule) => {
      const found = below(rule.list, rule.limit, ROUNDING_PT)
      const [first] = found
      return first && rule.limit !== null ? [{ ...rule, limit: rule.limit, found, first }] : []
    })
    const [worst] = broken
    if (!worst) {
      const extras = {
        measured: smallest.value,
        unit: 'pt',
        confidence: 0.95,
        ...(min_pt !== null && { expected: min_pt }),
      }
      return unlessUnread(print, pass(`${is}; no text is smaller than what is wanted.`, extras))
    }
    const sentences = broken.map(
      ({ first, found, limit, list, what }) =>
        `${what(first)} is ${decimal(first.value, 1)} pt (page ${first.page}; ${atLeast(found, list)} too small), at least ${decimal(limit, 1)} pt is wanted`,
    )
    const isReversedAlone = broken.length === 1 && worst.list === print.smallestReversedTexts
    return fail(`${sentences.join('; ')}.`, {
      measured: worst.first.value,
      expected: worst.limit,
      unit: 'pt',
      confidence: isReversedAlone ? 0.85 : 0.95,
      occurrences: placesOf(broken.flatMap(({ found }) => found)),
      fix: `${broken.map(({ cure }) => cure).join('; ')} in “${name}”, and export it again.`,
    })
  },
})

import { z } from 'zod'
import type { PrintMark, PrintMarks } from '@/lib/media/facts'
import { fail, mediaCheck, pass, skip } from '../check'
import { decimal } from '../wording'
import { atLeast, BEFORE_PRINT, below, placesOf, SEEN, seenConfidence, unlessUnread } from './painted'

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
    'Sizes are computed from the matrix of the text. A fail: each text is seen with 0.95, as something painted later may hide it; 0.85 for white text where its ground is known by a bounding box, and not by a rectangle that reaches all around it. So one text is 0.95, several are 0.99. A pass: 0.99; 0.9 in a document with fonts of Type 3, whose glyphs are not looked at.',
  thresholds: z.strictObject({
    min_pt: size('Least text size', '5 or 6 pt is the least that is read in print'),
    min_multi_ink_pt: size('Least size of text in more than one ink', 'printers commonly ask for 8 to 10 pt'),
    min_reversed_pt: size('Least size of white text on ink', 'printers commonly ask for 6 to 8 pt'),
  }),
  run({ name, media }, { min_pt, min_multi_ink_pt, min_reversed_pt }) {
    const { print } = media
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
        confidence: media.fonts.some(({ type }) => type === 'Type3') ? 0.9 : 0.99,
        ...(min_pt !== null && { expected: min_pt }),
      }
      return unlessUnread(print, pass(`${is}; no text is smaller than what is wanted.`, extras))
    }
    const sentences = broken.map(
      ({ first, found, limit, list, what }) =>
        `${what(first)} is ${decimal(first.value, 1)} pt (page ${first.page}; ${atLeast(found, list)} too small), at least ${decimal(limit, 1)} pt is wanted`,
    )
    return fail(`${sentences.join('; ')}.`, {
      measured: worst.first.value,
      expected: worst.limit,
      unit: 'pt',
      confidence: Math.max(
        ...broken.map(({ found, list }) => seenConfidence(found, list === print.smallestReversedTexts ? 0.85 : SEEN)),
      ),
      occurrences: placesOf(broken.flatMap(({ found }) => found)),
      fix: `${broken.map(({ cure }) => cure).join('; ')} in “${name}”, and export it again.`,
    })
  },
})

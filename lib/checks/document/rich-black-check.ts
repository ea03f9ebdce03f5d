import { z } from 'zod'
import type { PrintMarks } from '@/lib/media/facts'
import { fail, mediaCheck, pass, skip } from '../check'
import { count, decimal } from '../wording'
import { atLeast, BEFORE_PRINT, below, placesOf, unlessUnread } from './painted'

const NONE: PrintMarks = { count: 0, marks: [] }

export const richBlackCheck = mediaCheck({
  id: 'rich_black_check',
  label: 'Rich black',
  kinds: ['document'],
  describe:
    'Small text and thin lines are black alone: of black (85 % and more) with other inks below it (10 % and more together), plates that are a little off show a coloured edge. And nothing within the trim is in the colour of registration marks, which prints on every plate; without a TrimBox or ArtBox, what lies 25 mm and more within the page is looked at. Areas and larger text may be rich black, or 100 % black alone. By the declared colour: text in RGB or Lab, images, glyphs of Type 3, tiles of patterns and layers that are switched off are not looked at.',
  severity: 'advisory',
  confidence: '0.95: computed from the declared colour and the matrix it is drawn by.',
  thresholds: z.strictObject({
    text_below_pt: z.number().positive().nullable().default(8).meta({
      title: 'Text smaller than this has to be black alone',
      unit: 'pt',
      source: 'Reasoned: GWG 2015 has a clause on rich black text; printers commonly ask it of text below 8 to 12 pt',
    }),
    line_below_pt: z.number().positive().nullable().default(0.5).meta({
      title: 'Lines thinner than this have to be black alone',
      unit: 'pt',
      source: 'Reasoned: thinner than plates are commonly off (0.1 to 0.2 mm), so that they show apart',
    }),
    registration: z.enum(['forbidden', 'any']).default('forbidden').meta({
      title: 'The colour of registration marks within the trim is',
      source: 'GWG 2015, Separation Color All; ISO 32000-1, 8.6.6.4: it is for marks that print on every plate',
    }),
  }),
  run({ name, media: { print } }, { text_below_pt, line_below_pt, registration }) {
    if (!print?.registrations) return BEFORE_PRINT
    const { smallestRichBlackTexts = NONE, thinnestRichBlackLines = NONE } = print
    const isAsked = text_below_pt !== null || line_below_pt !== null || registration === 'forbidden'
    if (!isAsked) return skip('Nothing is set of rich black for this media category.')
    const marked = registration === 'forbidden' ? print.registrations : NONE
    const texts = below(smallestRichBlackTexts, text_below_pt, 0.01)
    const lines = below(thinnestRichBlackLines, line_below_pt, 0.005)
    const [text] = texts
    const [line] = lines
    const [mark] = marked.marks
    const faults = [
      ...(mark
        ? [
            `${count(marked.count, 'object')} within the trim ${marked.count === 1 ? 'is' : 'are'} in the colour of registration marks, first on page ${mark.page}; none is wanted`,
          ]
        : []),
      ...(text && text_below_pt !== null
        ? [
            `Black text in ${text.inks} inks is ${decimal(text.value, 1)} pt (page ${text.page}; ${atLeast(texts, smallestRichBlackTexts)} too small); below ${decimal(text_below_pt, 1)} pt black alone is wanted`,
          ]
        : []),
      ...(line && line_below_pt !== null
        ? [
            `A black line in ${line.inks} inks is ${decimal(line.value, 3)} pt wide (page ${line.page}; ${atLeast(lines, thinnestRichBlackLines)} too thin); below ${decimal(line_below_pt, 3)} pt black alone is wanted`,
          ]
        : []),
    ]
    if (faults.length === 0) {
      return unlessUnread(
        print,
        pass('No small text and no thin line is in rich black, and nothing in the colour of registration marks.', {
          measured: 0,
          expected: 0,
          confidence: 0.95,
        }),
      )
    }
    return fail(`${faults.join('; ')}.`, {
      measured: marked.count + texts.length + lines.length,
      expected: 0,
      ...(mark && { standard: 'ISO 32000-1:2008, 8.6.6.4' }),
      confidence: 0.95,
      occurrences: placesOf([...marked.marks, ...texts, ...lines]),
      fix: `Set them in 100 % black alone in “${name}” (InDesign: the swatch [Black], not [Registration]; Acrobat: Print Production > Convert Colors, Preserve Black), and export it again.`,
    })
  },
})

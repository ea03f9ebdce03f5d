import { richBlackCheck } from '../../document/rich-black-check'
import { document, marks, printMark } from '../../testing'
import { specOf } from '../spec'

const rich = (what: 'text' | 'line', value: number) => marks({ ...printMark(what, value), inks: 4 })

export const spec = specOf(richBlackCheck, {
  good: [
    { name: 'no rich black', given: document() },
    { name: 'text at the limit', given: document({}, { smallestRichBlackTexts: rich('text', 8) }) },
    { name: 'a thick line', given: document({}, { thinnestRichBlackLines: rich('line', 1) }) },
    {
      name: 'registration colour that is allowed',
      given: document({}, { registrations: marks(printMark('line', 1)) }),
      thresholds: { registration: 'any' },
    },
  ],
  bad: [
    {
      name: 'small text',
      given: document({}, { smallestRichBlackTexts: rich('text', 6) }),
      details: 'Black text in 4 inks is 6 pt (page 1; 1 too small); below 8 pt black alone is wanted.',
      fix: /100 % black alone/,
      occurrences: [{ page: 1, region: { x: 10, y: 20, width: 30, height: 4 } }],
    },
    {
      name: 'a thin line',
      given: document({}, { thinnestRichBlackLines: rich('line', 0.25) }),
      details: /A black line in 4 inks is 0.25 pt wide .* below 0.5 pt/,
    },
    {
      name: 'registration colour',
      given: document({}, { registrations: marks(printMark('text', 1), printMark('area', 1)) }),
      details: /2 objects within the trim are in the colour of registration marks, first on page 1/,
    },
    {
      name: 'larger text with a higher limit',
      given: document({}, { smallestRichBlackTexts: rich('text', 10) }),
      thresholds: { text_below_pt: 12 },
    },
  ],
  skipped: [
    {
      name: 'nothing is asked',
      given: document(),
      thresholds: { text_below_pt: null, line_below_pt: null, registration: 'any' },
    },
    { name: 'measured before', given: document({ print: undefined }) },
    { name: 'measured before registration was', given: document({}, { registrations: undefined }) },
  ],
  error: [
    {
      name: 'not followed to its end',
      given: document({}, { unread: 'page 3 breaks off' }),
      details: /page 3 breaks off/,
    },
  ],
})

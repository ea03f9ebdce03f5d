import { textSizeCheck } from '../../document/text-size-check'
import { document, marks, printMark } from '../../testing'
import { specOf } from '../spec'

const text = (pt: number, inks?: number) => marks({ ...printMark('text', pt), ...(inks && { inks }) })

export const spec = specOf(textSizeCheck, {
  good: [
    {
      name: 'as small as may be',
      given: document({}, { smallestTexts: text(6) }),
      thresholds: { min_pt: 6 },
      confidence: 0.99,
    },
    {
      name: 'glyphs that are not looked at',
      given: document(
        { fonts: [{ name: 'Drawn', type: 'Type3', embedded: true, subset: false }] },
        { smallestTexts: text(6) },
      ),
      thresholds: { min_pt: 6 },
      confidence: 0.9,
    },
    {
      name: 'small in one ink, where more inks have a limit',
      given: document({}, { smallestTexts: text(6), smallestMultiInkTexts: text(12, 2) }),
      thresholds: { min_multi_ink_pt: 8 },
    },
  ],
  bad: [
    {
      name: 'too small',
      given: document({}, { smallestTexts: text(4.2) }),
      thresholds: { min_pt: 6 },
      details: /Text is 4.2 pt \(page 1; 1 too small\), at least 6 pt/,
      confidence: 0.95,
    },
    {
      name: 'too small in two places',
      given: document({}, { smallestTexts: marks(printMark('text', 4), printMark('text', 5)) }),
      thresholds: { min_pt: 6 },
      confidence: 0.99,
    },
    {
      name: 'rich black and small',
      given: document({}, { smallestTexts: text(6), smallestMultiInkTexts: text(6, 4) }),
      thresholds: { min_multi_ink_pt: 8 },
      details: /Text in 4 inks is 6 pt/,
      fix: /100 % black alone/,
    },
    {
      name: 'white on ink and small',
      given: document({}, { smallestTexts: text(6), smallestReversedTexts: text(6) }),
      thresholds: { min_reversed_pt: 7 },
      details: /White text on ink is 6 pt/,
      confidence: 0.85,
    },
    {
      name: 'white, small and within a rectangle of ink',
      given: document(
        {},
        { smallestTexts: text(6), smallestReversedTexts: marks({ ...printMark('text', 6), isSurelyOn: true }) },
      ),
      thresholds: { min_reversed_pt: 7 },
      confidence: 0.95,
    },
  ],
  skipped: [
    {
      name: 'nothing is set',
      given: document({}, { smallestTexts: text(6) }),
      details: /6 pt \(page 1\); no text size/,
    },
    { name: 'no text', given: document(), thresholds: { min_pt: 6 }, details: /No text/ },
    { name: 'measured before', given: document({ print: undefined }) },
  ],
  error: [
    {
      name: 'not followed to its end',
      given: document({}, { smallestTexts: text(9), unread: 'page 3 breaks off' }),
      thresholds: { min_pt: 6 },
      details: /page 3 breaks off/,
    },
  ],
})

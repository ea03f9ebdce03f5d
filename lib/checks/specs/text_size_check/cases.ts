import { textSizeCheck } from '../../document/text-size-check'
import { document, marks, printMark } from '../../testing'
import { specOf } from '../spec'

const text = (pt: number, inks?: number) => marks({ ...printMark('text', pt), ...(inks && { inks }) })

export const spec = specOf(textSizeCheck, {
  good: [
    { name: 'as small as may be', given: document({}, { smallestTexts: text(6) }), thresholds: { min_pt: 6 } },
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

import { overprintCheck } from '../../document/overprint-check'
import { document, marks, printMark } from '../../testing'
import { specOf } from '../spec'

const printed = (changes: Parameters<typeof document>[1]) => document({}, changes)

export const spec = specOf(overprintCheck, {
  good: [
    { name: 'nothing white overprints', given: document(), confidence: 0.99 },
    {
      name: 'black text as large as is asked',
      given: printed({ blackKnockouts: marks(printMark('text', 12)) }),
      thresholds: { black_text_below_pt: 12 },
    },
  ],
  bad: [
    {
      name: 'white text that vanishes',
      given: printed({ whiteOverprints: marks(printMark('text', 1)) }),
      details: /White is set to overprint 1 time \(text, first on page 1\) and vanishes on the press/,
      fix: /knock out/,
      occurrences: [{ page: 1, region: { x: 10, y: 20, width: 30, height: 4 } }],
      confidence: 0.95,
    },
    {
      name: 'white that vanishes on some presses',
      given: printed({ whiteOverprints: marks(printMark('area', 0)) }),
      details: /vanishes on presses that read it so/,
      confidence: 0.7,
    },
    {
      name: 'white that is only warned of',
      given: printed({ whiteOverprints: marks(printMark('text', 1)) }),
      thresholds: { white: 'warned_of' },
      says: 'warning',
    },
    {
      name: 'small black text that knocks out',
      given: printed({ blackKnockouts: marks(printMark('text', 9)) }),
      thresholds: { black_text_below_pt: 12 },
      details: /Black text of 9 pt knocks out.*below 12 pt/,
      confidence: 0.9,
    },
    {
      name: 'small black text within a rectangle of ink',
      given: printed({ blackKnockouts: marks({ ...printMark('text', 9), isSurelyOn: true }) }),
      thresholds: { black_text_below_pt: 12 },
      confidence: 0.95,
    },
  ],
  skipped: [{ name: 'measured before', given: document({ print: undefined }), details: /measured before/ }],
  error: [
    {
      name: 'not followed to its end',
      given: printed({ unread: 'its pages hold more than 2.5 million operators' }),
      details: /more than 2.5 million operators/,
    },
  ],
})

import { inkCoverageCheck } from '../../document/ink-coverage-check'
import { document, marks, printMark } from '../../testing'
import { specOf } from '../spec'

const inked = (...percents: number[]) =>
  document({}, { mostInked: marks(...percents.map((percent) => printMark('area', percent))) })
const most300 = { thresholds: { max_percent: 300 } }

export const spec = specOf(inkCoverageCheck, {
  good: [
    { name: 'as much as may be', given: inked(300, 120), ...most300, confidence: 0.84 },
    { name: 'hardly any', given: document(), ...most300, details: /Nothing has more than 100 %/ },
    {
      name: 'little, beside what is not known',
      given: document({}, { unknownInks: 2, hasBlends: true }),
      ...most300,
      details: /not evaluated: 2 objects in other colours and what modes of blending add up/,
      confidence: 0.8,
    },
  ],
  bad: [
    {
      name: 'too much',
      given: inked(360, 320, 200),
      ...most300,
      details: /360 % \(an area on page 1\) \(2 places have too much\); at most 300 %/,
      fix: /keeps to 300 %/,
      confidence: 0.99,
    },
    {
      name: 'an image with a little too much',
      given: document({}, { mostInked: marks(printMark('image', 302)) }),
      ...most300,
      confidence: 0.77,
    },
  ],
  skipped: [
    { name: 'nothing is set', given: inked(360), details: /360 %.*no total ink coverage is set/ },
    { name: 'measured before', given: document({ print: undefined }) },
  ],
  error: [{ name: 'not followed to its end', given: document({}, { unread: 'page 1 breaks off' }), ...most300 }],
})

import { lineWidthCheck } from '../../document/line-width-check'
import { document, marks, printMark } from '../../testing'
import { specOf } from '../spec'

const lines = (...widths: number[]) =>
  document({}, { thinnestLines: marks(...widths.map((pt) => printMark('line', pt))) })

export const spec = specOf(lineWidthCheck, {
  good: [
    { name: 'as thin as may be', given: lines(0.25, 1), thresholds: { min_pt: 0.25 } },
    {
      name: 'a thin line in one ink',
      given: document(
        {},
        { thinnestLines: marks(printMark('line', 0.3)), thinnestMultiInkLines: marks(printMark('line', 1)) },
      ),
      thresholds: { min_multi_ink_pt: 0.5 },
    },
  ],
  bad: [
    {
      name: 'thinner',
      given: lines(0.1, 0.2, 3),
      thresholds: { min_pt: 0.25 },
      details: /0.1 pt wide \(page 1; 2 too thin\); at least 0.25 pt/,
      fix: /0.25 pt or more/,
    },
    {
      name: 'of no width, where any is allowed',
      given: lines(0),
      thresholds: { min_pt: 0 },
      details: /0 pt wide, which/,
    },
    {
      name: 'thin in three inks',
      given: document(
        {},
        {
          thinnestLines: marks(printMark('line', 0.3)),
          thinnestMultiInkLines: marks({ ...printMark('line', 0.3), inks: 3 }),
        },
      ),
      thresholds: { min_multi_ink_pt: 0.5 },
      details: /A line of 3 inks is 0.3 pt wide/,
    },
  ],
  skipped: [
    { name: 'none is set', given: lines(0), details: /no least width is set/ },
    { name: 'no line', given: document(), details: /No line/ },
    { name: 'measured before', given: document({ print: undefined }) },
  ],
  error: [
    { name: 'not followed to its end', given: document({}, { unread: 'page 1 breaks off' }), details: /breaks off/ },
  ],
})

import { spreadCheck } from '../../document/spread-check'
import { documentPages } from '../../testing'
import { specOf } from '../spec'

const page = (widthMm: number, heightMm = 297) => ({ trimBox: { xMm: 5, yMm: 5, widthMm, heightMm } })
const single = { rule: 'single_pages' }
const inside = { rule: 'spreads_inside' }

export const spec = specOf(spreadCheck, {
  good: [
    {
      name: 'single pages',
      given: documentPages(page(210), page(210), page(210)),
      thresholds: single,
      details: /^The document has 3 single pages, as wanted\.$/,
      confidence: 0.99,
    },
    {
      name: 'pages that lie on their side, which may be two each',
      given: documentPages(page(420), page(420)),
      thresholds: single,
      confidence: 0.6,
    },
    {
      name: 'twice as wide, yet of another height',
      given: documentPages(page(210), page(420, 210)),
      thresholds: single,
    },
    {
      name: 'spreads between two covers',
      given: documentPages(page(210), page(420), page(420), page(210)),
      thresholds: inside,
    },
    {
      name: 'a page as wide as is stated',
      given: documentPages(page(420)),
      thresholds: { ...single, page_width_mm: 420 },
      confidence: 1,
    },
  ],
  bad: [
    {
      name: 'a spread among single pages',
      given: documentPages(page(210), page(420), page(210)),
      thresholds: single,
      details: /^1 page of 3 is a spread \(420 × 297 mm\); single pages are wanted\.$/,
      fix: /not Spreads/,
      confidence: 0.95,
      occurrences: [{ page: 2 }],
    },
    {
      name: 'spreads alone, by the width that is stated',
      given: documentPages(page(420), page(420)),
      thresholds: { ...single, page_width_mm: 210 },
      details: /^2 pages of 2 are spreads/,
      confidence: 1,
    },
    {
      name: 'single pages inside, where spreads are wanted',
      given: documentPages(page(210), page(210), page(420), page(210)),
      thresholds: inside,
      occurrences: [{ page: 2 }],
    },
  ],
  skipped: [
    { name: 'nothing is set', given: documentPages(page(210), page(420)) },
    { name: 'no page', given: documentPages(), thresholds: single },
  ],
})

import { pageCountCheck } from '../../document/page-count-check'
import { document } from '../../testing'
import { specOf } from '../spec'

const two = { min_pages: 2, max_pages: 4 }

export const spec = specOf(pageCountCheck, {
  good: [
    { name: 'the least that is wanted', given: document({ pages: 2 }), thresholds: two },
    { name: 'the most that is allowed', given: document({ pages: 4 }), thresholds: two },
    {
      name: 'whole sheets',
      given: document({ pages: 16 }),
      thresholds: { multiple_of: 4 },
      details: /16 pages; a multiple of 4 is/,
    },
  ],
  bad: [
    {
      name: 'a sheet that is not full',
      given: document({ pages: 14 }),
      thresholds: { multiple_of: 4 },
      fix: /2 pages more, or 2 less/,
    },
    {
      name: 'as many as wanted, in no whole sheets',
      given: document({ pages: 6 }),
      thresholds: { min_pages: 4, max_pages: 8, multiple_of: 4 },
      details: /4 pages to 8 pages, a multiple of 4, are wanted/,
    },
    {
      name: 'a page missing',
      given: document({ pages: 1 }),
      thresholds: two,
      details: /has 1 page; 2 pages to 4 pages/,
      fix: /1 page missing/,
    },
    { name: 'a page too many', given: document({ pages: 5 }), thresholds: two, fix: /1 page too many/ },
    {
      name: 'another number than the exact one',
      given: document({ pages: 2 }),
      thresholds: { min_pages: 1, max_pages: 1 },
      details: /1 page is wanted/,
    },
  ],
  skipped: [{ name: 'no number is set', given: document() }],
})

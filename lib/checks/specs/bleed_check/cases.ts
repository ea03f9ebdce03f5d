import type { EdgeFacts } from '@/lib/media/measurements'
import { bleedCheck } from '../../document/bleed-check'
import { documentPages } from '../../testing'
import { specOf } from '../spec'

const around = (by: number) => ({ xMm: 5 - by, yMm: 5 - by, widthMm: 200 + 2 * by, heightMm: 287 + 2 * by })
const bleed = (by: number) => documentPages({ trimBox: around(0), bleedBox: around(by) })

/** A page with 3 mm of bleed box, painted along its left edge like this. */
const paintedTo = (left: EdgeFacts) => {
  const none = { inkShare: 0, reachMm: null }
  const edges = [{ page: 1, left, right: none, top: none, bottom: none }]
  return { ...bleed(3), measures: { placed: { images: [], pages: 1, edges } } }
}

export const spec = specOf(bleedCheck, {
  good: [
    { name: 'as much as wanted', given: bleed(3), thresholds: { min_mm: 3 } },
    { name: 'painted as far', given: paintedTo({ inkShare: 1, reachMm: 2.9 }), thresholds: { min_mm: 3 } },
    {
      name: 'a letter that touches the trim',
      given: paintedTo({ inkShare: 0.01, reachMm: 0 }),
      thresholds: { min_mm: 3 },
    },
  ],
  bad: [
    { name: 'less than wanted', given: bleed(2.5), thresholds: { min_mm: 3 }, details: /2.5 mm at the/ },
    {
      name: 'a bleed box with nothing painted in it',
      given: paintedTo({ inkShare: 0.9, reachMm: 0.1 }),
      thresholds: { min_mm: 3 },
      details: /up to the left edge of the trim goes on for 0.1 mm; 3 mm/,
      occurrences: [{ page: 1 }],
    },
    {
      name: 'no bleed box, whatever a viewer shows',
      given: documentPages({ trimBox: around(0) }),
      thresholds: { min_mm: 3 },
      details: /states no bleed box/,
    },
  ],
  error: [
    {
      name: 'pages that could not be drawn',
      given: {
        ...bleed(3),
        measures: {
          placed: { images: [], pages: 1, edges: { failed: 'the edges of the pages could not be decoded' } },
        },
      },
      thresholds: { min_mm: 3 },
    },
  ],
  skipped: [{ name: 'no bleed is set', given: bleed(0) }],
})

import { bleedCheck } from '../../document/bleed-check'
import { documentPages } from '../../testing'
import { specOf } from '../spec'

const around = (by: number) => ({ xMm: 5 - by, yMm: 5 - by, widthMm: 200 + 2 * by, heightMm: 287 + 2 * by })
const bleed = (by: number) => documentPages({ trimBox: around(0), bleedBox: around(by) })

export const spec = specOf(bleedCheck, {
  good: [{ name: 'as much as wanted', given: bleed(3), thresholds: { min_mm: 3 } }],
  bad: [
    { name: 'less than wanted', given: bleed(2.5), thresholds: { min_mm: 3 }, details: /2.5 mm at the/ },
    {
      name: 'no bleed box, whatever a viewer shows',
      given: documentPages({ trimBox: around(0) }),
      thresholds: { min_mm: 3 },
      details: /states no bleed box/,
    },
  ],
  skipped: [{ name: 'no bleed is set', given: bleed(0) }],
})

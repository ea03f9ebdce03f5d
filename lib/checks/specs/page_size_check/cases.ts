import { pageSizeCheck } from '../../document/page-size-check'
import { document, documentPages } from '../../testing'
import { specOf } from '../spec'

const a4 = { width_mm: 210, height_mm: 297 }
const box = (widthMm: number, heightMm: number) => ({ xMm: 3, yMm: 3, widthMm, heightMm })

export const spec = specOf(pageSizeCheck, {
  good: [
    { name: 'half a millimetre off', given: documentPages({ widthMm: 210.5 }), thresholds: a4 },
    {
      name: 'a trim box of the size on a larger sheet',
      given: documentPages({ widthMm: 216, heightMm: 303, trimBox: box(210, 297) }),
      thresholds: a4,
      details: /by its trim box/,
    },
    {
      name: 'a trim box on a page that is turned',
      given: documentPages({ widthMm: 297, heightMm: 210, rotation: 90, trimBox: box(297, 210) }),
      thresholds: a4,
    },
    {
      name: 'a trim box where one is wanted',
      given: documentPages({ trimBox: box(210, 297) }),
      thresholds: { require_trim_box: true },
    },
    {
      name: 'a bleed box where one is wanted',
      given: documentPages({ bleedBox: box(216, 303) }),
      thresholds: { require_bleed_box: true },
    },
    { name: 'pages of one size', given: documentPages({}, {}), thresholds: { same_size: true } },
  ],
  bad: [
    {
      name: 'more than half a millimetre off',
      given: documentPages({ widthMm: 210.6 }),
      thresholds: a4,
      details: /210.6 × 297 mm \(it states no trim box.*210 × 297 mm is wanted, within 0.5 mm/,
    },
    {
      name: 'a trim box of another size on a sheet of the size',
      given: documentPages({ trimBox: box(200, 297) }),
      thresholds: a4,
      details: /200 × 297 mm by its trim box/,
    },
    {
      name: 'a third page of another size',
      given: documentPages({}, {}, { widthMm: 148 }),
      thresholds: a4,
      details: /^Page 3 is 148/,
    },
    {
      name: 'a page without a trim box where one is wanted',
      given: documentPages({ trimBox: box(210, 297) }, {}),
      thresholds: { require_trim_box: true },
      details: /Page 2 states no trim box/,
    },
    { name: 'no bleed box where one is wanted', given: documentPages({}), thresholds: { require_bleed_box: true } },
    {
      name: 'pages of two sizes',
      given: documentPages({}, { widthMm: 297, heightMm: 210 }),
      thresholds: { same_size: true },
      details: /Page 2 is 297 × 210 mm, page 1 is 210 × 297 mm/,
    },
  ],
  skipped: [{ name: 'no size is set', given: document(), details: /210 × 297 mm/ }],
})

import { safeAreaCheck } from '../../visual/safe-area-check'
import { lineOf, readImage } from '../reading'
import { specOf } from '../spec'

const STORY = { width: 1080, height: 1920 }
const CLAIM = 'Summer sale'
/** A claim of 400 × 60 px, its upper left corner there. */
const claim = (x: number, y: number) => lineOf(CLAIM, { x, y, width: 200, height: 60 })
const stories = { top_percent: 14, bottom_percent: 20 }
const given = (x: number, y: number) => readImage(STORY, claim(x, y), CLAIM)

export const spec = specOf(safeAreaCheck, {
  good: [
    {
      name: 'in the middle',
      given: given(340, 900),
      thresholds: stories,
      details:
        /^1 phrase of the required copy and 0 other words keep 14 % top and 20 % bottom of 1080 × 1920 px free\.$/,
    },
    // 14 % of 1,920 are 268.8 px, 80 % 1,536.
    { name: 'exactly at the upper edge', given: given(340, 268.8), thresholds: stories },
    { name: 'exactly at the lower edge', given: given(340, 1476), thresholds: stories },
    { name: 'at a side that is not asked', given: given(0, 900), thresholds: stories },
    {
      name: 'beside words that were not read surely',
      given: readImage(
        STORY,
        [...claim(340, 900), ...lineOf('ilil', { x: 10, y: 10, width: 60, height: 20 }, 0.5)],
        CLAIM,
      ),
      thresholds: stories,
    },
  ],
  bad: [
    {
      name: 'above',
      given: given(340, 268),
      thresholds: stories,
      details: /^“Summer sale” \(top\) reaches out of the safe area; 14 % top and 20 % bottom of 1080 × 1920 px/,
      fix: /269 px from the top, 384 px from the bottom/,
      confidence: 0.53,
      occurrences: [{ region: { x: 340, y: 268, width: 400, height: 60 } }],
    },
    { name: 'below', given: given(340, 1477), thresholds: stories },
    { name: 'beside', given: given(10, 900), thresholds: { left_percent: 5, right_percent: 5 } },
    {
      name: 'other text that was read surely',
      given: readImage(
        STORY,
        [...claim(340, 900), ...lineOf('Imprint', { x: 10, y: 1880, width: 90, height: 20 })],
        CLAIM,
      ),
      thresholds: stories,
      details: /“Imprint” \(bottom\)/,
      confidence: 0.7,
    },
    {
      name: 'three other words that were read surely',
      given: readImage(
        STORY,
        [...claim(340, 900), ...lineOf('All rights reserved', { x: 10, y: 1880, width: 90, height: 20 })],
        CLAIM,
      ),
      thresholds: stories,
      confidence: 0.97,
    },
  ],
  skipped: [
    { name: 'no copy is required', given: readImage(STORY, claim(0, 0)), thresholds: stories },
    { name: 'nothing is set', given: given(0, 0) },
    { name: 'the copy was not found', given: readImage(STORY, [], CLAIM), thresholds: stories },
  ],
})

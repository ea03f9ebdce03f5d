import { textLegibilityCheck } from '../../visual/text-legibility-check'
import { lineOf, readImage } from '../reading'
import { specOf } from '../spec'

const BANNER = { width: 1200, height: 628 }
const LEGAL = 'Terms and conditions apply'
const given = (height: number) => readImage(BANNER, lineOf(LEGAL, { x: 20, y: 580, width: 90, height }), LEGAL)
const phone = { min_height_px: 9, shown_width_px: 400 }

export const spec = specOf(textLegibilityCheck, {
  good: [
    {
      name: 'as high as is wanted',
      given: given(27),
      thresholds: phone,
      details: /the lowest is 9 px high, shown 400 px wide; at least 9 px are wanted\.$/,
      confidence: 0.5,
    },
    { name: 'at its own width', given: given(12), thresholds: { min_height_px: 9 }, confidence: 0.99 },
    {
      name: 'another phrase was not found, which may be too small to be read',
      given: readImage(BANNER, lineOf(LEGAL, { x: 20, y: 580, width: 90, height: 60 }), LEGAL, 'Summer sale'),
      thresholds: phone,
      confidence: 0.6,
    },
  ],
  bad: [
    {
      name: 'a pixel lower',
      given: given(26),
      thresholds: phone,
      details: /^“Terms and conditions apply” is 8\.7 px high, shown 400 px wide; at least 9 px are wanted\.$/,
      fix: /times as large/,
    },
    { name: 'half as high', given: given(13), thresholds: phone, fix: /2\.1 times as large/, confidence: 0.99 },
  ],
  skipped: [
    { name: 'no copy is required', given: readImage(BANNER, []), thresholds: phone },
    { name: 'nothing is set', given: given(9) },
    { name: 'the copy was not found', given: readImage(BANNER, [], LEGAL), thresholds: phone },
  ],
})

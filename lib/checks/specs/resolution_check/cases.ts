import { resolutionCheck } from '../../image/resolution-check'
import { image } from '../../testing'
import { specOf } from '../spec'

const dpi300 = { min_dpi: 300 }
const a5 = { min_dpi: 300, print_width_mm: 148, print_height_mm: 210 }

export const spec = specOf(resolutionCheck, {
  good: [
    { name: 'states what is wanted', given: image({ densityDpi: 300 }), thresholds: dpi300 },
    { name: 'states what is wanted, rounded', given: image({ densityDpi: 299.99 }), thresholds: dpi300 },
    {
      name: 'enough at its printed size, whatever it states',
      given: image({ width: 1748, height: 2480, densityDpi: 72 }),
      thresholds: a5,
      details: /are 300 dpi/,
    },
    {
      name: 'whole dots per centimetre',
      given: image({ densityDpi: 118 * 2.54, densityRoundingDpi: 1.27 }),
      thresholds: dpi300,
    },
  ],
  bad: [
    {
      name: 'states less than is wanted',
      given: image({ densityDpi: 299 }),
      thresholds: dpi300,
      details: /states 299 dpi; at least 300 dpi/,
      fix: /25.4 × 21.2 mm/,
    },
    {
      name: 'a little less than is wanted',
      given: image({ densityDpi: 299.7 }),
      thresholds: dpi300,
      details: /states 299.7 dpi/,
    },
    {
      name: 'a little less, in a finer unit',
      given: image({ densityDpi: 11_799 * 0.0254, densityRoundingDpi: 0.0127 }),
      thresholds: dpi300,
    },
    {
      name: 'one pixel too few at its printed size',
      given: image({ width: 1747, height: 2480 }),
      thresholds: a5,
      details: /are 299.8 dpi/,
    },
    {
      name: 'too little at its printed size, whatever it states',
      given: image({ width: 874, height: 1240, densityDpi: 300 }),
      thresholds: a5,
      details: /874 × 1240 px on 148 × 210 mm are 150 dpi/,
      fix: /1749 × 2481 px/,
    },
  ],
  skipped: [
    { name: 'no resolution is set', given: image({ densityDpi: 72 }) },
    { name: 'states no resolution', given: image(), thresholds: dpi300 },
    { name: 'a drawing', given: image({ format: 'svg' }), thresholds: dpi300 },
  ],
})

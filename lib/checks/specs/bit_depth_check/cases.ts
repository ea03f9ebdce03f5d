import { bitDepthCheck } from '../../image/bit-depth-check'
import { image } from '../../testing'
import { specOf } from '../spec'

export const spec = specOf(bitDepthCheck, {
  good: [
    { name: 'a depth of the list', given: image(), thresholds: { allowed: [8] } },
    {
      name: 'a palette, of which the depth is that of its colours',
      given: image({ bitDepth: 4, colourSpace: 'indexed' }),
      thresholds: { allowed: [8] },
    },
  ],
  bad: [
    {
      name: 'a depth that is not listed',
      given: image({ bitDepth: 16 }),
      thresholds: { allowed: [8] },
      details: /16 bits per channel; 8 is wanted/,
    },
  ],
  skipped: [
    { name: 'no depth is set', given: image() },
    { name: 'the depth is not known', given: image({ bitDepth: null }), thresholds: { allowed: [8] } },
  ],
})

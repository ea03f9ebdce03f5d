import { spotColourCheck } from '../../document/spot-colour-check'
import { document } from '../../testing'
import { specOf } from '../spec'

export const spec = specOf(spotColourCheck, {
  good: [
    { name: 'none', given: document() },
    {
      name: 'one that was ordered, in another case',
      given: document({ spotColours: ['Gold'] }),
      thresholds: { allowed: ['gold'] },
    },
  ],
  bad: [
    {
      name: 'one that was not ordered',
      given: document({ spotColours: ['PANTONE 185 C'] }),
      details: /PANTONE 185 C/,
    },
  ],
})

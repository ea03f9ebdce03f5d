import { borderCheck } from '../../image/border-check'
import { image, imagePixels } from '../../testing'
import { specOf } from '../spec'

export const spec = specOf(borderCheck, {
  good: [{ name: 'half of the edge stands out', given: imagePixels({ paleEdgeShare: 0.5 }) }],
  bad: [
    {
      name: 'more than half of the edge would vanish on a white page',
      given: imagePixels({ paleEdgeShare: 0.51 }),
      details: /51 % of the edge/,
      fix: /border of 1 px/,
    },
  ],
  skipped: [{ name: 'an EPS drawing, which is not drawn here', given: image({ format: 'eps' }) }],
})

import { imageResolutionCheck } from '../../document/image-resolution-check'
import { documentFacts, subject } from '../../testing'
import { specOf } from '../spec'

const placed = (dpi: number, width = 100) =>
  subject(documentFacts(), {
    measures: {
      placed: {
        pages: 1,
        images: [{ page: 1, width: 900, height: 600, dpi, region: { x: 0, y: 0, width, height: width } }],
      },
    },
  })

export const spec = specOf(imageResolutionCheck, {
  good: [{ name: 'the least that is wanted', given: placed(225), thresholds: { min_dpi: 225 } }],
  bad: [{ name: 'below the least', given: placed(144), thresholds: { min_dpi: 225 }, fix: /886 × 886 px/ }],
  skipped: [
    { name: 'nothing is set', given: placed(72), details: /72 dpi on page 1/ },
    { name: 'tiny, where it is not seen', given: placed(20, 2), thresholds: { min_dpi: 225 } },
  ],
})

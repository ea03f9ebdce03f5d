import { compressionCheck } from '../../image/compression-check'
import { imagePixels } from '../../testing'
import { specOf } from '../spec'

export const spec = specOf(compressionCheck, {
  good: [
    {
      name: 'a JPEG of the least quality',
      given: imagePixels({}, { format: 'jpeg', jpegQuality: 70 }),
      confidence: 0.6,
    },
    {
      name: 'a JPEG of the least quality by a known table',
      given: imagePixels({}, { format: 'jpeg', jpegQuality: 70, isIjgTable: true }),
      confidence: 0.99,
    },
    { name: 'no grid of blocks shows', given: imagePixels({ blockiness: 1.6 }), confidence: 0.5 },
    { name: 'half of the grid that is allowed', given: imagePixels({ blockiness: 1.3 }), confidence: 0.98 },
    { name: 'steps that are all alike', given: imagePixels({ blockiness: 1 }), confidence: 0.99 },
    { name: 'smaller steps across', given: imagePixels({ blockiness: 0.97 }), confidence: 0.99 },
  ],
  bad: [
    {
      name: 'a JPEG below the least quality',
      given: imagePixels({}, { format: 'jpeg', jpegQuality: 69 }),
      details: /quality 69; at least 70/,
    },
    { name: 'a PNG that was a poor JPEG before', given: imagePixels({ blockiness: 1.61 }), details: /1.61 times/ },
    { name: 'a grid twice as visible as allowed', given: imagePixels({ blockiness: 2.2 }), confidence: 0.98 },
    { name: 'a grid of blocks and little else', given: imagePixels({ blockiness: 6 }), confidence: 0.99 },
    {
      name: 'a good JPEG made from a poor one',
      given: imagePixels({ blockiness: 2 }, { format: 'jpeg', jpegQuality: 95 }),
    },
  ],
  skipped: [{ name: 'too small for a grid to show', given: imagePixels({ blockiness: null }) }],
})

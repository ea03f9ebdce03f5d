import { compressionCheck } from '../../image/compression-check'
import { imagePixels } from '../../testing'
import { specOf } from '../spec'

export const spec = specOf(compressionCheck, {
  good: [
    { name: 'a JPEG of the least quality', given: imagePixels({}, { format: 'jpeg', jpegQuality: 70 }) },
    { name: 'no grid of blocks shows', given: imagePixels({ blockiness: 1.6 }) },
  ],
  bad: [
    {
      name: 'a JPEG below the least quality',
      given: imagePixels({}, { format: 'jpeg', jpegQuality: 69 }),
      details: /quality 69; at least 70/,
    },
    { name: 'a PNG that was a poor JPEG before', given: imagePixels({ blockiness: 1.61 }), details: /1.61 times/ },
    {
      name: 'a good JPEG made from a poor one',
      given: imagePixels({ blockiness: 2 }, { format: 'jpeg', jpegQuality: 95 }),
    },
  ],
  skipped: [{ name: 'too small for a grid to show', given: imagePixels({ blockiness: null }) }],
})

import { sharpnessCheck } from '../../image/sharpness-check'
import { image, imagePixels } from '../../testing'
import { specOf } from '../spec'

const eps = image({ format: 'eps' }, { measures: {} })

export const spec = specOf(sharpnessCheck, {
  good: [
    { name: 'at the threshold', given: imagePixels({ sharpness: 100 }), confidence: 0.5 },
    { name: 'far above it', given: imagePixels({ sharpness: 900 }), confidence: 0.95 },
    { name: 'far above it, with little grain', given: imagePixels({ sharpness: 900, grain: 40 }), confidence: 0.99 },
    { name: 'alike everywhere, as grain is', given: imagePixels({ sharpness: 900, grain: 850 }), confidence: 0.5 },
    { name: 'far above it once it was reduced', given: imagePixels({ sharpness: 900, scale: 0.5 }), confidence: 0.6 },
    {
      name: 'lettering at its threshold',
      given: imagePixels({ sharpness: 400, contourSharpness: 0.006 }),
      confidence: 0.5,
    },
    { name: 'steps at their threshold', given: imagePixels({ stepEvenness: 0.25 }), confidence: 0.5 },
    { name: 'steps that lie evenly', given: imagePixels({ stepEvenness: 0.9 }) },
    { name: 'a photo, whose contours are not hard', given: imagePixels({ sharpness: 400, contourSharpness: null }) },
  ],
  bad: [
    {
      name: 'below the threshold',
      given: imagePixels({ sharpness: 99 }),
      details: /measure 99 .*at least 100 is wanted/,
      confidence: 0.51,
    },
    {
      name: 'enlarged lettering, whose contrast makes it look sharp',
      given: imagePixels({ sharpness: 180, contourSharpness: 0.003 }),
      details: /contours measure 0.003; at least 0.006/,
    },
    {
      name: 'enlarged without smoothing, which keeps it sharp',
      given: imagePixels({ sharpness: 4000, stepEvenness: 0 }),
      details: /repeat the ones before\. Between such lie 0 of the mean/,
      confidence: 0.95,
    },
    { name: 'far below it', given: imagePixels({ sharpness: 9 }), confidence: 0.99 },
    { name: 'far below it, though it was reduced', given: imagePixels({ sharpness: 9, scale: 0.5 }), confidence: 0.99 },
    {
      name: 'a little below it, and enlarged by its contours',
      given: imagePixels({ sharpness: 94, contourSharpness: 0.002 }),
      confidence: 0.99,
    },
    { name: 'small, but no icon', given: imagePixels({ width: 48, sharpness: 1 }) },
  ],
  skipped: [
    { name: 'no contours', given: imagePixels({ sharpness: null }) },
    { name: 'a drawing', given: imagePixels({ sharpness: 1 }, { format: 'svg' }) },
    { name: 'an icon', given: imagePixels({ width: 47, sharpness: 1 }) },
    { name: 'a drawing without pixels', given: eps },
  ],
  error: [
    {
      name: 'its pixels could not be read',
      given: image({}, { measures: { pixels: { failed: 'the image could not be decoded' } } }),
      details: /Not checked: the image could not be decoded/,
    },
  ],
})

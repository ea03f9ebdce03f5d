import { imageFacts, subject, video } from '../../testing'
import { dimensionCheck } from '../../visual/dimension-check'
import { specOf } from '../spec'

const image = (width: number, height: number, changes = {}) => subject(imageFacts({ width, height, ...changes }))
const sizes = { sizes: ['300x250', '728x90'] }

export const spec = specOf(dimensionCheck, {
  good: [
    { name: 'a size of the list', given: image(728, 90), thresholds: sizes },
    {
      name: 'a size of the list, and another in the name',
      given: { ...image(300, 250), claims: { width: 1, height: 1 } },
      thresholds: sizes,
    },
    {
      name: 'the size in the name, and none is listed',
      given: { ...image(300, 250), claims: { width: 300, height: 250 } },
    },
    { name: 'a size of the list after turning', given: image(250, 300, { orientation: 8 }), thresholds: sizes },
    {
      name: 'at the bounds',
      given: image(1080, 1920),
      thresholds: { min_width: 1080, max_height: 1920 },
    },
    {
      name: 'a video, by its pixels as shown',
      given: video({ width: 1440, displayWidth: 1920 }),
      thresholds: { sizes: ['1920x1080'] },
      details: /The video is 1920 × 1080 px/,
    },
  ],
  bad: [
    {
      name: 'two pixels too narrow: the fix names the nearest size',
      given: image(298, 250),
      thresholds: sizes,
      details: 'The image is 298 × 250 px; 300 × 250 px or 728 × 90 px is wanted.',
      fix: /Export “hero.png” at 300 × 250 px .* the file is 298 × 250 px/,
    },
    {
      name: 'another size than the name says',
      given: { ...image(300, 251), claims: { width: 300, height: 250 } },
      details: /the name says 300 × 250 px/,
    },
    {
      name: 'below the least width',
      given: image(1079, 1920),
      thresholds: { min_width: 1080 },
      details: /at least 1080 px wide/,
    },
    {
      name: 'above the greatest height',
      given: image(1080, 1921),
      thresholds: { max_height: 1920 },
      details: /at most 1920 px high/,
    },
  ],
  skipped: [{ name: 'it is not said what is wanted', given: image(1, 1) }],
  error: [
    {
      name: 'its facts could not be read',
      given: { ...image(1, 1), media: { failed: 'unreadable' } },
    },
    {
      name: 'a list of sizes that cannot be read',
      given: image(1, 1),
      thresholds: { sizes: ['wide'] },
    },
  ],
})

import { subject, videoFacts } from '../../testing'
import { aspectRatioCheck } from '../../visual/aspect-ratio-check'
import { specOf } from '../spec'

const video = (displayWidth: number, displayHeight: number) => subject(videoFacts({ displayWidth, displayHeight }))
const wide = { ratios: ['16x9'] }

export const spec = specOf(aspectRatioCheck, {
  good: [
    { name: 'a ratio of the list', given: video(1920, 1080), thresholds: wide },
    { name: 'within 1 % of it', given: video(1920, 1070), thresholds: wide },
    { name: 'a ratio of the list with decimals', given: video(1080, 566), thresholds: { ratios: ['1.91x1', '1x1'] } },
  ],
  bad: [
    {
      name: 'more than 1 % off',
      given: video(1920, 1068),
      thresholds: wide,
      details: /1.798:1; 16:9 is wanted/,
      fix: /1920 × 1080 px/,
    },
    {
      name: 'another ratio than the name says, and none is set',
      given: { ...video(1080, 1080), claims: { ratio: { width: 9, height: 16 } } },
      details: /the name says 9:16/,
    },
  ],
  skipped: [{ name: 'no ratio is set', given: video(1920, 1080) }],
})

import { videoFrames } from '../../testing'
import { videoLevelCheck } from '../../video/video-level-check'
import { specOf } from '../spec'

const levels = (low: number, high: number) =>
  videoFrames({ levels: { low: { percent: low, at: 2 }, high: { percent: high, at: 5.5 } } })

export const spec = specOf(videoLevelCheck, {
  good: [
    {
      name: 'black and white, and nothing beyond',
      given: levels(0, 100),
      details: /between 0 and 100 %; -5 % to 105 % is wanted/,
      confidence: 0.99,
    },
    { name: 'exactly what is tolerated', given: levels(-5, 105), confidence: 0.69 },
    {
      name: 'exactly what is tolerated, in every frame',
      given: videoFrames({
        levels: {
          low: { percent: 0, at: 2, spread: 0 },
          high: { percent: 105, at: 5.5, spread: 0 },
          ofEveryFrame: true,
        },
      }),
      confidence: 0.97,
    },
    { name: 'code 246 of 8 bits', given: levels(-5.02, 105.02) },
    { name: 'one limit alone', given: levels(-30, 100), thresholds: { min_percent: null } },
  ],
  bad: [
    {
      name: 'whites beyond',
      given: levels(0, 109.1),
      details: /109\.1 % at 00:00:05\.500\.$/,
      fix: /limiter=min=16:max=235/,
      confidence: 0.99,
      occurrences: [{ start: 5.5, end: 5.5 }],
    },
    { name: 'a little beyond', given: levels(0, 105.6), confidence: 0.76 },
    {
      name: 'a little beyond, by an area of one level',
      given: videoFrames({
        levels: { low: { percent: 0, at: 2, spread: 0 }, high: { percent: 105.6, at: 5.5, spread: 0 } },
      }),
      confidence: 0.99,
    },
    {
      name: 'beyond, by highlights',
      given: videoFrames({
        levels: { low: { percent: 0, at: 2, spread: 0 }, high: { percent: 106.5, at: 5.5, spread: 2.5 } },
      }),
      confidence: 0.69,
    },
    { name: 'blacks below', given: levels(-7, 100), occurrences: [{ start: 2, end: 2 }] },
    {
      name: 'both',
      given: levels(-40, 140),
      occurrences: [
        { start: 5.5, end: 5.5 },
        { start: 2, end: 2 },
      ],
    },
  ],
  skipped: [
    { name: 'measured before levels were', given: videoFrames() },
    { name: 'no frame', given: videoFrames({ levels: null }) },
    { name: 'no limit', given: levels(-40, 140), thresholds: { min_percent: null, max_percent: null } },
  ],
})

import type { Repeats } from '@/lib/media/measurements'
import { videoFrames } from '../../testing'
import { cadenceCheck } from '../../video/cadence-check'
import { specOf } from '../spec'

const made = (changes: Partial<Repeats> = {}) =>
  videoFrames(
    { frames: 300, repeats: { count: 0, every: null, stray: 0, at: [], ...changes } },
    { frameRate: { average: 30, nominal: 30, constant: true } },
  )
const pulled = made({ count: 60, every: 5 })
const jerks = made({ count: 2, stray: 2, at: [1.2, 3.4] })

export const spec = specOf(cadenceCheck, {
  good: [
    {
      name: 'no repeats',
      given: made(),
      details:
        /In the video 0 single frames repeat the one before\. Wanted: no cadence and at most 0 repeated frames\.$/,
      confidence: 0.95,
    },
    { name: 'as many as are allowed', given: jerks, thresholds: { max_repeats: 2 } },
    { name: 'a cadence where any is taken', given: pulled, thresholds: { cadence: 'any' } },
  ],
  bad: [
    {
      name: '24 frames a second in 30',
      given: pulled,
      details: /every 5th frame repeats the one before, as of 24 frames a second in 30;/,
      fix: /at 24 frames per second/,
      confidence: 0.99,
    },
    {
      name: 'single frames',
      given: jerks,
      details: /2 single frames repeat the one before/,
      fix: /from 00:00:01\.200, 00:00:03\.400 on/,
      confidence: 0.98,
      occurrences: [
        { start: 1.2, end: 1.2 },
        { start: 3.4, end: 3.4 },
      ],
    },
    { name: 'many, which may be drawn so', given: made({ count: 40, stray: 40, at: [1] }), confidence: 0.6 },
  ],
  skipped: [
    { name: 'measured before repeats were looked for', given: videoFrames() },
    { name: 'nothing is set', given: pulled, thresholds: { max_repeats: null, cadence: 'any' } },
  ],
})

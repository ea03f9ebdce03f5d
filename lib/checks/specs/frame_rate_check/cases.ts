import { video } from '../../testing'
import { frameRateCheck } from '../../video/frame-rate-check'
import { specOf } from '../spec'

const rate = (average: number, constant = true, nominal: number | null = average) =>
  video({ frameRate: { average, nominal, constant } })

export const spec = specOf(frameRateCheck, {
  good: [
    { name: 'an even rate, and none is set', given: rate(25), details: /evenly spaced; a constant rate is wanted/ },
    { name: 'a rate of the list', given: rate(30000 / 1001), thresholds: { rates: [29.97] } },
    {
      name: 'the rate in the name, which is rounded there',
      given: { ...rate(30000 / 1001), claims: { framesPerSecond: 30 } },
    },
  ],
  bad: [
    {
      name: 'an uneven rate, which is never more than a warning',
      given: rate(28.4, false, 30),
      says: 'warning',
      details: /unevenly, 28.4 frames per second on average/,
      fix: /fps=30 /,
    },
    {
      name: '29.97 where 30 is wanted',
      given: rate(30000 / 1001),
      thresholds: { rates: [30] },
      details: /29.97 frames per second; 30 is wanted/,
    },
    {
      name: '25 where 23.976 is wanted: the fix names the exact rate',
      given: rate(25),
      thresholds: { rates: [23.976] },
      fix: /fps=24000\/1001/,
    },
    {
      name: 'another rate than the name says',
      given: { ...rate(25), claims: { framesPerSecond: 30 } },
      details: /the name says 30/,
    },
  ],
  skipped: [
    {
      name: 'an uneven rate where that is allowed, and none is set',
      given: rate(28.4, false),
      thresholds: { constant: false },
    },
  ],
})

import { adAnimationCheck } from '../../archive/ad-animation-check'
import { plainArchive, ranAd } from '../../testing'
import { specOf } from '../spec'

const motion = (lastChangeSeconds: number, isMoving = false, rounds?: number | null) =>
  ranAd({
    watchedSeconds: 32.1,
    motion: { lastChangeSeconds, isMoving, changes: 9, ...(rounds !== undefined && { rounds }) },
  })

export const spec = specOf(adAnimationCheck, {
  good: [
    {
      name: 'rests 0.4 s after the limit, which is within the tolerance',
      given: motion(30.4),
      details: /after 30.4 s; at most 30 s/,
      confidence: 0.85,
    },
    { name: 'rests, with more planned', given: motion(9), confidence: 0.85 },
    {
      name: 'rests with nothing planned before the limit',
      given: ranAd({ watchedSeconds: 11, motion: { lastChangeSeconds: 8, isMoving: false, changes: 9 } }),
      confidence: 0.95,
    },
    {
      name: 'has nothing planned before the limit, and is watched for longer',
      given: ranAd({
        watchedSeconds: 11,
        motion: { lastChangeSeconds: 8, isMoving: false, changes: 9, plannedUntilSeconds: 8.4 },
      }),
      thresholds: { max_seconds: 9 },
      confidence: 0.95,
    },
    {
      name: 'has something planned until after the limit',
      given: ranAd({
        watchedSeconds: 14,
        motion: { lastChangeSeconds: 8, isMoving: false, changes: 9, plannedUntilSeconds: 11 },
      }),
      thresholds: { max_seconds: 9 },
      confidence: 0.85,
    },
    { name: 'moves for ever where no limit is set', given: motion(32, true), thresholds: { max_seconds: null } },
    { name: 'plays as many rounds as allowed', given: motion(9, false, 3), thresholds: { max_rounds: 3 } },
    {
      name: 'is driven by a script, whose rounds are not counted',
      given: motion(9),
      thresholds: { max_rounds: 3 },
      details:
        /What a script repeats without coming back to the same state is not counted: watch that there are no more than 3/,
    },
  ],
  bad: [
    { name: 'rests 0.6 s after the limit', given: motion(30.6), confidence: 0.9 },
    { name: 'rests 2 s after the limit', given: motion(17), thresholds: { max_seconds: 15 }, confidence: 1 },
    { name: 'still moves when it is no longer watched', given: motion(32, true), details: /still moving after 32 s/ },
    {
      name: 'plays without end where rounds are limited',
      given: motion(9, false, null),
      thresholds: { max_rounds: 3 },
      details: /without end/,
    },
    ...(
      [
        [2, 0.7],
        [3, 0.91],
        [6, 0.99],
      ] as const
    ).map(([scriptSteps, confidence]) => ({
      name: `is brought back by a script to ${scriptSteps} states`,
      given: ranAd({ motion: { lastChangeSeconds: 9, isMoving: false, changes: 9, scriptRounds: 4, scriptSteps } }),
      thresholds: { max_rounds: 3 },
      confidence,
    })),
  ],
  skipped: [{ name: 'a plain archive', given: plainArchive }],
  error: [
    { name: 'was watched for less than the limit', given: motion(32, true), thresholds: { max_seconds: 45 } },
    { name: 'blocks its page', given: ranAd({ ended: 'blocked' }) },
  ],
})

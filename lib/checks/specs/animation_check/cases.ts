import type { ImageFacts } from '@/lib/media/facts'
import { animationCheck } from '../../image/animation-check'
import { image } from '../../testing'
import { specOf } from '../spec'

const moving = (changes: Partial<ImageFacts>) =>
  image({ format: 'gif', frames: 50, durationSeconds: 10, loopCount: 3, ...changes })

export const spec = specOf(animationCheck, {
  good: [
    {
      name: '30 s with its repetitions',
      given: moving({}),
      details: /50 frames in 10 s, played 3 times/,
    },
    { name: 'plays as often as allowed', given: moving({}), thresholds: { max_plays: 3 } },
    { name: 'as fast as allowed', given: moving({}), thresholds: { max_frames_per_second: 5 } },
  ],
  bad: [
    {
      name: '40 s with its repetitions',
      given: moving({ loopCount: 4 }),
      details: /for 40 s .*at most 30 s/,
      fix: /play 3 times \(30 s\) instead of 4 times/,
    },
    { name: 'never stops', given: moving({ loopCount: 0 }), details: /without end/ },
    {
      name: '31 s in a single pass, which must be shortened',
      given: moving({ durationSeconds: 31, loopCount: 1 }),
      fix: /Shorten one pass/,
    },
    {
      name: 'moves where a still image is wanted',
      given: moving({}),
      thresholds: { allowed: false },
      details: /still image is wanted/,
    },
    {
      name: 'plays more often than allowed',
      given: moving({}),
      thresholds: { max_plays: 2 },
      details: /plays 3 times; at most 2 times/,
    },
    {
      name: 'faster than allowed',
      given: moving({}),
      thresholds: { max_frames_per_second: 4 },
      details: /5 frames per second; at most 4/,
      fix: /250 ms/,
    },
  ],
  skipped: [{ name: 'a still image', given: image() }],
})

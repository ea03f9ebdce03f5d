import { videoFrames } from '../../testing'
import { flashCheck } from '../../video/flash-check'
import { specOf } from '../spec'

const flashes = (mostPerSecond: number) => videoFrames({ flashes: { mostPerSecond, at: { start: 1, end: 2 } } })

export const spec = specOf(flashCheck, {
  good: [
    { name: 'three flashes in a second', given: flashes(3), confidence: 0.9 },
    { name: 'one flash in a second', given: flashes(1), confidence: 0.99 },
    { name: 'no flash', given: flashes(0), confidence: 0.99 },
    {
      name: 'a sequence of five seconds at the limit',
      given: videoFrames({ flashes: { mostPerSecond: 3, at: { start: 1, end: 2 }, longest: { start: 1, end: 6 } } }),
    },
    {
      name: 'regular stripes for half a second',
      given: videoFrames({ stripes: [{ start: 1, end: 1.5 }] }),
      confidence: 0.5,
    },
  ],
  bad: [
    {
      name: 'four flashes in a second',
      given: flashes(4),
      details: /4 flashes fall in the second from 1 s/,
      confidence: 0.75,
    },
    { name: 'nearly twice as many as allowed', given: flashes(5), confidence: 0.94 },
    { name: 'twice as many', given: flashes(6), confidence: 0.98 },
    { name: 'four times as many', given: flashes(12), confidence: 0.99 },
    { name: 'far more', given: flashes(25), confidence: 0.99 },
    { name: 'one where none is allowed', given: flashes(1), thresholds: { max_per_second: 0 }, confidence: 0.75 },
    {
      name: 'red flashes, which are counted by themselves',
      given: videoFrames({ redFlashes: { mostPerSecond: 6, at: { start: 3, end: 4 } } }),
      details: /6 red flashes fall in the second from 3 s/,
    },
    {
      name: 'a sequence of more than five seconds, though every second keeps the limit',
      given: videoFrames({ flashes: { mostPerSecond: 3, at: { start: 1, end: 2 }, longest: { start: 1, end: 6.2 } } }),
      details: /from 1 s to 6.2 s; such a sequence may last 5 s/,
    },
    {
      name: 'red ones for as long',
      given: videoFrames({ redFlashes: { mostPerSecond: 2, at: { start: 1, end: 2 }, longest: { start: 1, end: 9 } } }),
    },
    {
      name: 'regular stripes that stand for longer',
      given: videoFrames({ stripes: [{ start: 1, end: 3 }] }),
      details: /Regular stripes .* from 1 s to 3 s/,
      confidence: 0.75,
    },
    {
      name: 'regular stripes in an image that stands still',
      given: videoFrames({ stripes: [{ start: 1, end: 3 }], frozen: [{ start: 0.9, end: 3.2 }] }),
      confidence: 0.99,
    },
  ],
})

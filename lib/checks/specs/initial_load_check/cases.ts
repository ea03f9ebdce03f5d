import { initialLoadCheck } from '../../archive/initial-load-check'
import { adRequest, askingAd, ranAd } from '../../testing'
import { specOf } from '../spec'

export const spec = specOf(initialLoadCheck, {
  good: [
    { name: 'as much as its size allows', given: askingAd(adRequest('a', { packedBytes: 150_000 })) },
    {
      name: 'draws another size than it states: what is stated counts',
      given: ranAd({ stage: { width: 320, height: 250, isElement: true, isEmpty: false } }),
      details: /for 300 × 250 px/,
    },
  ],
  bad: [
    {
      name: 'a byte above what its size allows',
      given: askingAd(adRequest('a', { packedBytes: 150_001 })),
      fix: /“a” \(150 kB\)/,
    },
    {
      name: 'above what the size in its name allows',
      given: { ...askingAd(adRequest('a', { packedBytes: 60_000 })), claims: { width: 320, height: 50 } },
      details: /50 kB are wanted for 320 × 50 px/,
    },
  ],
  skipped: [
    {
      name: 'a size for which nothing is set',
      given: ranAd({ frame: { width: 333, height: 55 }, stage: null }),
      details: /333 × 55 px/,
    },
  ],
})

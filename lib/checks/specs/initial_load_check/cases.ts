import { initialLoadCheck } from '../../archive/initial-load-check'
import { adRequest, askingAd, ranAd } from '../../testing'
import { specOf } from '../spec'

export const spec = specOf(initialLoadCheck, {
  good: [
    { name: 'as much as its size allows', given: askingAd(adRequest('a', { packedBytes: 150_000 })), confidence: 0.99 },
    {
      name: 'text that packs to a tenth less than its size allows',
      given: askingAd(adRequest('a.js', { bytes: 500_000, packedBytes: 136_364 })),
      confidence: 0.84,
    },
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
      confidence: 0.99,
    },
    {
      name: 'a byte above, of text that another server packs otherwise',
      given: askingAd(adRequest('a.js', { bytes: 500_000, packedBytes: 150_001 })),
      confidence: 0.5,
    },
    {
      name: 'and more that another server serves',
      given: askingAd(
        adRequest('a', { packedBytes: 200_000 }),
        adRequest('https://cdn.example/lib.js', { status: 'outside' }),
      ),
      confidence: 0.7,
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

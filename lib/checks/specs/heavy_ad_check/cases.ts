import { heavyAdCheck } from '../../archive/heavy-ad-check'
import { adRequest, askingAd, plainArchive, ranAd, unrunAd } from '../../testing'
import { specOf } from '../spec'

const loads = (packedBytes: number) =>
  askingAd(adRequest('hero.mp4', { kind: 'Media', bytes: packedBytes, packedBytes, phase: 'later' }))
const computes = (window: number, total = window) =>
  ranAd({ cpu: { mainThread: 0.3, process: 0.4, seconds: 30, window, total } })

export const spec = specOf(heavyAdCheck, {
  good: [
    { name: 'as it should be', given: ranAd(), details: /Chrome lets it be/, confidence: 0.99 },
    { name: 'as much as is let through', given: loads(4_000_000) },
    { name: '15 seconds of half a minute', given: computes(15), confidence: 0.5 },
    { name: 'half of what it may compute', given: computes(7.5), confidence: 0.84 },
    { name: 'a limit that is not set', given: loads(9_000_000), thresholds: { max_network_bytes: null } },
  ],
  bad: [
    { name: 'a byte more', given: loads(4_000_001), fix: /Make “hero.mp4” \(4 MB\) lighter/ },
    {
      name: 'more than half of the time',
      given: computes(22),
      details: /computes for 22 s within half a minute, at most 15 s/,
      confidence: 0.71,
    },
    { name: 'all of the time', given: computes(30), confidence: 0.84 },
    { name: 'too long in all', given: computes(14, 61), details: /61 s in all, at most 60 s/ },
  ],
  skipped: [{ name: 'a plain archive', given: plainArchive }],
  error: [
    { name: 'nothing can run it', given: unrunAd },
    { name: 'blocks its page', given: ranAd({ ended: 'blocked' }) },
    { name: 'run by an earlier version', given: ranAd({ cpu: { mainThread: 0.1, process: 0.1, seconds: 5 } }) },
  ],
})

import { adBehaviourCheck } from '../../archive/ad-behaviour-check'
import { adRequest, archiveFacts, plainArchive, ranAd, subject, unrunAd } from '../../testing'
import { specOf } from '../spec'

const quick = subject(archiveFacts(), { depth: 'quick' })
const library = adRequest('https://cdn.example/lib.js', { status: 'outside', kind: 'Script', bytes: 0, packedBytes: 0 })

export const spec = specOf(adBehaviourCheck, {
  good: [
    { name: 'loads and rests', given: ranAd(), details: /watched for 12.5 s/ },
    {
      name: 'plays audio where that is allowed',
      given: ranAd({ violations: [{ what: 'sound', detail: 'plays audio without being asked', seconds: 1 }] }),
      thresholds: { sound: true },
    },
  ],
  bad: [
    {
      name: 'blocks its page',
      given: ranAd({ ended: 'blocked', loadSeconds: null }),
      details: /while it loads/,
    },
    { name: 'takes all memory', given: ranAd({ ended: 'memory', memoryBytes: 1.6e9 }), details: /1.6 GB/ },
    { name: 'never finishes loading', given: ranAd({ loadSeconds: null }), details: /did not finish loading/ },
    {
      name: 'opens a window unasked',
      given: ranAd({ violations: [{ what: 'popup', detail: 'https://pop.example/', seconds: 1 }] }),
      details: /opens https:\/\/pop.example\/ without being clicked/,
    },
    {
      name: 'plays audio',
      given: ranAd({ violations: [{ what: 'sound', detail: 'plays audio without being asked', seconds: 1 }] }),
    },
    {
      name: 'shows nothing, perhaps for want of what other servers serve',
      given: ranAd({ requests: [library], stage: { width: 0, height: 0, isElement: false, isEmpty: true } }),
      details: /What other servers serve was not loaded/,
    },
  ],
  skipped: [
    { name: 'a plain archive', given: plainArchive },
    { name: 'the quick profile, which runs no ads', given: quick, details: /does not run HTML5 ads/ },
  ],
  error: [{ name: 'nothing can run it', given: unrunAd, details: /no Chromium/ }],
})

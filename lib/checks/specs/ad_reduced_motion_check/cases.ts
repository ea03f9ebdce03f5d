import { adReducedMotionCheck } from '../../archive/ad-reduced-motion-check'
import { adRequest, plainArchive, ranAd, unrunAd } from '../../testing'
import { specOf } from '../spec'

const required = { required: true }
const still = { lastChangeSeconds: 0, isMoving: false, changes: 0 }

export const spec = specOf(adReducedMotionCheck, {
  good: [
    {
      name: 'rests for those who ask for it',
      given: ranAd({ reducedMotion: 'rests' }),
      thresholds: required,
      confidence: 0.9,
    },
    { name: 'never moves', given: ranAd({ motion: still }), thresholds: required, details: 'does not move' },
  ],
  bad: [
    {
      name: 'moves all the same',
      says: 'warning',
      given: ranAd({ reducedMotion: 'moves' }),
      thresholds: required,
      details: /still moves for people who ask/,
      fix: /prefers-reduced-motion: reduce/,
    },
    {
      name: 'never asks',
      says: 'warning',
      given: ranAd({ reducedMotion: 'unasked' }),
      thresholds: required,
      details: /none of its files asks/,
      confidence: 1,
    },
    {
      name: 'does not ask by itself; a library of another server may',
      says: 'warning',
      given: ranAd({
        reducedMotion: 'unasked',
        requests: [adRequest('https://cdn.example/lib.js', { status: 'outside', kind: 'Script' })],
      }),
      thresholds: required,
      confidence: 0.7,
    },
  ],
  skipped: [
    { name: 'a plain archive', given: plainArchive },
    { name: 'nothing is set', given: ranAd({ reducedMotion: 'moves' }) },
  ],
  error: [
    { name: 'nothing can run it', given: unrunAd, thresholds: required },
    { name: 'blocks its page', given: ranAd({ ended: 'blocked' }), thresholds: required },
  ],
})

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
    {
      name: 'rests, where it would have changed again and again',
      given: ranAd({ reducedMotion: 'rests', lessMotion: { changes: 0, without: 6 } }),
      thresholds: required,
      confidence: 0.99,
    },
    {
      name: 'rests, where it would have changed once',
      given: ranAd({ reducedMotion: 'rests', lessMotion: { changes: 0, without: 1 } }),
      thresholds: required,
      confidence: 0.9,
    },
    {
      name: 'moves in its first second only',
      given: ranAd({ reducedMotion: 'rests', lessMotion: { changes: 0, without: 0 } }),
      thresholds: required,
      confidence: 0.9,
    },
    {
      name: 'never moves',
      given: ranAd({ motion: { ...still, plannedUntilSeconds: 0 } }),
      thresholds: required,
      details: 'does not move',
      confidence: 0.99,
    },
    {
      name: 'was not seen to move, while a script ran on',
      given: ranAd({ watchedSeconds: 32, motion: { ...still, plannedUntilSeconds: 32 } }),
      thresholds: required,
      confidence: 0.9,
    },
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
      name: 'changes once',
      says: 'warning',
      given: ranAd({ reducedMotion: 'moves', lessMotion: { changes: 1, without: 3 } }),
      thresholds: required,
      confidence: 0.9,
    },
    {
      name: 'changes again and again',
      says: 'warning',
      given: ranAd({ reducedMotion: 'moves', lessMotion: { changes: 2, without: 3 } }),
      thresholds: required,
      confidence: 0.99,
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

import { describe } from 'vitest'
import type { TrackFacts } from '@/lib/media/measurements'
import { audioFacts, checkTable, subject, trackFacts } from '../testing'
import { clippingCheck } from './clipping-check'
import { loudnessCheck } from './loudness-check'
import { phaseCheck } from './phase-check'
import { silenceCheck } from './silence-check'

const audio = (changes: Parameters<typeof trackFacts>[0] = {}) =>
  subject(audioFacts(), { measures: { audio: { tracks: [trackFacts(changes)] } } })
const silence = (start: number, end: number, duringBlack = false): Partial<TrackFacts> => ({
  silences: [{ start, end, duringBlack }],
})

describe('the loudness', () => {
  const r128 = { target_lufs: -23, tolerance_lu: 0.5 }
  checkTable(loudnessCheck, [
    { it: 'passes on its target', given: audio(), thresholds: r128, says: 'pass', details: /-23 LUFS integrated/ },
    {
      it: 'passes at the tolerance',
      given: audio({ loudness: { integrated: -22.5 } }),
      thresholds: r128,
      says: 'pass',
    },
    {
      it: 'fails beyond it, with the way to fix it',
      given: audio({ loudness: { integrated: -20 } }),
      thresholds: r128,
      says: 'fail',
      details: /-20 LUFS integrated.*-23 LUFS ± 0.5 LU is wanted/,
      fix: /loudnorm=I=-23:TP=-1.5/,
    },
    {
      it: 'fails by its true peak alone',
      given: audio({ loudness: { truePeak: 0.3 } }),
      says: 'fail',
      details: /a true peak of 0.3 dBTP; a true peak of at most -1 dBTP is wanted/,
    },
    { it: 'is not evaluated in silence', given: audio({ loudness: { integrated: null } }), says: 'skipped' },
    {
      it: 'is an error where nobody measured, never a pass',
      given: subject(audioFacts(), { measures: { audio: { failed: 'its sound could not be measured (x)' } } }),
      says: 'error',
    },
  ])
})

describe('silence', () => {
  checkTable(silenceCheck, [
    { it: 'may last two seconds', given: audio(silence(3, 5)), says: 'pass' },
    { it: 'fails beyond', given: audio(silence(3, 5.2)), says: 'fail', details: /from 3 s to 5.2 s/ },
    { it: 'under a black picture is told by the black alone', given: audio(silence(3, 9, true)), says: 'pass' },
    {
      it: 'of the whole track is said so',
      given: audio(silence(0, 15)),
      says: 'fail',
      details: /first second to its last/,
    },
  ])
})

describe('clipping', () => {
  checkTable(clippingCheck, [
    { it: 'is absent', given: audio(), says: 'pass' },
    {
      it: 'says where it is',
      given: audio({ clipping: { runs: 40, at: [{ start: 1.5, end: 1.6 }] } }),
      says: 'fail',
      details: /40 places, first at 1.5 s/,
    },
  ])
})

describe('the phase', () => {
  const stereo = (correlation: number | null, opposed: { start: number; end: number }[] = []) =>
    audio({ stereo: { correlation, opposed, isDualMono: false } })
  checkTable(phaseCheck, [
    { it: 'passes where the channels agree', given: stereo(0.5), says: 'pass' },
    { it: 'fails where they cancel each other out', given: stereo(-0.9), says: 'fail', fix: /pan=stereo/ },
    {
      it: 'fails where they do so for long',
      given: stereo(0.2, [{ start: 1, end: 5 }]),
      says: 'fail',
      details: /for 4 s/,
    },
    { it: 'is not evaluated with one silent channel', given: stereo(null), says: 'skipped' },
  ])
})

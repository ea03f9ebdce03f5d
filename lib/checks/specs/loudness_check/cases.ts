import { loudnessCheck } from '../../audio/loudness-check'
import { audioFacts, audioTrack, subject } from '../../testing'
import { specOf } from '../spec'

const r128 = { target_lufs: -23, tolerance_lu: 0.5 }

export const spec = specOf(loudnessCheck, {
  good: [
    { name: 'on its target', given: audioTrack(), thresholds: r128, details: /-23 LUFS integrated/ },
    { name: 'at the tolerance', given: audioTrack({ loudness: { integrated: -22.5 } }), thresholds: r128 },
  ],
  bad: [
    {
      name: 'beyond the tolerance, with the way to fix it',
      given: audioTrack({ loudness: { integrated: -20 } }),
      thresholds: r128,
      details: /-20 LUFS integrated.*-23 LUFS ± 0.5 LU is wanted/,
      fix: /loudnorm=I=-23:TP=-1.5/,
    },
    {
      name: 'too high a true peak',
      given: audioTrack({ loudness: { truePeak: 0.3 } }),
      details: /a true peak of 0.3 dBTP; a true peak of at most -1 dBTP is wanted/,
    },
  ],
  skipped: [{ name: 'silence', given: audioTrack({ loudness: { integrated: null } }) }],
  error: [
    {
      name: 'it was not measured',
      given: subject(audioFacts(), { measures: { audio: { failed: 'its audio could not be measured (x)' } } }),
    },
  ],
})

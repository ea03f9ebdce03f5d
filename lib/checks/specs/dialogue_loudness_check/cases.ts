import type { Dialogue } from '@/lib/media/measurements'
import { dialogueLoudnessCheck } from '../../audio/dialogue-loudness-check'
import { audioFacts, audioStream, audioTrack, subject, trackFacts } from '../../testing'
import { specOf } from '../spec'

const film = { target_lufs: -27, otherwise_lufs: -24 }
const speech: Dialogue = { loudness: -27, share: 0.6, certainty: 0.97, at: [{ start: 2, end: 11 }] }
const spoken = (changes: Partial<Dialogue> = {}, integrated = -20) =>
  audioTrack({ loudness: { integrated }, dialogue: { ...speech, ...changes } })

export const spec = specOf(dialogueLoudnessCheck, {
  good: [
    {
      name: 'dialogue on its target under louder music',
      given: spoken(),
      thresholds: film,
      details: /^The dialogue, 60 % of the audio, has -27 LUFS; -27 LUFS ± 2 LU is wanted\.$/,
      confidence: 0.96,
    },
    { name: 'at the tolerance', given: spoken({ loudness: -25 }), thresholds: film, confidence: 0.49 },
    {
      name: 'nearly without dialogue',
      given: spoken({ share: 0.1, loudness: -40 }, -24),
      thresholds: film,
      details: /^The audio has -24 LUFS integrated; .* is wanted where less than 15 % is dialogue, here 10 %\.$/,
    },
    { name: 'found with little certainty', given: spoken({ certainty: 0.7 }), thresholds: film, confidence: 0.69 },
  ],
  bad: [
    {
      name: 'quiet dialogue',
      given: spoken({ loudness: -31.2 }),
      thresholds: film,
      details: /has -31\.2 LUFS; -27 LUFS ± 2 LU is wanted/,
      fix: /with its dialogue 4\.2 dB louder/,
      confidence: 0.96,
      occurrences: [{ start: 2, end: 11, stream: 0 }],
    },
    {
      name: 'loud dialogue',
      given: spoken({ loudness: -24 }),
      thresholds: film,
      fix: /with its dialogue 3 dB quieter/,
    },
    {
      name: 'a loud programme nearly without dialogue',
      given: spoken({ share: 0, loudness: null, at: [] }, -20),
      thresholds: film,
      fix: /with its audio 4 dB quieter/,
      occurrences: [{ stream: 0 }],
    },
    {
      name: 'the second track',
      given: subject(audioFacts({ audio: [audioStream(), audioStream()] }), {
        measures: {
          audio: { tracks: [trackFacts({ dialogue: speech }), trackFacts({ dialogue: { ...speech, loudness: -32 } })] },
        },
      }),
      thresholds: film,
      occurrences: [{ start: 2, end: 11, stream: 1 }],
    },
  ],
  skipped: [
    {
      name: 'nothing is set',
      given: spoken(),
      details: /^60 % of the audio is dialogue and has -27 LUFS; no loudness of it is set/,
    },
    {
      name: 'little dialogue, and nothing set for that',
      given: spoken({ share: 0.1 }),
      thresholds: { target_lufs: -27 },
      details: /^10 % of the audio is dialogue; its loudness counts from 15 % on\.$/,
    },
    { name: 'too quiet', given: spoken({ loudness: null }), thresholds: film, details: /too quiet/ },
    { name: 'measured before dialogue was', given: audioTrack(), thresholds: film, details: /not looked for/ },
  ],
})

import { audioDepthCheck } from '../../audio/audio-depth-check'
import { audioFacts, audioStream, subject, trackFacts } from '../../testing'
import { specOf } from '../spec'

const uses = (declared: number | null, usedBits: number | null | undefined, durationSeconds = 15) =>
  subject(audioFacts({ audio: [audioStream({ bitDepth: declared })] }), {
    measures: { audio: { tracks: [trackFacts({ durationSeconds, ...(usedBits !== undefined && { usedBits }) })] } },
  })

export const spec = specOf(audioDepthCheck, {
  good: [
    { name: '24 of 24', given: uses(24, 24), details: 'declares 24 bits and uses 24' },
    { name: '16 of 16', given: uses(16, 16) },
    { name: 'more than asked', given: uses(24, 20), thresholds: { min_bits: 16 } },
  ],
  bad: [
    {
      name: '16 saved with 24',
      given: uses(24, 16),
      details: /declares 24 bits and uses 16; 24 are wanted/,
      fix: /adds none/,
    },
    { name: 'a CD where a master is wanted', given: uses(16, 16), thresholds: { min_bits: 24 }, fix: /with 24 bits/ },
  ],
  skipped: [
    { name: 'lossy', given: uses(null, 24) },
    { name: 'floating point', given: uses(32, 24) },
    { name: 'digital silence', given: uses(24, null) },
    { name: 'a moment', given: uses(24, 16, 0.5) },
    { name: 'measured by an older engine', given: uses(24, undefined) },
  ],
})

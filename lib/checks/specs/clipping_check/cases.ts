import { clippingCheck } from '../../audio/clipping-check'
import { audioTrack, video } from '../../testing'
import { specOf } from '../spec'

export const spec = specOf(clippingCheck, {
  good: [{ name: 'no clipped sample', given: audioTrack() }],
  bad: [
    {
      name: 'clipped in 40 places',
      given: audioTrack({ clipping: { runs: 40, at: [{ start: 1.5, end: 1.6 }] } }),
      details: /40 places, first at 1.5 s/,
    },
    {
      name: 'clipped, then made quieter',
      given: audioTrack({
        clipping: { runs: 0, at: [], below: { runs: 9, levelDb: -6, at: [{ start: 0.5, end: 0.6 }] } },
      }),
      details: /9 places \(at -6 dBFS, so before it was made quieter\), first at 0.5 s/,
      occurrences: [{ start: 0.5, end: 0.6, stream: 0 }],
      confidence: 0.85,
    },
    {
      name: 'clipped, then made quieter as a whole',
      given: audioTrack({
        clipping: { runs: 0, at: [], below: { runs: 9, levelDb: -6, isHighest: true, at: [{ start: 0.5, end: 0.6 }] } },
      }),
      confidence: 0.99,
    },
  ],
  skipped: [{ name: 'no audio', given: video({ audio: [] }) }],
})

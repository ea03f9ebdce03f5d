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
  ],
  skipped: [{ name: 'no audio', given: video({ audio: [] }) }],
})

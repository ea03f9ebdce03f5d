import { audioClickCheck } from '../../audio/audio-click-check'
import { audioTrack, video } from '../../testing'
import { specOf } from '../spec'

export const spec = specOf(audioClickCheck, {
  good: [
    { name: 'no click', given: audioTrack({ clicks: { count: 0, at: [] } }) },
    {
      name: 'as many as allowed',
      given: audioTrack({ clicks: { count: 2, at: [{ start: 1, end: 1.05 }] } }),
      thresholds: { max_count: 2 },
      details: /2 digital clicks, as many as allowed/,
    },
  ],
  bad: [
    {
      name: 'one click',
      given: audioTrack({ clicks: { count: 1, at: [{ start: 1.5, end: 1.5 }] } }),
      details: 'The audio clicks 1 time, first at 1.5 s; at most 0 is wanted.',
      fix: /adeclick/,
      confidence: 0.85,
      occurrences: [{ start: 1.5, end: 1.5, stream: 0 }],
    },
    {
      name: 'many clicks',
      given: audioTrack({ clicks: { count: 40, at: [{ start: 0.2, end: 3 }] } }),
      details: /clicks 40 times/,
      confidence: 0.99,
    },
  ],
  skipped: [
    { name: 'no audio', given: video({ audio: [] }) },
    { name: 'measured before clicks were', given: audioTrack() },
  ],
})

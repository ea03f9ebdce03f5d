import { audioDropoutCheck } from '../../audio/audio-dropout-check'
import { audioTrack, video } from '../../testing'
import { specOf } from '../spec'

const gap = (start: number, length: number, channels = [1, 2]) => ({ start, end: start + length, channels })

export const spec = specOf(audioDropoutCheck, {
  good: [
    { name: 'no gap', given: audioTrack({ gaps: [] }) },
    { name: 'a gap that is a pause', given: audioTrack({ gaps: [gap(1, 0.05)] }) },
    {
      name: 'as many as allowed',
      given: audioTrack({ gaps: [gap(1, 0.01), gap(2, 0.01)] }),
      thresholds: { max_count: 2 },
      details: /2 times, as often as allowed/,
    },
  ],
  bad: [
    {
      name: 'a gap on both channels',
      given: audioTrack({ gaps: [gap(1, 0.02)] }),
      details: 'The audio drops out 1 time, first at 1 s for 20 ms; at most 0 is wanted.',
      occurrences: [{ start: 1, end: 1.02, stream: 0 }],
      confidence: 0.85,
    },
    {
      name: 'a gap on one channel',
      given: audioTrack({ gaps: [gap(1, 0.002, [2])] }),
      details: /for 2 ms on channel 2/,
    },
    {
      name: 'two gaps',
      given: audioTrack({ gaps: [gap(1, 0.01), gap(2, 0.013)] }),
      confidence: 0.98,
    },
    {
      name: 'a longer gap where pauses are longer',
      given: audioTrack({ gaps: [gap(1, 0.06)] }),
      thresholds: { pause_seconds: 0.1 },
    },
  ],
  skipped: [
    { name: 'no audio', given: video({ audio: [] }) },
    { name: 'measured before gaps were', given: audioTrack() },
  ],
})

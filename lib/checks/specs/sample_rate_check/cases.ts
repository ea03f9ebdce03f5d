import { sampleRateCheck } from '../../audio/sample-rate-check'
import { audio, audioStream, video } from '../../testing'
import { specOf } from '../spec'

const broadcast = { rates_hz: [48_000] }

export const spec = specOf(sampleRateCheck, {
  good: [{ name: 'a rate of the list', given: audio(), thresholds: broadcast }],
  bad: [
    {
      name: 'another rate',
      given: audio({ audio: [audioStream({ sampleRate: 44_100, codec: 'pcm_s24le' })] }),
      thresholds: broadcast,
      details: /44.1 kHz; 48 kHz/,
      fix: /-ar 48000 -c:a pcm_s24le/,
    },
    {
      name: 'another rate in a video, whose video stream the fix leaves alone',
      given: video({ audio: [audioStream({ sampleRate: 44_100 })] }),
      thresholds: broadcast,
      fix: /-c:v copy -ar 48000/,
    },
  ],
  skipped: [
    { name: 'no rate is set', given: audio() },
    { name: 'a silent video', given: video({ audio: [] }), thresholds: broadcast },
  ],
})

import { mainsHumCheck } from '../../audio/mains-hum-check'
import { audioTrack, video } from '../../testing'
import { specOf } from '../spec'

const hum = (levelDb: number, channel = 1, mains: 50 | 60 = 50) => ({ start: 2, end: 9.5, mains, levelDb, channel })

export const spec = specOf(mainsHumCheck, {
  good: [
    { name: 'no hum', given: audioTrack({ hums: [] }) },
    {
      name: 'hum at the limit',
      given: audioTrack({ hums: [hum(-60)] }),
      details: /at -60 dBFS; at most -60 is allowed/,
    },
  ],
  bad: [
    {
      name: 'hum on both channels',
      given: audioTrack({ hums: [hum(-41.3), hum(-42, 2)] }),
      details: 'Mains of 50 Hz hum at -41.3 dBFS from 2 s to 9.5 s; at most -60 dBFS is wanted.',
      fix: /bandreject=f=50.*f=200/,
    },
    {
      name: 'hum on one channel',
      given: audioTrack({ hums: [hum(-45, 2, 60)] }),
      details: /Mains of 60 Hz .* on channel 2/,
      occurrences: [{ start: 2, end: 9.5, stream: 0 }],
    },
  ],
  skipped: [
    { name: 'no audio', given: video({ audio: [] }) },
    { name: 'measured before hum was', given: audioTrack() },
  ],
})

import { audio, video } from '../../testing'
import { bitrateCheck } from '../../video/bitrate-check'
import { specOf } from '../spec'

const ctv = { min_kbps: 8000, max_kbps: 30_000 }

export const spec = specOf(bitrateCheck, {
  good: [
    { name: 'the least that is wanted', given: video({ videoBitrate: 8_000_000 }), thresholds: ctv },
    { name: 'the most that is allowed', given: video({ videoBitrate: 30_000_000 }), thresholds: ctv },
    {
      name: 'a stream that states no rate: that of the file counts',
      given: video({ videoBitrate: null }),
      thresholds: ctv,
      details: /The file runs at 8.2 Mbit/,
    },
  ],
  bad: [
    {
      name: 'below the least',
      given: video({ videoBitrate: 7_999_000 }),
      thresholds: ctv,
      details: /8 Mbit\/s to 30 Mbit\/s is wanted/,
    },
    { name: 'above the most', given: video({ videoBitrate: 30_001_000 }), thresholds: ctv },
    {
      name: 'audio, by the rate of the file',
      given: audio({ bitrate: 96_000 }),
      thresholds: { min_kbps: 128 },
      details: /The audio runs at 96 kbit/,
    },
  ],
  skipped: [{ name: 'no rate is set', given: video() }],
})

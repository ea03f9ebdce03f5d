import { otherFacts, subject, vastAd, vastCreative, vastLinear, vastTag } from '../../testing'
import { vastMediaCheck } from '../../vast/vast-media-check'
import { specOf } from '../spec'

const [file = undefined] = vastCreative().mediaFiles
const files = (...changes: Partial<NonNullable<typeof file>>[]) =>
  vastLinear({ mediaFiles: file ? changes.map((change) => ({ ...file, ...change })) : [] })
const limits = { min_kbps: 1500, max_kbps: 5000 }

export const spec = specOf(vastMediaCheck, {
  good: [
    { name: 'one MP4', given: vastTag() },
    { name: 'an MP4 beside a stream', given: files({ type: 'application/vnd.apple.mpegurl' }, {}) },
    { name: 'both limits', given: files({ bitrate: 1500 }, { bitrate: 5000 }), thresholds: limits },
    {
      name: 'a stream that stays within',
      given: files({ bitrate: null, minBitrate: 1600, maxBitrate: 4800 }),
      thresholds: limits,
    },
    { name: 'audio', given: files({ type: 'audio/mpeg' }) },
    { name: 'any type', given: files({ type: 'video/webm' }), thresholds: { types: [] } },
  ],
  bad: [
    {
      name: 'no file',
      given: files(),
      details: /names 0 media files of video\/mp4, audio\/mpeg or audio\/mp4 \(it has none\)/,
    },
    {
      name: 'a script only',
      given: files({ type: 'application/javascript' }),
      fix: /Add a MediaFile of the type video\/mp4/,
    },
    {
      name: 'too low',
      given: files({ bitrate: 1499 }),
      thresholds: limits,
      details: /states 1499 kbit\/s; 1500 kbit\/s to 5000/,
    },
    {
      name: 'a stream that goes beyond',
      given: files({ bitrate: null, minBitrate: 1600, maxBitrate: 9000 }),
      thresholds: limits,
    },
    { name: 'no bitrate', given: files({ bitrate: null }), thresholds: limits, details: /states no bitrate/ },
    { name: 'one quality of three', given: files({}), thresholds: { min_files: 3 }, details: /3 are wanted/ },
  ],
  skipped: [
    { name: 'a font', given: subject(otherFacts()) },
    { name: 'a wrapper', given: vastTag({ ads: [vastAd({ kind: 'wrapper' })] }) },
  ],
})

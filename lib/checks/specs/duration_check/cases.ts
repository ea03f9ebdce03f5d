import { audio, otherFacts, subject, vastAd, vastLinear, vastTag, video } from '../../testing'
import { durationCheck } from '../../video/duration-check'
import { specOf } from '../spec'

const lasting = (videoDurationSeconds: number) => video({ videoDurationSeconds, durationSeconds: videoDurationSeconds })
const spots = { lengths_seconds: [15, 30] }

export const spec = specOf(durationCheck, {
  good: [
    {
      name: 'a VAST creative of a length of the list',
      given: vastLinear({ durationSeconds: 15.04 }),
      thresholds: spots,
      details: /states a duration of 15.04 s; 15 s or 30 s is wanted/,
    },
    {
      name: 'a VAST creative within a range',
      given: vastLinear({ durationSeconds: 15 }),
      thresholds: { max_seconds: 15 },
    },
    {
      name: 'a VAST creative as long as the name says',
      given: { ...vastLinear({ durationSeconds: 15 }), claims: { durationSeconds: 15 } },
    },
    { name: 'a length of the list and a frame', given: lasting(15.04), thresholds: spots },
    {
      name: 'within the tolerance that is set',
      given: lasting(15.08),
      thresholds: { ...spots, tolerance_seconds: 0.1 },
    },
    {
      name: 'a video whose audio is padded',
      given: video({ durationSeconds: 15.5, videoDurationSeconds: 15 }),
      thresholds: spots,
    },
    { name: 'at both bounds', given: lasting(15), thresholds: { min_seconds: 15, max_seconds: 15 } },
    {
      name: 'half a second off what the name says',
      given: { ...lasting(15.4), claims: { durationSeconds: 15 } },
    },
  ],
  bad: [
    {
      name: 'a VAST creative of another length',
      given: vastLinear({ durationSeconds: 20 }),
      thresholds: spots,
      details: /states a duration of 20 s; 15 s or 30 s is wanted/,
      fix: /Put a creative of 15 s or 30 s/,
    },
    {
      name: 'a VAST creative that is too long',
      given: vastLinear({ durationSeconds: 31 }),
      thresholds: { max_seconds: 30 },
    },
    {
      name: 'a VAST creative of another length than the name says',
      given: { ...vastLinear({ durationSeconds: 20 }), claims: { durationSeconds: 15 } },
    },
    {
      name: 'two frames too long, with the cut',
      given: lasting(15.08),
      thresholds: spots,
      details: /runs 15.08 s; 15 s or 30 s is wanted, within 0.04 s/,
      fix: 'ffmpeg -i "spot.mp4" -t 15 -c:v libx264 -crf 16 -c:a aac -b:a 256k "fixed-spot.mp4"',
    },
    {
      name: 'too short, which no cut can fix',
      given: lasting(29.5),
      thresholds: spots,
      fix: /from the edit at 30 s: 0.5 s are missing/,
    },
    {
      name: 'below the least',
      given: lasting(14.99),
      thresholds: { min_seconds: 15 },
      details: /at least 15 s/,
    },
    { name: 'above the most', given: lasting(15.01), thresholds: { max_seconds: 15 }, details: /at most 15 s/ },
    {
      name: 'another length than the name says',
      given: { ...lasting(20), claims: { durationSeconds: 15 } },
      details: /the name says 15 s/,
    },
    {
      name: 'audio that is too long',
      given: audio({ durationSeconds: 30.2 }),
      thresholds: spots,
      details: /The audio runs 30.2 s/,
      fix: /-t 30 -c:a pcm_s16le/,
    },
  ],
  skipped: [
    { name: 'a font', given: subject(otherFacts()) },
    { name: 'a VAST tag of which no length is asked', given: vastTag() },
    { name: 'a VAST wrapper', given: vastTag({ ads: [vastAd({ kind: 'wrapper' })] }), thresholds: spots },
    { name: 'a VAST creative without a duration', given: vastLinear({ durationSeconds: null }), thresholds: spots },
    { name: 'it is not said what is wanted', given: lasting(15) },
  ],
})

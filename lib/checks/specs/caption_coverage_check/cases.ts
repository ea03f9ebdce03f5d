import { captionCoverageCheck } from '../../captions/caption-coverage-check'
import { captions, otherFacts, subject } from '../../testing'
import { specOf } from '../spec'

const named = { claims: { durationSeconds: 30 } }

export const spec = specOf(captionCoverageCheck, {
  good: [
    { name: 'within the video', given: captions({ end: 28 }, named), details: 'within the 30 s of the video' },
    { name: 'to its last frame, and a rounding more', given: captions({ end: 30.4 }, named) },
    {
      name: 'the media category says the length',
      given: captions({ end: 55 }, named),
      thresholds: { video_seconds: 60 },
    },
    {
      name: 'a gap as long as allowed',
      given: captions({ largestGaps: [{ value: 5, start: 3, end: 8 }] }),
      thresholds: { max_gap_seconds: 5 },
    },
  ],
  bad: [
    {
      name: 'beyond the end',
      given: captions({ end: 44 }, named),
      details: /00:00:44.000, and the video is 30 s long\.$/,
      fix: /version of 30 s/,
      occurrences: [{ start: 30, end: 44 }],
    },
    {
      name: 'times of a tape',
      given: captions({ start: 36_001, end: 36_025 }, named),
      details: /their times count from 10:00:00.000/,
      fix: /Shift all captions of “spot.srt” by -10:00:00.000/,
    },
    { name: 'before the programme', given: captions({ start: -3, end: 20 }, named), details: /before the start/ },
    { name: 'half of it', given: captions({ end: 9 }, named), says: 'warning', details: /70 % of it come without/ },
    {
      name: 'a long gap',
      given: captions({ largestGaps: [{ value: 12, start: 3, end: 15 }] }),
      thresholds: { max_gap_seconds: 10 },
      details: /No caption stands for 12 s from 00:00:03.000/,
    },
  ],
  skipped: [
    { name: 'a font', given: subject(otherFacts()) },
    { name: 'the length is not known', given: captions() },
    { name: 'no caption', given: captions({ start: null, end: null, cues: 0 }, named) },
  ],
})

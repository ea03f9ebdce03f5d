import { captionTimingCheck } from '../../captions/caption-timing-check'
import { captions, otherFacts, subject } from '../../testing'
import { specOf } from '../spec'

const place = (value: number, start = 4) => ({ value, start, end: start + value })

export const spec = specOf(captionTimingCheck, {
  good: [
    { name: 'two seconds', given: captions() },
    { name: 'exactly as brief as allowed', given: captions({ shortest: [place(0.833)] }) },
    { name: 'exactly as long as allowed', given: captions({ longest: [place(7)] }) },
    { name: 'within the rounding of a millisecond', given: captions({ longest: [place(7.001)] }) },
    {
      name: 'overlaps where they are allowed',
      given: captions({ overlaps: [place(0.5)] }),
      thresholds: { overlaps: true },
    },
    { name: 'captions that touch', given: captions({ smallestGaps: [] }), thresholds: { min_gap_seconds: 0.08 } },
    {
      name: 'gaps as large as wanted',
      given: captions({ smallestGaps: [place(0.08)] }),
      thresholds: { min_gap_seconds: 0.08 },
    },
  ],
  bad: [
    {
      name: 'too brief',
      given: captions({ shortest: [place(0.4), place(0.8, 9), place(2, 20)] }),
      details: /^2 captions stand too briefly, the briefest 0.4 s \(at 00:00:04.000\); at least 0.833 s is wanted\.$/,
      fix: /Retime/,
      occurrences: [
        { start: 4, end: 4.4 },
        { start: 9, end: 9.8 },
      ],
    },
    {
      name: 'too long',
      given: captions({ longest: [place(12)] }),
      details: /1 caption stands too long, the longest 12 s/,
    },
    { name: 'overlap', given: captions({ overlaps: [place(0.5)] }), details: /^1 overlap, the longest of 0.5 s/ },
    {
      name: 'several faults',
      given: captions({ overlaps: [place(0.5)], shortest: [place(0.2)] }),
      details: /none is wanted\. 1 caption stands too briefly/,
    },
    {
      name: 'more than are kept',
      given: captions({ shortest: Array.from({ length: 100 }, (_, at) => place(0.1, at)) }),
      details: /^At least 100 captions stand too briefly/,
    },
    {
      name: 'a gap of a frame',
      given: captions({ smallestGaps: [place(0.04)] }),
      thresholds: { min_gap_seconds: 0.08 },
      details: /1 gap too small, the smallest 0.04 s/,
    },
  ],
  skipped: [
    { name: 'a font', given: subject(otherFacts()) },
    { name: 'no caption', given: captions({ cues: 0, shortest: [], longest: [] }) },
  ],
})

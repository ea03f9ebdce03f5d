import { captionFormatCheck } from '../../captions/caption-format-check'
import { captions, otherFacts, subject } from '../../testing'
import { specOf } from '../spec'

const problem = { line: 7, what: 'a caption is numbered 5; 3 is expected' }

export const spec = specOf(captionFormatCheck, {
  good: [
    { name: 'as the format wants', given: captions(), details: 'SubRip (SRT) with 1 caption' },
    {
      name: 'the wanted profile',
      given: captions({ format: 'ttml', profile: 'IMSC 1.1 Text' }),
      thresholds: { profiles: ['IMSC 1.1 Text', 'EBU-TT-D'] },
    },
    { name: 'profiles are of TTML', given: captions(), thresholds: { profiles: ['IMSC 1.1 Text'] } },
  ],
  bad: [
    {
      name: 'numbered wrongly',
      given: captions({ problems: [problem], problemCount: 1 }),
      details: /1 place not as the format wants; the first in line 7: a caption is numbered 5/,
      fix: /SubRip/,
    },
    {
      name: 'a format without lines',
      given: captions({ format: 'ebu-stl', problems: [{ ...problem, line: null }], problemCount: 240 }),
      details: /240 places not as the format wants; the first: a caption/,
    },
    {
      name: 'no caption',
      given: captions({ format: 'webvtt', cues: 0, start: null, end: null }),
      details: /WebVTT and holds no caption/,
    },
    {
      name: 'another profile',
      given: captions({ format: 'ttml', profile: 'EBU-TT-D' }),
      thresholds: { profiles: ['IMSC 1.1 Text'] },
      details: /EBU-TT-D; IMSC 1.1 Text is wanted/,
    },
    {
      name: 'no profile stated',
      given: captions({ format: 'ttml' }),
      thresholds: { profiles: ['IMSC 1.1 Text'] },
      details: /no profile/,
    },
  ],
  skipped: [{ name: 'a font', given: subject(otherFacts()) }],
})

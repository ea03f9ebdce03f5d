import type { VideoFacts } from '@/lib/media/facts'
import type { VideoMeasures } from '@/lib/media/measurements'
import { videoFrames } from '../../testing'
import { programmeLayoutCheck } from '../../video/programme-layout-check'
import { specOf } from '../spec'

/** A clock slate of 7 s, 3 s of black, 5 s of programme, 5 s held: as commercials are delivered in the UK. */
const COMMERCIAL: Partial<VideoMeasures> = {
  durationSeconds: 20,
  testBars: [],
  leader: { slates: [{ start: 0, end: 7, lines: 5 }], countdowns: [] },
  black: [{ start: 7, end: 10 }],
  frozen: [
    { start: 0, end: 7 },
    { start: 15, end: 20 },
  ],
}
const UK = { start: '10:00:00:00', min_black_before_seconds: 3, min_hold_seconds: 5 }
const made = (measures: Partial<VideoMeasures> = {}, facts: Partial<VideoFacts> = {}) =>
  videoFrames({ ...COMMERCIAL, ...measures }, { timecode: '09:59:50:00', ...facts })
const bare = { leader: { slates: [], countdowns: [] }, black: [], frozen: [] }

export const spec = specOf(programmeLayoutCheck, {
  good: [
    {
      name: 'laid out as it is wanted',
      given: made(),
      thresholds: UK,
      details: /begins at 10:00:00:00, has 3 s of black before it and holds its last image for 5 s, as wanted\.$/,
    },
    {
      name: 'a picture that comes out of black from there on',
      given: made({ black: [{ start: 7, end: 10.4 }] }),
      thresholds: UK,
      confidence: 0.8,
    },
    {
      name: 'no leader: the first frame of all',
      given: made(bare, { timecode: '10:00:00:00' }),
      thresholds: { start: '10:00:00:00' },
    },
    {
      name: 'black at the head and no leader',
      given: made({ ...bare, black: [{ start: 0, end: 3 }] }, { timecode: '09:59:57:00' }),
      thresholds: { start: '10:00:00:00', min_black_before_seconds: 3 },
    },
    {
      name: 'held before black at the tail',
      given: made({
        frozen: [{ start: 12, end: 17 }],
        black: [
          { start: 7, end: 10 },
          { start: 17, end: 20 },
        ],
      }),
      thresholds: UK,
    },
    {
      name: 'bars, of which the end is seen a second late, then slate and countdown',
      given: made(
        {
          testBars: [{ start: 0, end: 6 }],
          leader: { slates: [{ start: 5.2, end: 8, lines: 4 }], countdowns: [{ start: 8, end: 10 }] },
          black: [{ start: 10, end: 12 }],
        },
        { timecode: '00:59:48:00' },
      ),
      thresholds: { start: '01:00:00:00', min_black_before_seconds: 2 },
    },
    {
      name: 'numbers of frames that are dropped',
      given: made(bare, { timecode: '01:00:00;00', frameRate: { average: 29.97, nominal: 29.97, constant: true } }),
      thresholds: { start: '01:00:00;00' },
    },
  ],
  bad: [
    {
      name: 'a frame late, straight out of the slate',
      given: made({ leader: { slates: [{ start: 0, end: 10.04, lines: 5 }], countdowns: [] }, black: [] }),
      thresholds: { start: '10:00:00:00' },
      details: /begins at 10:00:00:01; its first frame at 10:00:00:00 is wanted\.$/,
      confidence: 0.97,
    },
    {
      name: 'a frame early',
      given: made({ black: [{ start: 7, end: 9.96 }] }),
      thresholds: { start: '10:00:00:00' },
      details: /begins at 09:59:59:24/,
      occurrences: [{ start: 9.96, end: 9.96 }],
    },
    {
      name: 'black for more than a fade',
      given: made({ black: [{ start: 7, end: 12 }] }),
      thresholds: { start: '10:00:00:00' },
      details: /begins at 10:00:02:00/,
    },
    {
      name: 'too little black and no hold',
      given: made({ black: [{ start: 8, end: 10 }], frozen: [{ start: 0, end: 8 }] }),
      thresholds: UK,
      details:
        /has 2 s of black before it and moves until its last frame; at least 3 s of black .* and its last image held/,
      fix: /with at least 3 s of black before it and its last image held for at least 5 s/,
    },
    {
      name: 'black inside is not the black before',
      given: made({ ...bare, black: [{ start: 9, end: 12 }] }),
      thresholds: { min_black_before_seconds: 3 },
      details: /has 0 s of black before it/,
    },
    {
      name: 'held a little too short',
      given: made({ frozen: [{ start: 15.12, end: 20 }] }),
      thresholds: UK,
      confidence: 0.88,
    },
    {
      name: 'no timecode',
      given: made({}, { timecode: null }),
      thresholds: UK,
      details: /carries no timecode/,
    },
  ],
  skipped: [
    { name: 'nothing is set', given: made() },
    { name: 'measured before slates were looked for', given: made({ leader: undefined }), thresholds: UK },
  ],
})

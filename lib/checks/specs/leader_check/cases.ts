import type { Leader, Span, Tone } from '@/lib/media/measurements'
import { trackFacts, videoFrames } from '../../testing'
import { leaderCheck } from '../../video/leader-check'
import { specOf } from '../spec'

const made = (testBars: Span[] | undefined, tones: Tone[] = [], leader: Partial<Leader> = {}) => {
  const given = videoFrames({ testBars, leader: { slates: [], countdowns: [], ...leader } })
  return { ...given, measures: { ...given.measures, audio: { tracks: [trackFacts({ tones })] } } }
}
const BARS = { start: 0, end: 10 }
const SLATE = { start: 10, end: 17, lines: 5 }
const COUNTDOWN = { start: 17, end: 25 }
const TONE = { start: 0, end: 9.9, hertz: 1000, levelDb: -18 }

export const spec = specOf(leaderCheck, {
  good: [
    {
      name: 'neither',
      given: made([]),
      details: /has no colour bars, no line-up tone, no slate and no countdown; no colour bars are wanted\.$/,
      confidence: 0.95,
    },
    {
      name: 'a leader as it is wanted',
      given: made([BARS], [TONE], { slates: [SLATE], countdowns: [COUNTDOWN] }),
      thresholds: { bars: 'required', tone: 'required', slate: 'required', countdown: 'required' },
    },
    { name: 'a slate where that is not asked', given: made([], [], { slates: [SLATE] }) },
    { name: 'a tone where that is not asked', given: made([], [TONE]) },
    {
      name: 'both where both are wanted',
      given: made([BARS], [TONE]),
      thresholds: { bars: 'required', tone: 'required' },
    },
  ],
  bad: [
    {
      name: 'a slate and a countdown where neither is wanted',
      given: made([BARS], [], { slates: [SLATE], countdowns: [COUNTDOWN] }),
      thresholds: { bars: 'any', slate: 'forbidden', countdown: 'forbidden' },
      details:
        /a slate of 5 lines from 00:00:10\.000 for 7 s and a countdown from 00:00:17\.000 for 8 s; no slate and no countdown are wanted\.$/,
      fix: /-ss 25 -map 0 -c copy/,
      confidence: 0.99,
      occurrences: [
        { start: 10, end: 17 },
        { start: 17, end: 25 },
      ],
    },
    {
      name: 'a slate of three lines, which may be a notice',
      given: made([], [], { slates: [{ ...SLATE, lines: 3 }] }),
      thresholds: { slate: 'forbidden' },
      confidence: 0.88,
    },
    {
      name: 'no slate where one is wanted',
      given: made([], [], { countdowns: [COUNTDOWN] }),
      thresholds: { bars: 'any', slate: 'required' },
      details: /no slate .*; slate is wanted\.$/,
      confidence: 0.95,
    },
    {
      name: 'bars',
      given: made([BARS], [TONE]),
      details: /colour bars from 00:00:00\.000 for about 10 s, a tone of 1000 Hz at -18 dBFS/,
      fix: /-ss 10 -map 0 -c copy/,
      confidence: 0.99,
      occurrences: [BARS],
    },
    {
      name: 'a tone where none is wanted',
      given: made([], [TONE]),
      thresholds: { tone: 'forbidden' },
      confidence: 0.99,
      occurrences: [{ start: 0, end: 9.9, stream: 0 }],
    },
    {
      name: 'a short tone where none is wanted',
      given: made([], [{ ...TONE, end: 1.2 }]),
      thresholds: { tone: 'forbidden' },
      confidence: 0.85,
    },
    {
      name: 'no bars where they are wanted',
      given: made([]),
      thresholds: { bars: 'required' },
      fix: /with its leader: colour bars/,
    },
    { name: 'no tone where it is wanted', given: made([BARS]), thresholds: { bars: 'any', tone: 'required' } },
  ],
  skipped: [
    {
      name: 'measured before slates were looked for',
      given: videoFrames({ testBars: [], leader: undefined }),
    },
    { name: 'measured before bars were looked for', given: made(undefined) },
    { name: 'nothing is set', given: made([BARS]), thresholds: { bars: 'any' } },
  ],
})

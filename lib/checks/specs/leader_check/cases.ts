import type { Span, Tone } from '@/lib/media/measurements'
import { trackFacts, videoFrames } from '../../testing'
import { leaderCheck } from '../../video/leader-check'
import { specOf } from '../spec'

const made = (testBars: Span[] | undefined, tones: Tone[] = []) => {
  const given = videoFrames({ testBars })
  return { ...given, measures: { ...given.measures, audio: { tracks: [trackFacts({ tones })] } } }
}
const BARS = { start: 0, end: 10 }
const TONE = { start: 0, end: 9.9, hertz: 1000, levelDb: -18 }

export const spec = specOf(leaderCheck, {
  good: [
    {
      name: 'neither',
      given: made([]),
      details: /has no colour bars and no line-up tone; no bars are wanted\.$/,
      confidence: 0.9,
    },
    { name: 'a tone where that is not asked', given: made([], [TONE]) },
    {
      name: 'both where both are wanted',
      given: made([BARS], [TONE]),
      thresholds: { bars: 'required', tone: 'required' },
    },
  ],
  bad: [
    {
      name: 'bars',
      given: made([BARS], [TONE]),
      details: /colour bars from 00:00:00\.000 for about 10 s and a tone of 1000 Hz at -18 dBFS/,
      fix: /-ss 10 -map 0 -c copy/,
      confidence: 0.95,
      occurrences: [BARS],
    },
    {
      name: 'a tone where none is wanted',
      given: made([], [TONE]),
      thresholds: { tone: 'forbidden' },
      confidence: 0.85,
      occurrences: [{ start: 0, end: 9.9, stream: 0 }],
    },
    {
      name: 'no bars where they are wanted',
      given: made([]),
      thresholds: { bars: 'required' },
      fix: /with its leader: bars/,
    },
    { name: 'no tone where it is wanted', given: made([BARS]), thresholds: { bars: 'any', tone: 'required' } },
  ],
  skipped: [
    { name: 'measured before bars were looked for', given: made(undefined) },
    { name: 'nothing is set', given: made([BARS]), thresholds: { bars: 'any' } },
  ],
})

import type { TrackFacts } from '@/lib/media/measurements'
import { silenceCheck } from '../../audio/silence-check'
import { audioTrack, video } from '../../testing'
import { specOf } from '../spec'

const silence = (start: number, end: number, duringBlack = false): Partial<TrackFacts> => ({
  silences: [{ start, end, duringBlack }],
})

export const spec = specOf(silenceCheck, {
  good: [
    { name: 'two seconds', given: audioTrack(silence(3, 5)) },
    { name: 'under a black video, where the black alone is reported', given: audioTrack(silence(3, 9, true)) },
  ],
  bad: [
    { name: 'more than two seconds', given: audioTrack(silence(3, 5.2)), details: /from 3 s to 5.2 s/ },
    {
      name: 'the whole track',
      given: audioTrack(silence(0, 15)),
      details: /first second to its last/,
    },
  ],
  skipped: [{ name: 'no audio', given: video({ audio: [] }) }],
})

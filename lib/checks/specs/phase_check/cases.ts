import { phaseCheck } from '../../audio/phase-check'
import { audioTrack } from '../../testing'
import { specOf } from '../spec'

const stereo = (correlation: number | null, opposed: { start: number; end: number }[] = []) =>
  audioTrack({ stereo: { correlation, opposed, isDualMono: false } })

export const spec = specOf(phaseCheck, {
  good: [
    { name: 'channels that agree', given: stereo(0.5), confidence: 0.99 },
    { name: 'as far apart as may be', given: stereo(-0.3), confidence: 0.5 },
  ],
  bad: [
    { name: 'channels that cancel each other out', given: stereo(-0.9), fix: /pan=stereo/, confidence: 0.99 },
    {
      name: 'channels that cancel each other out for four seconds',
      given: stereo(0.2, [{ start: 1, end: 5 }]),
      details: /for 4 s/,
      confidence: 0.95,
    },
  ],
  skipped: [{ name: 'one silent channel', given: stereo(null) }],
})

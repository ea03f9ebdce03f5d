import { stereoCheck } from '../../audio/stereo-check'
import { audio, audioFacts, audioStream, subject, trackFacts } from '../../testing'
import { specOf } from '../spec'

const stereo = (leftDb: number | null, rightDb: number | null, differenceDb: number | null) => ({
  correlation: 0.5,
  opposed: [],
  isDualMono: differenceDb === null,
  leftDb,
  rightDb,
  differenceDb,
})
/** Of a track that is coded with loss. */
const levels = (leftDb: number | null, rightDb: number | null, differenceDb: number | null = -3) =>
  subject(audioFacts({ audio: [audioStream()] }), {
    measures: { audio: { tracks: [trackFacts({ stereo: stereo(leftDb, rightDb, differenceDb) })] } },
  })

export const spec = specOf(stereoCheck, {
  good: [
    { name: 'a mix', given: levels(-20, -21), details: 'different, their mean levels 1 dB apart' },
    { name: 'exactly as far apart as allowed', given: levels(-20, -40) },
    { name: 'a voice', given: levels(-20, -20, null) },
    { name: 'dual mono, coded', given: levels(-20, -20, -63), thresholds: { dual_mono: 'required' } },
    { name: 'dual mono, coded coarsely', given: levels(-20, -20, -29.9), thresholds: { dual_mono: 'required' } },
    {
      name: 'nearly the same, not coded',
      given: subject(audioFacts(), {
        measures: { audio: { tracks: [trackFacts({ stereo: stereo(-20, -20, -45) })] } },
      }),
      thresholds: { dual_mono: 'forbidden' },
    },
    { name: 'a mix where one is wanted', given: levels(-20, -21, -12), thresholds: { dual_mono: 'forbidden' } },
  ],
  bad: [
    {
      name: 'left only',
      given: levels(-20, null),
      details: /lies on the left channel: the right is silent, the left at -20 dBFS/,
      fix: /c0=c0\|c1=c0/,
    },
    { name: 'right only', given: levels(null, -20), fix: /c0=c1\|c1=c1/ },
    { name: 'crosstalk', given: levels(-20, -46.5), details: /the right is at -46.5 dBFS/ },
    {
      name: 'the same twice, where a mix is wanted',
      given: levels(-20, -20, null),
      thresholds: { dual_mono: 'forbidden' },
      details: /the same on both channels; a stereo mix is wanted/,
    },
    {
      name: 'a mix, where dual mono is wanted',
      given: levels(-20, -20, -8),
      thresholds: { dual_mono: 'required' },
      fix: /0.5\*c0/,
    },
  ],
  skipped: [
    { name: 'mono', given: subject(audioFacts({ audio: [audioStream({ channels: 1 })] })) },
    { name: 'nothing set', given: levels(-20, null), thresholds: { max_imbalance_db: null } },
    { name: 'silent', given: levels(null, null, null) },
    { name: 'measured by an older engine', given: audio() },
  ],
})

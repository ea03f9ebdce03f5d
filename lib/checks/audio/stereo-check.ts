import { z } from 'zod'
import { fail, mediaCheck, pass, skip } from '../check'
import { confidenceBetween } from '../confidence'
import { isAtMost } from '../limits'
import { filterAudio } from '../recipe'
import { decimal } from '../wording'

/**
 * The most that the same audio on both channels differs, dB of the energy of both. Lossy coding rounds each channel by
 * itself: FFmpeg's AAC leaves -30 dB of dense noise at 192 kbit/s, and -32 dB and less of music at 128 kbit/s; MP2 -33 dB and less.
 */
const SAME_DB = { lossless: -50, lossy: -25 }
/** So far from there it is quite sure, dB. */
const SURE_DB = 6
/** Below this nothing is heard, dBFS. */
const INAUDIBLE_DB = -60

export const stereoCheck = mediaCheck({
  id: 'stereo_check',
  label: 'Stereo',
  kinds: ['video', 'audio'],
  needs: ['audio'],
  describe:
    'Both channels of a stereo track are there: none is silent while the other plays, and their mean levels are not far apart. And whether they differ at all: the same audio twice is mono in a stereo track. Exactly as far apart as allowed passes. Channels count as the same up to a difference of -50 dB, and up to -25 dB where the coding is lossy, as that rounds each channel by itself.',
  severity: 'advisory',
  confidence:
    '0.95: computed from every sample; a mix may lean to one side and mean it. Whether both channels are the same: from 0.6 where they differ by just as much as coding leaves, to 0.95 at 6 dB from there.',
  thresholds: z.strictObject({
    max_imbalance_db: z.number().positive().nullable().default(20).meta({
      title: 'Most difference of the mean levels of left and right',
      unit: 'dB',
      source: 'Reasoned: mixes lie within 6; at 20 and more one channel is not there, or is the crosstalk of the other',
    }),
    dual_mono: z.enum(['any', 'required', 'forbidden']).default('any').meta({
      title: 'The same on both channels is',
      source:
        'Reasoned: either unless set, as a voice alone is the same on both; broadcasters ask for dual mono or for a stereo mix',
    }),
  }),
  notFor: (media) => (media.audio.some(({ channels }) => channels === 2) ? null : 'The file has no stereo track.'),
  run({ media, name, measures: { audio } }, { max_imbalance_db, dual_mono }) {
    if (max_imbalance_db === null && dual_mono === 'any')
      return skip('Nothing is set of the channels of stereo tracks.')
    const tracks = audio.tracks.flatMap(({ stereo }, stream) => {
      if (stereo?.leftDb === undefined || stereo.rightDb === undefined || stereo.differenceDb === undefined) return []
      const [left, right] = [stereo.leftDb ?? Number.NEGATIVE_INFINITY, stereo.rightDb ?? Number.NEGATIVE_INFINITY]
      if (Math.max(left, right) <= INAUDIBLE_DB) return []
      const difference = stereo.differenceDb ?? Number.NEGATIVE_INFINITY
      const limit = media.audio[stream]?.bitDepth === null ? SAME_DB.lossy : SAME_DB.lossless
      const sure = confidenceBetween(Math.abs(difference - limit) / SURE_DB, 0.6, 0.95)
      return [{ stream, left, right, imbalance: Math.abs(left - right), isSame: difference <= limit, sure }]
    })
    if (tracks.length === 0) return skip('No stereo track has anything to be heard.')
    const pan = (filter: string) => filterAudio(name, `"${filter}"`, media)
    const called = (stream: number) => (media.audio.length > 1 ? `Audio track ${stream + 1}` : 'The audio')

    const leaning = tracks.find(({ imbalance }) => max_imbalance_db !== null && !isAtMost(imbalance, max_imbalance_db))
    if (leaning && max_imbalance_db !== null) {
      const { stream, left, right, imbalance } = leaning
      const [weak, strong] = left < right ? (['left', 'right'] as const) : (['right', 'left'] as const)
      const level = (value: number) => (value === Number.NEGATIVE_INFINITY ? 'silent' : `at ${decimal(value, 1)} dBFS`)
      const index = strong === 'left' ? 0 : 1
      return fail(
        `${called(stream)} lies on the ${strong} channel: the ${weak} is ${level(Math.min(left, right))}, the ${strong} ${level(Math.max(left, right))}; at most ${decimal(max_imbalance_db, 1)} dB apart is wanted.`,
        {
          measured: Number.isFinite(imbalance) ? Number(decimal(imbalance, 1)) : 'one side silent',
          expected: `at most ${max_imbalance_db}`,
          unit: 'dB',
          confidence: 0.95,
          fix: `Export “${name}” with both channels of the mix; if it is mono: ${pan(`pan=stereo|c0=c${index}|c1=c${index}`)}`,
          occurrences: [{ stream }],
        },
      )
    }
    const odd = tracks.find(
      ({ isSame }) => (dual_mono === 'forbidden' && isSame) || (dual_mono === 'required' && !isSame),
    )
    if (odd) {
      const isSame = dual_mono === 'forbidden'
      return fail(
        `${called(odd.stream)} is ${isSame ? 'the same on both channels' : 'not the same on both channels'}; ${isSame ? 'a stereo mix' : 'dual mono'} is wanted.`,
        {
          measured: odd.isSame ? 'the same' : 'different',
          expected: isSame ? 'different' : 'the same',
          confidence: odd.sure,
          fix: isSame
            ? `Export the stereo mix of “${name}” from the session.`
            : pan('pan=stereo|c0=0.5*c0+0.5*c1|c1=0.5*c0+0.5*c1'),
          occurrences: [{ stream: odd.stream }],
        },
      )
    }
    const [first = { isSame: false, imbalance: 0 }] = tracks
    return pass(
      `Left and right are ${first.isSame ? 'the same' : 'different'}, their mean levels ${decimal(first.imbalance, 1)} dB apart.`,
      {
        measured: Number(decimal(first.imbalance, 1)),
        unit: 'dB',
        confidence: dual_mono === 'any' ? 0.95 : Math.min(...tracks.map(({ sure }) => sure)),
      },
    )
  },
})

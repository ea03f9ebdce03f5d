import { z } from 'zod'
import { fail, mediaCheck, pass, skip } from '../check'
import { measuredConfidence } from '../confidence'
import { isAtMost } from '../limits'
import { filterAudio } from '../recipe'
import { decimal, seconds } from '../wording'

export const mainsHumCheck = mediaCheck({
  id: 'mains_hum_check',
  label: 'Mains hum',
  kinds: ['video', 'audio'],
  needs: ['audio'],
  describe:
    'No hum of the mains stands in the audio: lines at 50 or 60 Hz (to a quarter of a hertz) and their harmonics up to the fourth, that keep their level within 1.5 dB for five seconds and more while a programme that is not 6 dB quieter goes up and down around them. Bass is none, as its notes lie a hertz away and move, nor is a tone without a programme. What bass or drums cover all the time is not seen.',
  severity: 'advisory',
  confidence:
    'How likely the loudest hum is on the same side of the limit, with a standard deviation of half a decibel: 0.5 at the limit, 0.98 one decibel from it; at most 0.95, as a machine in the scene may hum and be meant, and other audio may hide a hum.',
  thresholds: z.strictObject({
    max_level_dbfs: z.number().max(0).default(-60).meta({
      title: 'Loudest hum',
      unit: 'dBFS',
      source: 'ACX Audio Submission Requirements: a noise floor of at most -60 dB (root mean square)',
    }),
  }),
  notFor: (media) => (media.audio.length === 0 ? 'The file has no audio track.' : null),
  run({ name, media, measures: { audio } }, { max_level_dbfs }) {
    const measured = audio.tracks.flatMap(({ hums }, stream) => (hums ? [{ hums, stream }] : []))
    if (measured.length === 0) return skip('Hum was not measured of this file.')
    const all = measured.flatMap(({ hums, stream }) => hums.map((hum) => ({ ...hum, stream })))
    const loudest = all.reduce((most, { levelDb }) => Math.max(most, levelDb), Number.NEGATIVE_INFINITY)
    const extras = {
      ...(all.length > 0 && { measured: loudest }),
      expected: `at most ${max_level_dbfs}`,
      unit: 'dBFS',
    }
    const confidence = Math.min(0.95, measuredConfidence(loudest, max_level_dbfs, 0.5))
    const faults = all
      .filter(({ levelDb }) => !isAtMost(levelDb, max_level_dbfs))
      .sort((a, b) => b.levelDb - a.levelDb || a.start - b.start)
    const [worst] = faults
    if (!worst) {
      return pass(
        all.length === 0
          ? 'No hum of the mains stands in the audio.'
          : `The loudest hum of the mains is at ${decimal(loudest, 1)} dBFS; at most ${decimal(max_level_dbfs, 1)} is allowed.`,
        { ...extras, confidence },
      )
    }
    const { mains, levelDb, start, end, stream, channel } = worst
    const isEverywhere = new Set(faults.filter((hum) => hum.stream === stream).map((hum) => hum.channel)).size > 1
    const notches = [1, 2, 3, 4].map((harmonic) => `bandreject=f=${mains * harmonic}:width_type=h:w=2`).join(',')
    return fail(
      `Mains of ${mains} Hz hum at ${decimal(levelDb, 1)} dBFS from ${seconds(start)} to ${seconds(end)}${isEverywhere ? '' : ` on channel ${channel}`}; at most ${decimal(max_level_dbfs, 1)} dBFS is wanted.`,
      {
        ...extras,
        confidence,
        occurrences: faults.map((hum) => ({ start: hum.start, end: hum.end, stream: hum.stream })),
        fix: `Remove the hum from “${name}” in the mix, best in the recording it comes from; of the whole: ${filterAudio(name, `"${notches}"`, media)}`,
      },
    )
  },
})

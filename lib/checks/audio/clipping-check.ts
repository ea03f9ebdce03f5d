import { z } from 'zod'
import { fail, mediaCheck, pass } from '../check'
import { countConfidence } from '../confidence'
import { filterAudio } from '../recipe'
import { count, decimal, seconds, verb } from '../wording'

export const clippingCheck = mediaCheck({
  id: 'clipping_check',
  label: 'Clipping',
  kinds: ['video', 'audio'],
  needs: ['audio'],
  describe:
    'The tops of the waveform are whole: no runs of three and more samples in a row at full scale, nor at one level below it, as in audio that was clipped and then made quieter. A coding with loss rounds such tops off, so that they are not seen.',
  severity: 'advisory',
  confidence:
    'Each run is taken to be clipped with 0.7, as a limiter may touch full scale without being heard: 0.7 for one more than allowed, 0.91 for two, 0.97 for three. Likewise below full scale, where no sample of the track lies beyond that level, as where the whole was made quieter; else at most 0.85, as a synthesiser in the mix may draw flat tops. A pass: 0.95, and more where more than one would have to be missed.',
  thresholds: z.strictObject({
    max_runs: z.number().int().min(0).default(0).meta({
      title: 'Most runs at full scale',
      unit: 'runs',
      source:
        'Reasoned: three equal samples at full scale do not occur in unclipped audio; below it at least six tops of one level count',
    }),
  }),
  notFor: (media) => (media.audio.length === 0 ? 'The file has no audio track.' : null),
  run({ name, media, measures: { audio } }, { max_runs }) {
    const atFullScale = audio.tracks.reduce((sum, track) => sum + track.clipping.runs, 0)
    const runs = atFullScale + audio.tracks.reduce((sum, track) => sum + (track.clipping.below?.runs ?? 0), 0)
    const extras = { measured: runs, expected: max_runs, unit: 'runs' }
    if (runs <= max_runs) {
      return pass(
        runs === 0
          ? 'No top of the waveform is cut off.'
          : `${count(runs, 'top')} of the waveform ${verb(runs, 'is', 'are')} cut off, as many as allowed.`,
        {
          ...extras,
          confidence: countConfidence(max_runs + 1 - runs, 0.95),
        },
      )
    }
    const occurrences = audio.tracks.flatMap(({ clipping }, stream) =>
      [...clipping.at, ...(clipping.below?.at ?? [])].map((span) => ({ ...span, stream })),
    )
    occurrences.sort((a, b) => a.start - b.start)
    const lower = audio.tracks.flatMap(({ clipping }) => clipping.below ?? [])
    const [below] = lower
    const where = below
      ? ` (${atFullScale > 0 ? 'also ' : ''}at ${decimal(below.levelDb, 1)} dBFS, so before it was made quieter)`
      : ''
    const margin = countConfidence(runs - max_runs, 0.7)
    return fail(
      `The audio is clipped in ${count(runs, 'place')}${where}, first at ${seconds(occurrences[0]?.start ?? 0)}; at most ${max_runs} is wanted.`,
      {
        ...extras,
        confidence:
          atFullScale > max_runs || lower.every(({ isHighest }) => isHighest) ? margin : Math.min(0.85, margin),
        occurrences,
        fix: `Export “${name}” from the mix at a lower level with a true-peak limiter at -1 dBTP. What is lost can only be guessed: ${filterAudio(name, 'adeclip,volume=-3dB', media)}`,
      },
    )
  },
})

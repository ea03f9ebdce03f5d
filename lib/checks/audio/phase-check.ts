import { z } from 'zod'
import { OPPOSED } from '@/lib/media/measurements'
import { fail, mediaCheck, pass, skip } from '../check'
import { measuredConfidence } from '../confidence'
import { filterAudio } from '../recipe'
import { decimal, seconds } from '../wording'

export const phaseCheck = mediaCheck({
  id: 'phase_check',
  label: 'Phase',
  kinds: ['video', 'audio'],
  needs: ['audio'],
  describe:
    'Left and right do not cancel each other out where they are played as one: the correlation of a stereo track over the whole, and second by second.',
  severity: 'advisory',
  confidence:
    'How likely what was computed is on the same side of the limit, with a standard deviation of 0.02 of correlation and, as it is computed second by second, of a third of a second. A fail by seconds alone: at most 0.95, as wide effects may be against each other for a moment and mean it; no effect is over the whole.',
  thresholds: z.strictObject({
    min_correlation: z.number().min(-1).max(1).default(OPPOSED).meta({
      title: 'Least correlation over the whole',
      source: 'Reasoned: below -0.3 more than half of the energy is lost in mono; a wide mix lies above 0',
    }),
    max_opposed_seconds: z
      .number()
      .min(0)
      .default(2)
      .meta({
        title: 'Most seconds against each other',
        unit: 's',
        source: `Reasoned: seconds with a correlation below ${OPPOSED}; an effect is over within two`,
      }),
  }),
  notFor: (media) => (media.audio.length === 0 ? 'The file has no audio track.' : null),
  run({ name, media, measures: { audio } }, { min_correlation, max_opposed_seconds }) {
    const stereo = audio.tracks.flatMap((track, stream) =>
      track.stereo && track.stereo.correlation !== null
        ? [{ stream, correlation: track.stereo.correlation, opposed: track.stereo.opposed }]
        : [],
    )
    const worst = stereo.sort((a, b) => a.correlation - b.correlation)[0]
    if (!worst) return skip('The file has no stereo track with audio on both channels.')
    const opposed = worst.opposed.reduce((sum, { start, end }) => sum + end - start, 0)
    const isOpposed = worst.correlation < min_correlation
    const isLong = opposed > max_opposed_seconds + 0.01
    const ofCorrelation = measuredConfidence(worst.correlation, min_correlation, 0.02)
    const ofLength = measuredConfidence(opposed, max_opposed_seconds, 1 / 3)
    const confidence =
      isOpposed || isLong
        ? Math.max(isOpposed ? ofCorrelation : 0, isLong ? Math.min(0.95, ofLength) : 0)
        : Math.min(ofCorrelation, ofLength)
    const extras = { measured: worst.correlation, expected: min_correlation, confidence }
    const is = `The channels correlate by ${decimal(worst.correlation)}`
    if (!isOpposed && !isLong) {
      return pass(`${is}; ${decimal(min_correlation)} and more is wanted.`, extras)
    }
    return fail(
      `${is} and are against each other for ${seconds(opposed)}; ${decimal(min_correlation)} and more, and at most ${seconds(max_opposed_seconds)}, is wanted.`,
      {
        ...extras,
        occurrences: worst.opposed.map((span) => ({ ...span, stream: worst.stream })),
        fix: `If one channel was wired the wrong way round: ${filterAudio(name, '"pan=stereo|c0=c0|c1=-1*c1"', media)}`,
      },
    )
  },
})

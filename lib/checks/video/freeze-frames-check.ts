import { z } from 'zod'
import { fail, mediaCheck, pass } from '../check'
import { measuredConfidence } from '../confidence'
import { count, decimal, seconds } from '../wording'

/** Before an end card something moves; the first frames of a still are drawn anew by coarse coding. */
const LEAST_MOTION = 0.5

export const freezeFramesCheck = mediaCheck({
  id: 'freeze_frames_check',
  label: 'Frozen video',
  kinds: ['video'],
  needs: ['video'],
  describe:
    'The video keeps moving: no stretch whose frames do not differ from its first by more than the noise of coding. They are compared by brightness and by hue. Black is not counted here. A still pack shot at the end may be meant.',
  severity: 'advisory',
  confidence:
    'How likely the longest still is on the same side of the threshold, where its ends may each be off by a frame: 0.5 at the threshold, 0.92 two frames from it. A pass: at most 0.95, as noise may hide a still. 0.7 at most where the video moves first and the freeze runs to its end, as an end card may be meant to stand.',
  thresholds: z.strictObject({
    max_seconds: z.number().min(0.5).default(2).meta({
      title: 'Longest still stretch',
      unit: 's',
      source: 'Reasoned: two seconds, the default of FFmpeg’s freezedetect; shorter stills are held titles',
    }),
  }),
  run({ name, measures: { video } }, { max_seconds }) {
    const faults = video.frozen.filter((span) => span.end - span.start > max_seconds + 0.001)
    const longest = video.frozen.reduce((most, span) => Math.max(most, span.end - span.start), 0)
    const uncertainty = Math.SQRT2 * (video.durationSeconds / Math.max(1, video.frames))
    const confidence = measuredConfidence(longest, max_seconds, uncertainty)
    const extras = { measured: Number(longest.toFixed(3)), expected: max_seconds, unit: 's', confidence }
    const first = faults[0]
    if (!first) {
      return pass(
        longest > 0
          ? `The video stands still for at most ${seconds(longest)}; up to ${seconds(max_seconds)} is allowed.`
          : 'The video never stands still for half a second.',
        { ...extras, confidence: Math.min(0.95, confidence) },
      )
    }
    const isEndCard = faults.every(({ start, end }) => start >= LEAST_MOTION && end >= video.durationSeconds - 0.001)
    const more = faults.length > 1 ? `, and in ${count(faults.length - 1, 'further stretch', 'further stretches')}` : ''
    return fail(
      `The video stands still from ${seconds(first.start)} to ${seconds(first.end)} (${seconds(first.end - first.start)})${more}; at most ${seconds(max_seconds)} is wanted.`,
      {
        ...extras,
        ...(isEndCard && { confidence: Math.min(0.7, confidence) }),
        occurrences: faults,
        fix: `Play “${name}” from ${decimal(Math.max(0, first.start - 1), 1)} s beside the edit. If the still is not meant, render ${seconds(first.start)} to ${seconds(first.end)} again.`,
      },
    )
  },
})

import { z } from 'zod'
import { fail, mediaCheck, pass } from '../check'
import { measuredConfidence } from '../confidence'
import { count, decimal, seconds } from '../wording'

export const freezeFramesCheck = mediaCheck({
  id: 'freeze_frames_check',
  label: 'Frozen video',
  kinds: ['video'],
  needs: ['video'],
  describe:
    'The video keeps moving: no stretch whose frames do not differ from its first by more than the noise of coding. Black is not counted here. A still pack shot at the end may be meant.',
  severity: 'advisory',
  confidence:
    'How likely the longest still is on the same side of the threshold, where its ends may each be off by a frame: 0.5 at the threshold, 0.92 two frames from it; at most 0.95, as noise may hide a still and a still may be meant. 0.7 at most where the freeze runs to the end, as an end card may be meant to stand.',
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
    const confidence = Math.min(0.95, measuredConfidence(longest, max_seconds, uncertainty))
    const extras = { measured: Number(longest.toFixed(3)), expected: max_seconds, unit: 's', confidence }
    const first = faults[0]
    if (!first) {
      return pass(
        longest > 0
          ? `The video stands still for at most ${seconds(longest)}; up to ${seconds(max_seconds)} is allowed.`
          : 'The video never stands still for half a second.',
        extras,
      )
    }
    const toTheEnd = faults.every((span) => span.end >= video.durationSeconds - 0.001)
    const more = faults.length > 1 ? `, and in ${count(faults.length - 1, 'further stretch', 'further stretches')}` : ''
    return fail(
      `The video stands still from ${seconds(first.start)} to ${seconds(first.end)} (${seconds(first.end - first.start)})${more}; at most ${seconds(max_seconds)} is wanted.`,
      {
        ...extras,
        ...(toTheEnd && { confidence: Math.min(0.7, confidence) }),
        occurrences: faults,
        fix: `Play “${name}” from ${decimal(Math.max(0, first.start - 1), 1)} s beside the edit. If the still is not meant, render ${seconds(first.start)} to ${seconds(first.end)} again.`,
      },
    )
  },
})

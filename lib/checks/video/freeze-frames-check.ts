import { z } from 'zod'
import { fail, mediaCheck, pass } from '../check'
import { confidenceBetween } from '../confidence'
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
    'A fail: 0.85; 0.7 where the freeze runs to the end, as an end card may be meant to stand. A pass: 0.95 where nothing stands still, as noise may hide it, falling with the longest still to 0.85 at the threshold.',
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
    const extras = { measured: Number(longest.toFixed(3)), expected: max_seconds, unit: 's' }
    const first = faults[0]
    if (!first) {
      return pass(
        longest > 0
          ? `The video stands still for at most ${seconds(longest)}; up to ${seconds(max_seconds)} is allowed.`
          : 'The video never stands still for half a second.',
        { ...extras, confidence: confidenceBetween(longest / max_seconds, 0.95, 0.85) },
      )
    }
    const toTheEnd = faults.every((span) => span.end >= video.durationSeconds - 0.001)
    const more = faults.length > 1 ? `, and in ${count(faults.length - 1, 'further stretch', 'further stretches')}` : ''
    return fail(
      `The video stands still from ${seconds(first.start)} to ${seconds(first.end)} (${seconds(first.end - first.start)})${more}; at most ${seconds(max_seconds)} is wanted.`,
      {
        ...extras,
        confidence: toTheEnd ? 0.7 : 0.85,
        occurrences: faults,
        fix: `Play “${name}” from ${decimal(Math.max(0, first.start - 1), 1)} s beside the edit. If the still is not meant, render ${seconds(first.start)} to ${seconds(first.end)} again.`,
      },
    )
  },
})

import { z } from 'zod'
import { fail, mediaCheck, pass } from '../check'
import { measuredConfidence } from '../confidence'
import { count, seconds } from '../wording'

/** Silences are measured in steps of 10 ms, s. */
const TOLERANCE = 0.011

export const silenceCheck = mediaCheck({
  id: 'silence_check',
  label: 'Silence',
  kinds: ['video', 'audio'],
  needs: ['audio'],
  describe:
    'The audio does not fall silent: no stretch in which every channel stays under -60 dBFS. Silence under a black video is reported as black alone.',
  severity: 'advisory',
  confidence:
    'How likely the longest silence is on the same side of the threshold and one step of 10 ms, as both its ends lie in such steps: 0.78 where exactly the threshold is reached, 0.99 three steps from it.',
  thresholds: z.strictObject({
    max_seconds: z.number().min(0.5).default(2).meta({
      title: 'Longest silence',
      unit: 's',
      source: 'Reasoned: two seconds below -60 dBFS, the defaults of FFmpeg’s silencedetect',
    }),
  }),
  notFor: (media) => (media.audio.length === 0 ? 'The file has no audio track.' : null),
  run({ name, measures: { audio } }, { max_seconds }) {
    const all = audio.tracks.flatMap((track, stream) =>
      track.silences.filter((each) => !each.duringBlack).map(({ start, end }) => ({ start, end, stream })),
    )
    const faults = all.filter((span) => span.end - span.start > max_seconds + TOLERANCE)
    const longest = all.reduce((most, span) => Math.max(most, span.end - span.start), 0)
    const confidence = measuredConfidence(longest, max_seconds + TOLERANCE, Math.SQRT2 * 0.01)
    const extras = { measured: Number(longest.toFixed(2)), expected: max_seconds, unit: 's', confidence }
    const first = faults[0]
    if (!first) {
      return pass(
        longest > 0
          ? `The longest silence lasts ${seconds(longest)}; up to ${seconds(max_seconds)} is allowed.`
          : 'The audio is never silent for half a second.',
        extras,
      )
    }
    const track = audio.tracks[first.stream]
    const isWhole = track !== undefined && first.end - first.start >= track.durationSeconds - 0.05
    const more = faults.length > 1 ? `, and in ${count(faults.length - 1, 'further stretch', 'further stretches')}` : ''
    return fail(
      isWhole
        ? `The audio track is silent from its first second to its last (${seconds(track.durationSeconds)}); at most ${seconds(max_seconds)} is wanted.`
        : `The audio is silent from ${seconds(first.start)} to ${seconds(first.end)}${more}; at most ${seconds(max_seconds)} is wanted.`,
      {
        ...extras,
        occurrences: faults,
        fix: isWhole
          ? `Export “${name}” again with its audio tracks switched on, or leave the audio out.`
          : `Listen to “${name}” at ${seconds(first.start)} beside the mix, and export it again if audio is missing there.`,
      },
    )
  },
})

import { z } from 'zod'
import { fail, mediaCheck, pass, skip } from '../check'
import { countConfidence } from '../confidence'
import { isAtLeast } from '../limits'
import { allOf, count, decimal, seconds, verb } from '../wording'

const milliseconds = (value: number) => `${decimal(value * 1000, 1)} ms`

export const audioDropoutCheck = mediaCheck({
  id: 'audio_dropout_check',
  label: 'Audio dropouts',
  kinds: ['video', 'audio'],
  needs: ['audio'],
  describe:
    'The audio does not drop out: no gap, on any channel, in which samples stand still, at zero or at the level of the last one, for 24 samples and more, while it is loud (-40 dBFS) within 3 ms on both sides, and it begins or ends with a jump. What fades, decays or starts after a pause, clipped tops, square waves, and gaps in a rhythm (20 ms and more, three times and more at one distance) are none. A coding with loss blurs a gap, so that it is only seen if it was made after it.',
  severity: 'advisory',
  confidence:
    'Each gap is taken to be a dropout with 0.85, as an effect may cut the audio and mean it (what comes in a rhythm is none): 0.85 for one more than allowed, 0.98 for two. A pass: 0.95, and more where more than one would have to be missed.',
  thresholds: z.strictObject({
    max_count: z.number().int().min(0).default(0).meta({
      title: 'Most dropouts',
      unit: 'dropouts',
      source:
        'Netflix, Audio Drop Out/Mute (016): abrupt, complete loss of the signal on one or more channels, from a few samples on',
    }),
    pause_seconds: z.number().min(0.001).max(0.15).default(0.05).meta({
      title: 'From this length on a gap is a pause',
      unit: 's',
      source:
        'Reasoned: more than a frame of video (1/24 s) or a block of audio (2048 samples) that was lost; shorter than pauses that are cut',
    }),
  }),
  notFor: (media) => (media.audio.length === 0 ? 'The file has no audio track.' : null),
  run({ name, media, measures: { audio } }, { max_count, pause_seconds }) {
    const measured = audio.tracks.flatMap(({ gaps }, stream) => (gaps ? [{ gaps, stream }] : []))
    if (measured.length === 0) return skip('Dropouts were not measured of this file.')
    const found = measured.flatMap(({ gaps, stream }) =>
      gaps.flatMap(({ channels, ...span }) =>
        isAtLeast(span.end - span.start, pause_seconds) ? [] : [{ span: { ...span, stream }, channels }],
      ),
    )
    const extras = { measured: found.length, expected: max_count, unit: 'dropouts' }
    const [first] = found
    if (!first || found.length <= max_count) {
      return pass(
        found.length === 0
          ? 'The audio does not drop out.'
          : `The audio drops out ${count(found.length, 'time')}, as often as allowed.`,
        { ...extras, confidence: countConfidence(max_count + 1 - found.length, 0.95) },
      )
    }
    const { start, end, stream } = first.span
    const all = media.audio[stream]?.channels ?? first.channels.length
    const where =
      first.channels.length === all
        ? ''
        : ` on ${verb(first.channels.length, 'channel', 'channels')} ${allOf(first.channels)}`
    return fail(
      `The audio drops out ${count(found.length, 'time')}, first at ${seconds(start)} for ${milliseconds(end - start)}${where}; at most ${max_count} is wanted.`,
      {
        ...extras,
        confidence: countConfidence(found.length - max_count, 0.85),
        occurrences: found.map(({ span }) => span),
        fix: `Listen to “${name}” at ${seconds(start)} beside the mix, and export it again with a larger audio buffer and from a local disk; what was lost cannot be made up.`,
      },
    )
  },
})

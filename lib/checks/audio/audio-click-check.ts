import { z } from 'zod'
import { fail, mediaCheck, pass, skip } from '../check'
import { countConfidence } from '../confidence'
import { filterAudio } from '../recipe'
import { count, seconds } from '../wording'

export const audioClickCheck = mediaCheck({
  id: 'audio_click_check',
  label: 'Audio clicks',
  kinds: ['video', 'audio'],
  needs: ['audio'],
  describe:
    'The audio has no digital clicks: one to three samples that lie at least -34 dBFS off a wave that goes on as if they were not there, where it bends four times as sharply as anywhere within 40 ms. The start and end of sounds, drums, square and pulse waves are none, nor are clicks in silence. What a coding with loss or a change of the sample rate has spread, and what treble hides, is not seen.',
  severity: 'advisory',
  confidence:
    'Each click is taken to be one with 0.85: 0.85 for one more than allowed, 0.98 for two. A pass: 0.95, and more where more than one would have to be missed.',
  thresholds: z.strictObject({
    max_count: z.number().int().min(0).default(0).meta({
      title: 'Most clicks',
      unit: 'clicks',
      source: 'Netflix, Audio Tick (004): any that belongs to nothing in the scene is an issue',
    }),
  }),
  notFor: (media) => (media.audio.length === 0 ? 'The file has no audio track.' : null),
  run({ name, media, measures: { audio } }, { max_count }) {
    const measured = audio.tracks.flatMap(({ clicks }, stream) => (clicks ? [{ clicks, stream }] : []))
    if (measured.length === 0) return skip('Clicks were not measured of this file.')
    const clicks = measured.reduce((sum, track) => sum + track.clicks.count, 0)
    const extras = { measured: clicks, expected: max_count, unit: 'clicks' }
    if (clicks <= max_count) {
      return pass(
        clicks === 0
          ? 'The audio has no digital clicks.'
          : `The audio has ${count(clicks, 'digital click')}, as many as allowed.`,
        { ...extras, confidence: countConfidence(max_count + 1 - clicks, 0.95) },
      )
    }
    const occurrences = measured.flatMap(({ clicks: { at }, stream }) => at.map((span) => ({ ...span, stream })))
    return fail(
      `The audio clicks ${count(clicks, 'time')}, first at ${seconds(occurrences[0]?.start ?? 0)}; at most ${max_count} is wanted.`,
      {
        ...extras,
        confidence: countConfidence(clicks - max_count, 0.85),
        occurrences,
        fix: `Listen to “${name}” at ${seconds(occurrences[0]?.start ?? 0)} beside the mix, and export it again. Where the mix itself clicks: ${filterAudio(name, 'adeclick', media)}`,
      },
    )
  },
})

import { z } from 'zod'
import { fail, mediaCheck, pass } from '../check'
import { seconds } from '../wording'

export const flashCheck = mediaCheck({
  id: 'flash_check',
  label: 'Flashes',
  kinds: ['video'],
  needs: ['film'],
  describe:
    'General flashes that may harm photosensitive people: pairs of opposing changes of luminance by 10 % and more, the darker below 0.80, over a quarter of the screen. Red flashes and patterns are not judged; this is no certified test.',
  severity: 'blocking',
  confidence: 'Twice the limit and more: 0.85. Nearer: 0.7, so that a person looks. A pass: 0.8.',
  thresholds: z.strictObject({
    max_per_second: z.number().int().min(0).default(3).meta({
      title: 'Most flashes in any second',
      unit: 'flashes per second',
      source: 'WCAG 2.2, success criterion 2.3.1; ITU-R BT.1702-3',
    }),
  }),
  run({ name, measures: { film } }, { max_per_second }) {
    const { mostPerSecond, at } = film.flashes
    const extras = {
      measured: mostPerSecond,
      expected: max_per_second,
      unit: 'flashes per second',
      standard: 'WCAG 2.2, 2.3.1; ITU-R BT.1702-3',
    }
    if (mostPerSecond <= max_per_second || !at) {
      return pass(`At most ${mostPerSecond} flashes fall in any second; up to ${max_per_second} are allowed.`, {
        ...extras,
        confidence: 0.8,
      })
    }
    return fail(
      `${mostPerSecond} flashes fall in the second from ${seconds(at.start)}; at most ${max_per_second} are wanted.`,
      {
        ...extras,
        confidence: mostPerSecond >= 2 * max_per_second ? 0.85 : 0.7,
        occurrences: [at],
        fix: `In the edit of “${name}”, between ${seconds(at.start)} and ${seconds(at.end)}: show fewer than ${max_per_second + 1} flashes a second, or lower their contrast under 10 %. Where it goes on air, have it certified.`,
      },
    )
  },
})

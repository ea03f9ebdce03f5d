import { z } from 'zod'
import { fail, mediaCheck, pass } from '../check'
import { confidenceBetween } from '../confidence'
import { allOf, seconds } from '../wording'

export const flashCheck = mediaCheck({
  id: 'flash_check',
  label: 'Flashes',
  kinds: ['video'],
  needs: ['video'],
  describe:
    'What may harm photosensitive people. General flashes: pairs of opposing changes of luminance by 10 % and more, the darker below 0.80, over more than a quarter of the screen. Red flashes: the same for changes to or from a saturated red. Extended flashing: two flashes and more in every second, for longer than a sequence may last. Regular patterns: more than five pairs of stripes over a quarter of the screen. This is no certified test.',
  severity: 'blocking',
  confidence:
    'Flashes at twice the limit: 0.85, rising with the next doubling to 0.95; nearer than twice, and extended flashing: 0.7, so that a person reviews it. Patterns: 0.6. A pass: 0.95 where nothing flashes and no pattern stands, falling to 0.8 as the nearest of the three limits is reached: what a frame shows is counted in 160 × 90 points.',
  thresholds: z.strictObject({
    max_per_second: z.number().int().min(0).default(3).meta({
      title: 'Most flashes in any second',
      unit: 'flashes per second',
      source: 'WCAG 2.2, success criterion 2.3.1; ITU-R BT.1702-3. Exactly as many pass',
    }),
    max_extended_seconds: z.number().min(1).default(5).meta({
      title: 'Longest sequence of flashes',
      unit: 's',
      source:
        'ITU-R BT.1702-3 and Ofcom’s guidance: a sequence of more than 5 s may be a risk though every second of it keeps the limit. Exactly as long passes; two flashes a second make a sequence (Reasoned: slower ones are apart for the eye)',
    }),
    max_pattern_seconds: z.number().min(0).default(0.5).meta({
      title: 'Longest regular pattern',
      unit: 's',
      source: 'ITU-R BT.1702-3, Annex 1, for what a pattern is; half a second is how often it is searched for',
    }),
  }),
  run({ name, measures: { video } }, { max_per_second, max_extended_seconds, max_pattern_seconds }) {
    const kinds = [
      { what: 'flashes', ...video.flashes },
      { what: 'red flashes', ...(video.redFlashes ?? { mostPerSecond: 0, at: null }) },
    ]
    const faults = kinds.flatMap(({ at, ...each }) =>
      at && each.mostPerSecond > max_per_second ? [{ at, ...each }] : [],
    )
    const sequences = kinds.flatMap(({ what, longest }) =>
      longest && longest.end - longest.start > max_extended_seconds + 0.001 ? [{ what, ...longest }] : [],
    )
    const patterns = (video.stripes ?? []).filter((span) => span.end - span.start > max_pattern_seconds + 0.001)
    const most = Math.max(...kinds.map(({ mostPerSecond }) => mostPerSecond))
    const used = Math.max(
      shareOf(most, max_per_second),
      ...kinds.map(({ longest }) => shareOf(longest ? longest.end - longest.start : 0, max_extended_seconds)),
      ...(video.stripes ?? []).map(({ start, end }) => shareOf(end - start, max_pattern_seconds)),
    )
    const extras = {
      measured: most,
      expected: max_per_second,
      unit: 'flashes per second',
      standard: 'WCAG 2.2, 2.3.1; ITU-R BT.1702-3',
    }
    const [worst] = [...faults].sort((a, b) => b.mostPerSecond - a.mostPerSecond)
    if (worst) {
      const details = faults.map(
        ({ what, at, mostPerSecond }) => `${mostPerSecond} ${what} fall in the second from ${seconds(at.start)}`,
      )
      return fail(`${allOf(details)}; at most ${max_per_second} are wanted.`, {
        ...extras,
        confidence: overLimit(worst.mostPerSecond, max_per_second),
        occurrences: [...faults.map(({ at }) => at), ...patterns],
        fix: `In the edit of “${name}”, between ${seconds(worst.at.start)} and ${seconds(worst.at.end)}: show fewer than ${max_per_second + 1} flashes a second, or lower their contrast under 10 %${faults.some(({ what }) => what === 'red flashes') ? ' and take the red out' : ''}. Where it goes on air, have it certified.`,
      })
    }
    const [sequence] = sequences.sort((a, b) => b.end - b.start - (a.end - a.start))
    if (sequence) {
      const { what, start, end } = sequence
      return fail(
        `Two ${what} and more fall in every second from ${seconds(start)} to ${seconds(end)}; such a sequence may last ${seconds(max_extended_seconds)}.`,
        {
          ...extras,
          measured: Number((end - start).toFixed(3)),
          expected: max_extended_seconds,
          unit: 's',
          confidence: 0.7,
          occurrences: [{ start, end }, ...patterns],
          fix: `In the edit of “${name}”, between ${seconds(start)} and ${seconds(end)}: shorten the flashing to ${seconds(max_extended_seconds)} or less, or lower its contrast under 10 %. Where it goes on air, have it certified.`,
        },
      )
    }
    const [first] = patterns
    if (first) {
      return fail(
        `Regular stripes fill a quarter of the screen and more from ${seconds(first.start)} to ${seconds(first.end)}; such a pattern may stand for ${seconds(max_pattern_seconds)}.`,
        {
          ...extras,
          measured: Number((first.end - first.start).toFixed(3)),
          expected: max_pattern_seconds,
          unit: 's',
          confidence: 0.6,
          occurrences: patterns,
          fix: `In the edit of “${name}”, between ${seconds(first.start)} and ${seconds(first.end)}: make the pattern smaller than a quarter of the screen, blur it, or lower its contrast. Where it goes on air, have it certified.`,
        },
      )
    }
    return pass(
      `At most ${most} flashes fall in any second, where up to ${max_per_second} are allowed; no sequence of them lasts longer than ${seconds(max_extended_seconds)}, no regular pattern longer than ${seconds(max_pattern_seconds)}.`,
      { ...extras, confidence: confidenceBetween(used, 0.95, 0.8) },
    )
  },
})

/** How much of a limit is used; a limit of nothing is not used by nothing. */
const shareOf = (measured: number, limit: number) => (measured > 0 ? measured / limit : 0)

/** A person reviews what is nearer than twice the limit. */
function overLimit(mostPerSecond: number, limit: number): number {
  if (mostPerSecond < 2 * limit) return 0.7
  const doublings = Math.log2(mostPerSecond / Math.max(1, limit))
  return confidenceBetween(doublings - 1, 0.85, 0.95)
}

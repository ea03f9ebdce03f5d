import { z } from 'zod'
import type { Span } from '@/lib/media/measurements'
import { fail, mediaCheck, pass } from '../check'
import { countConfidence, measuredConfidence } from '../confidence'
import { allOf, seconds } from '../wording'

/** Standard deviation of the length of a sequence or a pattern, s. */
const UNCERTAINTY = 0.25

export const flashCheck = mediaCheck({
  id: 'flash_check',
  label: 'Flashes',
  kinds: ['video'],
  needs: ['video'],
  describe:
    'What may harm photosensitive people. General flashes: pairs of opposing changes of luminance by 10 % and more, the darker below 0.80, over more than a quarter of the screen. Red flashes: the same for changes to or from a saturated red. Extended flashing: two flashes and more in every second, for longer than a sequence may last. Regular patterns: more than five pairs of stripes over a quarter of the screen. This is no certified test.',
  severity: 'blocking',
  confidence:
    'By what would have to be measured wrongly for the verdict to turn. Frames are looked at in 160 × 90 points: of 1,361 generated videos with up to 8 flashes a second over 5 to 100 % of the screen, but for 24 to 26 %, with noise, none was counted on the wrong side of the limit. Flashes: each beyond the limit is right with 0.75, so that a person reviews a fail by a single one; of a pass each that is left is not missed with 0.9. Sequences: how likely their length is on the same side of the limit, with a standard deviation of a quarter of a second. Patterns: likewise, as they are searched for twice a second; a fail at most 0.75 where the image does not stand still, as a pattern may be harmless where it moves.',
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
    const lengthOf = ({ start, end }: Span) => end - start
    const ofSequence = (span: Span) => surely(lengthOf(span), max_extended_seconds)
    const ofPattern = (span: Span) => surely(lengthOf(span), max_pattern_seconds)
    const stands = (span: Span) =>
      video.frozen.some(({ start, end }) => start <= span.start + UNCERTAINTY && end >= span.end - UNCERTAINTY)
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
        confidence: countConfidence(worst.mostPerSecond - max_per_second, 0.75),
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
          confidence: ofSequence(sequence),
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
          confidence: Math.max(
            ...patterns.map((span) => (stands(span) ? ofPattern(span) : Math.min(0.75, ofPattern(span)))),
          ),
          occurrences: patterns,
          fix: `In the edit of “${name}”, between ${seconds(first.start)} and ${seconds(first.end)}: make the pattern smaller than a quarter of the screen, blur it, or lower its contrast. Where it goes on air, have it certified.`,
        },
      )
    }
    return pass(
      `At most ${most} flashes fall in any second, where up to ${max_per_second} are allowed; no sequence of them lasts longer than ${seconds(max_extended_seconds)}, no regular pattern longer than ${seconds(max_pattern_seconds)}.`,
      {
        ...extras,
        confidence: Math.min(
          countConfidence(max_per_second + 1 - most, 0.9),
          ...kinds.flatMap(({ longest }) => (longest ? [ofSequence(longest)] : [])),
          ...(video.stripes ?? []).map(ofPattern),
        ),
      },
    )
  },
})

const surely = (length: number, limit: number) => measuredConfidence(length, limit, UNCERTAINTY)

import { z } from 'zod'
import type { PrintFacts } from '@/lib/media/facts'
import { fail, mediaCheck, pass, skip } from '../check'
import { measuredConfidence } from '../confidence'
import { count, decimal } from '../wording'
import { atLeast, BEFORE_PRINT, placesOf, unlessUnread } from './painted'

/** Of colours that are written with few decimals, and of samples of eight bits. */
const ROUNDING_PERCENT = 0.5
/**
 * Standard deviation, percent: of four colours that are written with two decimals, and of samples, which JPEG changes and of
 * which an image has more than are looked at.
 */
const UNCERTAINTY = { text: 0.5, line: 0.5, area: 0.5, image: 2 } as const
const WHAT = { text: 'text', line: 'a line', area: 'an area', image: 'an image' } as const

export const inkCoverageCheck = mediaCheck({
  id: 'ink_coverage_check',
  label: 'Total ink coverage',
  kinds: ['document'],
  describe:
    'The sum of all inks at one place, as paper takes only so much before it smears and does not dry. By the colours that areas, text and images declare: CMYK, grey, spot colours and their mixtures; of images 256 × 256 points, masked ones left out. What takes a conversion (RGB, Lab), shadings and patterns is counted and not evaluated; nor is what overprint and modes of blending such as Multiply add up. Less than 15 mm² does not count.',
  severity: 'advisory',
  confidence:
    'How likely the most ink is on the same side of the limit and its rounding, with a standard deviation of half a percent, as four colours with two decimals have, and of two percent for images, whose samples JPEG changes (by up to 1.6 % at quality 75 and 2.4 % at 60, measured on generated images): 0.84 where exactly the limit is painted. A pass where something is blended or takes a conversion: at most 0.8, as more ink may be there, not less.',
  thresholds: z.strictObject({
    max_percent: z.number().positive().nullable().default(null).meta({
      title: 'Most ink',
      unit: '%',
      source:
        'Reasoned: none unless set; by the printing condition: 300 % for PSO Coated v3 (FOGRA51), 330 % for ISO Coated v2 (FOGRA39), 240 % for newspapers (ISO 12647-3)',
    }),
  }),
  run({ name, media: { print } }, { max_percent }) {
    if (!print) return BEFORE_PRINT
    const [most] = print.mostInked.marks
    const is = most
      ? `The most ink is ${decimal(most.value, 0)} % (${WHAT[most.what]} on page ${most.page})`
      : 'Nothing has more than 100 % of ink'
    if (max_percent === null)
      return skip(`${is}${leftOut(print)}; no total ink coverage is set for this media category.`)
    const extras = {
      measured: most?.value ?? 0,
      expected: max_percent,
      unit: '%',
      confidence: measuredConfidence(
        most?.value ?? 0,
        max_percent + ROUNDING_PERCENT,
        UNCERTAINTY[most?.what ?? 'area'],
      ),
    }
    const over = print.mostInked.marks.filter(({ value }) => value > max_percent + ROUNDING_PERCENT)
    const details = `${is}${over.length > 1 ? ` (${atLeast(over, print.mostInked)} places have too much)` : ''}; at most ${decimal(max_percent, 0)} % is wanted${leftOut(print)}.`
    if (over.length === 0) {
      const isPartial = print.hasBlends || print.unknownInks > 0
      const confidence = Math.min(extras.confidence, isPartial ? 0.8 : 1)
      return unlessUnread(print, pass(details, { ...extras, confidence }))
    }
    return fail(details, {
      ...extras,
      occurrences: placesOf(over),
      fix: `Convert “${name}” to the profile of the printing condition, whose black generation keeps to ${decimal(max_percent, 0)} % (Acrobat: Print Production > Convert Colors; Photoshop: Edit > Convert to Profile), and mix blacks and fills by hand with less ink.`,
    })
  },
})

function leftOut({ unknownInks, hasBlends }: PrintFacts): string {
  const parts = [
    ...(unknownInks > 0 ? [`${count(unknownInks, 'object')} in other colours`] : []),
    ...(hasBlends ? ['what modes of blending add up'] : []),
  ]
  return parts.length > 0 ? ` (not evaluated: ${parts.join(' and ')})` : ''
}

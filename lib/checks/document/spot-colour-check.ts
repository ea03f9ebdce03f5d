import { z } from 'zod'
import { fail, mediaCheck, pass } from '../check'
import { allOf, count } from '../wording'

/** Not inks: every plate, or none. */
const NO_INK = /^(all|none)$/i

export const spotColourCheck = mediaCheck({
  id: 'spot_colour_check',
  label: 'Spot colours',
  kinds: ['document'],
  describe:
    'The document uses only the spot colours that are ordered: each further one is a plate that was not ordered.',
  severity: 'advisory',
  thresholds: z.strictObject({
    max_count: z.number().int().min(0).nullable().default(0).meta({
      title: 'Most spot colours',
      unit: 'inks',
      source: 'Reasoned: none unless ordered; four-colour offset (ISO 12647-2) has no fifth plate',
    }),
    allowed: z.array(z.string()).default([]).meta({
      title: 'Ordered inks, which do not count',
      source: 'Reasoned: none unless set, by their names in the file',
    }),
  }),
  run({ name, media }, { max_count, allowed }) {
    const known = new Set(allowed.map((ink) => ink.toLowerCase()))
    const inks = media.spotColours.filter((ink) => !NO_INK.test(ink))
    const extra = inks.filter((ink) => !known.has(ink.toLowerCase()))
    const names = allOf(extra.slice(0, 6).map((ink) => `“${ink}”`))
    const extras = { measured: extra.length, ...(max_count !== null && { expected: max_count }), unit: 'inks' }
    if (max_count === null || extra.length <= max_count) {
      return pass(
        inks.length === 0
          ? 'The document uses no spot colour.'
          : `The document uses ${count(inks.length, 'spot colour')}, as allowed.`,
        extras,
      )
    }
    return fail(
      `The document uses ${count(extra.length, 'spot colour')} that ${extra.length === 1 ? 'is' : 'are'} not ordered (${names}${extra.length > 6 ? ' and others' : ''}); at most ${max_count} is wanted.`,
      {
        ...extras,
        fix: `Convert ${names} to process colours in “${name}” (InDesign: Swatches > Ink Manager > All Spots to Process), or order the plates.`,
      },
    )
  },
})

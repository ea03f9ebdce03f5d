import { z } from 'zod'
import { fail, mediaCheck, pass, skip } from '../check'
import { anyOf } from '../wording'

export const outputIntentCheck = mediaCheck({
  id: 'output_intent_check',
  label: 'Output intent',
  kinds: ['document'],
  describe:
    'The printing condition that the output intent of a print job names (ISO 15930: GTS_PDFX): its identifier, or else its description. That of an archive copy (PDF/A) is none. A wanted condition is found as a word of what is named, in any case: FOGRA51 in “PSO Coated v3 (FOGRA51)”. The profile within it is not compared with its name.',
  severity: 'blocking',
  thresholds: z.strictObject({
    conditions: z.array(z.string().trim().min(2).max(60)).max(50).default([]).meta({
      title: 'Printing conditions that are taken',
      source:
        'Reasoned: any unless set; registered ones are listed by the ICC (FOGRA51, FOGRA39, CRPC6, JC200103). ISO 15930-7 wants one in every PDF/X-4',
    }),
    required: z.boolean().default(false).meta({
      title: 'An output intent must be there',
      source: 'Reasoned: not asked unless set; ISO 15930 (PDF/X) wants one',
    }),
  }),
  run({ media: { outputIntent }, name }, { conditions, required }) {
    const has = outputIntent === null ? 'The document has no output intent' : `The output intent is “${outputIntent}”`
    if (conditions.length === 0 && !required) return skip(`${has}; none is set for this media category.`)
    const expected = conditions.length > 0 ? anyOf(conditions) : 'an output intent'
    const extras = { measured: outputIntent ?? 'none', expected, standard: 'ISO 15930-7:2010, output intents' }
    const isTaken =
      outputIntent !== null && (conditions.length === 0 || conditions.some((wanted) => isNamed(wanted, outputIntent)))
    if (isTaken) return pass(`${has}, as wanted.`, extras)
    return fail(`${has}; ${expected} is wanted.`, {
      ...extras,
      fix: `Export “${name}” as PDF/X-4 with the output intent ${conditions[0] ?? 'of the press'}, and its colours converted to that.`,
    })
  },
})

const plain = (text: string) =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()

/** As whole words: FOGRA5 is not FOGRA51. */
const isNamed = (wanted: string, stated: string) => ` ${plain(stated)} `.includes(` ${plain(wanted)} `)

import { z } from 'zod'
import { fail, mediaCheck, pass, skip } from '../check'
import { allOf, count } from '../wording'

export const fontEmbeddingCheck = mediaCheck({
  id: 'font_embedding_check',
  label: 'Fonts embedded',
  kinds: ['document'],
  describe:
    'The document carries every font that text is shown in: one that is missing is replaced by whatever the printer has. Fonts that are only listed, or only used for invisible text, do not count.',
  severity: 'blocking',
  thresholds: z.strictObject({
    allow_type3: z.boolean().default(true).meta({
      title: 'Type 3 fonts are allowed',
      source: 'Reasoned: they are embedded by nature, yet cannot be hinted; some printers refuse them',
    }),
    require_subset: z.boolean().default(false).meta({
      title: 'Embedded fonts hold only what is used',
      source:
        'Reasoned: not asked unless set; licences of typefaces often allow embedding as a subset alone (ISO 32000-1, 9.6.4 for how one is named)',
    }),
  }),
  run({ name, media }, { allow_type3, require_subset }) {
    if (media.fonts.length === 0) return skip('The document uses no font.')
    const standard = 'ISO 15930-7:2010, 6.2 (fonts)'
    const isType3 = (type: string) => /type\s*3/i.test(type)
    const missing = media.fonts.filter((font) => !font.embedded && !isType3(font.type))
    const drawn = allow_type3 ? [] : media.fonts.filter((font) => isType3(font.type))
    const whole = require_subset
      ? media.fonts.filter((font) => font.embedded && !font.subset && !isType3(font.type))
      : []
    const faulty = missing.length + drawn.length + whole.length
    const extras = { measured: faulty, expected: 0, unit: 'fonts', standard }
    if (faulty === 0)
      return pass(
        media.fonts.length === 1
          ? 'The only font is embedded.'
          : `All ${count(media.fonts.length, 'font')} are embedded.`,
        extras,
      )
    const names = (fonts: typeof missing) =>
      `${allOf(fonts.slice(0, 5).map((font) => `“${font.name}”`))}${fonts.length > 5 ? ` and ${fonts.length - 5} more` : ''}`
    const faults = [
      ...(missing.length > 0 ? [`${names(missing)} ${missing.length === 1 ? 'is' : 'are'} not embedded`] : []),
      ...(drawn.length > 0 ? [`${names(drawn)} ${drawn.length === 1 ? 'is' : 'are'} of Type 3`] : []),
      ...(whole.length > 0 ? [`${names(whole)} ${whole.length === 1 ? 'is' : 'are'} embedded whole`] : []),
    ]
    return fail(
      `Of ${count(media.fonts.length, 'font')} ${faults.join('; ')}; all are wanted embedded${require_subset ? ', as subsets' : ''}.`,
      {
        ...extras,
        fix:
          missing.length + drawn.length === 0
            ? `Export “${name}” again with fonts as subsets (InDesign: Export > Advanced > Subset fonts when percent of characters used is less than 100 %).`
            : `Export “${name}” again as PDF/X-4, which embeds every font, or turn the text in ${names(missing.length > 0 ? missing : drawn)} into outlines.`,
      },
    )
  },
})

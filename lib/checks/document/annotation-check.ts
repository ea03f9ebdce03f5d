import { z } from 'zod'
import { fail, mediaCheck, pass, skip } from '../check'
import { allOf, count, verb } from '../wording'
import { BEFORE_PRINT } from './painted'

export const annotationCheck = mediaCheck({
  id: 'annotation_check',
  label: 'Annotations and form fields',
  kinds: ['document'],
  describe:
    'Comments, links, form fields and other annotations within the bleed box of a page (without one within its trim or art box, or the page): PDF/X wants none there. Those that are printed with the page (the Print flag, not hidden, with an appearance; ISO 32000-1, 12.5.3) can be asked for alone. Printer marks and trap networks do not count.',
  severity: 'advisory',
  thresholds: z.strictObject({
    rule: z.enum(['any', 'none_printed', 'none']).default('any').meta({
      title: 'Annotations on what is printed',
      source: 'Reasoned: any unless set; PDF/X-4 wants none within the bleed box (ISO 15930-7)',
    }),
  }),
  run({ name, media: { contents } }, { rule }) {
    if (!contents) return BEFORE_PRINT
    const { count: all, marks } = contents.annotations
    if (rule === 'any')
      return skip(`The document has ${count(all, 'annotation')}; no rule is set for this media category.`)
    const found = marks.filter(({ isInside, prints }) => isInside && (rule === 'none' || prints))
    const wanted = rule === 'none' ? 'none is wanted there' : 'none that is printed is wanted there'
    const extras = {
      measured: found.length,
      expected: 0,
      unit: 'annotations',
      standard: 'ISO 15930-7:2010, annotations',
    }
    if (found.length === 0) {
      if (all > marks.length)
        return { failed: `it has ${all} annotations, of which the first ${marks.length} were looked at` }
      return pass(
        `No annotation${rule === 'none' ? '' : ' that is printed'} lies on what is printed, as wanted.`,
        extras,
      )
    }
    const kinds = allOf([...new Set(found.map(({ kind }) => kind))])
    const more = all > marks.length ? ' among the first 100' : ''
    return fail(
      `${count(found.length, 'annotation')}${more} (${kinds}; first on page ${found[0]?.page}) ${verb(found.length, 'lies', 'lie')} on what is printed; ${wanted}.`,
      {
        ...extras,
        occurrences: found.map(({ page, region }) => ({ page, ...(region && { region }) })),
        fix: `Export “${name}” without comments, links and form fields, or remove them (Acrobat: Comments > Delete All; Preflight > Fixups > Remove annotations).`,
      },
    )
  },
})

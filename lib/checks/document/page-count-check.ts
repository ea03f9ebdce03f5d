import { z } from 'zod'
import { fail, mediaCheck, pass, skip } from '../check'
import { bounds, count } from '../wording'

const bound = (title: string) =>
  z
    .number()
    .int()
    .positive()
    .nullable()
    .default(null)
    .meta({ title, unit: 'pages', source: 'Reasoned: none unless set' })

export const pageCountCheck = mediaCheck({
  id: 'page_count_check',
  label: 'Number of pages',
  kinds: ['document'],
  describe: 'How many pages the document has, and whether they make whole sheets.',
  severity: 'blocking',
  thresholds: z.strictObject({
    min_pages: bound('Fewest pages'),
    max_pages: bound('Most pages'),
    multiple_of: z.number().int().min(2).max(64).nullable().default(null).meta({
      title: 'Pages come in groups of',
      unit: 'pages',
      source: 'Reasoned: none unless set; stapled brochures have 4 pages a sheet',
    }),
  }),
  run({ media, name }, { min_pages, max_pages, multiple_of }) {
    const has = `The document has ${count(media.pages, 'page')}`
    const span = bounds(min_pages, max_pages, (pages) => count(pages, 'page'))
    const groups = multiple_of === null ? null : `a multiple of ${multiple_of}`
    const wanted = span && groups ? `${span}, ${groups},` : (span ?? groups)
    if (wanted === null) return skip(`${has}; no number is set for this media category.`)
    const details = `${has}; ${wanted} ${wanted === '1 page' || !span ? 'is' : 'are'} wanted.`
    const extras = { measured: media.pages, expected: wanted, unit: 'pages' }
    const few = min_pages !== null && media.pages < min_pages
    const many = max_pages !== null && media.pages > max_pages
    const missing = multiple_of === null ? 0 : (multiple_of - (media.pages % multiple_of)) % multiple_of
    if (!few && !many && missing === 0) return pass(details, extras)
    if (!few && !many)
      return fail(details, {
        ...extras,
        fix: `Export “${name}” with ${count(missing, 'page')} more, or ${(multiple_of ?? 0) - missing} less: empty pages count.`,
      })
    return fail(details, {
      ...extras,
      ...(many && { occurrences: [{ page: (max_pages ?? 0) + 1 }] }),
      fix: many
        ? `Export “${name}” with ${wanted}: ${count(media.pages - (max_pages ?? 0), 'page')} too many.`
        : `Export “${name}” with ${wanted}: ${count((min_pages ?? 0) - media.pages, 'page')} missing.`,
    })
  },
})

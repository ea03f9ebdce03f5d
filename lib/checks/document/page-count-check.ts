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
  describe: 'How many pages the document has.',
  severity: 'blocking',
  thresholds: z.strictObject({ min_pages: bound('Fewest pages'), max_pages: bound('Most pages') }),
  run({ media, name }, { min_pages, max_pages }) {
    const has = `The document has ${count(media.pages, 'page')}`
    const wanted = bounds(min_pages, max_pages, (pages) => count(pages, 'page'))
    if (wanted === null) return skip(`${has}; no number is set for this media category.`)
    const details = `${has}; ${wanted} ${wanted === '1 page' ? 'is' : 'are'} wanted.`
    const extras = { measured: media.pages, expected: wanted, unit: 'pages' }
    const few = min_pages !== null && media.pages < min_pages
    const many = max_pages !== null && media.pages > max_pages
    if (!few && !many) return pass(details, extras)
    return fail(details, {
      ...extras,
      ...(many && { occurrences: [{ page: (max_pages ?? 0) + 1 }] }),
      fix: many
        ? `Export “${name}” with ${wanted}: ${count(media.pages - (max_pages ?? 0), 'page')} too many.`
        : `Export “${name}” with ${wanted}: ${count((min_pages ?? 0) - media.pages, 'page')} missing.`,
    })
  },
})

import { z } from 'zod'
import type { PageFacts } from '@/lib/media/facts'
import { type Finding, fail, mediaCheck, pass, skip } from '../check'
import { isAtMost } from '../limits'
import { count, decimal, millimetreSize } from '../wording'

const side = (title: string) =>
  z.number().positive().nullable().default(null).meta({ title, unit: 'mm', source: 'Reasoned: none unless set' })

type Size = { widthMm: number; heightMm: number }

/**
 * The page as trimmed: the trim box where the page states one, else the page as people see it. Turned by the page's
 * rotation, which a box is not.
 */
function trimmed(page: PageFacts): Size {
  if (!page.trimBox) return page
  const { widthMm, heightMm } = page.trimBox
  return page.rotation % 180 === 0 ? { widthMm, heightMm } : { widthMm: heightMm, heightMm: widthMm }
}

const written = (size: Size) => millimetreSize(size.widthMm, size.heightMm)
const alike = (a: Size, b: Size, tolerance: number) =>
  isAtMost(Math.abs(a.widthMm - b.widthMm), tolerance) && isAtMost(Math.abs(a.heightMm - b.heightMm), tolerance)

export const pageSizeCheck = mediaCheck({
  id: 'page_size_check',
  label: 'Page size',
  kinds: ['document'],
  describe:
    'The trimmed size of every page: its trim box where it states one (ISO 32000-1, 14.11.2), else the page as shown; and whether the boxes are stated and the pages alike.',
  severity: 'blocking',
  thresholds: z.strictObject({
    width_mm: side('Trimmed width'),
    height_mm: side('Trimmed height'),
    tolerance_mm: z.number().min(0).default(0.5).meta({
      title: 'Tolerance',
      unit: 'mm',
      source: 'Reasoned: magazine ad specifications allow half a millimetre; points are a third of one',
    }),
    require_trim_box: z.boolean().default(false).meta({
      title: 'Every page states its trim box',
      source: 'ISO 15930 (PDF/X): TrimBox or ArtBox on every page. Not asked unless set',
    }),
    require_bleed_box: z.boolean().default(false).meta({
      title: 'Every page states its bleed box',
      source: 'Reasoned: not asked unless set; print with bleed needs it',
    }),
    same_size: z.boolean().default(false).meta({
      title: 'All pages have one size',
      source: 'Reasoned: not asked unless set; a spread beside single pages may be meant',
    }),
  }),
  run({ media, name }, thresholds): Finding {
    const { width_mm, height_mm, tolerance_mm, require_trim_box, require_bleed_box, same_size } = thresholds
    const pages = media.pageSizes
    const first = pages[0]
    if (!first) return skip('The document has no page that could be measured.')
    const sized = width_mm !== null && height_mm !== null
    if (!sized && !require_trim_box && !require_bleed_box && !same_size) {
      return skip(`The page is ${written(trimmed(first))}; no size is set for this media category.`)
    }
    const on = (wrong: number[]) => (pages.length === 1 ? 'The page' : `Page ${wrong[0]}`)
    const more = (wrong: number[]) => (wrong.length > 1 ? ` (and ${count(wrong.length - 1, 'further page')})` : '')
    const where = (test: (page: PageFacts) => boolean) =>
      pages.flatMap((page, index) => (test(page) ? [] : [index + 1]))
    const reject = (wrong: number[], details: string, extras: Partial<Finding>) =>
      fail(details, { ...extras, occurrences: wrong.slice(0, 100).map((page) => ({ page })) })

    if (require_trim_box) {
      const wrong = where((page) => page.trimBox !== null || page.artBox !== null)
      if (wrong.length > 0) {
        return reject(wrong, `${on(wrong)} states no trim box${more(wrong)}; one is wanted.`, {
          measured: 'no trim box',
          expected: 'trim box',
          standard: 'ISO 15930 (PDF/X), TrimBox or ArtBox',
          fix: `Export “${name}” as PDF/X, or with “Crop marks” and the document's bleed, which writes the trim box.`,
        })
      }
    }
    if (require_bleed_box) {
      const wrong = where((page) => page.bleedBox !== null)
      if (wrong.length > 0) {
        return reject(wrong, `${on(wrong)} states no bleed box${more(wrong)}; one is wanted.`, {
          measured: 'no bleed box',
          expected: 'bleed box',
          fix: `Export “${name}” with “Use document bleed settings” switched on.`,
        })
      }
    }
    if (sized) {
      const wanted = { widthMm: width_mm, heightMm: height_mm }
      const wrong = where((page) => alike(trimmed(page), wanted, tolerance_mm + 1e-6))
      const page = pages[(wrong[0] ?? 1) - 1] ?? first
      const box = page.trimBox ? ' by its trim box' : ' (it states no trim box, so the whole page counts)'
      const extras = { measured: written(trimmed(page)), expected: written(wanted), unit: 'mm' }
      if (wrong.length > 0) {
        return reject(
          wrong,
          `${on(wrong)} is ${written(trimmed(page))}${box}${more(wrong)}; ${written(wanted)} is wanted, within ${decimal(tolerance_mm)} mm.`,
          {
            ...extras,
            fix: `Set the page size of the document to ${written(wanted)} and export “${name}” again; the bleed lies outside of it.`,
          },
        )
      }
      return pass(
        `${pages.length === 1 ? 'The page is' : 'All pages are'} ${written(trimmed(first))}${box}, as wanted.`,
        extras,
      )
    }
    if (same_size) {
      const wrong = where((page) => alike(trimmed(page), trimmed(first), tolerance_mm + 1e-6))
      const page = pages[(wrong[0] ?? 1) - 1] ?? first
      if (wrong.length > 0) {
        return reject(
          wrong,
          `${on(wrong)} is ${written(trimmed(page))}${more(wrong)}, page 1 is ${written(trimmed(first))}; one size is wanted.`,
          {
            measured: written(trimmed(page)),
            expected: written(trimmed(first)),
            unit: 'mm',
            fix: `Give all pages of “${name}” the size of the first, or send the others as a file of their own.`,
          },
        )
      }
    }
    return pass(
      `${pages.length === 1 ? 'The page is' : 'The first page is'} ${written(trimmed(first))} and states what is asked for.`,
      {
        measured: written(trimmed(first)),
        unit: 'mm',
      },
    )
  },
})

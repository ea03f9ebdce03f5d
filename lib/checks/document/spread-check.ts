import { z } from 'zod'
import type { PageFacts } from '@/lib/media/facts'
import { fail, mediaCheck, pass, skip } from '../check'
import { isAtMost } from '../limits'
import { count, millimetreSize } from '../wording'

type Size = { page: number; width: number; height: number }

export const spreadCheck = mediaCheck({
  id: 'spread_check',
  label: 'Spreads',
  kinds: ['document'],
  describe:
    'Pages of two, side by side, against single pages: a page is a spread when it is as high as others (or as the single page that is stated) and twice as wide. By the trim box where a page states one, else by the page as shown. Where all pages have one size and none is stated, they count as single pages.',
  severity: 'advisory',
  confidence:
    '1 where the size of a single page is stated. By comparison of the pages: 0.99 where nothing is twice as wide as the narrowest page and that is upright, as no page is so narrow that two of it are upright side by side; 0.95 where a page is twice as wide, which may be one that folds out; 0.6 where all are as wide as others and lie on their side, which two pages side by side do as well.',
  thresholds: z.strictObject({
    rule: z.enum(['any', 'single_pages', 'spreads_inside']).default('any').meta({
      title: 'Pages are',
      source:
        'Reasoned: any unless set; printers impose single pages, and ask for them. “spreads_inside”: all but the first and the last are spreads',
    }),
    page_width_mm: z.number().positive().nullable().default(null).meta({
      title: 'Width of a single page',
      unit: 'mm',
      source: 'Reasoned: the narrowest page of the document where this is not set',
    }),
    tolerance_mm: z.number().min(0).default(1).meta({
      title: 'Tolerance',
      unit: 'mm',
      source: 'Reasoned: half a millimetre for each of both pages',
    }),
  }),
  run({ media, name }, { rule, page_width_mm, tolerance_mm }) {
    const pages = media.pageSizes.map(sizeOf)
    const [first] = pages
    if (!first) return skip('The document has no page that could be measured.')
    const single = page_width_mm ?? Math.min(...pages.map(({ width }) => width))
    const base = pages.find(({ width }) => isNear(width, single, tolerance_mm))
    const isSpread = ({ width, height }: Size) =>
      isNear(width, 2 * single, tolerance_mm) && (!base || isNear(height, base.height, tolerance_mm))
    const spreads = pages.filter(isSpread)
    const has =
      spreads.length === 0
        ? `The document has ${count(pages.length, 'single page')}`
        : `${count(spreads.length, 'page')} of ${pages.length} ${spreads.length === 1 ? 'is a spread' : 'are spreads'} (${millimetreSize(spreads[0]?.width ?? 0, spreads[0]?.height ?? 0)})`
    if (rule === 'any') return skip(`${has}; nothing is set for this media category.`)
    const wrong = rule === 'single_pages' ? spreads : pages.slice(1, -1).filter((page) => !isSpread(page))
    const expected = rule === 'single_pages' ? 'single pages' : 'spreads inside'
    const extras = {
      measured: spreads.length,
      expected,
      unit: 'spreads',
      confidence: page_width_mm === null ? byComparison(spreads.length, base) : 1,
    }
    if (wrong.length === 0) return pass(`${has}, as wanted.`, extras)
    return fail(`${has}; ${expected} are wanted.`, {
      ...extras,
      occurrences: wrong.slice(0, 20).map(({ page }) => ({ page })),
      fix:
        rule === 'single_pages'
          ? `Export “${name}” again as single pages (InDesign: Export > General > Pages, not Spreads).`
          : `Export “${name}” again as spreads, the first and last page alone.`,
    })
  },
})

/** `narrowest`: a page of the least width. */
function byComparison(spreads: number, narrowest: Size | undefined): number {
  if (spreads > 0) return 0.95
  return narrowest && narrowest.width > narrowest.height ? 0.6 : 0.99
}

function sizeOf({ trimBox, rotation, widthMm, heightMm }: PageFacts, index: number): Size {
  const [width, height] = trimBox ? [trimBox.widthMm, trimBox.heightMm] : [widthMm, heightMm]
  const isTurned = trimBox !== null && rotation % 180 !== 0
  return { page: index + 1, width: isTurned ? height : width, height: isTurned ? width : height }
}

const isNear = (value: number, wanted: number, tolerance: number) => isAtMost(Math.abs(value - wanted), tolerance)

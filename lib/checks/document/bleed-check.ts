import { z } from 'zod'
import type { PageEdges } from '@/lib/media/measurements'
import { fail, mediaCheck, pass, skip } from '../check'
import { isAtLeast } from '../limits'
import { decimal } from '../wording'

const SIDES = ['left', 'right', 'top', 'bottom'] as const
type Side = (typeof SIDES)[number]

/** Ink on less of an edge is a letter or a rule that touches it. */
const LEAST_INK = 0.02
/** A point of the drawn page, and the softened one at the end of its ink. */
const DRAWN_MM = 0.4

/** The side of a page, where its ink ends before `least` millimetres beyond the trim. */
function emptySide(edges: PageEdges, side: Side, least: number): { page: number; side: Side; reachMm: number }[] {
  const { inkShare, reachMm } = edges[side]
  return inkShare >= LEAST_INK && reachMm !== null && reachMm < least - DRAWN_MM
    ? [{ page: edges.page, side, reachMm }]
    : []
}

export const bleedCheck = mediaCheck({
  id: 'bleed_check',
  label: 'Bleed',
  kinds: ['document'],
  needs: ['placed'],
  describe:
    'The bleed box of every page reaches beyond its trim box on all four sides (ISO 32000-1, 14.11.2). A page that states no bleed box has none: what a viewer shows instead is not counted. What is painted up to the edge of the trim has to go on as far (on the first twenty pages): a bleed box that stays empty beside it is none. An edge that bears no ink needs no bleed.',
  confidence: '1 for the boxes; 0.85 for what is painted, as a drawing may be meant to end at the trim.',
  severity: 'blocking',
  thresholds: z.strictObject({
    min_mm: z.number().min(0).nullable().default(null).meta({
      title: 'Least bleed',
      unit: 'mm',
      source:
        'Reasoned: none unless set; printers in Europe ask for 3 mm, in the United States for 1/8 inch (3.175 mm)',
    }),
    tolerance_mm: z.number().min(0).default(0.1).meta({
      title: 'Tolerance',
      unit: 'mm',
      source: 'Reasoned: a quarter of a point and the rounding of the boxes',
    }),
  }),
  run({ name, media, measures: { placed } }, { min_mm, tolerance_mm }) {
    if (min_mm === null) return skip('No bleed is set for this media category.')
    const standard = 'ISO 32000-1:2008, 14.11.2'
    const pages = media.pageSizes.map(({ trimBox, bleedBox, mediaBox }, index) => {
      if (!trimBox) return { page: index + 1, least: 0, why: 'states no trim box' }
      if (!bleedBox) return { page: index + 1, least: 0, why: 'states no bleed box' }
      // What lies outside of the sheet is not there (14.11.2.1): boxes are cut to the media box.
      const right = (box: typeof trimBox) => Math.min(box.xMm + box.widthMm, mediaBox.xMm + mediaBox.widthMm)
      const top = (box: typeof trimBox) => Math.min(box.yMm + box.heightMm, mediaBox.yMm + mediaBox.heightMm)
      const bleed = {
        left: trimBox.xMm - Math.max(bleedBox.xMm, mediaBox.xMm),
        right: right(bleedBox) - (trimBox.xMm + trimBox.widthMm),
        top: top(bleedBox) - (trimBox.yMm + trimBox.heightMm),
        bottom: trimBox.yMm - Math.max(bleedBox.yMm, mediaBox.yMm),
      }
      const side = [...SIDES].sort((a, b) => bleed[a] - bleed[b])[0] ?? 'left'
      return { page: index + 1, least: bleed[side], why: `has ${decimal(bleed[side], 1)} mm at the ${side}` }
    })
    const faults = pages.filter(({ least }) => !isAtLeast(least, min_mm - tolerance_mm))
    const worst = [...pages].sort((a, b) => a.least - b.least)[0]
    if (!worst) return { failed: 'its pages were not measured' }
    const extras = { measured: Number(worst.least.toFixed(2)), expected: min_mm, unit: 'mm', standard }
    const first = faults[0]
    if (!first) {
      const { edges = [] } = placed
      if ('failed' in edges) return edges
      const bare = edges.flatMap((page) => SIDES.flatMap((side) => emptySide(page, side, min_mm - tolerance_mm)))
      const [worstBare] = [...bare].sort((a, b) => a.reachMm - b.reachMm)
      if (!worstBare) return pass(`Every page has ${decimal(min_mm, 1)} mm of bleed on all sides.`, extras)
      const { page, side, reachMm } = worstBare
      const pagesBare = [...new Set(bare.map((each) => each.page))]
      return fail(
        `Page ${page} states its bleed, and what is painted up to the ${side} edge of the trim goes on for ${decimal(reachMm, 1)} mm${pagesBare.length > 1 ? ` (${pagesBare.length} pages are short)` : ''}; ${decimal(min_mm, 1)} mm is wanted.`,
        {
          ...extras,
          measured: reachMm,
          confidence: 0.85,
          occurrences: pagesBare.map((each) => ({ page: each })),
          fix: `Draw the background of “${name}” ${decimal(min_mm, 1)} mm beyond the trim on the ${side} side, and export it with bleed again; a larger bleed box alone adds nothing.`,
        },
      )
    }
    const others = faults.length > 1 ? ` (${faults.length} pages are short)` : ''
    return fail(`Page ${first.page} ${first.why}${others}; ${decimal(min_mm, 1)} mm of bleed is wanted on all sides.`, {
      ...extras,
      occurrences: faults.map(({ page }) => ({ page })),
      fix: `Draw the background of “${name}” ${decimal(min_mm, 1)} mm beyond the trim, and export it with bleed (InDesign: Marks and Bleeds > ${decimal(min_mm, 1)} mm on all sides).`,
    })
  },
})

import { z } from 'zod'
import { fail, mediaCheck, pass, skip } from '../check'
import { decimal } from '../wording'

const SIDES = ['left', 'right', 'top', 'bottom'] as const

export const bleedCheck = mediaCheck({
  id: 'bleed_check',
  label: 'Bleed',
  kinds: ['document'],
  describe:
    'The bleed box of every page reaches beyond its trim box on all four sides (ISO 32000-1, 14.11.2). A page that states no bleed box has none: what a viewer shows instead is not counted.',
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
  run({ name, media }, { min_mm, tolerance_mm }) {
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
    const faults = pages.filter(({ least }) => least < min_mm - tolerance_mm)
    const worst = [...pages].sort((a, b) => a.least - b.least)[0]
    if (!worst) return { failed: 'its pages were not measured' }
    const extras = { measured: Number(worst.least.toFixed(2)), expected: min_mm, unit: 'mm', standard }
    const first = faults[0]
    if (!first) return pass(`Every page has ${decimal(min_mm, 1)} mm of bleed on all sides.`, extras)
    const others = faults.length > 1 ? ` (${faults.length} pages are short)` : ''
    return fail(`Page ${first.page} ${first.why}${others}; ${decimal(min_mm, 1)} mm of bleed is wanted on all sides.`, {
      ...extras,
      occurrences: faults.map(({ page }) => ({ page })),
      fix: `Draw the background of “${name}” ${decimal(min_mm, 1)} mm beyond the trim, and export it with bleed (InDesign: Marks and Bleeds > ${decimal(min_mm, 1)} mm on all sides).`,
    })
  },
})

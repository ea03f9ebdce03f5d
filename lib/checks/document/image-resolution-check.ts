import { z } from 'zod'
import { fail, mediaCheck, pass, skip } from '../check'
import { count, decimal } from '../wording'

/** Of matrices that are written with few decimals, and of what is stored. */
const ROUNDING_DPI = 0.1

export const imageResolutionCheck = mediaCheck({
  id: 'image_resolution_check',
  label: 'Resolution of placed images',
  kinds: ['document'],
  needs: ['placed'],
  describe:
    'Pixels per inch of every image at the size it is placed on the page: by the matrix it is drawn with, not by what the image says of itself. It is not rounded: 299.7 dpi are less than 300. Images smaller than the least size are not evaluated.',
  severity: 'blocking',
  confidence: '0.95: computed from the drawing matrix; an image within a form or a pattern is not seen.',
  thresholds: z.strictObject({
    min_dpi: z.number().positive().nullable().default(null).meta({
      title: 'Least resolution',
      unit: 'dpi',
      source:
        'Reasoned: none unless set; 300 dpi for a 60-line/cm screen, 150 dpi is visibly coarse (ISO 12647-2 work)',
    }),
    min_side_mm: z.number().min(0).default(5).meta({
      title: 'Least side of an image that is evaluated',
      unit: 'mm',
      source: 'Reasoned: smaller ones are rules, dots and masks',
    }),
  }),
  run({ name, measures: { placed } }, { min_dpi, min_side_mm }) {
    const evaluated = placed.images.filter(({ region }) => Math.max(region.width, region.height) >= min_side_mm)
    if (evaluated.length === 0) return skip('No image of a size that matters is placed on the pages.')
    const lowest = evaluated.reduce((least, image) => (image.dpi < least.dpi ? image : least))
    const is = `${evaluated.length === 1 ? 'the only placed image' : `the lowest of ${evaluated.length} placed images`} has ${decimal(lowest.dpi, 1)} dpi on page ${lowest.page}`
    if (min_dpi === null) return skip(`By its size on the page ${is}; no resolution is set for this media category.`)
    const extras = { measured: lowest.dpi, expected: min_dpi, unit: 'dpi', confidence: 0.95 }
    const faults = evaluated.filter((image) => image.dpi < min_dpi - ROUNDING_DPI)
    if (faults.length === 0) return pass(`By its size on the page ${is}; ${decimal(min_dpi, 0)} dpi is wanted.`, extras)
    return fail(
      `By its size on the page ${is} (${count(faults.length, 'image')} too low); ${decimal(min_dpi, 0)} dpi is wanted.`,
      {
        ...extras,
        occurrences: faults.slice(0, 100).map(({ page, region }) => ({ page, region })),
        fix: `Place an image of at least ${Math.ceil((lowest.region.width / 25.4) * min_dpi)} × ${Math.ceil((lowest.region.height / 25.4) * min_dpi)} px on page ${lowest.page} of “${name}”, or place it at ${decimal((lowest.dpi / min_dpi) * 100, 0)} % of its size, and export without downsampling.`,
      },
    )
  },
})

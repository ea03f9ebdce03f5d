import { z } from 'zod'
import { fail, mediaCheck, pass, skip } from '../check'
import { sizeAsSeen } from '../visual/size'
import { decimal, millimetreSize, pixelSize } from '../wording'

const MM_PER_INCH = 25.4
/** Of decimal places in which programs write a resolution. */
const ROUNDING_DPI = 0.02
const side = (title: string) =>
  z.number().positive().nullable().default(null).meta({ title, unit: 'mm', source: 'Reasoned: none unless set' })

export const resolutionCheck = mediaCheck({
  id: 'resolution_check',
  label: 'Resolution',
  kinds: ['image'],
  describe:
    'Pixels per inch: at the size it will be printed where the media category states one, otherwise as the file states it. It is not rounded: 299.7 dpi are less than 300. Only what a unit cannot say is let through: whole pixels at a size in millimetres, whole dots per centimetre (JFIF) or metre (PNG, where 300 dpi come back as 299.9994).',
  severity: 'blocking',
  thresholds: z.strictObject({
    min_dpi: z.number().positive().nullable().default(null).meta({
      title: 'Least resolution',
      unit: 'dpi',
      source: 'Reasoned: none unless set; magazine ad specifications ask for 300 dpi',
    }),
    print_width_mm: side('Printed width, bleed included'),
    print_height_mm: side('Printed height, bleed included'),
  }),
  run({ media, name }, { min_dpi, print_width_mm, print_height_mm }) {
    if (min_dpi === null) return skip('No resolution is set for this media category.')
    if (media.format === 'svg' || media.format === 'eps') {
      return skip('A vector drawing has no resolution of its own: it prints sharply at any size.')
    }
    const seen = sizeAsSeen(media)
    const extras = { expected: min_dpi, unit: 'dpi' }
    if (print_width_mm !== null && print_height_mm !== null) {
      const dpi = Math.min((seen.width / print_width_mm) * MM_PER_INCH, (seen.height / print_height_mm) * MM_PER_INCH)
      const details = `${pixelSize(seen.width, seen.height)} on ${millimetreSize(print_width_mm, print_height_mm)} are ${decimal(dpi, 1)} dpi; at least ${decimal(min_dpi)} dpi is wanted.`
      // A size in millimetres is seldom a whole number of pixels: the one below it is enough.
      const least = (mm: number) => Math.floor((mm / MM_PER_INCH) * min_dpi + 1e-6)
      if (seen.width >= least(print_width_mm) && seen.height >= least(print_height_mm))
        return pass(details, { ...extras, measured: Number(decimal(dpi)) })
      const needed = (mm: number) => Math.ceil((mm / MM_PER_INCH) * min_dpi)
      return fail(details, {
        ...extras,
        measured: Number(decimal(dpi)),
        fix: `Export “${name}” at ${pixelSize(needed(print_width_mm), needed(print_height_mm))} or more from its source; enlarging the file adds no detail.`,
      })
    }
    if (media.densityDpi === null) return skip('The file states no resolution and no printed size is set.')
    const stated = `The file states ${decimal(media.densityDpi)} dpi; at least ${decimal(min_dpi)} dpi is wanted.`
    if (media.densityDpi + (media.densityRoundingDpi ?? 0) >= min_dpi - ROUNDING_DPI)
      return pass(stated, { ...extras, measured: Number(decimal(media.densityDpi, 3)) })
    const width = (seen.width / min_dpi) * MM_PER_INCH
    const height = (seen.height / min_dpi) * MM_PER_INCH
    return fail(stated, {
      ...extras,
      measured: Number(decimal(media.densityDpi, 3)),
      fix: `If ${millimetreSize(width, height)} is large enough in print, set the resolution of “${name}” to ${decimal(min_dpi)} dpi without resampling; otherwise export it larger from its source.`,
    })
  },
})

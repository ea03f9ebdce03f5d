import { z } from 'zod'
import type { DocumentFacts } from '@/lib/media/facts'
import { fail, mediaCheck, pass, skip } from '../check'
import { allOf } from '../wording'

export const transparencyCheck = mediaCheck({
  id: 'transparency_check',
  label: 'Transparency',
  kinds: ['image', 'document'],
  describe:
    'Images: whether any pixel is really transparent, not only whether there is an alpha channel. PDF: whether pages use live transparency, and where that is set, in which colour space it is blended: blended in RGB, colours shift once they are printed.',
  severity: 'advisory',
  thresholds: z.strictObject({
    rule: z.enum(['any', 'forbidden', 'required']).default('any').meta({
      title: 'Transparency is',
      source: 'Reasoned: either unless set; PDF/X-1a and PDF/X-3 forbid it (ISO 15930-4, 15930-6)',
    }),
    blend_space: z.enum(['any', 'cmyk']).default('any').meta({
      title: 'Transparency of a PDF is blended in',
      source:
        'Reasoned: any unless set; four-colour print blends in CMYK (ISO 32000-1, 11.3.4; GWG2015, transparency blend colour space)',
    }),
  }),
  run({ media, name }, { rule, blend_space }) {
    const foreign = blend_space === 'cmyk' && media.kind === 'document' ? foreignSpaces(media) : []
    if (foreign.length > 0) {
      return fail(`The pages use live transparency that is blended in ${allOf(foreign)}; CMYK is wanted.`, {
        measured: foreign.join(', '),
        expected: 'CMYK',
        standard: 'ISO 32000-1:2008, 11.3.4',
        fix: `Set the transparency blend space of “${name}” to CMYK (InDesign: Edit > Transparency Blend Space > Document CMYK), and export it again.`,
      })
    }
    if (rule === 'any' && blend_space === 'cmyk' && media.kind === 'document')
      return pass('No transparency of the pages states to be blended in anything but CMYK or grey.', {
        measured: media.contents?.blendSpaces.join(', ') || 'none',
        expected: 'CMYK',
      })
    if (rule === 'any') return skip('Transparency is neither required nor forbidden in this media category.')
    const { used, has } = media.kind === 'document' ? inDocument(media.hasTransparency) : inImage(media)
    if (used === null) return skip('The file has an alpha channel whose use could not be measured.')
    const extras = { measured: used, expected: rule === 'required' }
    const details = `${has}; transparency is ${rule}.`
    if (used === (rule === 'required')) return pass(details, extras)
    const fix =
      rule === 'required'
        ? `Export “${name}” with a transparent ground as PNG or WebP.`
        : media.kind === 'document'
          ? `Export “${name}” with flattened transparency (Acrobat PDF 1.3 or PDF/X-1a), or set its pages on a solid ground.`
          : `Flatten “${name}” onto a solid ground and export it without alpha.`
    return fail(details, { ...extras, fix })
  },
})

/** What transparency is blended in besides CMYK and grey. */
function foreignSpaces({ hasTransparency, contents }: DocumentFacts): string[] {
  return hasTransparency ? (contents?.blendSpaces ?? []).filter((space) => /rgb|lab/i.test(space)) : []
}

function inDocument(uses: boolean) {
  return { used: uses, has: uses ? 'The pages use live transparency' : 'The pages use no live transparency' }
}

function inImage(media: { hasAlpha: boolean; isOpaque: boolean | null }) {
  if (!media.hasAlpha) return { used: false, has: 'The image has no alpha channel' }
  if (media.isOpaque === null) return { used: null, has: '' }
  return media.isOpaque
    ? { used: false, has: 'The image has an alpha channel and no pixel uses it' }
    : { used: true, has: 'The image has transparent pixels' }
}

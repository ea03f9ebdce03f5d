import type { DocumentFacts, ImageFacts } from '@/lib/media/facts'

/** Colour spaces as the trade names them. */
export const COLOUR_SPACES = ['srgb', 'display-p3', 'adobe-rgb', 'other-rgb', 'cmyk', 'grey', 'lab'] as const
export type ColourSpace = (typeof COLOUR_SPACES)[number]

export const COLOUR_LABELS: Record<ColourSpace, string> = {
  srgb: 'sRGB',
  'display-p3': 'Display P3',
  'adobe-rgb': 'Adobe RGB',
  'other-rgb': 'another RGB',
  cmyk: 'CMYK',
  grey: 'grey',
  lab: 'Lab',
}

/**
 * The colour space of an image: the embedded profile decides, then the samples. RGB without a profile is sRGB, which
 * is how CSS Color 4 and every browser treat an untagged image. Null when it is none of ours.
 */
export function colourSpaceOf(image: ImageFacts): ColourSpace | null {
  const family = (image.profileColourSpace ?? image.colourSpace ?? '').trim().toLowerCase()
  if (family === 'cmyk') return 'cmyk'
  if (family === 'gray' || family === 'grey' || family === 'bitmap' || family === 'duotone') return 'grey'
  if (family === 'lab') return 'lab'
  if (!['rgb', 'srgb', 'indexed'].includes(family)) return null
  // Primaries say more than a name: scanners and cameras call theirs what they like.
  if (image.profileGamut) return image.profileGamut
  const profile = image.profileName?.toLowerCase() ?? ''
  if (/display.?p3|dci.?p3|\bp3\b/.test(profile)) return 'display-p3'
  if (/adobe.?rgb|\ba98c\b|compatible with adobe/.test(profile)) return 'adobe-rgb'
  if (!image.hasProfile || image.colourSpace === 'srgb' || /srgb|iec61966|\bc2\b/.test(profile)) return 'srgb'
  return 'other-rgb'
}

/** The device families a PDF paints with, in words a printer uses, each once. Spot colours are not among them. */
export function colourFamiliesOf(document: DocumentFacts): ('rgb' | 'cmyk' | 'grey' | 'lab')[] {
  const families = new Set<'rgb' | 'cmyk' | 'grey' | 'lab'>()
  for (const space of document.colourSpaces) {
    if (/separation|devicen/i.test(space)) continue
    if (/cmyk/i.test(space)) families.add('cmyk')
    else if (/rgb/i.test(space)) families.add('rgb')
    else if (/gr[ae]y/i.test(space)) families.add('grey')
    else if (/lab/i.test(space)) families.add('lab')
  }
  return [...families]
}

import { z } from 'zod'
import { type Finding, fail, mediaCheck, pass, type Reading, skip } from '../check'
import { allOf, anyOf } from '../wording'
import { COLOUR_LABELS, COLOUR_SPACES, type ColourSpace, colourFamiliesOf, colourSpaceOf } from './colour'

type Thresholds = { allowed: ColourSpace[]; require_profile: boolean }

export const colourSpaceCheck = mediaCheck({
  id: 'colour_space_check',
  label: 'Colour space',
  kinds: ['image', 'document'],
  describe:
    'Images: the colour space by embedded profile and samples, and whether a profile is embedded. PDF: the colour families its pages paint with; spot colours, and what resources list and nothing uses, are left out.',
  severity: 'blocking',
  confidence: 'Images: 1. PDF: 0.9, as what is painted may lie outside of the page or beneath something else.',
  thresholds: z.strictObject({
    allowed: z.array(z.enum(COLOUR_SPACES)).default([]).meta({
      title: 'Allowed colour spaces',
      source: 'Reasoned: none unless set; sRGB for screens (CSS Color 4), CMYK and grey for print (ISO 15930-7)',
    }),
    require_profile: z.boolean().default(false).meta({
      title: 'A colour profile must be embedded',
      source: 'Reasoned: untagged RGB is shown as sRGB everywhere, so only print needs it',
    }),
  }),
  run(reading, thresholds) {
    if (thresholds.allowed.length === 0 && !thresholds.require_profile) {
      return skip('No colour space is set for this media category.')
    }
    return reading.media.kind === 'image'
      ? evaluateImage({ ...reading, kind: 'image', media: reading.media }, thresholds)
      : evaluateDocument({ ...reading, kind: 'document', media: reading.media }, thresholds)
  },
})

function evaluateImage({ media, name }: Reading<'image'>, { allowed, require_profile }: Thresholds): Finding {
  const space = colourSpaceOf(media)
  if (space === null) return skip('The file does not say in which colour space its samples are.')
  const label = COLOUR_LABELS[space]
  const tagged = media.hasProfile
    ? `with ${media.profileName ? `the profile “${media.profileName}”` : 'a profile'}`
    : 'without a profile'
  const wanted = anyOf(allowed.map((one) => COLOUR_LABELS[one]))
  const extras = { measured: label, ...(wanted && { expected: wanted }) }
  if (allowed.length > 0 && !allowed.includes(space)) {
    return fail(`The image is in ${label} ${tagged}; ${wanted} is wanted.`, {
      ...extras,
      fix: allowed.includes('srgb')
        ? `Convert “${name}” to sRGB and embed the profile (Photoshop: Edit > Convert to Profile > sRGB IEC61966-2.1).`
        : `Convert “${name}” to ${wanted} with the printer's profile and embed it (Photoshop: Edit > Convert to Profile).`,
    })
  }
  if (require_profile && !media.hasProfile) {
    return fail(`The image is in ${label} and carries no colour profile; one is wanted.`, {
      ...extras,
      expected: wanted ? `${wanted}, profile embedded` : 'profile embedded',
      fix: `Export “${name}” again with “Embed colour profile” switched on.`,
    })
  }
  return pass(`The image is in ${label} ${tagged}, as wanted.`, extras)
}

function evaluateDocument({ media, name }: Reading<'document'>, { allowed, require_profile }: Thresholds): Finding {
  const families = colourFamiliesOf(media)
  if (families.length === 0) return skip('The pages name no colour space of their own.')
  const rgb = allowed.some((space) => space !== 'cmyk' && space !== 'grey' && space !== 'lab')
  const permitted = (family: string) => (family === 'rgb' ? rgb : allowed.some((space) => space === family))
  const write = (list: readonly string[]) =>
    allOf(list.map((family) => (family === 'grey' ? family : family.toUpperCase())))
  const wanted = anyOf(allowed.map((space) => COLOUR_LABELS[space]))
  const extras = { measured: families.join(', '), ...(wanted && { expected: wanted }), confidence: 0.9 }
  const foreign = allowed.length > 0 ? families.filter((family) => !permitted(family)) : []
  if (foreign.length > 0) {
    return fail(`The pages use ${write(foreign)}; ${wanted} is wanted.`, {
      ...extras,
      fix: `Export “${name}” again with “Convert to destination” and the output intent of the job as destination (InDesign: Output > Color Conversion).`,
    })
  }
  if (require_profile && media.outputIntent === null) {
    return fail('The document names no output intent; one is wanted.', {
      ...extras,
      confidence: 1,
      expected: 'output intent',
      standard: 'ISO 15930-7 (PDF/X-4), output intent',
      fix: `Export “${name}” as PDF/X-4, which embeds the output intent.`,
    })
  }
  return pass(`The pages use ${write(families)}, as wanted.`, extras)
}

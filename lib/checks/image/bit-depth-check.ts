import { z } from 'zod'
import { fail, mediaCheck, pass, skip } from '../check'
import { anyOf } from '../wording'

export const bitDepthCheck = mediaCheck({
  id: 'bit_depth_check',
  label: 'Bit depth',
  kinds: ['image'],
  describe: 'Bits per channel as the file stores them; for an image with a palette the bits per index.',
  severity: 'advisory',
  thresholds: z.strictObject({
    allowed: z.array(z.number().int().min(1).max(64)).default([]).meta({
      title: 'Allowed bits per channel',
      unit: 'bit',
      source: 'Reasoned: none unless set; 8 for screens, 8 or 16 for masters',
    }),
  }),
  run({ media, name }, { allowed }) {
    if (allowed.length === 0) return skip('No bit depth is set for this media category.')
    if (media.bitDepth === null) return skip('A file of this format states no bit depth.')
    const wanted = anyOf([...allowed].sort((a, b) => a - b))
    const details = `The image has ${media.bitDepth} bits per ${media.colourSpace === 'indexed' ? 'index' : 'channel'}; ${wanted} is wanted.`
    const extras = { measured: media.bitDepth, expected: wanted, unit: 'bit' }
    // A palette holds 8-bit colours whatever the length of its index.
    const fits = allowed.includes(media.bitDepth) || (media.colourSpace === 'indexed' && allowed.includes(8))
    if (fits) return pass(details, extras)
    return fail(details, {
      ...extras,
      fix: `Save “${name}” with ${wanted} bits per channel (Photoshop: Image > Mode > ${allowed[0]} Bits/Channel).`,
    })
  },
})

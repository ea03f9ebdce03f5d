import { z } from 'zod'
import { fail, mediaCheck, pass, skip } from '../check'
import { ffmpeg, sameVideoCodec } from '../recipe'

export const scanTypeCheck = mediaCheck({
  id: 'scan_type_check',
  label: 'Scan type',
  kinds: ['video'],
  describe:
    'Progressive or interlaced, and which field comes first, as the stream states it. Whether the frames agree with the statement is not measured.',
  severity: 'advisory',
  confidence: '0.85: the stream’s own statement; now and then material is marked wrongly.',
  thresholds: z.strictObject({
    wanted: z.enum(['any', 'progressive', 'interlaced']).default('progressive').meta({
      title: 'Scan type',
      source:
        'Reasoned: screens of computers and phones are progressive; broadcast in Europe takes 1080i/25 (ITU-R BT.709-6)',
    }),
    field_order: z.enum(['any', 'tff', 'bff']).default('any').meta({
      title: 'Field order of interlaced video',
      source: 'Reasoned: either unless set; high definition is top field first (SMPTE ST 274)',
    }),
  }),
  run({ media, name }, { wanted, field_order }) {
    if (wanted === 'any' && field_order === 'any') return skip('No scan type is set for this media category.')
    if (media.scanType === 'unknown') return skip('The stream does not state whether it is progressive or interlaced.')
    const order = { tff: 'top field first', bff: 'bottom field first' }
    const is = media.fieldOrder ? `${media.scanType}, ${order[media.fieldOrder]}` : media.scanType
    const extras = {
      measured: is,
      expected: wanted === 'any' ? order[field_order as 'tff' | 'bff'] : wanted,
      confidence: 0.85,
    }
    if (wanted !== 'any' && media.scanType !== wanted) {
      return fail(`The video is marked ${is}; ${wanted} is wanted.`, {
        ...extras,
        fix:
          wanted === 'progressive'
            ? ffmpeg(name, `-vf bwdif=mode=send_frame${sameVideoCodec(media.codec)} -c:a copy`)
            : `Export “${name}” from the edit as interlaced video.`,
      })
    }
    if (media.scanType === 'interlaced' && field_order !== 'any' && media.fieldOrder !== field_order) {
      return fail(
        `The video is marked ${media.fieldOrder ? order[media.fieldOrder] : 'without a field order'}; ${order[field_order]} is wanted.`,
        { ...extras, expected: order[field_order], fix: `Export “${name}” from the edit as ${order[field_order]}.` },
      )
    }
    return pass(`The video is marked ${is}, as wanted.`, extras)
  },
})

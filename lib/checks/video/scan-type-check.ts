import { z } from 'zod'
import type { VideoFacts } from '@/lib/media/facts'
import type { FieldCounts } from '@/lib/media/measurements'
import { fail, mediaCheck, pass, skip } from '../check'
import { sampleConfidence } from '../confidence'
import { ffmpeg, sameVideoCodec } from '../recipe'

type Order = 'tff' | 'bff'
type Scan = { type: 'progressive' | 'interlaced'; order: Order | null }

const ORDER = { tff: 'top field first', bff: 'bottom field first' } as const
/** Fewer pairs of frames that move say nothing of a video. */
const LEAST_PAIRS = 2
/** Share of the pairs that show two fields from which a video is interlaced; progressive video carried in fields has two in five. */
const INTERLACED_SHARE = 0.15

export const scanTypeCheck = mediaCheck({
  id: 'scan_type_check',
  label: 'Scan type',
  kinds: ['video'],
  describe:
    'Progressive or interlaced, and which field comes first: as the frames show it, compared line by line with those that follow them, and as the stream states it. Both have to be what is wanted, since players and encoders go by the statement. Progressive frames that are stated as two fields are taken where interlaced video is wanted (progressive segmented frames). Where nothing moves, or in a quick measurement, the statement decides alone.',
  severity: 'advisory',
  confidence:
    '1 for a statement that is not what is wanted. By the frames: how likely the whole video is on the same side of 15 % of pairs that show two fields (for their order: of half of those) as the pairs that were compared, so that it rises with their number: 0.91 for 10 pairs of one moment each, 0.97 for 20. A pass by the statement: 0.85, as now and then material is marked wrongly; frames that agree with it make it no less.',
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
  run({ media, name, measures: { video } }, { wanted, field_order }) {
    if (wanted === 'any' && field_order === 'any') return skip('No scan type is set for this media category.')
    const shown = video?.fields ? shownBy(video.fields) : null
    const stated = statedBy(media)
    const scan = shown ?? stated
    if (!scan) return skip('The stream does not state whether it is progressive or interlaced.')
    const order = shown?.order ?? stated?.order ?? null
    const isInterlaced = scan.type === 'interlaced' || stated?.type === 'interlaced'
    const extras = {
      measured: written({ type: scan.type, order: scan.type === 'interlaced' ? order : null }),
      expected: wanted === 'any' ? ORDER[field_order as Order] : wanted,
    }
    const is = described(shown, stated)
    const ofType = video?.fields && shown ? typeConfidence(video.fields, shown) : 0.85
    const ofOrder =
      video?.fields && shown?.type === 'interlaced' ? Math.min(ofType, orderConfidence(video.fields)) : 0.85
    const again = (filter: string, flags = '') =>
      ffmpeg(name, `-vf ${filter}${sameVideoCodec(media.codec)}${flags} -c:a copy`)

    if (wanted === 'progressive' && isInterlaced) {
      return fail(`The video ${is}; progressive is wanted.`, {
        ...extras,
        confidence: stated?.type === 'interlaced' ? 1 : ofType,
        fix: scan.type === 'interlaced' ? again('bwdif=mode=send_frame') : again('setfield=prog'),
      })
    }
    if (wanted === 'interlaced' && stated?.type !== 'interlaced') {
      const isMarkedWrongly = shown?.type === 'interlaced' && stated?.type === 'progressive'
      if (isMarkedWrongly || shown?.type !== 'interlaced') {
        return fail(`The video ${is}; interlaced is wanted.`, {
          ...extras,
          confidence: stated ? 1 : ofType,
          fix: isMarkedWrongly
            ? again(`setfield=${shown?.order ?? 'tff'}`, ' -flags +ilme+ildct')
            : `Export “${name}” from the edit as interlaced video.`,
        })
      }
    }
    const isContradicted = shown?.order && stated?.order && shown.order !== stated.order
    if (isInterlaced && (isContradicted || (field_order !== 'any' && order !== field_order))) {
      const isStatedOtherwise = field_order !== 'any' && stated?.order && stated.order !== field_order
      const expected = field_order === 'any' ? 'the field order it states' : ORDER[field_order]
      return fail(`The video ${is}; ${expected} is wanted.`, {
        ...extras,
        expected,
        confidence: isStatedOtherwise ? 1 : ofOrder,
        fix: isContradicted
          ? again(`setfield=${shown?.order}`, ' -flags +ilme+ildct')
          : `Export “${name}” from the edit as ${expected}.`,
      })
    }
    const byFrames = shown?.order ? ofOrder : ofType
    const byStatement = stated ? 0.85 : 0
    const confidence = shown && (!stated || shown.type === stated.type) ? Math.max(byStatement, byFrames) : byStatement
    return pass(`The video ${is}, as wanted.`, { ...extras, confidence })
  },
})

function statedBy({ scanType, fieldOrder }: VideoFacts): Scan | null {
  return scanType === 'unknown' ? null : { type: scanType, order: fieldOrder }
}

/** Null where too little moves to tell. */
function shownBy({ top, bottom, progressive }: FieldCounts): Scan | null {
  const fields = top + bottom
  const decided = fields + progressive
  if (decided < LEAST_PAIRS) return null
  if (fields < LEAST_PAIRS || fields < INTERLACED_SHARE * decided) return { type: 'progressive', order: null }
  return { type: 'interlaced', order: top === bottom ? null : top > bottom ? 'tff' : 'bff' }
}

/** How likely all of the video is of the type that the pairs that were compared show. */
function typeConfidence({ top, bottom, progressive }: FieldCounts, { type }: Scan): number {
  const pairs = top + bottom + progressive
  const share = (top + bottom) / pairs
  // A single pair that shows two fields makes no video interlaced, however few there are.
  const counted = type === 'progressive' ? Math.min(INTERLACED_SHARE, share) : share
  return sampleConfidence(counted, INTERLACED_SHARE, pairs)
}

/** The same for the order of its fields. */
function orderConfidence({ top, bottom }: FieldCounts): number {
  return sampleConfidence(Math.max(top, bottom) / (top + bottom), 0.5, top + bottom)
}

const written = ({ type, order }: Scan) => (order ? `${type}, ${ORDER[order]}` : type)

function described(shown: Scan | null, stated: Scan | null): string {
  if (!shown) return `is marked ${stated ? written(stated) : 'neither progressive nor interlaced'}`
  if (!stated) return `is ${written(shown)} by its frames`
  const isAlike = shown.type === stated.type && (shown.order === stated.order || shown.order === null)
  return isAlike
    ? `is marked ${written(stated)}, and its frames are`
    : `is marked ${written(stated)}, and its frames are ${written(shown)}`
}

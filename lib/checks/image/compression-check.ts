import { z } from 'zod'
import type { ImageFacts } from '@/lib/media/facts'
import { fail, mediaCheck, pass, skip } from '../check'
import { measuredConfidence, ratioConfidence } from '../confidence'
import { decimal } from '../wording'

export const compressionCheck = mediaCheck({
  id: 'compression_check',
  label: 'Compression',
  kinds: ['image'],
  needs: ['pixels'],
  describe:
    'Visible damage by compression: the quality a JPEG was saved with (from its quantisation tables), and the 8-pixel grid in any image, which also shows a poor JPEG that was saved again, as something else or cropped.',
  severity: 'advisory',
  confidence:
    'How likely the image is on the same side of the threshold. JPEG quality: known where the table is that of the IJG library; of other tables, which their encoders scale their own way, with a standard deviation of two. Grid: by what the steps across it are more than those beside it, which is nothing in an image without one, with a standard deviation of half a doubling: 0.5 at the threshold, 0.98 at one doubling or halving.',
  thresholds: z.strictObject({
    min_quality: z.number().int().min(1).max(100).default(70).meta({
      title: 'Least JPEG quality',
      unit: 'IJG scale',
      source: "Reasoned: 75 is the IJG library's own default; five points are left for encoders that scale otherwise",
    }),
    max_blockiness: z.number().min(1).default(1.6).meta({
      title: 'Most visible coding grid',
      unit: '× the steps beside it',
      source:
        'Reasoned: measured on generated images, where JPEG quality 30 leaves 1.5, 20 leaves 1.7, none leaves 1.0',
    }),
  }),
  notFor: ({ format }) => (format === 'svg' || format === 'eps' ? 'A vector drawing is not compressed by loss.' : null),
  run({ media, measures: { pixels }, name }, { min_quality, max_blockiness }) {
    if (media.jpegQuality !== null && media.jpegQuality < min_quality) {
      return fail(`The JPEG was saved at quality ${media.jpegQuality}; at least ${min_quality} is wanted.`, {
        measured: media.jpegQuality,
        expected: min_quality,
        unit: 'IJG scale',
        confidence: qualityConfidence(media, media.jpegQuality, min_quality),
        fix: `Export “${name}” from its source at quality ${Math.max(80, min_quality)} or more; saving the present file again only adds damage.`,
      })
    }
    if (pixels.blockiness !== null && pixels.blockiness > max_blockiness) {
      return fail(
        `An 8-pixel coding grid shows: steps across it are ${decimal(pixels.blockiness)} times those beside it; at most ${decimal(max_blockiness)} is wanted.`,
        {
          measured: Number(pixels.blockiness.toFixed(2)),
          expected: max_blockiness,
          unit: '× the steps beside it',
          confidence: gridConfidence(pixels.blockiness, max_blockiness),
          fix: `Go back to the source of “${name}”: this file was made from a heavily compressed JPEG.`,
        },
      )
    }
    if (media.jpegQuality !== null) {
      return pass(`The JPEG was saved at quality ${media.jpegQuality}; at least ${min_quality} is wanted.`, {
        measured: media.jpegQuality,
        expected: min_quality,
        unit: 'IJG scale',
        confidence: qualityConfidence(media, media.jpegQuality, min_quality),
      })
    }
    if (pixels.blockiness === null)
      return skip('The image is too small, or too large, for a coding grid to be measured.')
    return pass(`No coding grid shows (${decimal(pixels.blockiness)}; at most ${decimal(max_blockiness)} is wanted).`, {
      measured: Number(pixels.blockiness.toFixed(2)),
      expected: max_blockiness,
      unit: '× the steps beside it',
      confidence: gridConfidence(pixels.blockiness, max_blockiness),
    })
  },
})

/** Steps alike, a ratio of 1, are no grid at all: the distance from the threshold is counted from there. */
const gridConfidence = (blockiness: number, limit: number) => ratioConfidence(blockiness - 1, limit - 1, 0.5)

/** Quality is a whole number: the limit itself is allowed. */
const qualityConfidence = ({ isIjgTable }: ImageFacts, quality: number, limit: number) =>
  measuredConfidence(quality, limit - 0.5, isIjgTable ? 0 : 2)

import { z } from 'zod'
import { fail, fileCheck, isFailure, pass, type Subject, skip } from '../check'
import { sizeAsSeen } from '../visual/size'
import { bounds, fileSize } from '../wording'

export const fileSizeCheck = fileCheck({
  id: 'file_size_check',
  label: 'File size',
  kinds: ['image', 'video', 'audio', 'document', 'archive', 'other'],
  describe: 'The weight of the file, by media category or by the pixel size of the ad. 1 kB is 1,000 bytes.',
  severity: 'blocking',
  thresholds: z.strictObject({
    min_bytes: z.number().int().positive().nullable().default(null).meta({
      title: 'Smallest size',
      unit: 'bytes',
      source: 'Reasoned: none unless the media category sets one',
    }),
    max_bytes: z.number().int().positive().nullable().default(null).meta({
      title: 'Largest size',
      unit: 'bytes',
      source: "Reasoned: the media category's largest file where this is not set",
    }),
    max_bytes_by_size: z
      .record(z.string().regex(/^\d+x\d+$/), z.number().int().positive())
      .default({})
      .meta({
        title: 'Largest size by pixel size, as 300x250',
        unit: 'bytes',
        source: 'IAB New Ad Portfolio (2017), initial load: for instance 150 kB for 300x250. None unless set',
      }),
  }),
  run(subject, thresholds) {
    const { bytes, expectations, name } = subject
    const seen = adSize(subject)
    const bySize = seen ? thresholds.max_bytes_by_size[seen] : undefined
    const most = bySize ?? thresholds.max_bytes ?? expectations.maxFileBytes
    const least = thresholds.min_bytes
    const wanted = bounds(least, most, fileSize)
    if (wanted === null) return skip('No limit of size is set for this media category.')
    const extras = {
      measured: bytes,
      expected: wanted,
      unit: 'bytes',
      ...(bySize && { standard: 'IAB New Ad Portfolio (2017), initial load' }),
    }
    const forSize = bySize ? ` for ${seen?.replace('x', ' × ')} px` : ''
    if ((most !== null && bytes > most) || (least !== null && bytes < least)) {
      return fail(`The file has ${fileSize(bytes)}; ${wanted} is wanted${forSize}.`, {
        ...extras,
        fix:
          most !== null && bytes > most
            ? `Export “${name}” at ${percentOf(most, bytes)} of its present weight or less.`
            : `Export “${name}” at a higher quality: it is ${fileSize((least ?? 0) - bytes)} short.`,
      })
    }
    return pass(`The file has ${fileSize(bytes)}; ${wanted} is wanted${forSize}.`, extras)
  },
})

/** Rounded down, so that the recipe ends within the limit. */
function percentOf(part: number, whole: number): string {
  return `${Math.floor((part / whole) * 100)} %`
}

/** The pixel size an ad is sold by: the image's, or what the name says where the file has none of its own. */
function adSize({ media, claims }: Subject): string | null {
  if (!isFailure(media) && (media.kind === 'image' || media.kind === 'video')) {
    const { width, height } = sizeAsSeen(media)
    return `${width}x${height}`
  }
  return claims.width && claims.height ? `${claims.width}x${claims.height}` : null
}

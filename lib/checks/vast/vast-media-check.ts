import { z } from 'zod'
import type { VastMediaFile } from '@/lib/media/facts'
import { type Finding, fail, mediaCheck, pass, skip } from '../check'
import { anyOf, bounds, count } from '../wording'
import { inlineLinears, notVast, vastOf } from './vast'

const bound = (title: string) =>
  z.number().int().positive().nullable().default(null).meta({
    title,
    unit: 'kbit/s',
    source: 'Reasoned: none unless set; publishers state their own',
  })

export const vastMediaCheck = mediaCheck({
  id: 'vast_media_check',
  label: 'Media files of the VAST tag',
  kinds: ['other'],
  describe:
    'Every linear creative of an ad that is no wrapper names a media file of a type that is taken, whose stated bitrate lies within the limits. It is what the tag says of its files: they are not fetched.',
  severity: 'blocking',
  thresholds: z.strictObject({
    types: z.array(z.string().min(1)).default(['video/mp4', 'audio/mpeg', 'audio/mp4']).meta({
      title: 'Types of which each creative needs one',
      source: 'IAB Digital Video Ad Format Guidelines (2016): MP4 as the file every player takes; for audio MP3 or AAC',
    }),
    min_kbps: bound('Least bitrate'),
    max_kbps: bound('Greatest bitrate'),
    min_files: z.number().int().positive().nullable().default(null).meta({
      title: 'Fewest files of these types in each creative',
      source: 'Reasoned: none unless set; VAST 4.2, 1.3.1 asks for three qualities',
    }),
  }),
  notFor: notVast,
  run({ media, name }, { types, min_kbps, max_kbps, min_files }): Finding {
    const creatives = inlineLinears(vastOf(media))
    if (creatives.length === 0) return skip('The tag has no linear creative with files of its own.')
    const standard = 'VAST 4.2, 3.9.1'
    const range = bounds(min_kbps, max_kbps, (value) => `${value} kbit/s`)
    for (const { creative, where } of creatives) {
      const wanted = creative.mediaFiles.filter(({ type }) => types.length === 0 || types.includes(type ?? ''))
      const least = min_files ?? 1
      if (wanted.length < least) {
        const has = [...new Set(creative.mediaFiles.map(({ type }) => type ?? 'no type'))]
        return fail(
          `The creative of ${where} names ${count(wanted.length, 'media file')} of ${anyOf(types) || 'any type'} (it has ${has.length > 0 ? has.join(', ') : 'none'}); ${least === 1 ? 'one is' : `${least} are`} wanted.`,
          {
            measured: wanted.length,
            expected: least,
            standard,
            fix: `Add ${least === 1 ? 'a MediaFile' : `${least} MediaFiles`} of the type ${anyOf(types) || 'that players take'} to “${name}”.`,
          },
        )
      }
      const outside = wanted.find((file) => !isWithin(file, min_kbps, max_kbps))
      if (outside && range) {
        const stated = rateOf(outside)
        return fail(
          `A media file of ${where} (${outside.type}, ${outside.width ?? '?'} × ${outside.height ?? '?'} px) ${stated === null ? 'states no bitrate' : `states ${stated}`}; ${range} is wanted.`,
          {
            ...(outside.bitrate !== null && { measured: outside.bitrate }),
            expected: range,
            unit: 'kbit/s',
            standard,
            fix: `Encode that file anew at ${range}, and write its bitrate into the MediaFile of “${name}”.`,
          },
        )
      }
    }
    const files = creatives.reduce((sum, { creative }) => sum + creative.mediaFiles.length, 0)
    return pass(`${count(creatives.length, 'linear creative')} with ${count(files, 'media file')}, as wanted.`, {
      measured: files,
      standard,
    })
  },
})

/** A stream that adapts itself has to stay within at both of its ends. */
function isWithin(
  { bitrate, minBitrate, maxBitrate }: VastMediaFile,
  least: number | null,
  most: number | null,
): boolean {
  if (least === null && most === null) return true
  const stated = [bitrate, minBitrate, maxBitrate].filter((rate) => rate !== null)
  return stated.length > 0 && stated.every((rate) => rate >= (least ?? 0) && rate <= (most ?? Number.POSITIVE_INFINITY))
}

function rateOf({ bitrate, minBitrate, maxBitrate }: VastMediaFile): string | null {
  if (bitrate !== null) return `${bitrate} kbit/s`
  return bounds(minBitrate, maxBitrate, (value) => `${value} kbit/s`)
}

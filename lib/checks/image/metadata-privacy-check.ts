import { z } from 'zod'
import { fail, mediaCheck, pass } from '../check'
import { quoted } from '../recipe'

export const metadataPrivacyCheck = mediaCheck({
  id: 'metadata_privacy_check',
  label: 'Private metadata',
  kinds: ['image'],
  describe: 'The image does not give away where it was taken (GPS position in its EXIF or XMP data).',
  severity: 'advisory',
  thresholds: z.strictObject({}),
  run({ media, name }) {
    const extras = { measured: media.hasGps, expected: false }
    if (media.hasGps) {
      return fail('The image carries the GPS position where it was taken; none is wanted.', {
        ...extras,
        fix: `exiftool -gps:all= -xmp-exif:gps*= ${quoted(name)}`,
      })
    }
    return pass('The image carries no GPS position.', extras)
  },
})

import { metadataPrivacyCheck } from '../../image/metadata-privacy-check'
import { image } from '../../testing'
import { specOf } from '../spec'

export const spec = specOf(metadataPrivacyCheck, {
  good: [{ name: 'Exif data without a position', given: image({ hasExif: true }) }],
  bad: [
    {
      name: 'a position',
      given: image({ hasGps: true }),
      fix: 'exiftool -gps:all= -xmp-exif:gps*= "hero.png"',
    },
  ],
})

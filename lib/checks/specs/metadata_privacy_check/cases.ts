import { metadataPrivacyCheck } from '../../image/metadata-privacy-check'
import { audio, image, video } from '../../testing'
import { specOf } from '../spec'

export const spec = specOf(metadataPrivacyCheck, {
  good: [
    { name: 'Exif data without a position', given: image({ hasExif: true }) },
    { name: 'a video without one', given: video() },
    { name: 'audio without one', given: audio() },
  ],
  bad: [
    {
      name: 'a position',
      given: image({ hasGps: true }),
      fix: 'exiftool -gps:all= -xmp-exif:gps*= "hero.png"',
    },
    { name: 'a position in a video', given: video({ hasPosition: true }), details: /video carries/, fix: /Keys:GPS/ },
    { name: 'a position in audio', given: audio({ hasPosition: true }) },
  ],
  skipped: [{ name: 'a video that was measured before it was searched for', given: video({ hasPosition: undefined }) }],
})

import { z } from 'zod'
import { fail, mediaCheck, pass, skip } from '../check'
import { quoted } from '../recipe'

export const metadataPrivacyCheck = mediaCheck({
  id: 'metadata_privacy_check',
  label: 'Private metadata',
  kinds: ['image', 'video', 'audio'],
  describe:
    'The file does not give away where it was taken: GPS position in the EXIF or XMP data of an image; of video and audio in the tags of QuickTime, MP4 and Matroska, in XMP, or in a stream of a camera.',
  severity: 'advisory',
  thresholds: z.strictObject({}),
  run({ media, name }) {
    const has = media.kind === 'image' ? media.hasGps : media.hasPosition
    if (has === undefined) return skip('The file was measured before positions in video and audio were searched for.')
    const extras = { measured: has, expected: false }
    if (!has) return pass(`The ${media.kind} carries no GPS position.`, extras)
    return fail(`The ${media.kind} carries the GPS position where it was taken; none is wanted.`, {
      ...extras,
      fix:
        media.kind === 'image'
          ? `exiftool -gps:all= -xmp-exif:gps*= ${quoted(name)}`
          : `exiftool -Keys:GPSCoordinates= -UserData:GPSCoordinates= -UserData:LocationInformation= -ItemList:GPSCoordinates= -xmp:gps*= ${quoted(name)}`,
    })
  },
})

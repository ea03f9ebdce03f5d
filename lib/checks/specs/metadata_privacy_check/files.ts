import { writeFileSync } from 'node:fs'
import { heic } from '@/fixtures/heic'
import { exif, exifSegment, png, withSegment, xmpSegment } from '@/fixtures/images'
import { scene } from '@/fixtures/video'
import { bad, good } from '../files'
import { bytes, drawn, jpeg, motif } from '../image-files'

const position = [
  { tag: 0, type: 'byte', values: [2, 3, 0, 0] },
  { tag: 1, type: 'ascii', values: 'N' },
  { tag: 2, type: 'rational', values: [52, 31, 12.5] },
  { tag: 3, type: 'ascii', values: 'E' },
  { tag: 4, type: 'rational', values: [13, 24, 18] },
] as const
const main = { tag: 0x010f, type: 'ascii', values: 'Greenroom camera' } as const

const photoWith = (code: number, body: Buffer) =>
  bytes(async () => withSegment(await jpeg(64, 48).toBuffer(), code, body))

const packet = (property: string) =>
  xmpSegment(
    `<?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description xmlns:exif="http://ns.adobe.com/exif/1.0/" xmlns:dc="http://purl.org/dc/elements/1.1/" ${property}/></rdf:RDF></x:xmpmeta><?xpacket end="w"?>`,
  )
const gps = exif([main], [...position])

export const FILES = [
  good(
    'nothing.jpg',
    bytes(() => jpeg(64, 48).toBuffer()),
  ),
  good('camera.jpg', photoWith(0xe1, exifSegment(exif([main])))),
  good('receiver-off.jpg', photoWith(0xe1, exifSegment(exif([main], [position[0]])))),
  // The date of the last fix says when, not where.
  good(
    'date-only.jpg',
    photoWith(0xe1, exifSegment(exif([main], [position[0], { tag: 0x1d, type: 'ascii', values: '2026:05:04' }]))),
    { onceWrong: true },
  ),
  good('xmp.jpg', photoWith(0xe1, packet('dc:format="image/jpeg"'))),
  good('camera.heic', (file) => writeFileSync(file, heic(file, 128, 96, scene, exif([main]))), { onceWrong: true }),
  bad('position.heic', (file) => writeFileSync(file, heic(file, 128, 96, scene, gps)), { onceWrong: true }),
  bad('position.jpg', photoWith(0xe1, exifSegment(gps))),
  bad('xmp-position.jpg', photoWith(0xe1, packet('exif:GPSLatitude="52,31.2N" exif:GPSLongitude="13,24.3E"')), {
    onceWrong: true,
  }),
  bad(
    'position.png',
    bytes(() => png(64, 48, motif(9, 64, 48), { chunks: [['eXIf', gps]] })),
  ),
  bad(
    'position.webp',
    bytes(() =>
      drawn(64, 48, motif(9, 64, 48))
        .webp()
        .withExif({
          IFD3: {
            GPSLatitudeRef: 'N',
            GPSLatitude: '52/1 31/1 12/1',
            GPSLongitudeRef: 'E',
            GPSLongitude: '13/1 24/1 18/1',
          },
        })
        .toBuffer(),
    ),
  ),
  bad(
    'position.avif',
    bytes(() =>
      drawn(64, 48, motif(9, 64, 48))
        .avif({ effort: 0 })
        .withExif({
          IFD3: {
            GPSLatitudeRef: 'N',
            GPSLatitude: '52/1 31/1 12/1',
            GPSLongitudeRef: 'E',
            GPSLongitude: '13/1 24/1 18/1',
          },
        })
        .toBuffer(),
    ),
  ),
]

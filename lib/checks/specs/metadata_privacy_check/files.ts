import { writeFileSync } from 'node:fs'
import { heic } from '@/fixtures/heic'
import { exif, exifSegment, png, withSegment, xmpSegment } from '@/fixtures/images'
import { movieBox, withMovieBox } from '@/fixtures/movie-boxes'
import { tiff } from '@/fixtures/tiff'
import { scene, writeMedia } from '@/fixtures/video'
import { tone } from '../audio-files'
import { bad, good } from '../files'
import { bytes, drawn, jpeg, motif } from '../image-files'
import { clip } from '../video-files'

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

const WHERE = '+52.5201+013.4050/'
/** QuickTime user data: two bytes of length, two of language, the text. */
const xyz = (text: string) => {
  const head = Buffer.alloc(4)
  head.writeUInt16BE(text.length, 0)
  head.writeUInt16BE(0x15c7, 2)
  return movieBox('udta', movieBox('\xa9xyz', head, Buffer.from(text)))
}
/** Metadata of QuickTime by key, as telephones write it. */
const keyed = (key: string, text: string) => {
  const zeros = Buffer.alloc(4)
  const one = Buffer.from([0, 0, 0, 1])
  return movieBox(
    'meta',
    movieBox('hdlr', Buffer.alloc(8), Buffer.from('mdta'), Buffer.alloc(13)),
    movieBox('keys', zeros, one, movieBox('mdta', Buffer.from(key))),
    movieBox('ilst', movieBox('\0\0\0\x01', movieBox('data', one, zeros, Buffer.from(text)))),
  )
}
/** The place of 3GPP TS 26.244, 8.13: language, name, role, longitude, latitude, altitude. */
const loci = () => {
  const place = Buffer.alloc(12)
  place.writeInt32BE(Math.round(13.405 * 65_536), 0)
  place.writeInt32BE(Math.round(52.5201 * 65_536), 4)
  return movieBox(
    'udta',
    movieBox('loci', Buffer.from([0, 0, 0, 0, 0x15, 0xc7, 0, 0]), place, Buffer.from('earth\0\0')),
  )
}
const xmpData = (property: string) =>
  movieBox(
    'uuid',
    Buffer.from('be7acfcb97a942e89c71999491e3afac', 'hex'),
    Buffer.from(
      `<?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description xmlns:exif="http://ns.adobe.com/exif/1.0/" xmlns:dc="http://purl.org/dc/elements/1.1/" ${property}/></rdf:RDF></x:xmpmeta><?xpacket end="w"?>`,
    ),
  )
const filmed = clip({ frames: 12 })
const recorded = (file: string) => writeMedia(file, { audio: [{ seconds: 1, sample: tone }] })
const page = (entries: Parameters<typeof exif>[0], place?: Parameters<typeof exif>[1]) => (file: string) =>
  writeFileSync(file, tiff({ entries }, place))

export const FILES = [
  good('spot.mp4', filmed),
  good('spot.mkv', filmed),
  good('titled.mov', withMovieBox(filmed, keyed('com.apple.quicktime.title', 'Spring'))),
  good('empty-place.mov', withMovieBox(filmed, keyed('com.apple.quicktime.location.ISO6709', ' '))),
  good('recording.m4a', recorded),
  bad('telephone.mov', withMovieBox(filmed, keyed('com.apple.quicktime.location.ISO6709', WHERE)), { onceWrong: true }),
  bad('camera.mov', withMovieBox(filmed, xyz(WHERE))),
  bad('telephone.mp4', withMovieBox(filmed, xyz(WHERE))),
  bad('place-3gpp.mp4', withMovieBox(filmed, loci())),
  bad('xmp.mp4', withMovieBox(filmed, xmpData('exif:GPSLatitude="52,31.2N" exif:GPSLongitude="13,24.3E"'), 'file')),
  good('xmp-without.mp4', withMovieBox(filmed, xmpData('dc:format="video/mp4"'), 'file')),
  bad('recording-with-place.m4a', withMovieBox(recorded, xyz(WHERE))),
  good('camera.tif', page([main])),
  good('receiver-off.tif', page([main], [position[0]])),
  bad('position.tif', page([main], [...position]), { onceWrong: true }),
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
  good('camera.heic', (file) => writeFileSync(file, heic(file, 128, 96, scene, { exif: exif([main]) })), {
    onceWrong: true,
  }),
  bad('position.heic', (file) => writeFileSync(file, heic(file, 128, 96, scene, { exif: gps })), { onceWrong: true }),
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

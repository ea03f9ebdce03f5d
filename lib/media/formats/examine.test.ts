import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import path from 'node:path'
import sharp from 'sharp'
import { afterAll, describe, expect, test } from 'vitest'
import { dosEps, eps, SQUARE } from '@/fixtures/eps'
import { cff, collection, sfnt, tablesOf, woff2 } from '@/fixtures/fonts'
import { writeMedia } from '@/fixtures/video'
import { streamedZip } from '@/fixtures/zip'
import { examine } from './examine'

/** Files that are built in an unusual way and are valid by the specification of their format, and the same ones damaged. */

const folder = mkdtempSync(path.join(tmpdir(), 'greenroom-formats-'))
afterAll(() => rmSync(folder, { recursive: true }))

let serial = 0
async function inspect(bytes: Buffer, extension: string) {
  serial += 1
  const file = path.join(folder, `${serial}.${extension}`)
  writeFileSync(file, bytes)
  return examine(file, { extension, decodeUntil: Number.POSITIVE_INFINITY })
}

type Case = readonly [name: string, extension: string, make: () => Buffer]

const media = (extension: string, tracks: Parameters<typeof writeMedia>[1]) => {
  serial += 1
  const file = path.join(folder, `${serial}.${extension}`)
  writeMedia(file, tracks)
  return readFileSync(file)
}
const vorbis = () => media('ogg', { audio: [{ codec: 'vorbis', seconds: 1 }] })
const opus = () => media('opus', { audio: [{ codec: 'opus', seconds: 1 }] })
const theora = () =>
  media('ogv', {
    video: { codec: 'theora', width: 96, height: 64, frames: 25, paint: (frame) => (frame < 5 ? 40 : 90) },
    audio: [{ codec: 'vorbis', seconds: 1 }],
  })

const noto = () =>
  tablesOf(
    readFileSync(
      createRequire(import.meta.url).resolve('@expo-google-fonts/noto-sans/400Regular/NotoSans_400Regular.ttf'),
    ),
  )
const without = (...tags: string[]) => new Map([...noto()].filter(([tag]) => !tags.includes(tag)))

/** OpenType whose outlines are in CFF. */
function openType(outlines = cff(2)) {
  const tables = noto()
  const [widths, counts] = [Buffer.from(tables.get('hhea') ?? []), Buffer.alloc(6)]
  widths.writeUInt16BE(2, 34)
  counts.writeUInt32BE(0x5000, 0)
  counts.writeUInt16BE(2, 4)
  return sfnt(
    new Map([
      ['CFF ', outlines],
      ['head', tables.get('head') ?? Buffer.alloc(0)],
      ['hhea', widths],
      ['hmtx', Buffer.alloc(8)],
      ['maxp', counts],
      ['name', tables.get('name') ?? Buffer.alloc(0)],
    ]),
    'OTTO',
  )
}

/** A font of Apple's that holds bitmaps alone: what “head” says stands in “bhed”, and both names lead to the bitmaps. */
function bitmaps() {
  const tables = noto()
  const [locations, images] = [Buffer.alloc(8), Buffer.alloc(64, 1)]
  locations.writeUInt32BE(0x20000, 0)
  images.writeUInt32BE(0x20000, 0)
  const part = (tag: string) => tables.get(tag) ?? Buffer.alloc(0)
  return new Map([
    ['bhed', part('head')],
    ['maxp', part('maxp')],
    ['bloc', locations],
    ['EBLC', locations],
    ['bdat', images],
    ['EBDT', images],
  ])
}

const program = (parts: Parameters<typeof eps>[0] = {}) => eps(parts)
const atEnd = { header: ['%%BoundingBox: (atend)'] }

const VALID: readonly Case[] = [
  ['Vorbis', 'ogg', vorbis],
  ['Opus', 'opus', opus],
  ['Opus under the common extension', 'ogg', opus],
  ['FLAC in Ogg', 'oga', () => media('oga', { audio: [{ codec: 'flac', seconds: 1 }] })],
  ['Theora with Vorbis', 'ogv', theora],
  ['Theora under the common extension', 'ogg', theora],
  ['two streams one after the other', 'ogg', () => Buffer.concat([vorbis(), vorbis()])],
  ['streams of two codings one after the other', 'ogg', () => Buffer.concat([opus(), opus()])],
  ['audio with an ID3v1 tag behind it', 'ogg', () => Buffer.concat([vorbis(), Buffer.from('TAG'.padEnd(128, ' '))])],
  ['a drawing', 'eps', () => program()],
  ['a drawing with a preview beside it', 'eps', () => dosEps(program(), Buffer.alloc(300, 7))],
  ['a preview of nothing that lies nowhere', 'eps', () => dosEps(program(), Buffer.alloc(0))],
  ['a drawing beside a preview, and padding', 'eps', () => dosEps(program(), Buffer.alloc(300, 7), 100)],
  ['a drawing of an older edition', 'eps', () => program({ mark: '%!PS-Adobe-2.0 EPSF-1.2' })],
  ['a mark with more spaces', 'eps', () => program({ mark: '%!PS-Adobe-3.0  EPSF-3.0 ' })],
  ['a mark from the time before EPSF', 'eps', () => program({ mark: '%!PS-Adobe-1.0' })],
  ['a drawing that begins with Ctrl-D', 'eps', () => program({ mark: '\x04%!PS-Adobe-3.0 EPSF-3.0' })],
  ['lines that end as on a Mac', 'eps', () => program({ lineEnd: '\r' })],
  ['lines that end as on Windows', 'eps', () => program({ lineEnd: '\r\n', trailer: ['%%EOF', '\x04'] })],
  [
    'a bounding box at the end',
    'eps',
    () => program({ ...atEnd, trailer: ['%%Trailer', '%%BoundingBox: 0 0 200 100', '%%EOF'] }),
  ],
  ['a bounding box of fractions', 'eps', () => program({ header: ['%%BoundingBox:\t-.5 +0 2e2 100.25'] })],
  ['a drawing without %%EOF', 'eps', () => program({ trailer: [] })],
  [
    'a drawing without %%EOF that holds texts',
    'eps',
    () => program({ body: ['(a \\) (b) {) pop', ...SQUARE], trailer: [] }),
  ],
  ['other bytes behind %%EOF', 'eps', () => Buffer.concat([program(), Buffer.from('\x1b%-12345X\r\n\x00\x01binary')])],
  [
    'resources that are not closed by a comment',
    'eps',
    () => program({ body: ['%%BeginResource: font A', ...SQUARE] }),
  ],
  ['a font without names and without a character map', 'ttf', () => sfnt(without('name', 'cmap', 'post', 'OS/2'))],
  ['a font of bitmaps alone, whose tables have two names', 'ttf', () => sfnt(bitmaps(), 'true')],
  ['a collection of fonts', 'ttc', () => collection([noto(), without('GSUB', 'GPOS')])],
  ['OpenType with outlines in CFF', 'otf', () => openType()],
  ['a packed font', 'woff2', () => woff2([noto()])],
  [
    'a packed collection of fonts that share their tables',
    'woff2',
    () => {
      const tables = noto()
      return woff2([tables, new Map([...tables].filter(([tag]) => tag !== 'GSUB'))])
    },
  ],
  ['an archive that was written as a stream', 'zip', () => streamedZip([['index.html', '<p>Spring</p>']])],
  ['an archive written from a pipe', 'zip', () => streamedZip([['-', 'text '.repeat(300)]], { mode: 0o10600 })],
]

describe('what is built in an unusual way and valid is taken', () => {
  test.each(VALID)('%s (.%s)', async (_, extension, make) => {
    const { violations, media } = await inspect(make(), extension)
    expect(violations).toEqual([])
    expect(media).not.toBeNull()
  })
})

const cut = (make: () => Buffer, share: number) => () => {
  const bytes = make()
  return bytes.subarray(0, Math.floor(bytes.length * share))
}
const flipped = (make: () => Buffer, share: number) => () => {
  const bytes = Buffer.from(make())
  const at = Math.floor(bytes.length * share)
  bytes[at] = (bytes[at] ?? 0) ^ 16
  return bytes
}

const DAMAGED: readonly (readonly [...Case, code: string])[] = [
  ['audio that is cut', 'ogg', cut(vorbis, 0.6), 'truncated'],
  ['audio with a flipped bit', 'opus', flipped(opus, 0.5), 'corrupt'],
  ['a video with a flipped bit', 'ogv', flipped(theora, 0.7), 'corrupt'],
  [
    'audio that lacks a page in the middle',
    'ogg',
    () => {
      const bytes = media('ogg', { audio: [{ codec: 'vorbis', seconds: 4 }] })
      const pages = [...bytes.toString('latin1').matchAll(/OggS/g)].map(({ index }) => index)
      return Buffer.concat([bytes.subarray(0, pages[3]), bytes.subarray(pages[4])])
    },
    'corrupt',
  ],
  ['audio with other data behind it', 'ogg', () => Buffer.concat([vorbis(), Buffer.from('PK\x03\x04')]), 'corrupt'],
  ['a drawing that is cut', 'eps', cut(program, 0.8), 'truncated'],
  [
    'a drawing without %%EOF that is cut within a text',
    'eps',
    () => program({ body: ['(text'], trailer: [] }),
    'truncated',
  ],
  [
    'a drawing without %%EOF that lacks a bracket',
    'eps',
    () => program({ body: ['/a {', ...SQUARE], trailer: [] }),
    'truncated',
  ],
  [
    'a drawing whose inner document is cut',
    'eps',
    () => program({ body: ['%%BeginDocument: a.eps', ...SQUARE] }),
    'truncated',
  ],
  ['a drawing without a bounding box', 'eps', () => program({ header: ['%%Title: x'] }), 'corrupt'],
  ['a bounding box of nothing', 'eps', () => program({ header: ['%%BoundingBox: 0 0 0 0'] }), 'corrupt'],
  [
    'a program of several pages',
    'eps',
    () => program({ mark: '%!PS-Adobe-3.0', header: ['%%BoundingBox: 0 0 9 9', '%%Pages: 3'] }),
    'type_mismatch',
  ],
  ['a font that is cut', 'ttf', cut(() => sfnt(noto()), 0.6), 'truncated'],
  ['a font without outlines', 'ttf', () => sfnt(without('glyf', 'loca')), 'corrupt'],
  ['outlines in CFF that are cut', 'otf', () => openType(cff(2).subarray(0, -3)), 'corrupt'],
  ['outlines in CFF for other glyphs', 'otf', () => openType(cff(3)), 'corrupt'],
  ['a font without widths', 'ttf', () => sfnt(without('hhea')), 'corrupt'],
  ['a collection that is cut', 'ttc', cut(() => collection([noto(), without('GSUB')]), 0.6), 'truncated'],
  ['a packed font with a flipped bit', 'woff2', flipped(() => woff2([noto()]), 0.5), 'corrupt'],
  [
    'an archive with a flipped bit',
    'zip',
    flipped(() => streamedZip([['a.txt', 'text '.repeat(300)]]), 0.3),
    'corrupt',
  ],
  ['an archive with a device in it', 'zip', () => streamedZip([['tty', 'x']], { mode: 0o20600 }), 'malware'],
  ['an archive with a link in it', 'zip', () => streamedZip([['a', '/etc/passwd']], { mode: 0o120777 }), 'malware'],
]

describe('the same ones damaged are refused', () => {
  test.each(DAMAGED)('%s (.%s)', async (_, extension, make, code) => {
    const { violations } = await inspect(make(), extension)
    expect(violations.map((each) => each.code)).toEqual([code])
  })
})

test('Ogg is recognised as audio or video by what it holds', async () => {
  expect(await inspect(theora(), 'ogg')).toMatchObject({ mediaType: 'video/ogg', kind: 'video' })
  const { media } = await inspect(opus(), 'ogg')
  expect(media).toMatchObject({ kind: 'audio', container: 'ogg', audio: [{ codec: 'opus', sampleRate: 48_000 }] })
})

test('frames that stand on as empty packets are decoded on', async () => {
  const { media } = await inspect(theora(), 'ogv')
  expect(media).toMatchObject({ kind: 'video', codec: 'theora', width: 96, height: 64 })
})

test('the quality of a JPEG is known where its table is that of the IJG library', async () => {
  const bytes = await sharp({ create: { width: 32, height: 32, channels: 3, background: '#468' } })
    .jpeg({ quality: 70 })
    .toBuffer()
  expect((await inspect(bytes, 'jpg')).media).toMatchObject({ jpegQuality: 70, isIjgTable: true })
  // The last value of the first table, by one more.
  const at = bytes.indexOf(Buffer.from([0xff, 0xdb])) + 5 + 63
  bytes.writeUInt8(bytes.readUInt8(at) + 1, at)
  const { media } = await inspect(bytes, 'jpg')
  expect(media).toMatchObject({ jpegQuality: 70 })
  expect(media).not.toHaveProperty('isIjgTable')
})

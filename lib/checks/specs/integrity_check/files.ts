import { readFileSync, writeFileSync } from 'node:fs'
import { dosEps, eps } from '@/fixtures/eps'
import { tiff } from '@/fixtures/tiff'
import { writeMedia } from '@/fixtures/video'
import { streamedZip } from '@/fixtures/zip'
import { bad, good } from '../files'
import { WRITE } from '../whole-files'

/** Writes a file and changes its bytes. */
const changed = (extension: string, change: (bytes: Buffer) => Buffer) => async (file: string) => {
  await WRITE[extension]?.(file)
  writeFileSync(file, change(readFileSync(file)))
}
const cut = (share: number) => (bytes: Buffer) => bytes.subarray(0, Math.floor(bytes.length * share))

/** One bit, at that share of the length. */
const flipped = (share: number) => (bytes: Buffer) => {
  const at = Math.floor(bytes.length * share)
  bytes[at] = (bytes[at] as number) ^ 16
  return bytes
}

/** Zeros, where a part never arrived. */
const blotted = (from: number, until: number) => (bytes: Buffer) =>
  bytes.fill(0, Math.floor(bytes.length * from), Math.floor(bytes.length * until))
const kinds = Object.keys(WRITE)
const last = (extension: string) => changed(extension, (bytes) => bytes.subarray(0, bytes.length - 40))

const audio = (codec: 'vorbis' | 'opus' | 'flac') => (file: string) =>
  writeMedia(file, { audio: [{ codec, seconds: 1 }] })
const bytes = (make: () => Buffer) => (file: string) => writeFileSync(file, make())
const flippedBytes = (write: (file: string) => void) => (file: string) => {
  write(file)
  writeFileSync(file, flipped(0.5)(readFileSync(file)))
}

export const FILES = [
  ...[8, 9, 10].map((photometric) =>
    good(
      `lab-${photometric}.tif`,
      bytes(() => tiff({ samples: 3, photometric })),
    ),
  ),
  bad(
    'lab-cut.tif',
    bytes(() => tiff({ samples: 3, photometric: 8 }).subarray(0, -20)),
  ),
  good('vorbis.ogg', audio('vorbis'), { onceWrong: true }),
  good('music.opus', audio('opus')),
  good('lossless.oga', audio('flac')),
  good('theora.ogv', (file) => writeMedia(file, { video: { codec: 'theora', width: 96, height: 64, frames: 25 } })),
  bad('bit.ogg', flippedBytes(audio('vorbis'))),
  bad('bit.opus', flippedBytes(audio('opus'))),
  good(
    'preview.eps',
    bytes(() => dosEps(eps(), Buffer.alloc(200, 7))),
  ),
  good(
    'without-end.eps',
    bytes(() => eps({ trailer: [], lineEnd: '\r' })),
  ),
  bad(
    'without-end-cut.eps',
    bytes(() => eps({ trailer: [], body: ['gsave'] })),
  ),
  good(
    'piped.zip',
    bytes(() => streamedZip([['-', 'text '.repeat(300)]], { mode: 0o10600 })),
    { onceWrong: true },
  ),
  bad(
    'device.zip',
    bytes(() => streamedZip([['tty', 'x']], { mode: 0o20600 })),
  ),
  ...kinds.map((extension) => good(`intact.${extension}`, (file) => WRITE[extension]?.(file))),
  // What follows the end belongs to no part, and readers pass over it.
  good(
    'followed.jpg',
    changed('jpg', (bytes) => Buffer.concat([bytes, Buffer.from('\n')])),
  ),
  ...kinds.map((extension) => bad(`cut.${extension}`, changed(extension, cut(0.6)))),
  ...['png', 'jpg', 'gif', 'webp', 'mp4', 'pdf', 'zip'].map((extension) => bad(`short.${extension}`, last(extension))),
  ...['png', 'zip'].map((extension) => bad(`bit.${extension}`, changed(extension, flipped(0.5)))),
  bad('blotted.mp4', changed('mp4', blotted(0.3, 0.5))),
  bad('blotted.jpg', changed('jpg', blotted(0.4, 0.6))),
  bad('empty.png', (file) => writeFileSync(file, '')),
  bad('other.png', (file) => WRITE.jpg?.(file), { content: 'image/jpeg' }),
]

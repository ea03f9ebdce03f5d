import { readFileSync, writeFileSync } from 'node:fs'
import sharp from 'sharp'
import { wav } from '@/fixtures/audio'
import { png } from '@/fixtures/images'
import { pdf } from '@/fixtures/pdf'
import { writeMedia } from '@/fixtures/video'
import { zip } from '@/fixtures/zip'
import { sine } from './audio'
import { motif, photoJpeg } from './images'
import { bad, filesOf, good, type Labelled } from './labelled'

/** A sound file of each kind, and what may happen to it on its way. */
const picture = (width = 120, height = 80) => png(width, height, motif(21, width, height))
const WRITE: Readonly<Record<string, (file: string) => void | Promise<void>>> = {
  png: (file) => writeFileSync(file, picture()),
  jpg: async (file) => writeFileSync(file, await photoJpeg(240, 160)),
  gif: async (file) => writeFileSync(file, await sharp(picture()).gif().toBuffer()),
  webp: async (file) => writeFileSync(file, await sharp(picture()).webp().toBuffer()),
  mp4: (file) => writeMedia(file, { video: { width: 96, height: 64, frames: 25 }, audio: [{ seconds: 1 }] }),
  wav: (file) =>
    writeFileSync(
      file,
      wav(1, (time) => 0.2 * sine(time)),
    ),
  mp3: (file) => writeMedia(file, { audio: [{ codec: 'mp3', seconds: 1 }] }),
  pdf: (file) => writeFileSync(file, pdf({ pages: [{ content: '0 0 0 1 k 50 50 100 100 re f' }] })),
  zip: (file) =>
    writeFileSync(
      file,
      zip([
        ['index.html', '<!doctype html><title>x</title>'],
        ['a.txt', 'text '.repeat(400)],
      ]),
    ),
}

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

function integrity(): Labelled[] {
  const kinds = Object.keys(WRITE)
  const last = (extension: string) => changed(extension, (bytes) => bytes.subarray(0, bytes.length - 40))
  return filesOf('integrity_check', [
    ...kinds.map((extension) => good(`sound.${extension}`, (file) => WRITE[extension]?.(file))),
    // What follows the end belongs to nobody, and readers pass over it.
    good(
      'followed.jpg',
      changed('jpg', (bytes) => Buffer.concat([bytes, Buffer.from('\n')])),
    ),
    ...kinds.map((extension) => bad(`cut.${extension}`, changed(extension, cut(0.6)))),
    ...['png', 'jpg', 'gif', 'webp', 'mp4', 'pdf', 'zip'].map((extension) =>
      bad(`short.${extension}`, last(extension)),
    ),
    ...['png', 'zip'].map((extension) => bad(`bit.${extension}`, changed(extension, flipped(0.5)))),
    bad('blotted.mp4', changed('mp4', blotted(0.3, 0.5))),
    bad('blotted.jpg', changed('jpg', blotted(0.4, 0.6))),
    bad('empty.png', (file) => writeFileSync(file, '')),
    bad('other.png', (file) => WRITE.jpg?.(file), { content: 'image/jpeg' }),
  ])
}

function types(): Labelled[] {
  const takes = { expects: { mediaTypes: ['image/jpeg', 'image/png'] } }
  return filesOf('file_type_check', [
    good('photo.jpg', (file) => WRITE.jpg?.(file), takes),
    good('photo.jpeg', (file) => WRITE.jpg?.(file), takes),
    good('SHOUT.PNG', (file) => WRITE.png?.(file), takes),
    good('any.webp', (file) => WRITE.webp?.(file)),
    good('listed.pdf', (file) => WRITE.pdf?.(file), { thresholds: { allowed: ['application/pdf'] }, ...takes }),
    bad('moving.gif', (file) => WRITE.gif?.(file), takes),
    bad('photo.webp', (file) => WRITE.webp?.(file), takes),
    bad('renamed.png', (file) => WRITE.jpg?.(file), { content: 'image/jpeg' }),
    bad('film.wav', (file) => WRITE.mp3?.(file), { content: 'audio/mpeg' }),
    bad('page.pdf', (file) => WRITE.pdf?.(file), takes),
  ])
}

function sizes(): Labelled[] {
  /** A PNG of exactly so many bytes: a chunk of text of its own makes up the rest. */
  const weighing =
    (bytes: number, width = 120, height = 80) =>
    (file: string) => {
      const bare = png(width, height, () => [40, 90, 160]).length
      const filler = Buffer.concat([Buffer.from('Comment\0'), Buffer.alloc(bytes - bare - 12 - 8, 'x')])
      writeFileSync(
        file,
        png(width, height, () => [40, 90, 160], { chunks: [['tEXt', filler]] }),
      )
    }
  const between = { thresholds: { min_bytes: 10_000, max_bytes: 150_000 } }
  const bySize = { thresholds: { max_bytes: 200_000, max_bytes_by_size: { '300x250': 150_000, '320x50': 50_000 } } }
  return filesOf('file_size_check', [
    good('most.png', weighing(150_000), between),
    good('least.png', weighing(10_000), between),
    good('banner.png', weighing(50_000, 320, 50), bySize),
    good('no-banner.png', weighing(200_000), bySize),
    good('category.png', weighing(80_000), { expects: { maxFileBytes: 80_000 } }),
    bad('above.png', weighing(150_001), between),
    bad('below.png', weighing(9_999), between),
    bad('banner-heavy.png', weighing(50_001, 320, 50), bySize),
    bad('square-heavy.png', weighing(150_001, 300, 250), bySize),
    bad('category-heavy.png', weighing(80_001), { expects: { maxFileBytes: 80_000 } }),
  ])
}

function names(): Labelled[] {
  const sized = { template: '{title}_{width}x{height}.{ext}' }
  const timed = { template: '{title}_{duration}_{fps}.{ext}' }
  const shaped = { template: '{title}_{ratio}.{ext}' }
  const video = (frames: number, rate: readonly [number, number]) => (file: string) =>
    writeMedia(file, { video: { width: 96, height: 64, frames, rate } })
  const drawing = (width: number, height: number) => (file: string) => writeFileSync(file, picture(width, height))
  return filesOf('name_matches_media_check', [
    good('hero_300x250.png', drawing(300, 250), sized),
    good('spot_2s_25.mp4', video(50, [25, 1]), timed),
    good('spot-rounded_2s_29.97.mp4', video(72, [30_000, 1001]), timed),
    good('poster_4x5.png', drawing(400, 498), shaped),
    good('page_210x297.pdf', (file) => WRITE.pdf?.(file), { template: '{title}_{ratio}.{ext}' }),
    bad('hero_300x251.png', drawing(300, 250), sized),
    bad('hero_250x300.png', drawing(300, 250), sized),
    bad('spot_3s_25.mp4', video(50, [25, 1]), timed),
    bad('spot_2s_24.mp4', video(50, [25, 1]), timed),
    bad('spot-long_2s_25.mp4', video(64, [25, 1]), timed),
    bad('poster_5x4.png', drawing(400, 500), shaped),
    bad('poster-nearly_4x5.png', drawing(400, 494), shaped),
  ])
}

export const FILES: Labelled[] = [...integrity(), ...types(), ...sizes(), ...names()]

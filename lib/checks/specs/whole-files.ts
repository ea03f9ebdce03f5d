import { writeFileSync } from 'node:fs'
import sharp from 'sharp'
import { wav } from '@/fixtures/audio'
import { png } from '@/fixtures/images'
import { pdf } from '@/fixtures/pdf'
import { writeMedia } from '@/fixtures/video'
import { zip } from '@/fixtures/zip'
import { sine } from './audio-files'
import { motif, photoJpeg } from './image-files'

export const image = (width = 120, height = 80) => png(width, height, motif(21, width, height))

/** Writes a file without a fault, by extension. */
export const WRITE: Readonly<Record<string, (file: string) => void | Promise<void>>> = {
  png: (file) => writeFileSync(file, image()),
  jpg: async (file) => writeFileSync(file, await photoJpeg(240, 160)),
  gif: async (file) => writeFileSync(file, await sharp(image()).gif().toBuffer()),
  webp: async (file) => writeFileSync(file, await sharp(image()).webp().toBuffer()),
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

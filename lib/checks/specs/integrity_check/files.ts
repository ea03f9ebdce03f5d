import { readFileSync, writeFileSync } from 'node:fs'
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

export const FILES = [
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

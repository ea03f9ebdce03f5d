import { closeSync, copyFileSync, openSync, writeSync } from 'node:fs'
import type { ByteSource } from '../formats/byte-source'

/** A new file written from its beginning to its end: stretches of an original, and bytes of our own. */
export class Output {
  private readonly fd: number
  private at = 0

  constructor(path: string) {
    this.fd = openSync(path, 'w', 0o644)
  }

  /** Where the next byte lies. */
  get position(): number {
    return this.at
  }

  write(bytes: Buffer): void {
    for (let done = 0; done < bytes.length; ) done += writeSync(this.fd, bytes, done)
    this.at += bytes.length
  }

  /** The bytes of the original from `start` to `end`. */
  copy(source: ByteSource, start: number, end: number): void {
    for (const piece of source.pieces(start, end)) this.write(piece)
  }

  close(): void {
    closeSync(this.fd)
  }
}

/** Bytes that take the place of as many of the original. */
export type Patch = { offset: number; bytes: Buffer }

/** A copy in which the patches are applied; every other byte is the original's. */
export function writePatched(from: string, into: string, patches: readonly Patch[]): void {
  copyFileSync(from, into)
  const fd = openSync(into, 'r+')
  try {
    for (const { offset, bytes } of patches)
      for (let done = 0; done < bytes.length; ) done += writeSync(fd, bytes, done, bytes.length - done, offset + done)
  } finally {
    closeSync(fd)
  }
}

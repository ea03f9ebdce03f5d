import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { truncated } from './defect'

const WINDOW = 256 * 1024
/** Formats that are read whole may be this large; larger files are read piece by piece or refused. */
const MAX_WHOLE = 1024 * 1024 * 1024

/**
 * A file read at any place, in chunks, without holding it. Reading is synchronous: a source lives in a process of its
 * own that has nothing else to do.
 */
export class ByteSource {
  readonly size: number
  private readonly fd: number
  private window: Buffer = Buffer.alloc(0)
  private windowStart = 0

  constructor(readonly path: string) {
    this.fd = openSync(path, 'r')
    this.size = fstatSync(this.fd).size
  }

  close(): void {
    closeSync(this.fd)
  }

  /** `length` bytes from `offset`. Throws the defect `truncated` when the file ends before. */
  bytes(offset: number, length: number, what = 'a part'): Buffer {
    if (!Number.isSafeInteger(offset) || offset < 0 || length < 0 || offset + length > this.size) {
      throw truncated(`${what} reaches to byte ${offset + length} of ${this.size}`)
    }
    return this.upTo(offset, length)
  }

  /** At most `length` bytes from `offset`; fewer when the file ends before. */
  upTo(offset: number, length: number): Buffer {
    const end = Math.min(offset + length, this.size)
    if (offset >= end) return Buffer.alloc(0)
    if (end - offset > WINDOW) return this.read(offset, end - offset)
    if (offset < this.windowStart || end > this.windowStart + this.window.length) {
      this.window = this.read(offset, Math.min(WINDOW, this.size - offset))
      this.windowStart = offset
    }
    return this.window.subarray(offset - this.windowStart, end - this.windowStart)
  }

  /** A few bytes that lie far from all others that are read: alone, and not in a window of them. */
  few(offset: number, length: number): Buffer {
    return this.read(offset, length)
  }

  /** The whole file. Only for formats whose files fit in memory. */
  whole(): Buffer {
    if (this.size > MAX_WHOLE) throw new RangeError(`A file of ${this.size} bytes is too large to be read at once.`)
    return this.read(0, this.size)
  }

  /** The bytes from `start` to `end` in chunks of at most 1 MiB. */
  *pieces(start: number, end: number): Generator<Buffer> {
    for (let offset = start; offset < end; offset += 1024 * 1024) {
      yield this.read(offset, Math.min(1024 * 1024, end - offset))
    }
  }

  private read(offset: number, length: number): Buffer {
    const buffer = Buffer.allocUnsafe(length)
    let done = 0
    while (done < length) {
      const count = readSync(this.fd, buffer, done, length - done, offset + done)
      if (count === 0) throw truncated(`byte ${offset + done} of ${this.size} cannot be read`)
      done += count
    }
    return buffer
  }
}

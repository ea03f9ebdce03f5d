import { closeSync, openSync, readSync } from 'node:fs'
import { type Arrival, ZipAhead } from '../formats/archive/zip-ahead'

/** In the reader: a file that is still coming in, of which is done already what can be done. */
export class ArrivingFile implements Arrival {
  private readonly file: number
  private arrived = 0
  private isWhole = false
  private wake: () => void = () => {}
  private readonly ahead = new ZipAhead()
  private readonly done: Promise<void>

  constructor(path: string) {
    this.file = openSync(path, 'r')
    this.done = this.ahead
      .follow(this)
      .catch(() => {}) // damage is found, and reported, when the whole file is examined
      .finally(() => closeSync(this.file))
  }

  /** The bytes before `upTo` are in the file. */
  note(upTo: number): void {
    this.arrived = upTo
    this.wake()
  }

  /** All is there; what was begun is done to its end, as it would have to be anyway. */
  async finish(): Promise<ZipAhead> {
    this.isWhole = true
    this.wake()
    await this.done
    return this.ahead
  }

  bytes(offset: number, length: number, into?: Buffer): Promise<Buffer | null> | Buffer | null {
    const isThere = offset + length <= this.arrived || this.isWhole
    return isThere ? this.read(offset, length, into) : this.waitFor(offset, length, into)
  }

  private async waitFor(offset: number, length: number, into?: Buffer): Promise<Buffer | null> {
    while (offset + length > this.arrived && !this.isWhole) {
      await new Promise<void>((resolve) => {
        this.wake = resolve
      })
    }
    return this.read(offset, length, into)
  }

  private read(offset: number, length: number, into?: Buffer): Buffer | null {
    const buffer = into?.subarray(0, length) ?? Buffer.allocUnsafe(length)
    for (let read = 0; read < length; ) {
      const count = readSync(this.file, buffer, read, length - read, offset + read)
      if (count === 0) return null
      read += count
    }
    return buffer
  }
}

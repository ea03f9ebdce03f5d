import { type FileHandle, open, stat, unlink } from 'node:fs/promises'
import { Writable } from 'node:stream'
import type { StagedBlob } from '@/lib/domain/kernel/blob-store'
import { isErrno, storageFault } from './storage-fault'

/** What may wait in memory for the disk. While one write is under way the next ones gather, and leave as one. */
const BUFFERED_BYTES = 4 * 1024 * 1024

/** The disk is set to work after this much, so that the flush at the end finds little left to do. */
const FLUSH_EVERY_BYTES = 64 * 1024 * 1024

/** A temporary object on the local disk. */
export class StagedFile implements StagedBlob {
  private flushed: Promise<void> | null = null

  constructor(
    readonly id: string,
    readonly path: string,
  ) {}

  async size(): Promise<number> {
    return (await stat(this.path).catch(storageFault)).size
  }

  async writable(from = 0): Promise<Writable> {
    const file = await open(this.path, 'r+').catch(storageFault)
    try {
      const { size } = await file.stat()
      if (from > size) throw new RangeError(`Cannot write from byte ${from} on: only ${size} are there.`)
      if (from < size) await file.truncate(from)
    } catch (error) {
      await file.close()
      if (error instanceof RangeError) throw error
      storageFault(error)
    }
    this.flushed = null
    return new FileSink(file, from, (flushed) => {
      this.flushed = flushed
    })
  }

  async sync(): Promise<void> {
    this.flushed ??= this.flush()
    await this.flushed
  }

  async discard(): Promise<void> {
    await unlink(this.path).catch((error: unknown) => {
      if (!isErrno(error, 'ENOENT')) storageFault(error)
    })
  }

  private async flush(): Promise<void> {
    const file = await open(this.path, 'r').catch(storageFault)
    try {
      await file.sync()
    } catch (error) {
      storageFault(error)
    } finally {
      await file.close()
    }
  }
}

/**
 * Writes buffers as they came, without copying them together (writev), and starts flushing early. The last flush begins
 * when the last byte is written and is waited for by whoever needs it (`sync`), so decoding can run beside it.
 */
class FileSink extends Writable {
  private unflushed = 0
  private flushing: Promise<void> | null = null
  private finalFlush: Promise<void> | null = null

  constructor(
    private readonly file: FileHandle,
    private position: number,
    private readonly onFinalFlush: (flushed: Promise<void>) => void,
  ) {
    super({ highWaterMark: BUFFERED_BYTES, decodeStrings: true })
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    this.append([chunk]).then(() => done(), done)
  }

  override _writev(chunks: { chunk: Buffer }[], done: (error?: Error | null) => void): void {
    this.append(chunks.map(({ chunk }) => chunk)).then(() => done(), done)
  }

  override _final(done: (error?: Error | null) => void): void {
    this.finalFlush = this.flush().finally(() => this.file.close())
    // Whoever calls sync() hears of a failure; nobody calling it (a refused upload) must not end the process.
    this.finalFlush.catch(() => {})
    this.onFinalFlush(this.finalFlush)
    done()
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    const closed = this.finalFlush ? Promise.resolve() : this.close()
    closed.then(() => done(error), done)
  }

  private async close(): Promise<void> {
    await this.flushing?.catch(() => {})
    await this.file.close()
  }

  private async append(buffers: Buffer[]): Promise<void> {
    let rest = buffers
    while (rest.length > 0) {
      const { bytesWritten } = await this.file.writev(rest, this.position).catch(storageFault)
      this.position += bytesWritten
      this.unflushed += bytesWritten
      rest = withoutFirst(rest, bytesWritten)
    }
    if (this.unflushed >= FLUSH_EVERY_BYTES && this.flushing === null) {
      this.unflushed = 0
      this.flushing = this.file.datasync().catch(storageFault)
      this.flushing.then(
        () => {
          this.flushing = null
        },
        (error) => this.destroy(error),
      )
    }
  }

  private async flush(): Promise<void> {
    await this.flushing
    this.flushing = this.file.sync().catch(storageFault)
    await this.flushing
  }
}

/** What is left of `buffers` once `count` bytes of them are written: a write may be cut short by the system. */
function withoutFirst(buffers: Buffer[], count: number): Buffer[] {
  let skipped = 0
  for (const [index, buffer] of buffers.entries()) {
    if (skipped + buffer.length > count) return [buffer.subarray(count - skipped), ...buffers.slice(index + 1)]
    skipped += buffer.length
  }
  return []
}

import { open, stat, unlink } from 'node:fs/promises'
import type { Writable } from 'node:stream'
import type { ResumableBlob, WriteOptions } from '@/lib/domain/kernel/blob-store'
import { FileSink } from './file-sink'
import { assertRoom } from './room'
import { isErrno, storageFault } from './storage-fault'

/** A temporary object on the local disk, where every process that sees the folder finds its bytes at once. */
export class StagedFile implements ResumableBlob {
  private flushed: Promise<void> | null = null

  constructor(
    readonly id: string,
    readonly path: string,
  ) {}

  async size(): Promise<number> {
    return (await stat(this.path).catch(storageFault)).size
  }

  async writable({
    from = 0,
    resumable = false,
    isCopy = false,
    expected,
    onWritten,
  }: WriteOptions = {}): Promise<Writable> {
    if (expected !== undefined) await assertRoom(this.path, expected)
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
    return new FileSink(file, from, {
      inOrder: resumable,
      assertRoom: expected === undefined ? null : () => assertRoom(this.path, 0),
      onWritten,
      onFinalFlush: isCopy
        ? null
        : (flushed) => {
            this.flushed = flushed
          },
    })
  }

  written(): void {}

  async publish(): Promise<void> {}

  async collect(): Promise<void> {}

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

import { writev } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import { Writable } from 'node:stream'
import { asStorageFault, storageFault } from './storage-fault'

/** What may wait in memory for the disk, so that a moment in which the disk is busy does not stop the network. */
const QUEUE_BYTES = 2 * 1024 * 1024

/**
 * What has gathered leaves together, up to this much. Beyond it Linux takes ever larger pieces of untouched memory for
 * its cache, which on a virtual machine costs twice the time it saves.
 */
const WRITE_BYTES = 128 * 1024

/** So many writes are on their way at once, because the next one must not wait for this thread to hear of the last. */
const WRITES_AT_ONCE = 3

/** The disk is set to work after this much, so that the flush at the end finds little left to do. */
const FLUSH_EVERY_BYTES = 64 * 1024 * 1024

/** Uploads look again after this much whether the disk has room for more: others write to it, too. */
const ROOM_EVERY_BYTES = 16 * 1024 * 1024

/**
 * Appends to an open file, which it closes: network and disk work at the same time, joined by a queue; buffers are
 * written as they came, without copying them together (writev). A stream's own queue will not do, because it asks for
 * more only when it is empty. The last flush begins when the last byte is written and is left to the caller who needs it.
 */
export class FileSink extends Writable {
  private readonly queue: Buffer[] = []
  private queuedBytes = 0
  private readonly writes: { end: number; isDone: boolean }[] = []
  private onIdle: (() => void) | null = null
  private acceptMore: (() => void) | null = null
  private unflushedBytes = 0
  private bytesSinceRoom = 0
  private flushing: Promise<void> | null = null
  private isFinished = false

  constructor(
    private readonly file: FileHandle,
    private position: number,
    private readonly options: {
      /** One write after the other, so that whatever ends the process leaves no hole before the end of the file. */
      inOrder: boolean
      /** Throws where the rest of the disk is left to others; null: all of it may be used. */
      assertRoom: (() => Promise<void>) | null
      /** All bytes before this one are in the file. */
      onWritten?: (upTo: number) => void
      /** Null: nothing is flushed. */
      onFinalFlush: ((flushed: Promise<void>) => void) | null
    },
  ) {
    super({ highWaterMark: WRITE_BYTES })
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.queue.push(chunk)
    this.queuedBytes += chunk.length
    if (this.queuedBytes < QUEUE_BYTES) done()
    else this.acceptMore = done
    this.startWrites()
  }

  override async _final(done: (error?: Error | null) => void): Promise<void> {
    await this.idle()
    this.isFinished = true
    if (this.options.onFinalFlush === null) return void this.file.close().then(() => done(), done)
    const flushed = this.flushAll().finally(() => this.file.close())
    flushed.catch(() => {}) // the caller who waits for it hears of it; an upload refused meanwhile must not end the process
    this.options.onFinalFlush(flushed)
    done()
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.queue.length = 0
    const closed = this.isFinished ? Promise.resolve() : this.idle().then(() => this.file.close())
    closed.then(() => done(error), done)
  }

  /** Resolves when nothing waits for the disk. The stream may ask for its end while the queue is being handed on. */
  private async idle(): Promise<void> {
    if (this.writes.length === 0 && this.queue.length === 0) return
    await new Promise<void>((idle) => {
      this.onIdle = idle
    })
  }

  private startWrites(): void {
    const most = this.options.inOrder ? 1 : WRITES_AT_ONCE
    while (this.writes.length < most && this.queue.length > 0) {
      const buffers = takeFirst(this.queue, WRITE_BYTES)
      const start = this.position
      this.position += buffers.reduce((sum, buffer) => sum + buffer.length, 0)
      const write = { end: this.position, isDone: false }
      this.writes.push(write)
      this.writeAt(start, buffers, (error) => {
        write.isDone = true
        // At once: what waits for the last write must not take it for done.
        if (error) this.destroy(asStorageFault(error))
        this.written(write.end - start)
      })
    }
    if (this.writes.length === 0) this.onIdle?.()
  }

  /** By callback: with a promise for each of so many writes, those who follow promises (async_hooks) cost as much again. */
  private writeAt(position: number, buffers: Buffer[], done: (error: Error | null) => void): void {
    writev(this.file.fd, buffers, position, (error, bytesWritten) => {
      const rest = error ? [] : withoutFirst(buffers, bytesWritten)
      if (rest.length > 0) this.writeAt(position + bytesWritten, rest, done)
      else done(error)
    })
  }

  private written(bytes: number): void {
    for (let first = this.writes[0]; first?.isDone; first = this.writes[0]) {
      this.writes.shift()
      if (!this.destroyed) this.options.onWritten?.(first.end)
    }
    this.queuedBytes -= bytes
    this.unflushedBytes += bytes
    const isFlushed = this.options.onFinalFlush !== null
    if (isFlushed && this.unflushedBytes >= FLUSH_EVERY_BYTES && this.flushing === null && !this.destroyed)
      this.flushEarly()
    this.bytesSinceRoom += bytes
    if (this.bytesSinceRoom >= ROOM_EVERY_BYTES) {
      this.bytesSinceRoom = 0
      this.options.assertRoom?.().catch((error) => this.destroy(error))
    }
    if (this.queuedBytes <= QUEUE_BYTES / 2) this.proceed()
    this.startWrites()
  }

  private proceed(): void {
    const proceed = this.acceptMore
    this.acceptMore = null
    proceed?.()
  }

  private flushEarly(): void {
    this.unflushedBytes = 0
    this.flushing = this.file.datasync().catch(storageFault)
    this.flushing.then(
      () => {
        this.flushing = null
      },
      (error) => this.destroy(error),
    )
  }

  private async flushAll(): Promise<void> {
    await this.flushing
    await this.file.sync().catch(storageFault)
  }
}

/** Removes whole buffers from the front: as many as fit into `bytes`, and at least one. */
function takeFirst(queue: Buffer[], bytes: number): Buffer[] {
  let total = 0
  const end = queue.findIndex((buffer) => {
    total += buffer.length
    return total > bytes
  })
  return queue.splice(0, end === -1 ? queue.length : Math.max(1, end))
}

/** What is left of `buffers` once `count` bytes of them are written: the system may cut a write short. */
function withoutFirst(buffers: Buffer[], count: number): Buffer[] {
  let skipped = 0
  for (const [index, buffer] of buffers.entries()) {
    if (skipped + buffer.length > count) return [buffer.subarray(count - skipped), ...buffers.slice(index + 1)]
    skipped += buffer.length
  }
  return []
}

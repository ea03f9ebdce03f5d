import type { Hash } from 'node:crypto'
import type { Readable } from 'node:stream'
import { FileHash } from '@/lib/adapters/blob-store/file-hash'
import type { StagedBlob } from '@/lib/domain/kernel/blob-store'
import { watchPace } from '@/lib/http/exchange'

/** How a chunk ended: as it should, broken off by the client, or broken off by us for another request. */
export type ChunkEnd = 'whole' | 'cut' | 'yielded' | 'too_long'

/**
 * Writes a body behind the first `from` bytes of a staged blob, at most `limit` bytes of it. What arrived before a
 * break is stored: that is what resuming is about. Resolves once the bytes are handed to the system.
 */
export async function receiveChunk(
  body: Readable,
  staged: StagedBlob,
  options: {
    from: number
    limit: number
    /** Of this chunk alone. */
    hash: Hash | null
    onWritten?: (upTo: number) => void
    yieldTo: AbortSignal
    windowMs?: number
  },
): Promise<{ size: number; end: ChunkEnd }> {
  const sink = await staged.writable({
    from: options.from,
    expected: options.limit,
    resumable: true,
    onWritten: options.onWritten,
  })
  return new Promise((resolve, reject) => {
    let size = 0
    let how: ChunkEnd | null = null
    const end = (reason: ChunkEnd) => {
      if (how) return
      how = reason
      pace.stop()
      body.off('data', take)
      sink.end()
    }
    const take = (chunk: Buffer) => {
      if (size + chunk.length > options.limit) return end('too_long')
      size += chunk.length
      options.hash?.update(chunk)
      if (!sink.write(chunk)) body.pause()
    }
    const pace = watchPace(body, () => end('cut'), options.windowMs)

    sink.on('drain', () => body.resume())
    sink.on('finish', () => resolve({ size, end: how ?? 'cut' }))
    sink.on('error', (error) => {
      how ??= 'cut'
      pace.stop()
      body.off('data', take)
      reject(error)
    })
    body.on('end', () => end('whole'))
    body.on('error', () => end('cut'))
    body.on('close', () => end('cut'))
    options.yieldTo.addEventListener('abort', () => end('yielded'))
    if (options.yieldTo.aborted) end('yielded')
    else if (body.destroyed) end('cut')
    else body.on('data', take)
  })
}

/**
 * SHA-256 of uploads under way, continued from chunk to chunk. A chunk that went to another process, or a restart,
 * breaks the chain; then the staged bytes are read once more at the end.
 */
export class RunningHashes {
  private readonly known = new Map<string, { offset: number; hash: FileHash }>()

  /** A hash of the first `offset` bytes to go on with, or null when they passed by elsewhere. */
  resume(staged: StagedBlob, offset: number): FileHash | null {
    const entry = this.known.get(staged.id)
    this.known.delete(staged.id)
    if (entry?.offset === offset) return entry.hash
    entry?.hash.forget()
    return offset === 0 ? new FileHash(staged.path) : null
  }

  store(id: string, offset: number, hash: FileHash | null): void {
    if (hash === null) return
    this.known.set(id, { offset, hash })
    if (this.known.size > 10_000) this.forget(this.known.keys().next().value ?? id)
  }

  forget(id: string): void {
    this.known.get(id)?.hash.forget()
    this.known.delete(id)
  }

  /** Lower-case hex. */
  digest(staged: StagedBlob, size: number): Promise<string> {
    return (this.resume(staged, size) ?? new FileHash(staged.path)).finish(size)
  }
}

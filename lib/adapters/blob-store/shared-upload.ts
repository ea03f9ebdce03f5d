import { createWriteStream } from 'node:fs'
import { open, stat, truncate } from 'node:fs/promises'
import type { Readable, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type ResumableBlob, StorageUnavailable, type WriteOptions } from '@/lib/domain/kernel/blob-store'
import type { StagedFile } from './staged-file'
import type { StagingFolder } from './staging-folder'

/** Bytes of a resumable upload that every process finds. */
export type Part = { offset: number; size: number }

/** Where the parts of resumable uploads are stored until their file is whole. */
export interface PartStore {
  list(id: string): Promise<Part[]>
  /** Throws when other bytes are there already. */
  put(id: string, offset: number, bytes: Buffer): Promise<void>
  get(id: string, offset: number): Promise<Readable>
  remove(id: string, offset: number): Promise<void>
}

/** Small enough to lose little when a process is killed, and to be held in memory. */
const PART_BYTES = 8 * 1024 * 1024
const REQUESTS_AT_ONCE = 8
const MOST_COPIES = 10_000

/** The parts that follow each other from the first byte to `end`, and those that do not belong to them. */
type Found = { end: number; chain: Part[]; strays: Part[] }
type Range = { start: number; end: number }
/** What this process has of an upload on its own disk; `ranges` are the bytes that are parts as well. */
type LocalCopy = { file: StagedFile; inode: number; ranges: Range[] }

/** The uploads of one process over a store that all machines share. */
export class SharedUploads {
  private readonly copies = new Map<string, LocalCopy>()

  constructor(
    private readonly staging: StagingFolder,
    private readonly parts: PartStore,
  ) {}

  open(id: string): ResumableBlob {
    return new SharedUpload(id, this.staging.copyPath(id), this.parts, {
      open: () => this.copyOf(id),
      discard: () => this.forget(id),
    })
  }

  private async copyOf(id: string): Promise<LocalCopy> {
    const file = await this.staging.copy(id)
    const { ino } = await stat(file.path)
    const known = this.copies.get(id)
    // A copy that was swept begins anew.
    if (known?.inode === ino) return known
    const copy = { file, inode: ino, ranges: [] }
    this.copies.set(id, copy)
    const oldest = this.copies.keys().next().value
    if (this.copies.size > MOST_COPIES && oldest) await this.forget(oldest)
    return copy
  }

  private async forget(id: string): Promise<void> {
    const copy = this.copies.get(id)
    this.copies.delete(id)
    await copy?.file.discard()
  }
}

/**
 * A resumable upload whose acknowledged bytes lie in the store as parts, each beginning where the one before ends. The
 * process that receives bytes writes them to a copy of its own first and publishes them from there; the one that gets
 * the last byte fetches what others received, because decoders need a whole file on the disk.
 */
class SharedUpload implements ResumableBlob {
  private found: Found | undefined
  /** Up to here parts are stored or on their way. */
  private scheduled: number | undefined
  private publishing: Promise<void> = Promise.resolve()

  constructor(
    readonly id: string,
    readonly path: string,
    private readonly parts: PartStore,
    private readonly local: { open(): Promise<LocalCopy>; discard(): Promise<void> },
  ) {}

  async size(): Promise<number> {
    return (await this.inspect()).end
  }

  async writable({ from = 0, ...options }: WriteOptions = {}): Promise<Writable> {
    const { end, chain, strays } = this.found ?? (await this.inspect())
    if (from > end) throw new RangeError(`Cannot write from byte ${from} on: only ${end} are there.`)
    const later = chain.filter(({ offset, size }) => offset + size > from)
    if (later.some(({ offset }) => offset < from)) throw new RangeError(`Byte ${from} lies within a stored part.`)
    // What a process wrote that had lost the upload, or could not finish, must not stand in the way.
    await inTurns([...strays, ...later], ({ offset }) => this.parts.remove(this.id, offset))
    this.found = undefined
    this.scheduled = from
    const copy = await this.local.open()
    copy.ranges = copy.ranges.filter(({ start }) => start < from).map((r) => ({ ...r, end: Math.min(r.end, from) }))
    if ((await copy.file.size()) < from) await truncate(copy.file.path, from)
    return copy.file.writable({ from, ...options })
  }

  written(upTo: number): void {
    while (this.scheduled !== undefined && upTo - this.scheduled >= PART_BYTES)
      this.schedule(this.scheduled + PART_BYTES)
  }

  async publish(upTo: number): Promise<void> {
    while (this.scheduled !== undefined && this.scheduled < upTo)
      this.schedule(Math.min(upTo, this.scheduled + PART_BYTES))
    await this.publishing
  }

  async collect(): Promise<void> {
    const { end, chain } = await this.inspect()
    const copy = await this.local.open()
    await truncate(copy.file.path, end)
    const missing = chain.filter(({ offset, size }) => !covers(copy.ranges, offset, offset + size))
    await inTurns(missing, async ({ offset, size }) => {
      const sink = createWriteStream(copy.file.path, { flags: 'r+', start: offset })
      await pipeline(await this.parts.get(this.id, offset), sink).catch((error: unknown) => {
        throw error instanceof StorageUnavailable ? error : unreadable(this.id, offset, error)
      })
      if (sink.bytesWritten !== size) throw unreadable(this.id, offset)
      add(copy.ranges, offset, offset + size)
    })
  }

  async sync(): Promise<void> {
    await (await this.local.open()).file.sync()
  }

  async discard(): Promise<void> {
    await this.local.discard()
    await inTurns(await this.parts.list(this.id), ({ offset }) => this.parts.remove(this.id, offset))
  }

  private async inspect(): Promise<Found> {
    const all = (await this.parts.list(this.id)).sort((a, b) => a.offset - b.offset)
    const chain: Part[] = []
    let end = 0
    for (const part of all) {
      if (part.offset !== end) continue
      chain.push(part)
      end += part.size
    }
    this.found = { end, chain, strays: all.filter((part) => !chain.includes(part)) }
    return this.found
  }

  /** One part after the other, so that none is missing before one that is there. */
  private schedule(end: number): void {
    const start = this.scheduled ?? 0
    this.scheduled = end
    this.publishing = this.publishing.then(() => this.store(start, end))
    this.publishing.catch(() => {}) // `publish` throws it
  }

  private async store(start: number, end: number): Promise<void> {
    const copy = await this.local.open()
    const bytes = Buffer.allocUnsafe(end - start)
    const file = await open(copy.file.path, 'r')
    try {
      const { bytesRead } = await file.read(bytes, 0, bytes.length, start)
      if (bytesRead !== bytes.length) throw new Error(`Only ${bytesRead} of ${bytes.length} bytes are in the copy.`)
    } finally {
      await file.close()
    }
    await this.parts.put(this.id, start, bytes)
    add(copy.ranges, start, end)
  }
}

function covers(ranges: readonly Range[], start: number, end: number): boolean {
  return ranges.some((range) => range.start <= start && range.end >= end)
}

function add(ranges: Range[], start: number, end: number): void {
  const touching = ranges.filter((range) => range.end >= start && range.start <= end)
  const whole = {
    start: Math.min(start, ...touching.map((range) => range.start)),
    end: Math.max(end, ...touching.map((range) => range.end)),
  }
  ranges.splice(0, ranges.length, ...ranges.filter((range) => !touching.includes(range)), whole)
}

async function inTurns<T>(items: readonly T[], act: (item: T) => Promise<void>): Promise<void> {
  const waiting = [...items]
  const turn = async () => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) await act(item)
  }
  await Promise.all(Array.from({ length: REQUESTS_AT_ONCE }, turn))
}

const unreadable = (id: string, offset: number, cause?: unknown) =>
  new StorageUnavailable('failed', `The part at byte ${offset} of the upload ${id} cannot be read whole.`, { cause })

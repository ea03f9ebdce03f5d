import type { Readable, Writable } from 'node:stream'
import { DomainError } from './errors'

/**
 * Where an object lives: `files/{uuid}` is what a user uploaded, `derived/{uuid}/{part}` is something made from it,
 * such as `derived/{uuid}/thumb-320.webp`, `service/{name}` belongs to the service itself. A key never holds anything a
 * person typed.
 */
export type BlobKey = `files/${string}` | `derived/${string}/${string}` | `service/${string}`

const uuid = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}'
const name = '[a-z0-9][a-z0-9-]{0,39}(?:\\.[a-z0-9]{1,5})?'
const keyPattern = new RegExp(`^(?:files/${uuid}|derived/${uuid}/${name}|service/${name})$`)
const uuidPattern = new RegExp(`^${uuid}$`)

export function isBlobKey(value: string): value is BlobKey {
  return keyPattern.test(value)
}

/** True for the lower-case form of a UUID, which is what names staged objects. */
export function isStagedId(value: string): boolean {
  return uuidPattern.test(value)
}

/** The first and the last byte wanted, both included, counted from 0. */
export interface ByteRange {
  start: number
  end: number
}

export interface WriteOptions {
  /** Cuts the object to so many bytes and writes after them; default 0. */
  from?: number
  /** Whatever ends the process, the object then holds the bytes from the first to some last one, without a hole. */
  resumable?: boolean
  /** Hears, again and again, that all bytes before this one are in the object. */
  onWritten?: (upTo: number) => void
  /** An upload of so many bytes, 0 where that is not known: it is refused as `full` before it takes the last of the disk. */
  expected?: number
  /** A copy of bytes that are durable elsewhere: they are not flushed to the disk, unless `sync` asks for it. */
  isCopy?: boolean
}

/**
 * Bytes on their way in: a temporary object on the local disk, because decoders need a path. It is no file until
 * it is committed.
 */
export interface StagedBlob {
  readonly id: string
  readonly path: string
  /** How many bytes it holds now. */
  size(): Promise<number>
  /** Takes bytes. Finished means handed to the system. */
  writable(options?: WriteOptions): Promise<Writable>
  /** Makes its bytes survive a power cut; cheap when they already do. */
  sync(): Promise<void>
  /** Removes it; nothing happens when it is already gone or committed. */
  discard(): Promise<void>
}

/**
 * The temporary object of a resumable upload. `size` counts what every process finds that works on it; `path` holds that
 * after `collect`.
 */
export interface ResumableBlob extends StagedBlob {
  /** Hears that all bytes before this one are written and stay. */
  written(upTo: number): void
  /** Resolves once every process finds all bytes before this one. */
  publish(upTo: number): Promise<void>
  /** Fetches what other processes received. */
  collect(): Promise<void>
}

export interface CommitOptions {
  replace?: boolean
  keepStaged?: boolean
}

export interface SweepOptions {
  olderThan: Date
  /** Those of the ids whose resumable upload is under way. */
  areOpen(ids: string[]): Promise<ReadonlySet<string>>
}

/** Which objects of `files/` and `derived/` to list; those of `service/` are never listed. */
export interface ListOptions {
  /** Only those whose UUID was made then or later (version 7 begins with the time, RFC 9562). */
  since?: Date
  /** Only what was made from the one with this UUID: `derived/{uuid}/…`. */
  derivedOf?: string
}

/** The smallest UUID (version 7) of that millisecond: 48 bits of milliseconds since 1970 come first. */
function firstIdOf(date: Date): string {
  const hex = Math.max(0, date.getTime()).toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`
}

/** The folders that the options name, each with the first UUID wanted in it. */
export function placesOf({ since, derivedOf }: ListOptions): { below: string; from: string }[] {
  if (derivedOf !== undefined) return [{ below: `derived/${derivedOf}/`, from: '' }]
  const from = since ? firstIdOf(since) : ''
  return [
    { below: 'files/', from },
    { below: 'derived/', from },
  ]
}

export interface StoredBlob {
  key: BlobKey
  size: number
  modifiedAt: Date
}

/** One upload that a client sends to the store itself. `handle` is the store's own name for it. */
export type DirectUpload = { id: string; handle: string }

/** Parts are numbered from 1 on and follow each other. */
export type UploadPart = { number: number; size: number }

/** What a client sent, on the local disk. */
export type FetchedUpload = { staged: StagedBlob; size: number; sha256: string }

/**
 * Uploads whose bytes a client sends to the store itself, in parts, each to a signed address. What arrives lies under
 * `incoming/{id}`, which is no object's key: it counts only once it was fetched, validated, and copied to one.
 */
export interface DirectUploads {
  /** Begins an upload, and returns its handle. */
  begin(id: string): Promise<string>
  /**
   * An address for each part, valid for `ADDRESS_SECONDS`, which takes a PUT of exactly so many bytes for this part of
   * this upload and nothing else.
   */
  sign(upload: DirectUpload, parts: readonly UploadPart[]): Promise<string[]>
  /** The parts that have arrived, in their order. BlobNotFound when the upload is gone, or was assembled. */
  parts(upload: DirectUpload): Promise<UploadPart[]>
  /**
   * Makes one of exactly these parts; after that none can be sent any more. Again: the same.
   * @returns its version, which changes with its bytes; null when other parts arrived than these
   */
  assemble(upload: DirectUpload, parts: readonly UploadPart[]): Promise<string | null>
  /**
   * Fetches this version of what was assembled, hashed on the way. `commit` of its staged object copies it inside the
   * store, and only while it is still that version.
   */
  fetch(upload: DirectUpload, version: string, onWritten: (path: string, upTo: number) => void): Promise<FetchedUpload>
  /** Removes all that arrived, assembled or not; nothing happens when it is gone. */
  remove(upload: DirectUpload): Promise<void>
  /** Why pages of this origin cannot send to the store; null when they can. */
  obstacleFor(origin: string): Promise<string | null>
}

/** So long a signed address takes a part: it is asked for shortly before the part is sent. */
export const ADDRESS_SECONDS = 10 * 60

/** Where files are stored. Every method may throw StorageUnavailable. */
export interface BlobStore {
  /** Null where clients cannot send to the store itself. */
  readonly direct: DirectUploads | null
  /** A new, empty temporary object. It belongs to this process and is swept when the process is gone. */
  stage(): Promise<StagedBlob>
  /**
   * The temporary object of a resumable upload, as it was left, or a new one. It survives a restart, and is swept when
   * no upload under this id is under way any more. One request at a time may write to it.
   */
  resume(id: string): Promise<ResumableBlob>
  /**
   * Makes a temporary object permanent. Once it resolves, the object survives a power cut; write the row after that.
   * An existing key is refused with BlobExists, unless `replace` is set: derived objects may be made again.
   * `keepStaged` leaves the temporary object for the caller to discard, so that its bytes are still there should the
   * process die before the row is written.
   */
  commit(staged: StagedBlob, key: BlobKey, options?: CommitOptions): Promise<void>
  /** The bytes, or those of a range. BlobNotFound when there is no such object. */
  read(key: BlobKey, range?: ByteRange): Promise<Readable>
  /** Length in bytes. BlobNotFound when there is no such object. */
  size(key: BlobKey): Promise<number>
  /** Removes an object; removing what is not there is no error. */
  delete(key: BlobKey): Promise<void>
  /** The permanent objects, for the sweeper and for moving between stores. */
  list(options?: ListOptions): AsyncIterable<StoredBlob>
  /**
   * Removes the temporary objects of processes of this machine that are gone, those of resumable uploads that
   * `areOpen` does not know (any more), and what was last written before `olderThan`; says how many.
   */
  sweepStaged(options: SweepOptions): Promise<number>
  /** Runs `use` with a local path to the bytes, valid until `use` settles. Read only. */
  localPath<T>(key: BlobKey, use: (path: string) => Promise<T>): Promise<T>
  /**
   * An address from which the bytes can be read without asking us, for a quarter of an hour, as this type and disposition;
   * null where the store has none.
   */
  link(key: BlobKey, as: { contentType: string; contentDisposition: string }): Promise<string | null>
  /** Writes, reads, compares and deletes a small object: is the store usable at all? */
  prove(): Promise<void>
}

const IS_FULL =
  'The file storage is full. Nothing was stored; try again when the operators of this service have made room.'
const CANNOT_BE_USED = 'The file storage cannot be used at the moment. Nothing was stored; try again shortly.'

/** The store cannot do its work now. Clients hear `unavailable`; `explanation` is for the operator of the server. */
export class StorageUnavailable extends DomainError {
  constructor(
    readonly reason: 'full' | 'forbidden' | 'read_only' | 'failed',
    readonly explanation: string,
    options: { cause?: unknown } = {},
  ) {
    super('unavailable', reason === 'full' ? IS_FULL : CANNOT_BE_USED, { retryAfter: 30 })
    this.name = 'StorageUnavailable'
    this.cause = options.cause
  }
}

export class BlobNotFound extends Error {
  override readonly name = 'BlobNotFound'
  constructor(readonly key: string) {
    super(`There is no stored object "${key}".`)
  }
}

export class BlobExists extends Error {
  override readonly name = 'BlobExists'
  constructor(readonly key: string) {
    super(`A stored object "${key}" is already there and is not to be overwritten.`)
  }
}

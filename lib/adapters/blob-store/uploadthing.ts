import { createReadStream, createWriteStream, openAsBlob } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream } from 'node:stream/web'
import { UTApi, UTFile } from 'uploadthing/server'
import {
  BlobExists,
  type BlobKey,
  BlobNotFound,
  type BlobStore,
  type ByteRange,
  type CommitOptions,
  isBlobKey,
  type ListOptions,
  placesOf,
  type ResumableBlob,
  type StagedBlob,
  StorageUnavailable,
  type StoredBlob,
  type SweepOptions,
} from '@/lib/domain/kernel/blob-store'
import { sameBytes } from './compare'
import { withIdleTimeout } from './idle-timeout'
import { proveStore } from './prove'
import type { RemoteIndex } from './remote-index'
import { sendForm } from './send-form'
import type { StagingFolder } from './staging-folder'
import { INCOMING } from './uploadthing-files'

export type UploadThingOptions = {
  token: string
  /** What nothing moves for so long is given up, milliseconds. */
  idleTimeoutMs?: number
  /** Other servers than the hosted ones. */
  apiUrl?: string
  ingestUrl?: string
  ufsHost?: string
  ufsAppIdLocation?: 'path' | 'subdomain'
}

type UTOptions = NonNullable<ConstructorParameters<typeof UTApi>[0]>

const READ_LINK_SECONDS = 60 * 60
const IDLE_TIMEOUT_MS = 30_000
/** The slowest line an upload may come over before it is given up. */
const SLOWEST_BYTES_PER_MS = 500
const PAGE = 500

/**
 * Objects at UploadThing. It names them itself, and a name of our own could never be used twice there
 * (pingdotgg/uploadthing#948), so an index of ours says which of its files is which object. A file counts only once the
 * index names it, and the index names it only once its bytes were read back and compared.
 */
export class UploadThingBlobStore implements BlobStore {
  readonly direct = null
  private readonly api: UTApi
  private readonly options: UTOptions
  private readonly idleTimeoutMs: number

  constructor(
    private readonly staging: StagingFolder,
    private readonly index: RemoteIndex,
    { idleTimeoutMs = IDLE_TIMEOUT_MS, ...options }: UploadThingOptions,
  ) {
    this.idleTimeoutMs = idleTimeoutMs
    this.options = { logLevel: 'None', ...options }
    dropOwnWarnings()
    this.api = new UTApi(this.options)
  }

  stage(): Promise<StagedBlob> {
    return this.staging.stage()
  }

  resume(id: string): Promise<ResumableBlob> {
    return this.staging.resume(id)
  }

  async commit(staged: StagedBlob, key: BlobKey, options: CommitOptions = {}): Promise<void> {
    check(key)
    const size = await staged.size()
    const before = await this.index.find(key)
    if (before && !options.replace) throw new BlobExists(key)
    const remoteKey = await this.send(staged, key, size)
    try {
      const [sent, remote] = [createReadStream(staged.path), await this.fetch(remoteKey)]
      if (!(await sameBytes(remote, sent).catch(asFault))) {
        throw new StorageUnavailable(
          'failed',
          `UploadThing does not hold what was sent to it as ${key}; it was removed.`,
        )
      }
      const isOurs = await this.index.put(key, { remoteKey, size }, options.replace ?? false)
      if (!isOurs) throw new BlobExists(key)
    } catch (error) {
      // What stays behind when this fails, too, is no object's file: the sweeper removes it.
      await this.remove(remoteKey).catch(() => {})
      throw error
    }
    if (before) await this.remove(before.remoteKey).catch(() => {})
    if (!options.keepStaged) await staged.discard()
  }

  async read(key: BlobKey, range?: ByteRange): Promise<Readable> {
    const { remoteKey } = await this.find(key)
    return this.fetch(remoteKey, range)
  }

  async size(key: BlobKey): Promise<number> {
    return (await this.find(key)).size
  }

  async delete(key: BlobKey): Promise<void> {
    check(key)
    const known = await this.index.find(key)
    if (!known) return
    await this.remove(known.remoteKey)
    await this.index.delete(key)
  }

  async *list(options: ListOptions = {}): AsyncIterable<StoredBlob> {
    for (const { below, from } of placesOf(options))
      for await (const { key, size, modifiedAt } of this.index.list(below, below + from))
        if (isBlobKey(key)) yield { key, size, modifiedAt }
  }

  /** Also removes files of ours at UploadThing that no object is: their upload was cut off before it was written down. */
  async sweepStaged(options: SweepOptions): Promise<number> {
    const known = new Set<string>()
    for await (const { remoteKey } of this.index.list()) known.add(remoteKey)
    const orphans: string[] = []
    for (let offset = 0; ; offset += PAGE) {
      const { files, hasMore } = await this.api.listFiles({ limit: PAGE, offset }).catch(asFault)
      for (const { key, name, uploadedAt, status } of files) {
        const isOurs = name.startsWith(INCOMING) || isBlobKey(name.replaceAll(':', '/'))
        if (isOurs && status === 'Uploaded' && !known.has(key) && uploadedAt < options.olderThan.getTime())
          orphans.push(key)
      }
      if (!hasMore) break
    }
    if (orphans.length > 0) await this.api.deleteFiles(orphans).catch(asFault)
    return orphans.length + (await this.staging.sweep(options))
  }

  async localPath<T>(key: BlobKey, use: (path: string) => Promise<T>): Promise<T> {
    const { size } = await this.find(key)
    const copy = await this.staging.stage()
    try {
      await pipeline(await this.read(key), createWriteStream(copy.path)).catch(asFault)
      const received = await copy.size()
      if (received !== size)
        throw new StorageUnavailable('failed', `UploadThing sent ${received} of the ${size} bytes of ${key}.`)
      return await use(copy.path)
    } finally {
      await copy.discard()
    }
  }

  /** It takes no name and type under which to hand a file out, so there is no address to give away. */
  async link(): Promise<null> {
    return null
  }

  prove(): Promise<void> {
    return proveStore(this)
  }

  private async find(key: BlobKey): Promise<{ remoteKey: string; size: number }> {
    check(key)
    const known = await this.index.find(key)
    if (!known) throw new BlobNotFound(key)
    return known
  }

  private async send(staged: StagedBlob, key: BlobKey, size: number): Promise<string> {
    const name = key.replaceAll('/', ':')
    const file = new UTFile([await openAsBlob(staged.path)], name, { type: 'application/octet-stream' })
    const signal = AbortSignal.timeout(Math.ceil(this.idleTimeoutMs + size / SLOWEST_BYTES_PER_MS))
    // Its client signs and addresses the upload; the bytes are sent here. Of one that was refused it reports no more than
    // that, so the status is seen on its way through.
    let status: number | undefined
    const send: NonNullable<UTOptions['fetch']> = async (url, init) => {
      const headers = Object.fromEntries(new Headers(init?.headers as HeadersInit))
      const part = { path: staged.path, name, size }
      const response = await sendForm(new URL(String(url)), headers, part, {
        signal,
        idleTimeoutMs: this.idleTimeoutMs,
      })
      status = response.status
      return response
    }
    const result = await new UTApi({ ...this.options, fetch: send })
      .uploadFiles(file, { acl: 'private', contentDisposition: 'attachment', signal })
      .catch(asFault)
    if (result.error) throw asFault({ status, message: result.error.message })
    return result.data.key
  }

  private async fetch(remoteKey: string, range?: ByteRange): Promise<Readable> {
    const { ufsUrl } = await this.api.generateSignedURL(remoteKey, { expiresIn: READ_LINK_SECONDS })
    const late = new AbortController()
    const timer = setTimeout(() => late.abort(new Error('no response came in time')), this.idleTimeoutMs)
    const headers: Record<string, string> = range ? { Range: `bytes=${range.start}-${range.end}` } : {}
    const response = await fetch(ufsUrl, { headers, signal: late.signal })
      .catch(asFault)
      .finally(() => clearTimeout(timer))
    if (response.status !== (range ? 206 : 200)) {
      await response.body?.cancel()
      throw asFault({ status: response.status, message: `it responded with ${response.status} to a read` })
    }
    if (!response.body) return Readable.from([])
    return withIdleTimeout(Readable.fromWeb(response.body as ReadableStream), this.idleTimeoutMs)
  }

  private async remove(remoteKey: string): Promise<void> {
    const { success } = await this.api.deleteFiles(remoteKey).catch(asFault)
    if (!success) throw new StorageUnavailable('failed', 'UploadThing did not delete a file it was asked to.')
  }
}

let isQuiet = false

/** Its client warns, at every upload, of two fields that only it reads. */
function dropOwnWarnings() {
  if (isQuiet) return
  isQuiet = true
  const warn = console.warn
  console.warn = (...args) => String(args[0]).includes('[uploadthing][deprecated]') || warn(...args)
}

function check(key: BlobKey) {
  if (!isBlobKey(key)) throw new TypeError(`"${key}" is not a key of the file storage.`)
}

/** What UploadThing or the way to it said, as a sentence for the administrator of the server. */
function asFault(error: unknown): never {
  if (error instanceof StorageUnavailable || error instanceof BlobExists) throw error
  const status = statusIn(error)
  const said = isRecord(error) ? String(error.message) : String(error)
  // Without its cause: that holds the request, and the request the key.
  if (status === 401 || status === 403) {
    throw new StorageUnavailable('forbidden', `UploadThing refuses the token (${status}); check UPLOADTHING_TOKEN.`)
  }
  if (status === 402 || status === 413 || status === 507) {
    throw new StorageUnavailable('full', `UploadThing takes no more (${status}): its plan is used up.`)
  }
  const reason = status === undefined ? said : `${status}, ${said}`
  throw new StorageUnavailable('failed', `UploadThing cannot be used: ${reason}.`)
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

/** Its client wraps responses several layers deep, in other shapes for each call. */
function statusIn(error: unknown, depth = 0): number | undefined {
  if (!isRecord(error) || depth > 5) return undefined
  if (typeof error.status === 'number') return error.status
  return ['response', 'cause', 'error', 'data'].map((name) => statusIn(error[name], depth + 1)).find((status) => status)
}

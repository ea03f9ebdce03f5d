import { createReadStream, createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import {
  AbortMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  type ListMultipartUploadsCommandOutput,
  ListObjectsV2Command,
  type MultipartUpload,
  PutObjectCommand,
  S3Client,
  type S3ClientConfig,
} from '@aws-sdk/client-s3'
import { Upload } from '@aws-sdk/lib-storage'
import { getSignedUrl } from '@aws-sdk/s3-request-presigner'
import {
  BlobExists,
  type BlobKey,
  BlobNotFound,
  type BlobStore,
  type ByteRange,
  type CommitOptions,
  isBlobKey,
  isStagedId,
  type ListOptions,
  placesOf,
  type ResumableBlob,
  type StagedBlob,
  StorageUnavailable,
  type StoredBlob,
  type SweepOptions,
} from '@/lib/domain/kernel/blob-store'
import { sameBytes } from './compare'
import { proveStore } from './prove'
import { S3DirectUploads } from './s3-direct'
import { faultOf, statusOf } from './s3-fault'
import { type Part, type PartStore, SharedUploads } from './shared-upload'
import type { StagingFolder } from './staging-folder'

export type S3Options = {
  bucket: string
  region: string
  /** Without one: Amazon's own. */
  endpoint?: string
  /** Without one: what the machine's role or the SDK's own variables give. */
  credentials?: { accessKeyId: string; secretAccessKey: string }
  /** The bucket in the path instead of the host name; what most other servers than Amazon's need. */
  pathStyle?: boolean
  /** Goes before every key, so that one bucket serves several installations: `greenroom/`. */
  prefix?: string
  /** A connection on which nothing moves for so long is given up, milliseconds. */
  idleTimeoutMs?: number
  /** What is larger is copied inside the bucket in parts of this size, bytes. */
  copyPartBytes?: number
}

/** S3 takes at most 10,000 parts of at least 5 MiB (Amazon S3 User Guide, "multipart upload limits"). */
const PART_BYTES = 8 * 1024 * 1024
const MAX_PARTS = 9_000
const PARTS_AT_ONCE = 4
const READ_BYTES = 1024 * 1024
const LINK_SECONDS = 15 * 60
const IDLE_TIMEOUT_MS = 15_000

type Condition = { IfNoneMatch?: '*' }

/**
 * Objects in a bucket of any S3-compatible server. An object becomes visible whole or not at all, is never overwritten
 * (`If-None-Match: *`, RFC 9110 section 13.1.2), and is believed in only when the server has confirmed its checksum or
 * it was read back and compared.
 */
export class S3BlobStore implements BlobStore {
  private readonly client: S3Client
  private readonly bucket: string
  private readonly prefix: string
  private readonly uploads: SharedUploads
  /** Amazon's server and most others; Swift, for one, answers 501 to any. */
  private takesConditions = true
  readonly direct: S3DirectUploads

  constructor(
    private readonly staging: StagingFolder,
    options: S3Options,
  ) {
    const idleTimeoutMs = options.idleTimeoutMs ?? IDLE_TIMEOUT_MS
    this.bucket = options.bucket
    this.prefix = options.prefix ?? ''
    this.uploads = new SharedUploads(staging, this.partStore())
    const config: S3ClientConfig = {
      region: options.region,
      ...(options.endpoint ? { endpoint: options.endpoint } : {}),
      ...(options.credentials ? { credentials: options.credentials } : {}),
      forcePathStyle: options.pathStyle ?? options.endpoint !== undefined,
      maxAttempts: 3,
      requestHandler: { connectionTimeout: Math.min(5_000, idleTimeoutMs), socketTimeout: idleTimeoutMs },
    }
    this.client = new S3Client(config)
    this.direct = new S3DirectUploads(staging, config, {
      bucket: this.bucket,
      prefix: this.prefix,
      idleTimeoutMs,
      copyPartBytes: options.copyPartBytes,
    })
  }

  stage(): Promise<StagedBlob> {
    return this.staging.stage()
  }

  async resume(id: string): Promise<ResumableBlob> {
    return this.uploads.open(id)
  }

  async commit(staged: StagedBlob, key: BlobKey, options: CommitOptions = {}): Promise<void> {
    const size = await staged.size()
    // Not every server knows the condition below; a check beforehand catches all but two writers at once.
    if (!options.replace && (await this.lengthOf(key)) !== null) throw new BlobExists(key)
    if (this.direct.holds(staged)) await this.copy(staged, key, size)
    else await this.send(staged, key, size, options)
    if (!options.keepStaged) await staged.discard()
  }

  /** What a client sent to the bucket itself is there already. */
  private async copy(staged: StagedBlob, key: BlobKey, size: number): Promise<void> {
    await this.direct.copy(staged, checked(key), size)
    if ((await this.size(key)) === size) return
    await this.delete(key)
    throw new StorageUnavailable('failed', `The bucket’s copy ${key} has another length; it was removed.`)
  }

  private async send(staged: StagedBlob, key: BlobKey, size: number, options: CommitOptions): Promise<void> {
    const upload = (condition: Condition) =>
      new Upload({
        client: this.client,
        queueSize: PARTS_AT_ONCE,
        partSize: Math.max(PART_BYTES, Math.ceil(size / MAX_PARTS)),
        params: {
          ...this.place(key),
          Body: createReadStream(staged.path, { highWaterMark: READ_BYTES }),
          ContentType: 'application/octet-stream',
          ...condition,
        },
      }).done()
    const result = await (options.replace ? upload({}) : this.unlessThere(upload)).catch((error: unknown) => {
      if (statusOf(error) === 412 || statusOf(error) === 409) throw new BlobExists(key)
      throw faultOf(error, this.bucket)
    })
    await this.confirm(key, staged, size, isConfirmed(result))
  }

  /** Sends with the condition that nothing lies there, and without it once the server has refused all conditions. */
  private async unlessThere<T>(send: (condition: Condition) => Promise<T>): Promise<T> {
    if (this.takesConditions) {
      try {
        return await send({ IfNoneMatch: '*' })
      } catch (error) {
        if (statusOf(error) !== 501) throw error
        this.takesConditions = false
      }
    }
    return send({})
  }

  read(key: BlobKey, range?: ByteRange): Promise<Readable> {
    return this.readObject(checked(key), range)
  }

  private async readObject(key: string, range?: ByteRange): Promise<Readable> {
    const { Body } = await this.client
      .send(
        new GetObjectCommand({
          ...this.placeOf(key),
          ...(range ? { Range: `bytes=${range.start}-${range.end}` } : {}),
        }),
      )
      .catch((error: unknown) => this.missing(key, error))
    if (!(Body instanceof Readable)) throw new StorageUnavailable('failed', 'The bucket responded without a body.')
    return Body
  }

  async size(key: BlobKey): Promise<number> {
    const length = await this.lengthOf(key)
    if (length === null) throw new BlobNotFound(key)
    return length
  }

  async delete(key: BlobKey): Promise<void> {
    await this.remove(checked(key))
  }

  private async remove(key: string): Promise<void> {
    const command = new DeleteObjectCommand(this.placeOf(key))
    await this.client.send(command).catch((error: unknown) => {
      if (statusOf(error) !== 404) throw faultOf(error, this.bucket)
    })
  }

  async *list(options: ListOptions = {}): AsyncIterable<StoredBlob> {
    for (const { below, from } of placesOf(options))
      for await (const { key, ...object } of this.objects(below, below + from))
        if (isBlobKey(key)) yield { key, ...object }
  }

  /** In the order of their keys; `after` is a key, or the beginning of one, that need not be there. */
  private async *objects(below: string, after = below): AsyncIterable<{ key: string; size: number; modifiedAt: Date }> {
    let from: string | undefined
    do {
      const page = await this.client
        .send(
          new ListObjectsV2Command({
            Bucket: this.bucket,
            Prefix: this.prefix + below,
            ...(from ? { ContinuationToken: from } : after === below ? {} : { StartAfter: this.prefix + after }),
          }),
        )
        .catch((error: unknown) => {
          throw faultOf(error, this.bucket)
        })
      for (const { Key, Size, LastModified } of page.Contents ?? [])
        yield { key: Key?.slice(this.prefix.length) ?? '', size: Size ?? 0, modifiedAt: LastModified ?? new Date(0) }
      from = page.IsTruncated ? page.NextContinuationToken : undefined
    } while (from)
  }

  /** Also ends uploads in parts that were never finished: their parts are invisible and paid for. */
  async sweepStaged(options: SweepOptions): Promise<number> {
    let ended = 0
    for await (const uploads of this.multipartUploads()) ended += await this.endUnfinished(uploads, options)
    return ended + (await this.sweepParts(options)) + (await this.staging.sweep(options))
  }

  /** Multipart uploads that are not complete, page by page. */
  private async *multipartUploads(): AsyncGenerator<MultipartUpload[]> {
    let after: { KeyMarker?: string; UploadIdMarker?: string } | null = {}
    while (after) {
      const page: ListMultipartUploadsCommandOutput | null = await this.client
        .send(new ListMultipartUploadsCommand({ Bucket: this.bucket, Prefix: this.prefix, ...after }))
        .catch((error: unknown) => {
          // Some servers cannot list them; they end them by a rule of their own.
          if ([400, 404, 405, 501].includes(statusOf(error) ?? 0)) return null
          throw faultOf(error, this.bucket)
        })
      yield page?.Uploads ?? []
      after =
        page?.IsTruncated && page.NextKeyMarker
          ? { KeyMarker: page.NextKeyMarker, UploadIdMarker: page.NextUploadIdMarker }
          : null
    }
  }

  /** Ends those that are old and that no client goes on with; says how many. */
  private async endUnfinished(uploads: readonly MultipartUpload[], { olderThan, areOpen }: SweepOptions) {
    const old = uploads.filter(({ Initiated }) => Initiated !== undefined && Initiated < olderThan)
    // Those of clients may take longer.
    const idOf = (key = '') => key.slice(this.prefix.length).match(/^incoming\/(.+)$/)?.[1] ?? ''
    const ids = old.map(({ Key }) => idOf(Key)).filter(isStagedId)
    const open = ids.length > 0 ? await areOpen(ids) : new Set()
    const stale = old.filter(({ Key }) => !open.has(idOf(Key)))
    for (const { Key, UploadId } of stale) {
      await this.client
        .send(new AbortMultipartUploadCommand({ Bucket: this.bucket, Key, UploadId }))
        .catch((error: unknown) => {
          if (statusOf(error) !== 404) throw faultOf(error, this.bucket)
        })
    }
    return stale.length
  }

  private async sweepParts({ areOpen }: SweepOptions): Promise<number> {
    const keys: string[] = []
    for await (const { key } of this.objects('staged/')) keys.push(key)
    const idOf = (key: string) => key.split('/')[1] ?? ''
    const ids = [...new Set(keys.map(idOf))].filter(isStagedId)
    const open = ids.length > 0 ? await areOpen(ids) : new Set()
    const unclaimed = keys.filter((key) => !open.has(idOf(key)))
    for (const key of unclaimed) await this.remove(key)
    return unclaimed.length
  }

  /** Each part is an object named by the offset of its first byte: `staged/{uuid}/{offset}`. */
  private partStore(): PartStore {
    const keyOf = (id: string, offset: number) => `staged/${id}/${String(offset).padStart(16, '0')}`
    return {
      list: async (id) => {
        const parts: Part[] = []
        for await (const { key, size } of this.objects(`staged/${id}/`))
          parts.push({ offset: Number(key.split('/')[2]), size })
        return parts
      },
      put: (id, offset, bytes) => this.putPart(keyOf(id, offset), bytes),
      get: (id, offset) => this.readObject(keyOf(id, offset)),
      remove: (id, offset) => this.remove(keyOf(id, offset)),
    }
  }

  private async putPart(key: string, bytes: Buffer): Promise<void> {
    const put = (condition: Condition) =>
      this.client.send(new PutObjectCommand({ ...this.placeOf(key), Body: bytes, ...condition }))
    const result = await this.unlessThere(put).catch((error: unknown) => {
      // There already: of an attempt whose response was lost, or of a process that went on with the upload meanwhile.
      if (statusOf(error) === 412 || statusOf(error) === 409) return {}
      throw faultOf(error, this.bucket)
    })
    if (isConfirmed(result) || (await sameBytes(await this.readObject(key), Readable.from([bytes])))) return
    throw new StorageUnavailable('failed', `The bucket holds other bytes than were sent to it as ${key}.`)
  }

  async localPath<T>(key: BlobKey, use: (path: string) => Promise<T>): Promise<T> {
    const size = await this.size(key)
    const copy = await this.staging.stage()
    try {
      await pipeline(await this.read(key), createWriteStream(copy.path)).catch((error: unknown) => {
        throw error instanceof StorageUnavailable ? error : faultOf(error, this.bucket)
      })
      if ((await copy.size()) !== size)
        throw new StorageUnavailable('failed', `The bucket sent ${await copy.size()} of the ${size} bytes of ${key}.`)
      return await use(copy.path)
    } finally {
      await copy.discard()
    }
  }

  link(key: BlobKey, headers: { contentType: string; contentDisposition: string }): Promise<string> {
    const command = new GetObjectCommand({
      ...this.place(key),
      ResponseContentType: headers.contentType,
      ResponseContentDisposition: headers.contentDisposition,
      ResponseCacheControl: 'private, no-store',
    })
    return getSignedUrl(this.client, command, { expiresIn: LINK_SECONDS })
  }

  prove(): Promise<void> {
    return proveStore(this)
  }

  private place(key: BlobKey) {
    return this.placeOf(checked(key))
  }

  private placeOf(key: string) {
    return { Bucket: this.bucket, Key: this.prefix + key }
  }

  private async lengthOf(key: BlobKey): Promise<number | null> {
    try {
      return (await this.client.send(new HeadObjectCommand(this.place(key)))).ContentLength ?? 0
    } catch (error) {
      if (statusOf(error) === 404) return null
      throw faultOf(error, this.bucket)
    }
  }

  /** The object is what was sent: its length always, its bytes by the server's checksum or by reading them back. */
  private async confirm(key: BlobKey, staged: StagedBlob, size: number, byChecksum: boolean): Promise<void> {
    const stored = await this.size(key)
    if (stored === size && (byChecksum || (await sameBytes(await this.read(key), createReadStream(staged.path)))))
      return
    await this.delete(key)
    throw new StorageUnavailable('failed', `The bucket does not hold what was sent to it as ${key}; it was removed.`)
  }

  private missing(key: string, error: unknown): never {
    if (statusOf(error) === 404 && (error as Error).name !== 'NoSuchBucket') throw new BlobNotFound(key)
    throw faultOf(error, this.bucket)
  }
}

function checked(key: BlobKey): BlobKey {
  if (!isBlobKey(key)) throw new TypeError(`"${key}" is not a key of the file storage.`)
  return key
}

/** The SDK sends a CRC-32 with every piece; a server that checked it says so. */
const isConfirmed = (result: { ChecksumCRC32?: string | undefined }) => result.ChecksumCRC32 !== undefined

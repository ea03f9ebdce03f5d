import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import {
  AbortMultipartUploadCommand,
  type CompletedPart,
  CompleteMultipartUploadCommand,
  CopyObjectCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListPartsCommand,
  type Part,
  S3Client,
  type S3ClientConfig,
  UploadPartCommand,
  UploadPartCopyCommand,
} from '@aws-sdk/client-s3'
import { getSignedUrl } from '@aws-sdk/s3-request-presigner'
import {
  ADDRESS_SECONDS,
  BlobNotFound,
  type DirectUpload,
  type DirectUploads,
  type FetchedUpload,
  type StagedBlob,
  StorageUnavailable,
  type UploadPart,
} from '@/lib/domain/kernel/blob-store'
import { FileHash } from './file-hash'
import { faultOf, statusOf } from './s3-fault'
import type { StagingFolder } from './staging-folder'

/** One request may copy at most 5 GiB (Amazon S3 API reference, CopyObject); several at once are faster. */
const COPY_PART_BYTES = 512 * 1024 ** 2
const COPIES_AT_ONCE = 4
const OCTETS = 'application/octet-stream'

type Source = { id: string; version: string }
type CopyFrom = { CopySource: string; CopySourceIfMatch?: string }

/**
 * Direct uploads by S3's multipart uploads. A signed address is bound to method, key, multipart upload, part number and
 * length (`content-length` is among its signed headers), so that it can bring nothing but that part. Once assembled, the
 * multipart upload is gone and with it all its addresses; the ETag then names the bytes that are fetched and copied.
 */
export class S3DirectUploads implements DirectUploads {
  private readonly client: S3Client
  private readonly sources = new WeakMap<StagedBlob, Source>()

  constructor(
    private readonly staging: StagingFolder,
    config: S3ClientConfig,
    private readonly options: { bucket: string; prefix: string; idleTimeoutMs: number; copyPartBytes?: number },
  ) {
    // Browsers send no checksums, and an upload that is begun with an algorithm takes no part without one.
    this.client = new S3Client({ ...config, requestChecksumCalculation: 'WHEN_REQUIRED' })
  }

  async begin(id: string): Promise<string> {
    const command = new CreateMultipartUploadCommand({ ...this.placeOf(id), ContentType: OCTETS })
    const { UploadId } = await this.client.send(command).catch(this.fault)
    if (!UploadId) throw new StorageUnavailable('failed', 'The bucket began an upload without saying which.')
    return UploadId
  }

  sign(upload: DirectUpload, parts: readonly UploadPart[]): Promise<string[]> {
    return Promise.all(
      parts.map(({ number, size }) => {
        const command = new UploadPartCommand({ ...this.uploadOf(upload), PartNumber: number, ContentLength: size })
        return getSignedUrl(this.client, command, { expiresIn: ADDRESS_SECONDS }).catch(this.fault)
      }),
    )
  }

  async parts(upload: DirectUpload): Promise<UploadPart[]> {
    const listed = await this.list(upload)
    if (!listed) throw new BlobNotFound(`incoming/${upload.id}`)
    return listed.map(({ PartNumber = 0, Size = 0 }) => ({ number: PartNumber, size: Size }))
  }

  async assemble(upload: DirectUpload, parts: readonly UploadPart[]): Promise<string | null> {
    const listed = await this.list(upload)
    if (!listed) return this.version(upload)
    const isAsPlanned =
      listed.length === parts.length &&
      parts.every(({ number, size }, index) => listed[index]?.PartNumber === number && listed[index]?.Size === size)
    if (!isAsPlanned) return null
    const Parts = listed.map(({ PartNumber, ETag }): CompletedPart => ({ PartNumber, ETag }))
    const command = new CompleteMultipartUploadCommand({ ...this.uploadOf(upload), MultipartUpload: { Parts } })
    try {
      const { ETag } = await this.client.send(command)
      return ETag ?? (await this.version(upload))
    } catch (error) {
      // Assembled at the same moment by another process, or by an attempt whose response was lost.
      if (statusOf(error) === 404) return this.version(upload)
      return this.fault(error)
    }
  }

  async fetch(
    { id }: DirectUpload,
    version: string,
    onWritten: (path: string, upTo: number) => void,
  ): Promise<FetchedUpload> {
    const { Body } = await this.client
      .send(new GetObjectCommand({ ...this.placeOf(id), IfMatch: version }))
      .catch((error: unknown) => {
        if (statusOf(error) === 404) throw new BlobNotFound(`incoming/${id}`)
        throw statusOf(error) === 412 ? replaced(id) : faultOf(error, this.options.bucket)
      })
    if (!(Body instanceof Readable)) throw new StorageUnavailable('failed', 'The bucket responded without a body.')
    const staged = await this.staging.stage()
    const hash = new FileHash(staged.path)
    try {
      const sink = await staged.writable({
        isCopy: true,
        expected: 0,
        onWritten: (upTo) => {
          hash.follow(upTo)
          onWritten(staged.path, upTo)
        },
      })
      await pipeline(Body, sink).catch(this.fault)
      const size = await staged.size()
      this.sources.set(staged, { id, version })
      return { staged, size, sha256: await hash.finish(size) }
    } catch (error) {
      hash.forget()
      await staged.discard()
      throw error
    }
  }

  async remove(upload: DirectUpload): Promise<void> {
    await this.gone(this.client.send(new AbortMultipartUploadCommand(this.uploadOf(upload))))
    await this.gone(this.client.send(new DeleteObjectCommand(this.placeOf(upload.id))))
  }

  /** Asks as a browser does before it sends (Fetch Standard, "CORS-preflight request"). */
  async obstacleFor(origin: string): Promise<string | null> {
    const [address = ''] = await this.sign({ id: 'preflight', handle: 'preflight' }, [{ number: 1, size: 1 }])
    const headers = { Origin: origin, 'Access-Control-Request-Method': 'PUT' }
    const signal = AbortSignal.timeout(this.options.idleTimeoutMs)
    const response = await fetch(address, { method: 'OPTIONS', headers, signal }).catch(() => null)
    if (!response) return 'the bucket does not reply to a browser’s question whether it may send'
    await response.body?.cancel()
    const list = (name: string) => (response.headers.get(name) ?? '').split(',').map((value) => value.trim())
    const isOrigin = list('access-control-allow-origin').some((value) => value === '*' || value === origin)
    const isMethod = list('access-control-allow-methods').some((value) => value === '*' || value === 'PUT')
    return response.ok && isOrigin && isMethod
      ? null
      : `the bucket’s CORS rules do not let pages of ${origin} send by PUT`
  }

  /** Whether these bytes are in the bucket already. */
  holds(staged: StagedBlob): boolean {
    return this.sources.has(staged)
  }

  /** Copies what `fetch` brought to a key of the store, if it is still what was fetched. */
  async copy(staged: StagedBlob, key: string, size: number): Promise<void> {
    const source = this.sources.get(staged)
    if (!source) throw new TypeError('These bytes came from elsewhere.')
    const { id, version } = source
    const from = `${this.options.bucket}/${this.keyOf(id)}`.split('/').map(encodeURIComponent).join('/')
    const copy = (condition: Pick<CopyFrom, 'CopySourceIfMatch'>) =>
      this.copyTo(key, { CopySource: from, ...condition }, size)
    try {
      await copy({ CopySourceIfMatch: version })
    } catch (error) {
      if (statusOf(error) !== 412) this.fault(error)
      // Swift compares an object of several parts with another ETag than the one it states. Nothing but an upload that the
      // service began can replace it, so that asking before and after is enough.
      if ((await this.version(source)) !== version) throw replaced(id)
      await copy({}).catch(this.fault)
      if ((await this.version(source)) !== version) throw replaced(id)
    }
  }

  private async copyTo(key: string, from: CopyFrom, size: number): Promise<void> {
    const to = { Bucket: this.options.bucket, Key: this.options.prefix + key }
    const partBytes = this.options.copyPartBytes ?? COPY_PART_BYTES
    if (size <= partBytes) await this.client.send(new CopyObjectCommand({ ...to, ...from }))
    else await this.copyInParts(to, from, size, partBytes)
  }

  private async copyInParts(
    to: { Bucket: string; Key: string },
    from: CopyFrom,
    size: number,
    partBytes: number,
  ): Promise<void> {
    const { UploadId } = await this.client.send(new CreateMultipartUploadCommand({ ...to, ContentType: OCTETS }))
    const Parts: CompletedPart[] = Array.from({ length: Math.ceil(size / partBytes) }, (_, index) => ({
      PartNumber: index + 1,
    }))
    const waiting = [...Parts]
    const turn = async () => {
      for (let part = waiting.shift(); part; part = waiting.shift()) {
        const start = ((part.PartNumber ?? 1) - 1) * partBytes
        const range = `bytes=${start}-${Math.min(start + partBytes, size) - 1}`
        const copied = await this.client.send(
          new UploadPartCopyCommand({
            ...to,
            ...from,
            UploadId,
            PartNumber: part.PartNumber,
            CopySourceRange: range,
          }),
        )
        part.ETag = copied.CopyPartResult?.ETag
      }
    }
    try {
      await Promise.all(Array.from({ length: COPIES_AT_ONCE }, turn))
      await this.client.send(new CompleteMultipartUploadCommand({ ...to, UploadId, MultipartUpload: { Parts } }))
    } catch (error) {
      await this.client.send(new AbortMultipartUploadCommand({ ...to, UploadId })).catch(() => {})
      throw error
    }
  }

  /** Null when there is no such multipart upload (any more). */
  private async list(upload: DirectUpload): Promise<Part[] | null> {
    const parts: Part[] = []
    let from: string | undefined
    do {
      const command = new ListPartsCommand({ ...this.uploadOf(upload), ...(from ? { PartNumberMarker: from } : {}) })
      const page = await this.client.send(command).catch((error: unknown) => {
        if (statusOf(error) === 404 && (error as Error).name !== 'NoSuchBucket') return null
        return this.fault(error)
      })
      if (!page) return null
      parts.push(...(page.Parts ?? []))
      from = page.IsTruncated ? page.NextPartNumberMarker : undefined
    } while (from)
    return parts
  }

  /** @throws BlobNotFound when nothing was assembled */
  private async version({ id }: { id: string }): Promise<string> {
    const { ETag } = await this.client.send(new HeadObjectCommand(this.placeOf(id))).catch((error: unknown) => {
      if (statusOf(error) === 404) throw new BlobNotFound(`incoming/${id}`)
      return this.fault(error)
    })
    if (!ETag) throw new StorageUnavailable('failed', 'The bucket does not say which version of an object it has.')
    return ETag
  }

  private async gone(request: Promise<unknown>): Promise<void> {
    await request.catch((error: unknown) => {
      if (statusOf(error) !== 404) throw faultOf(error, this.options.bucket)
    })
  }

  private readonly fault = (error: unknown): never => {
    throw faultOf(error, this.options.bucket)
  }

  private keyOf(id: string) {
    return `${this.options.prefix}incoming/${id}`
  }

  private placeOf(id: string) {
    return { Bucket: this.options.bucket, Key: this.keyOf(id) }
  }

  private uploadOf({ id, handle }: DirectUpload) {
    return { ...this.placeOf(id), UploadId: handle }
  }
}

const replaced = (what: string) =>
  new StorageUnavailable('failed', `What arrived as ${what} was replaced while it was validated; it is validated anew.`)

import { createHash, type Hash } from 'node:crypto'
import { Agent as HttpAgent } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'
import { Readable } from 'node:stream'
import { DeleteObjectCommand, GetObjectCommand, HeadObjectCommand, S3Client } from '@aws-sdk/client-s3'
import { Upload } from '@aws-sdk/lib-storage'
import { type OutgoingFile, type Receipt, TransferFault } from '@/lib/domain/deliveries/port'
import type { Connection, TargetSecrets } from '@/lib/domain/deliveries/schema'
import { statusOf } from '../blob-store/s3-fault'
import { publicLookup } from '../webhook-sender/send'
import {
  assertSame,
  assertSize,
  connectionFault,
  digestOf,
  PROOFS,
  SentBytes,
  shortly,
  type TransferLimits,
  whileMoving,
} from './moving'
import type { ProvableSession } from './session'

type S3Connection = Extract<Connection, { kind: 's3' }>

/** S3 takes at most 10,000 parts of at least 5 MiB. */
const PART_BYTES = 8 * 1024 * 1024
const MAX_PARTS = 9_000
/** So many parts are in memory at once. */
const PARTS_AT_ONCE = 2

/** Objects in a bucket: each is there whole or not at all. */
export class S3Session implements ProvableSession {
  private readonly client: S3Client

  constructor(
    private readonly connection: S3Connection,
    { secret_access_key: secretAccessKey = '' }: TargetSecrets,
    private readonly signal: AbortSignal,
    private readonly limits: TransferLimits,
  ) {
    const { region, endpoint, access_key_id: accessKeyId } = connection
    const lookup = limits.allowsPrivate ? undefined : publicLookup
    this.client = new S3Client({
      region,
      ...(endpoint !== null && { endpoint }),
      credentials: { accessKeyId, secretAccessKey },
      forcePathStyle: endpoint !== null,
      maxAttempts: 2,
      requestHandler: {
        connectionTimeout: Math.min(10_000, limits.idleMs),
        socketTimeout: limits.idleMs,
        httpAgent: new HttpAgent({ keepAlive: true, ...(lookup && { lookup }) }),
        httpsAgent: new HttpsAgent({ keepAlive: true, ...(lookup && { lookup }) }),
      },
    })
  }

  async send(file: OutgoingFile): Promise<Receipt> {
    const place = this.placeOf(file.path)
    const partSize = Math.max(PART_BYTES, Math.ceil(file.size / MAX_PARTS))
    const tags = new EntityTags(partSize)
    await this.during(async (moved, signal) => {
      const sent = tags.through(new SentBytes(file, moved).through(await file.read()))
      const bytes = Readable.from(sent, { objectMode: false })
      const upload = new Upload({
        client: this.client,
        queueSize: PARTS_AT_ONCE,
        partSize,
        params: { ...place, Body: bytes, ContentType: 'application/octet-stream' },
      })
      upload.on('httpUploadProgress', moved)
      signal.addEventListener('abort', () => void upload.abort(), { once: true })
      await upload.done().finally(() => bytes.destroy())
    })
    return { place: `s3://${place.Bucket}/${place.Key}`, proof: await this.verify(file, tags) }
  }

  private async verify(file: OutgoingFile, tags: EntityTags): Promise<string> {
    const head = await this.during((_moved, signal) =>
      this.client.send(new HeadObjectCommand(this.placeOf(file.path)), { abortSignal: signal }),
    )
    assertSize(head.ContentLength ?? 0, file)
    if (file.verification === 'size') return PROOFS.size
    // An ETag of another form (of an encrypted bucket, say) proves nothing either way: the bytes do.
    if (file.verification === 'checksum' && tags.include(head.ETag ?? ''))
      return 'Size compared, and the ETag with the MD5 of what was sent'
    assertSame(await this.digest(file.path), file)
    return PROOFS.readBack
  }

  digest(path: string) {
    return this.during(async (moved, signal) => {
      const { Body } = await this.client.send(new GetObjectCommand(this.placeOf(path)), { abortSignal: signal })
      return digestOf(Body as Readable, moved)
    })
  }

  async remove(path: string): Promise<void> {
    await this.during((_moved, signal) =>
      this.client.send(new DeleteObjectCommand(this.placeOf(path)), { abortSignal: signal }),
    )
  }

  async close() {
    this.client.destroy()
  }

  private placeOf(path: string) {
    const prefix = this.connection.prefix.replace(/^\/+|\/+$/g, '')
    return { Bucket: this.connection.bucket, Key: prefix === '' ? path : `${prefix}/${path}` }
  }

  private during<T>(run: (moved: () => void, signal: AbortSignal) => Promise<T>): Promise<T> {
    return whileMoving(this.limits.idleMs, this.signal, (moved, signal) =>
      run(moved, signal).catch((error) => {
        throw s3Fault(error, this.connection.bucket)
      }),
    )
  }
}

const isPassing = (status: number) => status === 408 || status === 409 || status === 429 || status >= 500

function s3Fault(error: unknown, bucket: string): TransferFault {
  const status = statusOf(error)
  if (status === undefined || error instanceof TransferFault) return connectionFault(error)
  const { name, message } = error as Error
  const said = [name, message].filter((words) => words && words !== 'UnknownError').join(': ')
  return new TransferFault(
    `The bucket “${bucket}” answered ${status}${said && ` ${shortly(said)}`}.`,
    !isPassing(status),
  )
}

/** What the ETag of an object is that was sent in one piece, or in parts: their MD5, and the MD5 of those. */
class EntityTags {
  private readonly whole = createHash('md5')
  private readonly parts: Buffer[] = []
  private part: Hash = createHash('md5')
  private inPart = 0
  private tags: string[] | undefined

  constructor(private readonly partSize: number) {}

  async *through(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const piece of source) {
      this.whole.update(piece)
      for (let at = 0; at < piece.length; ) {
        const some = piece.subarray(at, at + this.partSize - this.inPart)
        this.part.update(some)
        this.inPart += some.length
        at += some.length
        if (this.inPart === this.partSize) this.endPart()
      }
      yield piece
    }
  }

  private endPart() {
    this.parts.push(this.part.digest())
    this.part = createHash('md5')
    this.inPart = 0
  }

  include(etag: string): boolean {
    if (!this.tags) {
      if (this.inPart > 0) this.endPart()
      const ofParts = createHash('md5').update(Buffer.concat(this.parts)).digest('hex')
      this.tags = [this.whole.digest('hex'), `${ofParts}-${this.parts.length}`]
    }
    return this.tags.includes(etag.replaceAll('"', ''))
  }
}

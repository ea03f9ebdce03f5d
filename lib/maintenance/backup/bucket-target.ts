import { Readable } from 'node:stream'
import { GetObjectCommand, HeadObjectCommand, ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3'
import { Upload } from '@aws-sdk/lib-storage'
import { faultOf, statusOf } from '@/lib/adapters/blob-store/s3-fault'
import { StorageUnavailable } from '@/lib/domain/kernel/blob-store'
import type { Environment } from '@/lib/env'
import { assertName, BackupError, isName, type Target } from './target'

/** S3 takes at most 10,000 parts of at least 5 MiB (Amazon S3 User Guide, "multipart upload limits"). */
const PART_BYTES = 8 * 1024 * 1024
const MAX_PARTS = 9_000
const PARTS_AT_ONCE = 2
const IDLE_TIMEOUT_MS = 30_000

/**
 * Backups in a bucket. BACKUP_S3_* says where and as whom; what it does not say is as for the files (S3_*).
 * An object appears there when it is complete; it is believed to be when the bucket gives its length.
 */
export function bucketTarget(address: string, bucket: string, folder: string, env: Environment): Target {
  const prefix = folder === '' || folder.endsWith('/') ? folder : `${folder}/`
  const endpoint = env.BACKUP_S3_ENDPOINT ?? env.S3_ENDPOINT
  const accessKeyId = env.BACKUP_S3_ACCESS_KEY_ID ?? env.S3_ACCESS_KEY_ID
  const secretAccessKey = env.BACKUP_S3_SECRET_ACCESS_KEY ?? env.S3_SECRET_ACCESS_KEY
  const client = new S3Client({
    region: env.BACKUP_S3_REGION ?? env.S3_REGION,
    ...(endpoint ? { endpoint } : {}),
    ...(accessKeyId && secretAccessKey ? { credentials: { accessKeyId, secretAccessKey } } : {}),
    forcePathStyle: env.S3_PATH_STYLE ?? endpoint !== undefined,
    maxAttempts: 4,
    requestHandler: { connectionTimeout: 5_000, socketTimeout: IDLE_TIMEOUT_MS },
  })
  const explain = (error: unknown): never => {
    if (error instanceof BackupError) throw error
    const fault = faultOf(error, bucket)
    const sentence = fault instanceof StorageUnavailable ? fault.explanation : fault.message
    throw new BackupError(`${address} cannot be used. ${sentence}`, { cause: error })
  }
  const placeOf = (name: string) => ({ Bucket: bucket, Key: prefix + assertName(name) })

  async function size(name: string): Promise<number | null> {
    try {
      return (await client.send(new HeadObjectCommand(placeOf(name)))).ContentLength ?? 0
    } catch (error) {
      if (statusOf(error) === 404) return null
      return explain(error)
    }
  }

  async function* keys(below: string): AsyncIterable<string> {
    let from: string | undefined
    do {
      const page = await client
        .send(
          new ListObjectsV2Command({
            Bucket: bucket,
            Prefix: prefix + below,
            ...(from ? { ContinuationToken: from } : {}),
          }),
        )
        .catch(explain)
      for (const { Key } of page.Contents ?? []) yield Key?.slice(prefix.length) ?? ''
      from = page.IsTruncated ? page.NextContinuationToken : undefined
    } while (from)
  }

  return {
    address,
    // What was not completed is invisible; the bucket's lifecycle rule ends it.
    async open() {
      await keys('backups/')[Symbol.asyncIterator]().next()
    },
    async put(name, bytes, expected) {
      let sent = 0
      let failure: unknown
      const counted = async function* () {
        try {
          for await (const chunk of bytes) {
            sent += chunk.length
            yield chunk
          }
        } catch (error) {
          failure = error
          throw error
        }
      }
      const upload = new Upload({
        client,
        queueSize: PARTS_AT_ONCE,
        partSize: Math.max(PART_BYTES, Math.ceil((expected ?? 0) / MAX_PARTS)),
        params: {
          ...placeOf(name),
          Body: Readable.from(counted(), { objectMode: false }),
          ContentType: 'application/octet-stream',
        },
      })
      await upload.done().catch((error: unknown) => {
        if (failure) throw failure
        explain(error)
      })
      const stored = await size(name)
      if (stored !== sent)
        throw new BackupError(`${address} holds ${stored ?? 'nothing'} of the ${sent} bytes that were sent as ${name}.`)
    },
    size,
    async read(name) {
      const { Body } = await client.send(new GetObjectCommand(placeOf(name))).catch((error: unknown) => {
        if (statusOf(error) === 404) throw new BackupError(`${address} has no ${name}.`)
        return explain(error)
      })
      if (!(Body instanceof Readable)) throw new BackupError(`${address} answered without a body.`)
      return Body
    },
    async *list() {
      for await (const name of keys('backups/')) if (isName(name)) yield name
    },
    async isOurs() {
      for await (const name of keys('')) return isName(name)
      return true
    },
  }
}

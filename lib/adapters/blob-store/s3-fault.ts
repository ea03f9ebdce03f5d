import { StorageUnavailable } from '@/lib/domain/kernel/blob-store'
import { DomainError } from '@/lib/domain/kernel/errors'

type S3Error = { $metadata?: { httpStatusCode?: number } }

/** The HTTP status of the server's response, if there was one. */
export const statusOf = (error: unknown): number | undefined => (error as S3Error | null)?.$metadata?.httpStatusCode

const FORBIDDEN = ['AccessDenied', 'InvalidAccessKeyId', 'SignatureDoesNotMatch', 'ExpiredToken', 'AllAccessDisabled']
const FULL = ['QuotaExceeded', 'XMinioStorageFull', 'InsufficientStorage', 'EntityTooLarge']

/** What a bucket or the way to it said, as a sentence for the administrator of the server. */
export function faultOf(error: unknown, bucket: string): DomainError {
  if (error instanceof DomainError) return error
  const name = error instanceof Error ? error.name : ''
  const said = error instanceof Error ? error.message : String(error)
  const status = statusOf(error)
  const options = { cause: error }
  if (name === 'NoSuchBucket') {
    return new StorageUnavailable(
      'failed',
      `The bucket “${bucket}” does not exist; create it or set S3_BUCKET.`,
      options,
    )
  }
  if (FULL.includes(name) || status === 507) {
    return new StorageUnavailable('full', `The bucket “${bucket}” is full (${name || status}).`, options)
  }
  if (FORBIDDEN.includes(name) || status === 401 || status === 403) {
    const explanation = `The bucket “${bucket}” refuses these credentials (${name || status}); check S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY and their rights.`
    return new StorageUnavailable('forbidden', explanation, options)
  }
  const reason = status === undefined ? said : `${status} ${name}`
  return new StorageUnavailable('failed', `The bucket “${bucket}” cannot be used: ${reason}.`, options)
}

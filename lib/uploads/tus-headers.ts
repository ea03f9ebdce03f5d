import { invalidField, quote } from '@/lib/domain/kernel/errors'
import { HttpError } from '@/lib/http/http-error'

/** The headers of tus 1.0.0 (https://tus.io/protocols/resumable-upload), read strictly. */

const CHECKSUM_ALGORITHMS = { sha1: 20, sha256: 32 } as const
type ChecksumAlgorithm = keyof typeof CHECKSUM_ALGORITHMS
export type Checksum = { algorithm: ChecksumAlgorithm; digest: Buffer }

export const TUS_VERSION = '1.0.0'
export const TUS_EXTENSIONS = 'creation,creation-with-upload,expiration,termination,checksum'
export const TUS_CHECKSUM_ALGORITHMS = Object.keys(CHECKSUM_ALGORITHMS).join(',')

/** @throws `protocol_unsupported`, unless the client speaks our version. */
export function assertVersion(headers: Headers): void {
  const version = headers.get('tus-resumable')
  if (version === TUS_VERSION) return
  const found = version === null ? 'is missing' : `is ${quote(version)}`
  throw new HttpError('protocol_unsupported', `The header Tus-Resumable ${found}; ${TUS_VERSION} is spoken here.`, {
    headers: { 'Tus-Version': TUS_VERSION },
  })
}

/** A count of bytes in a header. @throws `validation_failed` when it is missing or no such count. */
export function byteCount(headers: Headers, name: 'Upload-Length' | 'Upload-Offset'): number {
  const text = headers.get(name) ?? ''
  const value = Number(text)
  if (/^\d{1,16}$/.test(text) && Number.isSafeInteger(value)) return value
  throw invalidField(name.toLowerCase(), 'invalid', `${name} is ${quote(text)}; expected a number of bytes.`)
}

/** Upload-Metadata: keys with base64 values, separated by commas. @throws `validation_failed` */
export function parseMetadata(header: string): Map<string, string> {
  const metadata = new Map<string, string>()
  for (const pair of header.split(',').filter((text) => text.trim() !== '')) {
    const [key = '', value = '', ...rest] = pair.trim().split(' ')
    const bytes = Buffer.from(value, 'base64')
    const isBase64 = bytes.toString('base64').replace(/=+$/, '') === value.replace(/=+$/, '')
    if (!isBase64 || rest.length > 0 || metadata.has(key)) {
      throw invalidField(
        'upload-metadata',
        'invalid',
        `Upload-Metadata holds ${quote(pair)}; expected each key once, a space, and its value in base64.`,
      )
    }
    metadata.set(key, bytes.toString('utf8'))
  }
  return metadata
}

/** The file's name, which tus itself leaves to convention: clients call it `filename` or `name`. */
export function fileName(metadata: Map<string, string>): string {
  const name = metadata.get('filename') ?? metadata.get('name')
  if (name) return name
  throw invalidField(
    'upload-metadata.filename',
    'required',
    'Upload-Metadata names no file; give its name as "filename".',
  )
}

/** Upload-Checksum, or null when there is none. @throws `validation_failed` */
export function parseChecksum(headers: Headers): Checksum | null {
  const header = headers.get('upload-checksum')
  if (header === null) return null
  const [algorithm = '', encoded = ''] = header.split(' ')
  const digest = Buffer.from(encoded, 'base64')
  if (Object.hasOwn(CHECKSUM_ALGORITHMS, algorithm)) {
    const known = algorithm as ChecksumAlgorithm
    if (digest.length === CHECKSUM_ALGORITHMS[known]) return { algorithm: known, digest }
  }
  throw invalidField(
    'upload-checksum',
    'invalid',
    `Upload-Checksum is ${quote(header)}; expected ${TUS_CHECKSUM_ALGORITHMS.replace(',', ' or ')}, a space, and the digest in base64.`,
  )
}

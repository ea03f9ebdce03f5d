import { createHash, createHmac } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

type Keys = { accessKeyId: string; secretAccessKey: string }

/**
 * Verifies a request signed by AWS Signature Version 4, in its header or its query ("Authenticating Requests", Amazon S3
 * API reference). Returns the error code a server responds with, or null.
 */
export async function refusalOf(request: IncomingMessage, keys: Keys): Promise<string | null> {
  const url = new URL(request.url ?? '/', 'http://localhost')
  const header = /Credential=([^,]+), ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]+)/.exec(
    request.headers.authorization ?? '',
  )
  const query = url.searchParams
  const [credential, signed, signature] = header
    ? [header[1], header[2], header[3]]
    : [query.get('X-Amz-Credential'), query.get('X-Amz-SignedHeaders'), query.get('X-Amz-Signature')]
  if (!credential || !signed || !signature) return 'AccessDenied'
  const [accessKeyId, day = '', region = '', service = '', end = ''] = credential.split('/')
  if (accessKeyId !== keys.accessKeyId) return 'InvalidAccessKeyId'
  const signedAt = header ? String(request.headers['x-amz-date']) : (query.get('X-Amz-Date') ?? '')
  if (!header) {
    const begun = Date.parse(
      signedAt.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, (_, ...parts: string[]) => {
        const [year, month, date, hour, minute, second] = parts
        return `${year}-${month}-${date}T${hour}:${minute}:${second}Z`
      }),
    )
    if (Date.now() > begun + Number(query.get('X-Amz-Expires')) * 1000) return 'AccessDenied'
  }
  const canonicalQuery = [...query]
    .filter(([name]) => name !== 'X-Amz-Signature')
    .map(([name, value]) => `${encode(name)}=${encode(value)}`)
    .sort()
    .join('&')
  const canonicalHeaders = signed.split(';').map((name) => `${name}:${String(request.headers[name] ?? '').trim()}\n`)
  const payload = header ? String(request.headers['x-amz-content-sha256']) : 'UNSIGNED-PAYLOAD'
  const canonical = [request.method, url.pathname, canonicalQuery, canonicalHeaders.join(''), signed, payload].join(
    '\n',
  )
  const scope = [day, region, service, end].join('/')
  const text = ['AWS4-HMAC-SHA256', signedAt, scope, createHash('sha256').update(canonical).digest('hex')].join('\n')
  const key = [day, region, service, end].reduce<Buffer>(
    (secret, part) => createHmac('sha256', secret).update(part).digest(),
    Buffer.from(`AWS4${keys.secretAccessKey}`),
  )
  return createHmac('sha256', key).update(text).digest('hex') === signature ? null : 'SignatureDoesNotMatch'
}

/** RFC 3986 section 2.3: everything but the unreserved characters. */
const encode = (text: string) =>
  encodeURIComponent(text).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`)

import { v7 } from 'uuid'
import { DomainError } from '@/lib/domain/kernel/errors'
import type { Credentials } from '@/lib/domain/kernel/operation'
import { env } from '@/lib/env'
import { abandonBody, bodyStream, currentExchange } from './exchange'
import { HttpError } from './http-error'

const MAX_JSON_BYTES = 8 * 1024 * 1024

/** The caller's own request id if it is a sane one, else a new one. */
export function requestIdOf(request: Request): string {
  const given = request.headers.get('x-request-id')
  return given && /^[\w.:-]{1,128}$/.test(given) ? given : v7()
}

/**
 * The address of the other end of the connection, which the server in front of Next hands over.
 * `X-Forwarded-For` counts only when TRUST_PROXY says that a proxy of ours wrote its last entry.
 */
export function addressOf(request: Request): string | null {
  if (env.TRUST_PROXY) {
    const forwarded = request.headers.get('x-forwarded-for')?.split(',').at(-1)?.trim()
    if (forwarded) return forwarded
  }
  // A socket for both families writes IPv4 the long way (RFC 4291 section 2.5.5.2).
  return currentExchange()?.req.socket.remoteAddress?.replace(/^::ffff:(?=\d+\.)/, '') ?? null
}

/** Cookies of the upload page, named by what they are for. */
export const SESSION_COOKIE = 'greenroom-upload-session'
export const LINK_KEY_COOKIE = 'greenroom-link-key'

/** The headers of programs that upload through a link, as the API reference explains them. */
export const LINK_HEADERS = {
  'Upload-Session': 'A UUID you choose; the files of one session are one use of the link',
  'Upload-Link-Password': 'For a link that has one',
}

/** What a request shows besides who sends it: programs send headers, the upload page's browser sends cookies. */
export function presentedBy(request: { headers: Headers }): Credentials {
  const cookie = (name: string) =>
    new RegExp(`(?:^|; *)${name}=([^;]+)`).exec(request.headers.get('cookie') ?? '')?.[1] ?? null
  return {
    uploadSession: request.headers.get('upload-session') ?? cookie(SESSION_COOKIE),
    linkPassword: request.headers.get('upload-link-password'),
    linkKey: cookie(LINK_KEY_COOKIE),
  }
}

/** The query as an object; a parameter given twice is refused, because only one of the two could count. */
export function queryOf(request: Request): Record<string, string> {
  const query: Record<string, string> = {}
  for (const [key, value] of new URL(request.url).searchParams) {
    if (Object.hasOwn(query, key)) {
      const message = `${key} is given more than once. Give it once.`
      throw new DomainError('invalid_query', message, { errors: [{ path: key, code: 'duplicate', message }] })
    }
    Object.defineProperty(query, key, { value, enumerable: true })
  }
  return query
}

/** The bytes of a JSON body, bounded. */
export async function bodyOf(request: Request): Promise<Buffer> {
  const tooLarge = () =>
    new HttpError('body_too_large', `A request may have at most ${MAX_JSON_BYTES / 1024 / 1024} MiB.`)
  if (Number(request.headers.get('content-length') ?? 0) > MAX_JSON_BYTES) throw tooLarge()
  const body = bodyStream(request)
  const chunks: Uint8Array[] = []
  let size = 0
  try {
    // Not destroyed with the loop: the client could not read why.
    for await (const chunk of body.iterator({ destroyOnReturn: false }) as AsyncIterable<Uint8Array>) {
      size += chunk.byteLength
      if (size > MAX_JSON_BYTES) throw tooLarge()
      chunks.push(chunk)
    }
  } catch (error) {
    // The client is gone: nothing of ours failed.
    if (body.errored) throw new HttpError('invalid_json', 'The body ended before all of it had arrived. Send it again.')
    abandonBody(body)
    throw error
  }
  return Buffer.concat(chunks)
}

/** @throws `unsupported_media_type`, `invalid_json`. An empty body is `undefined`. */
export function jsonOf(request: Request, body: Buffer): unknown {
  if (body.length === 0) return undefined
  const type = request.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase() ?? ''
  if (type !== 'application/json' && !type.endsWith('+json')) {
    throw new HttpError(
      'unsupported_media_type',
      `Send the body as application/json; this one came as “${type || 'nothing'}”.`,
    )
  }
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(body)
  } catch {
    throw new HttpError('invalid_json', 'The body is not UTF-8. Encode it as UTF-8 and send it again.')
  }
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw new HttpError(
      'invalid_json',
      `The body is not JSON: ${error instanceof Error ? error.message : 'it cannot be read'}.`,
    )
  }
  if (value === null || typeof value !== 'object' || Array.isArray(value)) {
    throw new DomainError('validation_failed', 'The body must be a JSON object.', {
      errors: [{ path: '', code: 'invalid_type', message: 'The body must be a JSON object.' }],
    })
  }
  return value
}

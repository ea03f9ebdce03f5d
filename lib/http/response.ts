import type { ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import { createGzip, gzip } from 'node:zlib'
import { log } from '@/lib/log'
import { currentExchange, type Exchange } from './exchange'

const compress = promisify(gzip)
/** A shorter text fits a packet anyway. */
const WORTH_COMPRESSING = 1024

/**
 * A response before it is sent. A stream whose length is known says it by a `Content-Length` of its own; it is read by
 * the code that sends the response, and closed when the client is gone.
 */
export type RouteResponse = { status: number; headers?: HeadersInit; body: string | Uint8Array | Readable | null }

/** A response of text, as it can be stored and sent again. */
export type TextResponse = { status: number; headers: Record<string, string>; body: string }

/**
 * The response as a route returns it. Where the web server calls the route itself, that is the head alone, and the body
 * goes directly to Node's response: through a web stream a short response cost a third more. In development Next sends both.
 */
export function deliver({ status, headers, body: given }: RouteResponse): Response {
  const exchange = currentExchange()
  // RFC 9110, section 15.3.5: a 204 has no content, not even an empty one.
  const body = status === 204 ? null : given
  if (!exchange?.isDirect) {
    const webBody = body instanceof Readable ? Readable.toWeb(body) : body
    return new Response(webBody as BodyInit | null, { status, headers })
  }
  const { res } = exchange
  const head = new Headers(headers)
  if (body instanceof Readable) closeWith(res, body)
  exchange.sendBody = () => {
    if (typeof body === 'string' && body.length >= WORTH_COMPRESSING) void sendText(body, exchange)
    else if (typeof body === 'string' || body instanceof Uint8Array) sendWhole(body, res)
    else void sendStream(body, head.get('content-length'), exchange)
  }
  return new Response(null, { status, headers: head })
}

function sendWhole(body: string | Uint8Array, res: ServerResponse) {
  res.setHeader('Content-Length', Buffer.byteLength(body))
  res.end(body)
}

/** Text is compressed for clients that can read it so (RFC 9110 section 8.4.1.3); files go out as they came in. */
async function sendText(text: string, { req, res }: Exchange) {
  res.appendHeader('Vary', 'Accept-Encoding')
  if (!takesGzip(req.headers['accept-encoding'])) return sendWhole(text, res)
  const packed = await compress(text)
  res.setHeader('Content-Encoding', 'gzip')
  sendWhole(packed, res)
}

/**
 * The same response of a text that is read as it is sent, compressed for clients that can read it so.
 * @param response its body is a stream of text
 */
export function packed(request: Request, response: RouteResponse & { body: Readable }): RouteResponse {
  const headers = new Headers(response.headers)
  headers.append('Vary', 'Accept-Encoding')
  if (!takesGzip(request.headers.get('accept-encoding') ?? undefined)) return { ...response, headers }
  headers.set('Content-Encoding', 'gzip')
  const body = createGzip()
  // Both ends know of each other: who is gone reads no further, and what cannot be read breaks the response off.
  pipeline(response.body, body).catch(() => {})
  return { ...response, headers, body }
}

/** A body that breaks off ends the connection: the client must not take the part for the whole. */
async function sendStream(bytes: Readable | null, length: string | null, { req, res }: Exchange) {
  if (length !== null) res.setHeader('Content-Length', length)
  if (!bytes || req.method === 'HEAD') return void res.end()
  try {
    await pipeline(bytes, res)
  } catch (error) {
    if (!isGone(error)) log.error({ err: error }, 'a response broke off')
  }
}

/** RFC 9110 section 12.5.3, for the one coding that is spoken here. */
function takesGzip(accepted: string | string[] | undefined): boolean {
  const codings = String(accepted ?? '')
    .toLowerCase()
    .split(',')
  return codings.some((coding) => /^\s*(?:gzip|x-gzip|\*)\s*(?:;\s*q=(?!0(?:\.0*)?\s*$).*)?$/.test(coding))
}

/** Of a request that was given up the bytes are not read. */
function closeWith(res: ServerResponse, bytes: Readable) {
  if (res.closed) bytes.destroy()
  else res.once('close', () => bytes.destroy())
}

const isGone = (error: unknown) =>
  error instanceof Error &&
  'code' in error &&
  ['ERR_STREAM_PREMATURE_CLOSE', 'ECONNRESET', 'EPIPE'].includes(String(error.code))

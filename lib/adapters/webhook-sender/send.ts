import { lookup as resolve } from 'node:dns'
import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import type { WebhookRequest, WebhookResponse } from '@/lib/domain/webhooks/port'
import { explainTarget, isPublicAddress } from './addresses'

/** Of a response, so much is stored for the delivery log. */
const STORED_BYTES = 4096

/** The address leads to where nothing may be sent. */
export class Refused extends Error {}

/**
 * Sends one request. Never throws: no response is a result, too (`error`). Redirects are not followed. The name is looked
 * up once, and the connection goes to the very address that was validated, so that a second look-up cannot lead elsewhere.
 */
export function webhookSender({ allowsPrivate, timeoutMs }: { allowsPrivate: boolean; timeoutMs: number }) {
  return async ({ url, headers, body }: WebhookRequest): Promise<WebhookResponse> => {
    const began = performance.now()
    const took = () => Math.round(performance.now() - began)
    const wrong = explainTarget(url, allowsPrivate)
    if (wrong) return { status: null, body: '', retryAfter: null, error: `Not sent: ${wrong}.`, durationMs: took() }
    try {
      return { ...(await post(new URL(url), headers, body, allowsPrivate, timeoutMs)), error: null, durationMs: took() }
    } catch (error) {
      return { status: null, body: '', retryAfter: null, error: sentenceOf(error, timeoutMs), durationMs: took() }
    }
  }
}

function post(url: URL, headers: Record<string, string>, body: string, allowsPrivate: boolean, timeoutMs: number) {
  return new Promise<{ status: number; body: string; retryAfter: string | null }>((settle, reject) => {
    const request = (url.protocol === 'https:' ? requestHttps : requestHttp)(url, {
      method: 'POST',
      headers: { ...headers, 'content-length': Buffer.byteLength(body) },
      agent: false,
      lookup: allowsPrivate ? undefined : publicLookup,
      // From the look-up to the last byte of the response.
      signal: AbortSignal.timeout(timeoutMs),
    })
    request.on('error', reject)
    request.on('response', (response) => {
      const pieces: Buffer[] = []
      let length = 0
      const done = () => {
        const text = Buffer.concat(pieces).subarray(0, STORED_BYTES).toString('utf8').replaceAll('\u0000', '\uFFFD')
        settle({ status: response.statusCode ?? 0, body: text, retryAfter: response.headers['retry-after'] ?? null })
        request.destroy()
      }
      response.on('data', (piece: Buffer) => {
        pieces.push(piece)
        length += piece.length
        if (length >= STORED_BYTES) done()
      })
      response.on('end', done)
      response.on('error', reject)
    })
    request.end(body)
  })
}

/** Looks a name up and hands on only public addresses; one private address among them is enough to refuse. */
export const publicLookup: LookupFunction = (hostname, options, callback) => {
  resolve(hostname, { ...options, all: true }, (error, found) => {
    if (error) return callback(error, '', 0)
    const hidden = found.find(({ address }) => !isPublicAddress(address))
    if (hidden || found.length === 0)
      return callback(
        new Refused(`${hostname} leads to ${hidden?.address ?? 'nowhere'}`) as NodeJS.ErrnoException,
        '',
        0,
      )
    if (options.all) return callback(null, found)
    callback(null, found[0]?.address ?? '', found[0]?.family ?? isIP(hostname))
  })
}

function sentenceOf(error: unknown, timeoutMs: number): string {
  if (error instanceof Refused) return `Not sent: ${error.message}, which is not on the public internet.`
  const { name, code, message } = error as NodeJS.ErrnoException
  if (name === 'TimeoutError' || name === 'AbortError' || code === 'ABORT_ERR')
    return `No complete response within ${timeoutMs / 1000} s.`
  return `The connection failed: ${code ?? message}.`
}

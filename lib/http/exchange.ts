import type { AsyncLocalStorage } from 'node:async_hooks'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import type { ReadableStream as NodeWebStream } from 'node:stream/web'

/** One request and its response as Node knows them. */
export interface Exchange {
  req: IncomingMessage
  res: ServerResponse
  /** The route is called without Next around it (server/web/call-route.mjs), and may send its body itself. */
  isDirect?: boolean
  /** Called once the head of the response is there; it ends the response. */
  sendBody?: () => void
  /** The method of a request whose method no route can have; Next, which would fail on it, was given a GET. */
  foreignMethod?: string
  /** Path and query as they were asked for. */
  address?: string
}

/** Where the web server keeps the exchange under way. A symbol of the registry: every bundle of this module shares it. */
const storageKey = Symbol.for('greenroom.exchange')

/** How long the rest of an unwanted body is still read, and how long a client silent meanwhile is waited for. */
const LINGER_MS = 30_000
const LINGER_SILENCE_MS = 5_000

const WINDOW_MS = 15_000
const MIN_BYTES_PER_WINDOW = 4 * 1024

/** A web stream can be turned into a Node stream only once. */
const webBodies = new WeakMap<Request, Readable>()

/** The exchange this code runs in, or null outside the production server. */
export function currentExchange(): Exchange | null {
  const storage = (globalThis as { [storageKey]?: AsyncLocalStorage<Exchange> })[storageKey]
  return storage?.getStore() ?? null
}

/**
 * The body as a Node stream: the socket's own where it is at hand, because a web stream in between costs much of the
 * throughput. The same stream however often it is asked for; the caller who takes it reads it to its end or abandons it.
 */
export function bodyStream(request: Request): Readable {
  const exchange = currentExchange()
  if (exchange) return exchange.req
  const known = webBodies.get(request)
  if (known) return known
  const body = request.body ? Readable.fromWeb(request.body as NodeWebStream<Uint8Array>) : Readable.from([])
  webBodies.set(request, body)
  return body
}

/**
 * Reads an unwanted body to its end and throws it away, so that the client gets to read the response: most clients send
 * all before they read, and closing a socket with unread bytes in it sends a reset, which the client sees instead of the
 * response. Bounded as nginx's lingering_close is: 30 s in all, 5 s of silence; then the connection is closed.
 */
export function abandonBody(body: Readable, limits = { totalMs: LINGER_MS, silenceMs: LINGER_SILENCE_MS }): void {
  body.on('error', () => {}) // no reader is left
  if (body.destroyed || body.readableEnded) return
  const close = () => body.destroy()
  const total = setTimeout(close, limits.totalMs)
  const silence = setTimeout(close, limits.silenceMs)
  const done = () => {
    clearTimeout(total)
    clearTimeout(silence)
  }
  body.on('data', () => silence.refresh())
  body.once('end', done)
  body.once('close', done)
  body.resume()
}

/**
 * Counts what arrives, and calls `onStall` when a client sends less than 4 KiB in a window (default 15 s) in which we
 * were ready to read: a silent or a trickling client cannot hold the server for longer than two windows.
 */
export function watchPace(body: Readable, onStall: () => void, windowMs = WINDOW_MS) {
  let received = 0
  let receivedBefore = 0
  const count = (chunk: Uint8Array) => {
    received += chunk.length
  }
  const timer = setInterval(() => {
    const isWaiting = !body.isPaused() && !body.readableEnded
    if (isWaiting && received - receivedBefore < MIN_BYTES_PER_WINDOW) onStall()
    receivedBefore = received
  }, windowMs)
  body.on('data', count)
  return {
    received: () => received,
    stop() {
      clearInterval(timer)
      body.off('data', count)
    },
  }
}

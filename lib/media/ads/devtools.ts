import type { Readable, Writable } from 'node:stream'
import { afterRunning } from './timers'

type Params = Record<string, unknown>
// biome-ignore lint/suspicious/noExplicitAny: the protocol is Chromium's own; what is read from it is read with care.
type Result = any
type Heard = { method: string; params: Result; session: string | undefined }

/** The browser is gone, or nothing can be heard of it any more. */
export class BrowserEnded extends Error {}

/** The page did not respond in time. */
export class Silence extends Error {}

/** To set something up: a busy machine takes its time, and no ad is to blame. */
const START_MS = 120_000
/** A message longer than this is not one we asked for. */
const MAX_MESSAGE_BYTES = 64 * 1024 * 1024

/** Chromium's DevTools protocol over a pair of pipes: JSON between zero bytes. No port, so no other process can speak. */
export class Devtools {
  private readonly waiting = new Map<number, { resolve(result: Result): void; reject(error: Error): void }>()
  private readonly listeners: ((heard: Heard) => void)[] = []
  private pieces: Buffer[] = []
  private held = 0
  private sent = 0
  private ended: Error | undefined

  constructor(
    private readonly input: Writable,
    output: Readable,
  ) {
    output.on('data', (bytes: Buffer) => this.receive(bytes))
    output.on('close', () => this.end(new BrowserEnded('the browser ended')))
    input.on('error', () => undefined)
  }

  on(listener: (heard: Heard) => void): void {
    this.listeners.push(listener)
  }

  /** Rejects with Chromium's reason, with `Silence` after `withinMs`, and when the browser ends. */
  send(method: string, params: Params = {}, session?: string, withinMs = START_MS): Promise<Result> {
    if (this.ended) return Promise.reject(this.ended)
    this.sent += 1
    const id = this.sent
    return new Promise((resolve, reject) => {
      const callOff = afterRunning(withinMs, () => {
        this.waiting.delete(id)
        reject(new Silence(`${method} got no response within ${withinMs / 1000} s`))
      })
      const settled =
        <T>(settle: (value: T) => void) =>
        (value: T) => {
          callOff()
          settle(value)
        }
      this.waiting.set(id, { resolve: settled(resolve), reject: settled(reject) })
      this.input.write(`${JSON.stringify({ id, method, params, sessionId: session })}\0`)
    })
  }

  /** What need not succeed: the page may be gone already. */
  notify(method: string, params: Params = {}, session?: string): void {
    this.send(method, params, session).catch(() => undefined)
  }

  end(reason: Error): void {
    this.ended ??= reason
    for (const { reject } of this.waiting.values()) reject(this.ended)
    this.waiting.clear()
  }

  private receive(bytes: Buffer): void {
    let from = 0
    for (let end = bytes.indexOf(0); end >= 0; end = bytes.indexOf(0, from)) {
      const message = Buffer.concat([...this.pieces, bytes.subarray(from, end)]).toString('utf8')
      this.pieces = []
      this.held = 0
      from = end + 1
      this.hear(JSON.parse(message))
    }
    if (from === bytes.length) return
    this.pieces.push(bytes.subarray(from))
    this.held += bytes.length - from
    if (this.held > MAX_MESSAGE_BYTES) this.end(new Error('the browser sent a message without end'))
  }

  private hear(message: Result): void {
    if (message.id === undefined) {
      const heard = { method: message.method, params: message.params ?? {}, session: message.sessionId }
      for (const listener of this.listeners) listener(heard)
      return
    }
    const asked = this.waiting.get(message.id)
    this.waiting.delete(message.id)
    if (message.error) asked?.reject(new Error(message.error.message))
    else asked?.resolve(message.result)
  }
}

import { type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { pipeline } from 'node:stream/promises'
import { type OutgoingFile, type Receipt, TransferFault } from '@/lib/domain/deliveries/port'
import type { Connection, TargetSecrets } from '@/lib/domain/deliveries/schema'
import { publicLookup } from '../webhook-sender/send'
import {
  assertSame,
  assertSize,
  connectionFault,
  digestOf,
  foldersOf,
  PROOFS,
  partialPath,
  SentBytes,
  shortly,
  type TransferLimits,
  whileMoving,
} from './moving'
import type { ProvableSession } from './session'

type HttpConnection = Extract<Connection, { kind: 'webdav' | 'http_put' }>
type Headers = Record<string, string | number>
type Exchange = { moved: () => void; signal: AbortSignal }

/** Trying again helps: timeouts, too many requests, faults of the server, a full disk. Everything else is refused for good. */
const isPassing = (status: number) => [408, 423, 425, 429].includes(status) || (status >= 500 && status !== 501)

/** Files by PUT: to WebDAV (RFC 4918) under a temporary name, then moved; to any other server under their own name. */
export class HttpSession implements ProvableSession {
  private readonly made = new Set<string>()

  constructor(
    private readonly connection: HttpConnection,
    private readonly secrets: TargetSecrets,
    private readonly signal: AbortSignal,
    private readonly limits: TransferLimits,
  ) {}

  async send(file: OutgoingFile): Promise<Receipt> {
    const isDav = this.connection.kind === 'webdav'
    if (isDav) for (const folder of foldersOf(file.path)) await this.makeFolder(folder)
    const path = isDav ? partialPath(file) : file.path
    try {
      const stated = await this.put(path, file)
      const proof = await this.verify(path, file, stated)
      if (isDav) {
        await this.move(path, file.path)
        assertSize((await this.sizeOf(file.path)) ?? (await this.digest(file.path)).size, file)
      }
      return { place: this.urlOf(file.path), proof }
    } catch (error) {
      if (isDav && !this.signal.aborted) await this.remove(path).catch(() => {})
      throw error
    }
  }

  digest(path: string) {
    return this.during(async (exchange) => {
      const response = await this.request('GET', path, exchange)
      await assertDone(response)
      return digestOf(response, exchange.moved)
    })
  }

  async remove(path: string): Promise<void> {
    await this.during(async (exchange) => assertDone(await this.request('DELETE', path, exchange), true))
  }

  async close() {}

  /** The SHA-256 that the server states of what it took (RFC 9530), in Base64; null where it states none. */
  private put(path: string, file: OutgoingFile): Promise<string | null> {
    return this.during(async (exchange) => {
      const bytes = new SentBytes(file, exchange.moved).through(await file.read())
      const digest = `sha-256=:${Buffer.from(file.sha256, 'hex').toString('base64')}:`
      const headers = {
        'Content-Type': 'application/octet-stream',
        'Content-Length': file.size,
        'Repr-Digest': digest,
        'Want-Repr-Digest': 'sha-256=10',
      }
      const response = await this.request('PUT', path, exchange, headers, bytes)
      await assertDone(response, true)
      return statedDigest(response)
    })
  }

  private async verify(path: string, file: OutgoingFile, statedByPut: string | null): Promise<string> {
    if (file.verification === 'read_back') {
      assertSame(await this.digest(path), file)
      return PROOFS.readBack
    }
    const { size, stated: statedByHead } = await this.head(path)
    const stated = statedByHead ?? statedByPut
    if (size !== null) assertSize(size, file)
    if (size === null || (file.verification === 'checksum' && stated === null)) {
      assertSame(await this.digest(path), file)
      return PROOFS.readBack
    }
    if (file.verification === 'size') return PROOFS.size
    assertSame({ size, sha256: Buffer.from(stated ?? '', 'base64').toString('hex') }, file)
    return 'Size compared, and the SHA-256 that the server stated'
  }

  private head(path: string) {
    return this.during(async (exchange) => {
      const response = await this.request('HEAD', path, exchange, { 'Want-Repr-Digest': 'sha-256=10' })
      const status = response.statusCode ?? 0
      response.destroy()
      // Some servers take files and say nothing of them by HEAD; GET decides then.
      const length = status === 200 ? response.headers['content-length'] : undefined
      return { size: length === undefined ? null : Number(length), stated: statedDigest(response) }
    })
  }

  private sizeOf = async (path: string) => (await this.head(path)).size

  private async makeFolder(folder: string) {
    if (this.made.has(folder)) return
    await this.during(async (exchange) => {
      const response = await this.request('MKCOL', folder, exchange)
      // 405: there is one (RFC 4918 section 9.3.1).
      if (response.statusCode === 405) return void response.destroy()
      await assertDone(response)
    })
    this.made.add(folder)
  }

  private async move(from: string, to: string) {
    await this.during(async (exchange) => {
      const headers = { Destination: this.urlOf(to), Overwrite: 'T' }
      await assertDone(await this.request('MOVE', from, exchange, headers))
    })
  }

  private during<T>(run: (exchange: Exchange) => Promise<T>): Promise<T> {
    return whileMoving(this.limits.idleMs, this.signal, (moved, signal) =>
      run({ moved, signal }).catch((error) => {
        throw connectionFault(error)
      }),
    )
  }

  private urlOf(path: string): string {
    return `${this.connection.url.replace(/\/+$/, '')}/${path.split('/').map(encodeURIComponent).join('/')}`
  }

  /** One request on a connection of its own; what answers it, even before all of the body was sent. Redirects are not followed. */
  private request(
    method: string,
    path: string,
    { signal, moved }: Exchange,
    headers: Headers = {},
    body?: AsyncIterable<Buffer>,
  ): Promise<IncomingMessage> {
    const url = new URL(this.urlOf(path))
    return new Promise((resolve, reject) => {
      const request = (url.protocol === 'https:' ? requestHttps : requestHttp)(url, {
        method,
        headers: { ...this.credentials(), 'User-Agent': 'Greenroom', 'Accept-Encoding': 'identity', ...headers },
        agent: false,
        lookup: this.limits.allowsPrivate ? undefined : publicLookup,
        signal,
      })
      request.on('error', reject)
      request.on('response', (response) => {
        moved()
        resolve(response)
      })
      if (body) pipeline(body, request).catch(reject)
      else request.end()
    })
  }

  private credentials(): Headers {
    const { user } = this.connection
    const { password = '', token } = this.secrets
    if (user !== '') return { Authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}` }
    return token ? { Authorization: `Bearer ${token}` } : {}
  }
}

function statedDigest({ headers }: IncomingMessage): string | null {
  const field = headers['repr-digest']
  return typeof field === 'string' ? (/sha-256=:([A-Za-z0-9+/=]+):/.exec(field)?.[1] ?? null) : null
}

const SAID_BYTES = 2_000

/** Reads a success, of `isEmptied` to its end. @throws TransferFault with what the server said instead */
async function assertDone(response: IncomingMessage, isEmptied = false): Promise<void> {
  const status = response.statusCode ?? 0
  if (status >= 200 && status < 300) {
    if (isEmptied || response.headers['content-length'] === '0') response.resume()
    return
  }
  let said = ''
  if (status >= 400)
    for await (const piece of response) {
      said += piece.toString('utf8')
      if (said.length >= SAID_BYTES) break
    }
  response.destroy()
  const { location } = response.headers
  if (status >= 300 && status < 400)
    throw new TransferFault(
      `The server answered ${status} and points to ${shortly(location ?? 'nowhere')}; redirects are not followed.`,
      true,
    )
  const words = shortly(said) || shortly(response.statusMessage ?? '')
  throw new TransferFault(
    `The server answered ${status}${words && `: ${words}`}.`.replace(/\.\.$/, '.'),
    !isPassing(status),
  )
}

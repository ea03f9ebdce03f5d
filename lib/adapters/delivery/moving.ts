import { createHash } from 'node:crypto'
import { type OutgoingFile, TransferFault } from '@/lib/domain/deliveries/port'
import { Refused } from '../webhook-sender/send'

/** What every way of delivering shares: limits, hashes, and the name of what is not complete yet. */

export type TransferLimits = {
  /** Without anything moving for so long, the other side is given up. */
  idleMs: number
  allowsPrivate: boolean
}

/**
 * Runs what moves bytes, and gives up when nothing moves for `idleMs`, or `outer` aborts.
 * `run` calls `moved` whenever something did, and heeds the signal.
 */
export async function whileMoving<T>(
  idleMs: number,
  outer: AbortSignal,
  run: (moved: () => void, signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const stalled = new AbortController()
  const give = () =>
    stalled.abort(new TransferFault(`Nothing moved for ${idleMs / 1000} s, so the connection was given up.`))
  const timer = setTimeout(give, idleMs)
  const signal = AbortSignal.any([outer, stalled.signal])
  try {
    return await new Promise<T>((resolve, reject) => {
      // What was aborted says why, not how the aborted call ended.
      const fail = (error: unknown) => reject(signal.aborted ? signal.reason : error)
      signal.addEventListener('abort', fail, { once: true })
      if (signal.aborted) fail(signal.reason)
      else run(() => timer.refresh(), signal).then(resolve, fail)
    })
  } finally {
    clearTimeout(timer)
  }
}

/** The bytes of a file as they are sent: counted and hashed on the way. */
export class SentBytes {
  private readonly hash = createHash('sha256')
  private sent = 0

  constructor(
    private readonly file: OutgoingFile,
    private readonly moved: () => void,
  ) {}

  async *through(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    try {
      for await (const piece of source) {
        this.hash.update(piece)
        this.sent += piece.length
        this.moved()
        yield piece
        this.file.onProgress(this.sent)
      }
    } catch (error) {
      if (error instanceof TransferFault) throw error
      const { message } = error as Error
      throw new TransferFault(`The storage of Greenroom broke off: ${shortly(message)}.`)
    }
    this.moved()
    this.assertWhole()
  }

  /** @throws TransferFault when the storage gave other bytes than those that were approved */
  private assertWhole() {
    const { size, sha256 } = this.file
    if (this.sent === size && this.hash.digest('hex') === sha256) return
    throw new TransferFault('The storage of Greenroom holds other bytes than those that were approved.', true)
  }
}

/** How many bytes came, and their SHA-256. */
export async function digestOf(source: AsyncIterable<Buffer>, moved: () => void) {
  const hash = createHash('sha256')
  let size = 0
  for await (const piece of source) {
    hash.update(piece)
    size += piece.length
    moved()
  }
  return { size, sha256: hash.digest('hex') }
}

/** @throws TransferFault */
export function assertSize(found: number, { size }: OutgoingFile) {
  if (found !== size) throw new TransferFault(`The target holds ${found} bytes instead of ${size}.`)
}

/** @throws TransferFault */
export function assertSame(found: { size: number; sha256: string }, file: OutgoingFile) {
  assertSize(found.size, file)
  if (found.sha256 === file.sha256) return
  throw new TransferFault(
    `The target holds other bytes than were sent: their SHA-256 is ${found.sha256} instead of ${file.sha256}.`,
  )
}

export const PROOFS = {
  size: 'Size compared',
  readBack: 'Size compared, read back and SHA-256 compared',
}

/** Beside the file itself, and the same at each attempt: a retry overwrites what the one before left. */
export function partialPath({ path, sha256 }: OutgoingFile): string {
  const at = path.lastIndexOf('/') + 1
  const tag = createHash('sha256').update(path).digest('hex').slice(0, 8)
  return `${path.slice(0, at)}.greenroom-${sha256.slice(0, 16)}-${tag}.part`
}

/** The folders above a path, the outermost first. */
export const foldersOf = (path: string) =>
  path
    .split('/')
    .slice(0, -1)
    .map((_, index, all) => all.slice(0, index + 1).join('/'))

const LASTING_CODES = new Set([
  'CERT_HAS_EXPIRED',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'ERR_TLS_CERT_ALTNAME_INVALID',
])

/** Why there is no connection, or no more. */
export function connectionFault(error: unknown): TransferFault {
  if (error instanceof TransferFault) return error
  const { code, message } = error as NodeJS.ErrnoException
  if (error instanceof Refused) return new TransferFault(`${message}, which is not on the public internet.`, true)
  const said = code && !message.includes(code) ? `${message} (${code})` : message
  return new TransferFault(`The connection failed: ${said}.`, code !== undefined && LASTING_CODES.has(code))
}

/** What another system said, short and on one line. */
export const shortly = (said: string) => {
  const line = said
    .replace(/<[^>]*>/g, ' ')
    .replace(/\p{C}+|\s+/gu, ' ')
    .trim()
  return line.length > 200 ? `${line.slice(0, 199)}…` : line
}

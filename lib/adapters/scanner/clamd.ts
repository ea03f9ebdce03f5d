import { open } from 'node:fs/promises'
import { connect } from 'node:net'
import { DomainError } from '@/lib/domain/kernel/errors'

/** clamd reads pieces of any size up to its StreamMaxLength; this one keeps the memory of both small. */
const PIECE_BYTES = 256 * 1024
/** How long clamd may be silent: it says nothing while it unpacks what it was sent. */
const SILENCE_MS = 120_000
const VERDICT = /^stream: (?:(OK)|(.+) FOUND)$/

/**
 * Searches for malware with a ClamAV daemon, by the INSTREAM command of its protocol (clamd(8)): pieces with their length
 * as four bytes, most significant first, then a piece of length zero; the reply is one line.
 *
 * `found` is the name of the signature, or null. A scanner that is away, silent or in trouble is never a pass.
 * @throws `unavailable`
 */
export function clamdScanner(address: string, silenceMs = SILENCE_MS) {
  const { hostname, port } = new URL(address)
  const host = hostname.replace(/^\[|\]$/g, '')
  return async (path: string): Promise<{ found: string | null }> => {
    const reply = await ask({ host, port: Number(port || 3310) }, path, silenceMs)
    const verdict = VERDICT.exec(reply)
    if (!verdict) throw unavailable(reply === '' ? 'hung up without a reply' : `replied “${reply.slice(0, 200)}”`)
    return { found: verdict[2] ?? null }
  }
}

function ask(where: { host: string; port: number }, path: string, silenceMs: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(where)
    let reply = ''
    socket.setTimeout(silenceMs, () => socket.destroy(new Error(`was silent for ${silenceMs / 1000} s`)))
    socket.setEncoding('utf8')
    socket.on('data', (text: string) => {
      reply += text
      // One reply, ended by the zero that the form of the command asks for.
      if (reply.includes('\0') || reply.length > 4096) socket.end()
    })
    socket.on('error', (error: NodeJS.ErrnoException) => {
      // It may say what is wrong and hang up while we still send: what it said counts.
      if (reply === '') reject(unavailable(error.code ?? error.message))
    })
    socket.on('close', () => resolve(reply.replace(/\0.*$/s, '').trim()))
    socket.once('connect', () => {
      socket.write('zINSTREAM\0')
      sendFile(path, (piece) => write(socket, piece)).catch((error) => socket.destroy(error))
    })
  })
}

async function sendFile(path: string, send: (piece: Buffer) => Promise<boolean>) {
  const file = await open(path)
  try {
    for (;;) {
      const piece = Buffer.allocUnsafe(4 + PIECE_BYTES)
      const { bytesRead } = await file.read(piece, 4, PIECE_BYTES)
      piece.writeUInt32BE(bytesRead, 0)
      const isHeard = await send(piece.subarray(0, 4 + bytesRead))
      if (bytesRead === 0 || !isHeard) return
    }
  } finally {
    await file.close()
  }
}

/** Waits until the piece is on its way; false when the other side no longer listens. */
function write(socket: ReturnType<typeof connect>, piece: Buffer): Promise<boolean> {
  return new Promise((resolve) => {
    if (!socket.writable) return resolve(false)
    socket.write(piece, (error) => resolve(!error))
  })
}

const unavailable = (what: string) =>
  new DomainError(
    'unavailable',
    `The malware scanner ${/^[A-Z_]+$/.test(what) ? `cannot be reached (${what})` : what}, so this file could not be scanned and was not taken. Try again in a minute.`,
    { retryAfter: 60 },
  )

import { createHash } from 'node:crypto'
import { connect as connectSocket, type Socket } from 'node:net'
import { Client, type SFTPWrapper } from 'ssh2'
import { type OutgoingFile, type ReachableTarget, type Receipt, TransferFault } from '@/lib/domain/deliveries/port'
import type { Connection } from '@/lib/domain/deliveries/schema'
import { publicLookup } from '../webhook-sender/send'
import { hostOf } from './addresses'
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
import { type ProvableSession, UntrustedHostKey } from './session'
import { readBytes, writeBytes } from './sftp-bytes'

type SftpConnection = Extract<Connection, { kind: 'sftp' }>

/** As `ssh-keygen -l` writes it. */
const fingerprintOf = (key: Buffer) => `SHA256:${createHash('sha256').update(key).digest('base64').replace(/=+$/, '')}`

/** @throws TransferFault */
export async function openSftp(
  target: ReachableTarget,
  signal: AbortSignal,
  limits: TransferLimits,
): Promise<SftpSession> {
  const connection = target.connection as SftpConnection
  const client = new Client()
  let socket: Socket | undefined
  // What cannot even begin, with a key that is locked, has not taken the socket.
  const close = () => {
    client.destroy()
    socket?.destroy()
  }
  try {
    const sftp = await whileMoving(limits.idleMs, signal, async (moved) => {
      socket = await reach(connection, limits)
      socket.on('data', moved)
      await authenticate(client, socket, target)
      return new Promise<SFTPWrapper>((resolve, reject) =>
        client.sftp((error, opened) => (error ? reject(error) : resolve(opened))),
      )
    })
    signal.addEventListener('abort', close, { once: true })
    return new SftpSession(client, sftp, connection, signal, limits)
  } catch (error) {
    close()
    throw sftpFault(error)
  }
}

/** The name is looked up once, and the connection goes to the very address that was validated. */
function reach({ host, port }: SftpConnection, { allowsPrivate, idleMs }: TransferLimits): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connectSocket({
      host: hostOf(host) ?? host,
      port,
      ...(!allowsPrivate && { lookup: publicLookup }),
      timeout: idleMs,
    })
    socket.once('error', reject)
    socket.once('timeout', () => socket.destroy(new TransferFault(`No connection within ${idleMs / 1000} s.`)))
    socket.once('connect', () => {
      socket.setTimeout(0)
      // The end of each request waits for no acknowledgement of what was sent before.
      socket.setNoDelay(true)
      socket.removeAllListeners('timeout')
      resolve(socket)
    })
  })
}

function authenticate(client: Client, sock: Socket, { connection, secrets, hostKey }: ReachableTarget): Promise<void> {
  return new Promise((resolve, reject) => {
    let untrusted: UntrustedHostKey | undefined
    // The listener stays: a connection that breaks later says so to what is under way.
    client.on('error', (error) => reject(untrusted ?? error))
    client.once('close', () => reject(new TransferFault('The server closed the connection before anything was sent.')))
    client.once('ready', resolve)
    const { password } = secrets
    // Some servers ask for the password instead of taking it (RFC 4256).
    if (password !== undefined)
      client.on('keyboard-interactive', (_name, _said, _language, prompts, answer) =>
        answer(prompts.map(() => password)),
      )
    client.connect({
      sock,
      username: (connection as SftpConnection).user,
      ...(password !== undefined && { password, tryKeyboard: true }),
      ...(secrets.private_key !== undefined && { privateKey: secrets.private_key }),
      ...(secrets.passphrase !== undefined && { passphrase: secrets.passphrase }),
      readyTimeout: 0,
      keepaliveInterval: 15_000,
      hostVerifier: (key: Buffer) => {
        const shown = fingerprintOf(key)
        if (shown === hostKey) return true
        untrusted = new UntrustedHostKey(shown, hostKey)
        return false
      },
    })
  })
}

/** Files over SFTP: sent under a temporary name, verified there, then renamed. */
class SftpSession implements ProvableSession {
  private readonly made = new Set<string>()
  private readonly closed = new AbortController()

  constructor(
    private readonly client: Client,
    private readonly sftp: SFTPWrapper,
    private readonly connection: SftpConnection,
    private readonly signal: AbortSignal,
    private readonly limits: TransferLimits,
  ) {
    client.once('close', () => this.closed.abort(new TransferFault('The server closed the connection.')))
  }

  async send(file: OutgoingFile): Promise<Receipt> {
    const partial = partialPath(file)
    for (const folder of foldersOf(this.below(file.path))) if (folder !== '') await this.makeFolder(folder)
    try {
      await this.during(async (moved) => {
        const bytes = new SentBytes(file, moved).through(await file.read())
        await writeBytes(this.sftp, this.below(partial), bytes)
      })
      const proof = await this.verify(partial, file)
      await this.rename(partial, file.path)
      assertSize((await this.stat(this.below(file.path))).size, file)
      return { place: await this.placeOf(file.path), proof }
    } catch (error) {
      if (!this.closed.signal.aborted && !this.signal.aborted) await this.remove(partial).catch(() => {})
      throw error
    }
  }

  private async verify(path: string, file: OutgoingFile): Promise<string> {
    assertSize((await this.stat(this.below(path))).size, file)
    if (file.verification === 'size') return PROOFS.size
    // SFTP has no checksum that servers could be asked for.
    assertSame(await this.digest(path), file)
    return PROOFS.readBack
  }

  digest(path: string) {
    return this.during((moved) => digestOf(readBytes(this.sftp, this.below(path)), moved))
  }

  async remove(path: string): Promise<void> {
    await this.ask<void>((done) => this.sftp.unlink(this.below(path), done))
  }

  async close() {
    this.client.end()
    this.client.destroy()
  }

  private stat(path: string) {
    return this.ask<{ size: number }>((done) => this.sftp.stat(path, done))
  }

  private async makeFolder(folder: string) {
    if (this.made.has(folder)) return
    const isThere = () =>
      this.stat(folder).then(
        () => true,
        () => false,
      )
    if (!(await isThere()))
      await this.ask<void>((done) => this.sftp.mkdir(folder, done)).catch(async (error) => {
        // Another delivery may have made it meanwhile.
        if (!(await isThere())) throw error
      })
    this.made.add(folder)
  }

  /**
   * In one step where the server offers it (posix-rename@openssh.com): at any time one of both files is there. Others do not
   * rename onto a file that is there: it is put aside until the new one is in its place.
   */
  private async rename(from: string, to: string) {
    const [source, target] = [this.below(from), this.below(to)]
    const isDone = await this.ask<void>((done) => this.sftp.ext_openssh_rename(source, target, done)).then(
      () => true,
      (error: Error) => {
        if (NOT_OFFERED.test(error.message)) return false
        throw error
      },
    )
    if (isDone) return
    const move = (before: string, after: string) => this.ask<void>((done) => this.sftp.rename(before, after, done))
    const isThere = await this.stat(target).then(
      () => true,
      () => false,
    )
    if (!isThere) return move(source, target)
    const aside = `${source}.before`
    await this.ask<void>((done) => this.sftp.unlink(aside, done)).catch(() => {})
    await move(target, aside)
    try {
      await move(source, target)
    } catch (error) {
      await move(aside, target).catch(() => {})
      throw error
    }
    await this.ask<void>((done) => this.sftp.unlink(aside, done)).catch(() => {})
  }

  private async placeOf(path: string): Promise<string> {
    const { host, port } = this.connection
    const found = await this.ask<string>((done) => this.sftp.realpath(this.below(path), done)).catch(
      () => `/${this.below(path)}`,
    )
    return `sftp://${host}${port === 22 ? '' : `:${port}`}${found}`
  }

  private below(path: string): string {
    const folder = this.connection.folder.replace(/\/+$/, '')
    return this.connection.folder === '' ? path : `${folder}/${path}`
  }

  private ask<T>(call: (done: (error: Error | null | undefined, value?: T) => void) => unknown): Promise<T> {
    return this.during(
      () => new Promise<T>((resolve, reject) => call((error, value) => (error ? reject(error) : resolve(value as T)))),
    )
  }

  private during<T>(run: (moved: () => void) => Promise<T>): Promise<T> {
    const either = AbortSignal.any([this.signal, this.closed.signal])
    return whileMoving(this.limits.idleMs, either, (moved, signal) => {
      // Nothing else interrupts a call of SFTP: after it the connection is of no use.
      signal.addEventListener('abort', () => this.client.destroy(), { once: true })
      return run(moved).catch((error) => {
        throw sftpFault(error)
      })
    })
  }
}

/** As the library says that a server does not offer an extension. */
const NOT_OFFERED = /does not support this extended request/

/** Status codes of SFTP (draft-ietf-secsh-filexfer-02 section 7): no such file, permission denied. */
const LASTING_STATUS = [2, 3]

function sftpFault(error: unknown): TransferFault {
  if (error instanceof TransferFault) return error
  const { level, code, message } = error as Error & { level?: string; code?: unknown }
  if (level === 'client-authentication')
    return new TransferFault(`The server refuses these credentials: ${shortly(message)}.`, true)
  if (/privateKey|passphrase/i.test(message)) return new TransferFault(`${shortly(message)}.`, true)
  if (typeof code === 'number')
    return new TransferFault(`The server answered: ${shortly(message)}.`, LASTING_STATUS.includes(code))
  return connectionFault(error)
}

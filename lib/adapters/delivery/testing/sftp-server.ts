import { generateKeyPairSync } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import ssh2, { type Connection, type SFTPWrapper } from 'ssh2'

const { Server, utils } = ssh2
const { STATUS_CODE, OPEN_MODE } = utils.sftp

export type SftpFault = 'stall' | 'full' | 'forbidden' | 'alter' | 'cut'

/** An SFTP server for tests, with one account and its files in memory. */
export async function startSftpServer({ user, password }: { user: string; password: string }) {
  const own = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const files = new Map<string, Buffer>()
  const folders = new Set<string>(['/', '/home'])
  const open = new Set<Connection>()
  const state = {
    files,
    folders,
    /** Asked for every write; what it names happens. */
    fault: (_path: string): SftpFault | undefined => undefined,
    /** Attempts to sign in, so that a test sees whether a password was sent. */
    signIns: [] as string[],
    renames: [] as string[],
    /** Whether it asks for the password instead of taking it. */
    asks: false,
    /** Whether it renames onto a file that is there, in one step (posix-rename@openssh.com). */
    offersRename: false,
    /** A rename to this path is refused. */
    refusesRename: (_path: string): boolean => false,
    /** The private key of the account, as PEM; locked by a passphrase where one is given. */
    privateKey: (passphrase?: string) =>
      own.privateKey.export({
        type: 'pkcs1',
        format: 'pem',
        ...(passphrase !== undefined && { cipher: 'aes-256-cbc', passphrase }),
      }) as string,
  }
  const keyOfAccount = () => {
    const known = utils.parseKey(state.privateKey())
    if (known instanceof Error || Array.isArray(known)) throw new Error('The key of the account cannot be read.')
    return known
  }
  const server = new Server({ hostKeys: [newHostKey()] }, accept)

  function accept(connection: Connection) {
    open.add(connection)
    connection.on('close', () => open.delete(connection))
    connection.on('error', () => {})
    connection.on('authentication', (attempt) => {
      if (state.asks && attempt.method === 'keyboard-interactive') {
        state.signIns.push(attempt.username)
        return void attempt.prompt([{ prompt: 'Password: ', echo: false }], (answers) =>
          answers[0] === password ? attempt.accept() : attempt.reject(),
        )
      }
      if (attempt.method === 'publickey') {
        const known = keyOfAccount()
        const isOwn = attempt.username === user && attempt.key.data.equals(known.getPublicSSH())
        const isSigned =
          !attempt.signature || known.verify(attempt.blob ?? '', attempt.signature, attempt.hashAlgo) === true
        if (isOwn && isSigned) state.signIns.push(`${attempt.username} by key`)
        return isOwn && isSigned ? attempt.accept() : attempt.reject(['password'])
      }
      if (state.asks || attempt.method !== 'password')
        return attempt.reject([state.asks ? 'keyboard-interactive' : 'password', 'publickey'])
      state.signIns.push(attempt.username)
      if (attempt.username === user && attempt.password === password) attempt.accept()
      else attempt.reject(['password'])
    })
    connection.on('session', (acceptSession) =>
      acceptSession().on('sftp', (acceptSftp) => serve(acceptSftp(), connection)),
    )
  }

  const absolute = (path: string) => (path.startsWith('/') ? path : `/home/${path}`).replace(/\/\.?$/, '') || '/'

  function serve(sftp: SFTPWrapper, connection: Connection) {
    const handles = new Map<string, string>()
    let next = 0
    if (state.offersRename) offerRename(sftp)
    sftp.on('EXTENDED', (id, name, data) => {
      if (name !== 'posix-rename@openssh.com') return sftp.status(id, STATUS_CODE.OP_UNSUPPORTED)
      const length = data.readUInt32BE(0)
      const [from, to] = [data.subarray(4, 4 + length), data.subarray(8 + length)].map((path) => absolute(String(path)))
      const bytes = files.get(from ?? '')
      if (!bytes || state.refusesRename(to ?? '')) return sftp.status(id, STATUS_CODE.PERMISSION_DENIED)
      state.renames.push(`${to} in one step`)
      files.set(to ?? '', bytes)
      files.delete(from ?? '')
      sftp.status(id, STATUS_CODE.OK)
    })
    const attributes = (path: string) => {
      const isFolder = folders.has(path)
      const bytes = files.get(path)
      if (!isFolder && !bytes) return null
      return { mode: isFolder ? 0o40755 : 0o100644, uid: 0, gid: 0, size: bytes?.length ?? 0, atime: 0, mtime: 0 }
    }
    const stat = (id: number, asked: string) => {
      const found = attributes(absolute(asked))
      if (found) sftp.attrs(id, found)
      else sftp.status(id, STATUS_CODE.NO_SUCH_FILE)
    }
    sftp.on('REALPATH', (id, path) =>
      sftp.name(id, [{ filename: absolute(path), longname: absolute(path), attrs: {} as never }]),
    )
    sftp.on('STAT', stat)
    sftp.on('LSTAT', stat)
    sftp.on('FSTAT', (id, handle) => stat(id, handles.get(handle.toString()) ?? ''))
    sftp.on('FSETSTAT', (id) => sftp.status(id, STATUS_CODE.OK))
    sftp.on('MKDIR', (id, asked) => {
      const path = absolute(asked)
      const parent = path.slice(0, path.lastIndexOf('/')) || '/'
      if (!folders.has(parent)) return sftp.status(id, STATUS_CODE.NO_SUCH_FILE)
      if (folders.has(path)) return sftp.status(id, STATUS_CODE.FAILURE)
      folders.add(path)
      sftp.status(id, STATUS_CODE.OK)
    })
    sftp.on('OPEN', (id, asked, flags) => {
      const path = absolute(asked)
      const isWrite = (flags & OPEN_MODE.WRITE) !== 0
      if (isWrite && state.fault(path) === 'forbidden') return sftp.status(id, STATUS_CODE.PERMISSION_DENIED)
      if (!isWrite && !files.has(path)) return sftp.status(id, STATUS_CODE.NO_SUCH_FILE)
      if (isWrite && (flags & OPEN_MODE.TRUNC || !files.has(path))) files.set(path, Buffer.alloc(0))
      const handle = String(next++)
      handles.set(handle, path)
      sftp.handle(id, Buffer.from(handle))
    })
    sftp.on('WRITE', (id, handle, offset, data) => {
      const path = handles.get(handle.toString()) ?? ''
      const fault = state.fault(path)
      if (fault === 'stall') return
      if (fault === 'full') return sftp.status(id, STATUS_CODE.FAILURE, 'No space left on device')
      if (fault === 'cut' && offset > 0) return connection.end()
      const bytes = Buffer.from(data)
      if (fault === 'alter' && offset === 0) bytes[0] = (bytes[0] ?? 0) ^ 1
      const before = files.get(path) ?? Buffer.alloc(0)
      const end = Math.max(before.length, offset + bytes.length)
      // Room for as much again, so that a large file is not copied with each of its blocks.
      const room = before.buffer.byteLength >= end ? Buffer.from(before.buffer) : Buffer.alloc(2 * end)
      if (room.buffer !== before.buffer) before.copy(room)
      bytes.copy(room, offset)
      files.set(path, room.subarray(0, end))
      sftp.status(id, STATUS_CODE.OK)
    })
    sftp.on('READ', (id, handle, offset, length) => {
      const bytes = files.get(handles.get(handle.toString()) ?? '')
      if (!bytes || offset >= bytes.length) return sftp.status(id, STATUS_CODE.EOF)
      sftp.data(id, bytes.subarray(offset, offset + length))
    })
    sftp.on('CLOSE', (id, handle) => {
      handles.delete(handle.toString())
      sftp.status(id, STATUS_CODE.OK)
    })
    sftp.on('REMOVE', (id, asked) =>
      sftp.status(id, files.delete(absolute(asked)) ? STATUS_CODE.OK : STATUS_CODE.NO_SUCH_FILE),
    )
    sftp.on('RENAME', (id, from, to) => {
      const bytes = files.get(absolute(from))
      // As the protocol has it: a rename onto a file that is there fails.
      if (!bytes || files.has(absolute(to)) || (state.refusesRename(absolute(to)) && !from.endsWith('.before')))
        return sftp.status(id, STATUS_CODE.FAILURE)
      state.renames.push(absolute(to))
      files.set(absolute(to), bytes)
      files.delete(absolute(from))
      sftp.status(id, STATUS_CODE.OK)
    })
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return Object.assign(state, {
    port: (server.address() as AddressInfo).port,
    /** The public half of the key of the account, as SSH has it. */
    publicKey: () => keyOfAccount().getPublicSSH(),
    async close() {
      for (const connection of open) connection.end()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  })
}

const newHostKey = () =>
  generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ type: 'pkcs1', format: 'pem' }) as string

/** The library answers without extensions: its first packet is exchanged for one that names this one. */
function offerRename(sftp: SFTPWrapper) {
  const { _protocol: protocol } = sftp as unknown as { _protocol: { channelData(id: number, data: Buffer): void } }
  const send = protocol.channelData.bind(protocol)
  const text = (words: string) => Buffer.concat([length(words.length), Buffer.from(words)])
  const length = (bytes: number) => {
    const written = Buffer.alloc(4)
    written.writeUInt32BE(bytes)
    return written
  }
  protocol.channelData = (id, data) => {
    // SSH_FXP_VERSION: length, type 2, version 3.
    if (data.length !== 9 || data[4] !== 2) return send(id, data)
    const body = Buffer.concat([data.subarray(4), text('posix-rename@openssh.com'), text('1')])
    send(id, Buffer.concat([length(body.length), body]))
    protocol.channelData = send
  }
}

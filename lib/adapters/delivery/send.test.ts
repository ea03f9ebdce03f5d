import { createHash, generateKeyPairSync, randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type OutgoingFile, type ReachableTarget, type Receipt, TransferFault } from '@/lib/domain/deliveries/port'
import type { Verification } from '@/lib/vocabulary'
import { startS3Server } from '../blob-store/testing/s3-server'
import { explainDeliveryTarget } from './addresses'
import { explainPrivateKey } from './keys'
import { targetSender } from './send'
import { startFileServer } from './testing/file-server'
import { startSftpServer } from './testing/sftp-server'

const ACCOUNT = { user: 'greenroom', password: 'correct horse' }
const KEYS = { accessKeyId: 'AKIATEST', secretAccessKey: 'secret-key' }
// As long as a healthy server may take on a busy machine; and as long as is waited for one that never answers.
const sender = targetSender({ allowsPrivate: true, idleMs: 60_000 })
const impatient = targetSender({ allowsPrivate: true, idleMs: 1_000 })
const by = (fault: string) => (fault === 'hang' || fault === 'stall' ? impatient : sender)

let s3: Awaited<ReturnType<typeof startS3Server>>
let sftp: Awaited<ReturnType<typeof startSftpServer>>
let dav: Awaited<ReturnType<typeof startFileServer>>
let plain: Awaited<ReturnType<typeof startFileServer>>
let hostKey: string | null = null
beforeAll(async () => {
  s3 = await startS3Server({ bucket: 'masters', ...KEYS })
  sftp = await startSftpServer(ACCOUNT)
  dav = await startFileServer({ ...ACCOUNT, isDav: true })
  plain = await startFileServer({ ...ACCOUNT, isDav: false })
  hostKey = (await sender.test({ ...sftpTarget(), hostKey: null })).hostKey
})
afterAll(() => Promise.all([s3.stop(), sftp.close(), dav.close(), plain.close()]))
beforeEach(() => {
  s3.breaks()
  s3.objects.clear()
  sftp.fault = () => undefined
  sftp.asks = false
  sftp.offersRename = false
  sftp.refusesRename = () => false
  sftp.renames.length = 0
  sftp.files.clear()
  for (const server of [dav, plain]) {
    server.fault = () => undefined
    server.files.clear()
    server.requests = []
    server.statesDigests = false
    server.knowsHead = true
  }
})

const s3Target = (): ReachableTarget => ({
  connection: {
    kind: 's3',
    bucket: 'masters',
    region: 'us-east-1',
    endpoint: s3.endpoint,
    prefix: 'from greenroom',
    access_key_id: KEYS.accessKeyId,
  },
  secrets: { secret_access_key: KEYS.secretAccessKey },
  hostKey: null,
})
const sftpTarget = (): ReachableTarget => ({
  connection: { kind: 'sftp', host: '127.0.0.1', port: sftp.port, user: ACCOUNT.user, folder: '' },
  secrets: { password: ACCOUNT.password },
  hostKey,
})
const httpTarget = (kind: 'webdav' | 'http_put'): ReachableTarget => ({
  connection: { kind, url: kind === 'webdav' ? dav.url : plain.url, user: ACCOUNT.user },
  secrets: { password: ACCOUNT.password },
  hostKey: null,
})

const bytes = randomBytes(300_000)
const fileOf = (content: Buffer, path: string, verification: Verification): OutgoingFile => ({
  path,
  size: content.length,
  sha256: createHash('sha256').update(content).digest('hex'),
  verification,
  read: async () => Readable.from(slices(content)),
  onProgress: () => {},
})
function* slices(content: Buffer) {
  for (let at = 0; at < content.length; at += 65_536) yield content.subarray(at, at + 65_536)
}

async function send(
  target: ReachableTarget,
  verification: Verification = 'checksum',
  content = bytes,
  through = sender,
): Promise<Receipt> {
  const session = await through.open(target, new AbortController().signal)
  try {
    return await session.send(fileOf(content, 'Spring/Bänner 1/spot.mp4', verification))
  } finally {
    await session.close()
  }
}

async function faultOf(promise: Promise<unknown>): Promise<TransferFault> {
  const error = await promise.then(
    (value) => new Error(`It ended well: ${JSON.stringify(value)}`),
    (reason: unknown) => reason,
  )
  if (!(error instanceof TransferFault)) throw error
  return error
}

const targets = {
  s3: { target: s3Target, held: () => s3.objects.size },
  sftp: { target: sftpTarget, held: () => sftp.files.size },
  webdav: { target: () => httpTarget('webdav'), held: () => dav.files.size },
  http_put: { target: () => httpTarget('http_put'), held: () => plain.files.size },
}

describe.each(Object.entries(targets))('%s', (kind, { target, held }) => {
  it('takes a file whole, under its path, and once however often it is sent', async () => {
    for (const verification of ['size', 'checksum', 'read_back'] as const) {
      const { place, proof } = await send(target(), verification)
      expect(decodeURIComponent(place)).toContain('Spring/Bänner 1/spot.mp4')
      expect(proof).toMatch(verification === 'size' ? /^Size compared$/ : /SHA-256|MD5/)
      expect(held()).toBe(1)
    }
    // What is there is replaced.
    await send(target(), 'read_back', randomBytes(1_000))
    expect(held()).toBe(1)
  })

  it('passes its test, and leaves nothing of it', async () => {
    const { steps } = await sender.test(target())
    expect(steps.map(({ step, ok }) => `${step} ${ok}`)).toEqual([
      'Connect true',
      'Write true',
      'Read true',
      'Delete true',
    ])
    expect(held()).toBe(0)
  })

  it('is refused for good with wrong credentials, in the words of the server', async () => {
    const wrong = kind === 's3' ? { secret_access_key: 'other' } : { password: 'other' }
    const fault = await faultOf(send({ ...target(), secrets: wrong }))
    expect(fault.isLasting).toBe(true)
    expect(fault.message).toMatch(/401: Wrong user or password|refuses these credentials|403 SignatureDoesNotMatch/)
    const { steps } = await sender.test({ ...target(), secrets: wrong })
    expect(steps.at(-1)).toMatchObject({ step: kind === 'sftp' ? 'Connect' : 'Write', ok: false })
  })

  it('is given up where no server listens, and may be tried again', async () => {
    const { connection, ...rest } = target()
    const gone =
      connection.kind === 'sftp'
        ? { ...connection, port: 1 }
        : connection.kind === 's3'
          ? { ...connection, endpoint: 'http://127.0.0.1:1' }
          : { ...connection, url: 'http://127.0.0.1:1/in' }
    const fault = await faultOf(send({ ...rest, connection: gone }))
    expect(fault).toMatchObject({ isLasting: false, message: expect.stringContaining('ECONNREFUSED') })
  })

  it('sends no other bytes than those that were approved', async () => {
    const session = await sender.open(target(), new AbortController().signal)
    const file = fileOf(bytes, 'spot.mp4', 'size')
    const fault = await faultOf(session.send({ ...file, read: async () => Readable.from([bytes.subarray(1)]) }))
    expect(fault.message).toMatch(/storage of Greenroom|answered/)
    // A server that still writes the last bytes when it is asked to delete them does so a moment later.
    await expect.poll(held).toBe(0)
    await session.close()
  })

  it('stops when it is asked to', async () => {
    const stop = new AbortController()
    const session = await sender.open(target(), stop.signal)
    const file = fileOf(bytes, 'spot.mp4', 'size')
    const sending = session.send({ ...file, read: async () => Readable.from(slowly(bytes, stop)) })
    await expect(sending).rejects.toThrow('asked to stop')
    await session.close()
  })
})

async function* slowly(content: Buffer, stop: AbortController) {
  yield content.subarray(0, 1_000)
  stop.abort(new Error('asked to stop'))
  await new Promise((resolve) => setImmediate(resolve))
  yield content.subarray(1_000)
}

describe('an S3 bucket', () => {
  it('takes large files in parts, and its ETag proves them', async () => {
    const large = randomBytes(20 * 1024 * 1024 + 17)
    expect(await send(s3Target(), 'checksum', large)).toEqual({
      place: 's3://masters/from greenroom/Spring/Bänner 1/spot.mp4',
      proof: 'Size compared, and the ETag with the MD5 of what was sent',
    })
    expect(s3.requests.filter((each) => each === 'part').length).toBeGreaterThanOrEqual(3)
  })

  it.each([
    ['error', false, /answered 500/],
    ['forbidden', true, /answered 403/],
    ['hang', false, /Nothing moved for 1 s|timed out|timeout/i],
    ['cut', false, /connection failed/],
  ] as const)('that answers with “%s” is no success', async (fault, isLasting, message) => {
    s3.breaks((operation) => (operation === 'put' ? fault : undefined))
    const found = await faultOf(send(s3Target(), 'checksum', bytes, by(fault)))
    expect(found.message).toMatch(message)
    expect(found.isLasting).toBe(isLasting)
  })
})

describe('an SFTP server', () => {
  it('may ask for the password instead of taking it', async () => {
    sftp.asks = true
    expect((await send(sftpTarget())).place).toContain('spot.mp4')
    const fault = await faultOf(send({ ...sftpTarget(), secrets: { password: 'other' } }))
    expect(fault.isLasting).toBe(true)
  })

  it('that is not trusted gets nothing: no user, no password', async () => {
    sftp.signIns = []
    const { steps, hostKey: shown } = await sender.test({ ...sftpTarget(), hostKey: null })
    expect(shown).toMatch(/^SHA256:[A-Za-z0-9+/]{43}$/)
    expect(steps).toEqual([
      { step: 'Connect', ok: false, said: expect.stringContaining(`${shown} is not trusted yet`) },
    ])
    const other = `SHA256:${'A'.repeat(43)}`
    const fault = await faultOf(send({ ...sftpTarget(), hostKey: other }))
    expect(fault).toMatchObject({ isLasting: true, message: expect.stringContaining(`instead of ${other}`) })
    expect(sftp.signIns).toEqual([])
  })

  it.each([
    ['stall', false, /Nothing moved for 1 s/],
    ['full', false, /No space left on device/],
    ['forbidden', true, /Permission denied/i],
    ['alter', false, /other bytes than were sent/],
    ['cut', false, /closed the connection|ECONNRESET/],
  ] as const)('with the fault “%s” leaves nothing under the name of the file', async (fault, isLasting, message) => {
    sftp.fault = () => fault
    const found = await faultOf(send(sftpTarget(), 'checksum', bytes, by(fault)))
    expect(found.message).toMatch(message)
    expect(found.isLasting).toBe(isLasting)
    expect([...sftp.files.keys()].filter((path) => path.endsWith('spot.mp4'))).toEqual([])
    // A retry overwrites its own partial file.
    sftp.fault = () => undefined
    await send(sftpTarget())
    expect([...sftp.files.keys()]).toEqual(['/home/Spring/Bänner 1/spot.mp4'])
  })
})

describe('WebDAV and HTTP', () => {
  it.each([
    ['busy', false, /503: Come back later/],
    ['too_large', true, /413: At most 1 GB/],
    ['redirect', true, /302 .*redirects are not followed/],
    ['hang', false, /Nothing moved for 1 s/],
    ['stall', false, /Nothing moved for 1 s/],
    ['cut', false, /connection failed/],
    ['truncate', false, /holds 150000 bytes instead of 300000/],
    ['alter', false, /other bytes than were sent/],
  ] as const)('a PUT that ends in “%s” is no success', async (fault, isLasting, message) => {
    for (const server of [dav, plain]) server.fault = (method) => (method === 'PUT' ? fault : undefined)
    for (const kind of ['webdav', 'http_put'] as const) {
      const found = await faultOf(send(httpTarget(kind), 'checksum', bytes, by(fault)))
      expect(found.message).toMatch(message)
      expect(found.isLasting).toBe(isLasting)
    }
    expect([...dav.files.keys()]).toEqual([])
  })

  it('are believed by the digest they state, and read back where they state none or know no HEAD', async () => {
    plain.statesDigests = true
    expect((await send(httpTarget('http_put'))).proof).toBe('Size compared, and the SHA-256 that the server stated')
    expect(plain.requests).not.toContain('GET /in/Spring/Bänner 1/spot.mp4')
    plain.fault = (method) => (method === 'PUT' ? 'alter' : undefined)
    expect((await faultOf(send(httpTarget('http_put')))).message).toMatch(/other bytes than were sent/)
    plain.fault = () => undefined
    plain.statesDigests = false
    plain.knowsHead = false
    expect((await send(httpTarget('http_put'), 'size')).proof).toContain('read back')
  })
})

describe('where files may not be delivered to', () => {
  const guarded = targetSender({ allowsPrivate: false, idleMs: 1_000 })

  it.each([
    ['127.0.0.1'],
    ['169.254.169.254'],
    ['10.1.2.3'],
    ['2130706433'],
    ['0x7f.1'],
    ['::1'],
    ['[::ffff:127.0.0.1]'],
    ['localhost'],
    ['files.internal'],
  ])('is %s, by any protocol', async (host) => {
    const connection = { kind: 'sftp', host, port: 22, user: 'x', folder: '' } as const
    expect(explainDeliveryTarget(connection, false)?.why).toContain('not on the public internet')
    const inUrl = host.includes(':') && !host.startsWith('[') ? `[${host}]` : host
    const url = `https://${inUrl}/in`
    expect(explainDeliveryTarget({ kind: 'webdav', url, user: '' }, false)).toMatchObject({ field: 'url' })
    const target = { connection, secrets: { password: 'x' }, hostKey: null }
    const fault = await faultOf(guarded.open(target, new AbortController().signal))
    expect(fault).toMatchObject({ isLasting: true, message: expect.stringContaining('Nothing was sent') })
  })

  it('is a name that leads there, whatever the name is', async () => {
    const { steps } = await guarded.test({
      connection: { kind: 'webdav', url: 'https://localhost.localdomain.example.invalid/', user: '' },
      secrets: {},
      hostKey: null,
    })
    expect(steps[0]?.ok === false || steps[1]?.ok === false).toBe(true)
  })

  it.each([
    [{ kind: 'http_put', url: 'http://files.example.com/in', user: '' }, /expected https/],
    [{ kind: 'http_put', url: 'https://me:secret@files.example.com/in', user: '' }, /leave user and password out/],
    [{ kind: 'webdav', url: 'https://files.example.com/in?key=1', user: '' }, /part after \?/],
    [{ kind: 'webdav', url: 'ftp://files.example.com', user: '' }, /expected an address/],
    [{ kind: 'sftp', host: 'sftp://files.example.com', port: 22, user: 'x', folder: '' }, /without a protocol/],
    [{ kind: 'sftp', host: 'files.example.com/etc', port: 22, user: 'x', folder: '' }, /without a protocol/],
  ] as const)('is said of %o', (connection, why) => {
    expect(explainDeliveryTarget(connection, false)?.why).toMatch(why)
  })
})

describe('sftp', () => {
  const byKey = (private_key: string, passphrase?: string) => ({
    ...sftpTarget(),
    secrets: { private_key, ...(passphrase !== undefined && { passphrase }) },
  })

  it('is entered by a private key, locked or not, and refused with a wrong one', async () => {
    sftp.signIns.length = 0
    await send(byKey(sftp.privateKey()))
    await send(byKey(sftp.privateKey('open sesame'), 'open sesame'))
    expect(sftp.signIns).toContain('greenroom by key')
    const other = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey
    const fault = await faultOf(send(byKey(other.export({ type: 'pkcs1', format: 'pem' }) as string)))
    expect(fault).toMatchObject({ isLasting: true, message: expect.stringContaining('refuses these credentials') })
    expect(await faultOf(send(byKey(sftp.privateKey('open sesame'), 'wrong')))).toMatchObject({ isLasting: true })
  })

  it('says what is wrong with a private key before anything is sent', () => {
    expect(explainPrivateKey(sftp.privateKey(), undefined)).toBeNull()
    expect(explainPrivateKey(sftp.privateKey('x'), 'x')).toBeNull()
    expect(explainPrivateKey(sftp.privateKey('x'), undefined)?.field).toBe('passphrase')
    expect(explainPrivateKey('nonsense', undefined)?.field).toBe('private_key')
    const half = `ssh-rsa ${sftp.publicKey().toString('base64')} greenroom`
    expect(explainPrivateKey(half, undefined)?.why).toContain('public half')
  })

  it('renames in one step where the server offers it, and leaves what is there where that is refused', async () => {
    sftp.offersRename = true
    await send(sftpTarget(), 'size')
    await send(sftpTarget(), 'size', randomBytes(1_000))
    expect(sftp.renames.every((path) => path.endsWith(' in one step'))).toBe(true)
    expect(sftp.renames).toHaveLength(2)
    const before = new Map(sftp.files)
    sftp.refusesRename = () => true
    expect(await faultOf(send(sftpTarget(), 'size', randomBytes(2_000)))).toMatchObject({ isLasting: true })
    expect([...sftp.files]).toEqual([...before])
  })

  it('puts what is there aside where the server renames onto nothing, and back when that fails', async () => {
    await send(sftpTarget(), 'size')
    const before = new Map(sftp.files)
    sftp.refusesRename = (path) => !path.endsWith('.before')
    await faultOf(send(sftpTarget(), 'size', randomBytes(2_000)))
    expect([...sftp.files]).toEqual([...before])
    sftp.refusesRename = () => false
    await send(sftpTarget(), 'size', randomBytes(2_000))
    expect([...sftp.files.values()].map(({ length }) => length)).toEqual([2_000])
  })
})

import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import type http from 'node:http'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { DiskBlobStore } from '@/lib/adapters/blob-store/disk'
import { filesBelow } from '@/lib/adapters/blob-store/staging-folder'
import { exchangeServer } from '@/server/testing/exchange-server'
import { type ReceivedPart, type ReceiveOptions, receivePart } from './receive-part'

const MAX_BYTES = 64 * 1024 * 1024
/** How long a crowded machine may take to what is there at once elsewhere. */
const SOON = { timeout: 300_000 }

let root: string
let store: DiskBlobStore
let options: Partial<ReceiveOptions>
let lastRequest: http.IncomingMessage
/** What became of each upload: the part received, or the error thrown. */
let outcomes: (ReceivedPart | { code?: string; message: string })[]

async function respond(req: http.IncomingMessage, res: http.ServerResponse) {
  const request = new Request('http://localhost/', { headers: new Headers(req.headers as Record<string, string>) })
  lastRequest = req
  try {
    const part = await receivePart(request, { stage: () => store.stage(), maxBytes: MAX_BYTES, ...options })
    outcomes.push(part)
    res.end(JSON.stringify({ name: part.name, size: part.size, sha256: part.sha256 }))
  } catch (error) {
    const { code, message } = error as { code?: string; message: string }
    outcomes.push({ code, message })
    res.writeHead(422).end(JSON.stringify({ code, message }))
  }
}

const server = exchangeServer(respond)
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'receive-part-'))
  store = new DiskBlobStore(root)
  options = {}
  outcomes = []
})
afterEach(() => rm(root, { recursive: true, force: true }))

const BOUNDARY = 'x-greenroom-boundary'
const CONTENT_TYPE = `multipart/form-data; boundary=${BOUNDARY}`
const part = (disposition: string, bytes: Buffer | string) =>
  Buffer.concat([
    Buffer.from(`--${BOUNDARY}\r\nContent-Disposition: form-data; ${disposition}\r\nContent-Type: image/png\r\n\r\n`),
    Buffer.from(bytes),
    Buffer.from('\r\n'),
  ])
const form = (...parts: Buffer[]) => Buffer.concat([...parts, Buffer.from(`--${BOUNDARY}--\r\n`)])
const fileForm = (bytes: Buffer | string, filename = 'a.png') =>
  form(part(`name="file"; filename="${filename}"`, bytes))

async function send(body: Buffer | FormData, headers: Record<string, string> = { 'content-type': CONTENT_TYPE }) {
  const response = await fetch(`http://127.0.0.1:${server.port}/`, {
    method: 'POST',
    body: body as BodyInit,
    headers: body instanceof FormData ? {} : headers,
  })
  return { status: response.status, ...((await response.json()) as Record<string, unknown>) }
}

async function stagedCount(): Promise<number> {
  let count = 0
  for await (const _ of filesBelow(join(root, 'staged'))) count += 1
  return count
}

/** Opens a connection, sends the head of a POST and whatever else is given. */
async function raw(length: number | 'chunked', ...chunks: Buffer[]): Promise<Socket> {
  const socket = connect({ port: server.port, host: '127.0.0.1', allowHalfOpen: true })
  await once(socket, 'connect')
  socket.on('error', () => {})
  const framing = length === 'chunked' ? 'Transfer-Encoding: chunked' : `Content-Length: ${length}`
  socket.write(`POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: ${CONTENT_TYPE}\r\n${framing}\r\n\r\n`)
  for (const chunk of chunks) socket.write(chunk)
  return socket
}

describe('a whole upload', () => {
  it.each([0, 1, 65_535, 65_536, 65_537, 11 * 1024 * 1024])('of %i bytes arrives with the same hash', async (size) => {
    const bytes = randomBytes(size)
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    expect(await send(fileForm(bytes))).toEqual({ status: 200, name: 'a.png', size, sha256 })
    const received = outcomes[0] as ReceivedPart
    expect(await received.staged.size()).toBe(size)
    await store.commit(received.staged, 'files/0198c0de-0000-7000-8000-000000000000')
    const stored = createHash('sha256')
    for await (const chunk of await store.read('files/0198c0de-0000-7000-8000-000000000000')) stored.update(chunk)
    expect(stored.digest('hex')).toBe(sha256)
  })

  it('arrives in chunks of one byte, boundary and all', async () => {
    const body = fileForm('hello \r\n--x-greenroom-boundar world')
    const socket = await raw('chunked')
    for (const byte of body) socket.write(Buffer.from([0x31, 13, 10, byte, 13, 10]))
    socket.write('0\r\n\r\n')
    await vi.waitFor(() => expect(outcomes).toHaveLength(1), SOON)
    expect(outcomes[0]).toMatchObject({ name: 'a.png', size: 35 })
    socket.destroy()
  })

  it('is read through a web stream when there is no exchange at hand', async () => {
    const request = new Request('http://localhost/', {
      method: 'POST',
      headers: { 'content-type': CONTENT_TYPE },
      body: fileForm(randomBytes(300_000)),
    })
    const received = await receivePart(request, { stage: () => store.stage(), maxBytes: MAX_BYTES })
    expect(received.size).toBe(300_000)
  })
})

describe('a form that is not one file', () => {
  const cases: [string, Buffer, RegExp][] = [
    ['no part at all', form(), /no file/],
    [
      'two files',
      form(part('name="file"; filename="a.png"', 'a'), part('name="file"; filename="b.png"', 'b')),
      /two parts named "file/,
    ],
    ['a file of another name', form(part('name="upload"; filename="a.png"', 'a')), /a part named “upload”/],
    ['only a field', form(part('name="comment"', 'a')), /a part named “comment”/],
    ['a field called file', form(part('name="file"', 'a')), /has no filename/],
    [
      'a field beside the file',
      form(part('name="file"; filename="a.png"', 'a'), part('name="note"', 'x')),
      /a part named “note”/,
    ],
    [
      'ten nameless parts',
      Buffer.concat([...Array(10).fill(Buffer.from(`--${BOUNDARY}\r\nX: y\r\n\r\nz\r\n`)), form()]),
      /too many parts/,
    ],
    ['a header of 20 kB', form(part(`name="file"; filename="${'a'.repeat(20_000)}"`, 'a')), /longer than 16 KiB/],
    [
      'a header that is none',
      Buffer.from(`--${BOUNDARY}\r\n\u0000\u0001: x\r\n\r\nz\r\n--${BOUNDARY}--\r\n`),
      /header of a part is malformed/,
    ],
    ['no closing boundary', fileForm('abc').subarray(0, -8), /ends before its closing boundary|breaks off/],
    ['another boundary', Buffer.from('--other\r\n\r\n'), /ends before its closing boundary/],
    ['an empty body', Buffer.alloc(0), /ends before its closing boundary/],
  ]
  it.each(cases)('%s is refused, and nothing stays', async (_name, body, message) => {
    expect(await send(body)).toEqual({
      status: 422,
      code: 'invalid_multipart',
      message: expect.stringMatching(message),
    })
    expect(await stagedCount()).toBe(0)
  })

  it.each([
    ['application/json', 'unsupported_media_type'],
    ['application/x-www-form-urlencoded', 'unsupported_media_type'],
    ['multipart/mixed; boundary=x', 'unsupported_media_type'],
    ['multipart/form-data', 'invalid_multipart'],
    ['multipart/form-data; boundary=', 'invalid_multipart'],
  ])('Content-Type %s is %s', async (contentType, code) => {
    expect(await send(fileForm('abc'), { 'content-type': contentType })).toMatchObject({ status: 422, code })
  })

  it('larger than allowed is refused, whether or not its length was declared', async () => {
    options = { maxBytes: 100_000 }
    expect(await send(fileForm(randomBytes(100_000)))).toMatchObject({ status: 200 })
    await (outcomes[0] as ReceivedPart).staged.discard()
    expect(await send(fileForm(randomBytes(100_001)))).toMatchObject({ status: 422, code: 'file_too_large' })
    expect(await send(fileForm(randomBytes(3_000_000)))).toMatchObject({ status: 422, code: 'file_too_large' })
    expect(await stagedCount()).toBe(0)
  })
})

describe('a name', () => {
  it.each([
    'Ž-плакат-海报-🎬.png',
    'a"b".png',
    "it's; name=file; filename=x.png",
    '../../etc/passwd',
    '..\\..\\windows\\system32\\a.dll',
    'C:\\fakepath\\a.png',
    'a\r\nX-Injected: 1.png',
    'gpj.\u202Egnp.exe',
    'e\u0301.png',
    '100%25 %41.png',
    ' . ',
    'CON',
    'n'.repeat(300),
  ])('%j reaches the naming rules as it was given by a browser', async (name) => {
    const data = new FormData()
    data.append('file', new Blob(['abc']), name)
    expect(await send(data)).toMatchObject({ status: 200, name })
  })

  it.each([
    [`name="file"; filename*=UTF-8''%C5%BD%20plakat.pdf`, 'Ž plakat.pdf'],
    [`name="file"; filename="Z.pdf"; filename*=UTF-8''%C5%BD.pdf`, 'Ž.pdf'],
    [`name="file"; filename*=UTF-8''a%00b.pdf`, 'a\0b.pdf'],
    [`name="file"; filename=plain.pdf`, 'plain.pdf'],
    [`name="file"; filename="say \\"hi\\".pdf"`, 'say "hi".pdf'],
  ])('in %s is %j', async (disposition, name) => {
    expect(await send(form(part(disposition, 'abc')))).toMatchObject({ status: 200, name })
  })

  it('is heard before a byte is stored', async () => {
    const staged = vi.fn(() => store.stage())
    const heard: string[] = []
    options = {
      stage: staged,
      onName: async (name) => {
        await delay(20)
        expect(staged).not.toHaveBeenCalled()
        heard.push(name)
      },
    }
    expect(await send(fileForm(randomBytes(2_000_000)))).toMatchObject({ status: 200, size: 2_000_000 })
    expect(heard).toEqual(['a.png'])
  })

  it.each([
    ['fetch', (body: Buffer) => send(body)],
    ['a client that sends all before it reads', sendAllThenRead],
  ])('refused at the start of 50 MB gets its response through to %s', async (_client, client) => {
    options = {
      onName: () => {
        throw Object.assign(new Error('The name is not allowed.'), { code: 'file_rejected' })
      },
    }
    const reply = await client(fileForm(Buffer.alloc(50 * 1024 * 1024)))
    expect(reply).toMatchObject({ status: 422, code: 'file_rejected' })
    expect(await stagedCount()).toBe(0)
  })
})

/** As simple HTTP libraries do: blocks until the whole request is written, and only then searches for a response. */
async function sendAllThenRead(body: Buffer) {
  const socket = await raw(body.length)
  await new Promise<void>((done, fail) => socket.write(body, (error) => (error ? fail(error) : done())))
  let text = ''
  for await (const chunk of socket) {
    text += chunk
    if (text.includes('}')) break
  }
  return { status: Number(text.split(' ')[1]), ...(JSON.parse(text.match(/{.*}/)?.[0] ?? '') as object) }
}

describe('an upload that is cut', () => {
  const half = (bytes: number) => fileForm(randomBytes(bytes)).subarray(0, bytes / 2)

  it.each([
    ['by FIN', (socket: Socket) => socket.end()],
    ['by RST', (socket: Socket) => socket.resetAndDestroy()],
  ])('%s leaves nothing', async (_how, cut) => {
    for (const framing of [1_000_000, 'chunked'] as const) {
      const bytes = half(900_000)
      const sent =
        framing === 'chunked' ? Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes]) : bytes
      const socket = await raw(framing, sent)
      await vi.waitFor(async () => expect(await stagedCount()).toBe(1), SOON)
      cut(socket)
      await vi.waitFor(() => expect(outcomes).toHaveLength(framing === 'chunked' ? 2 : 1), SOON)
      expect(outcomes.at(-1)).toMatchObject({ code: 'invalid_multipart' })
      expect(await stagedCount()).toBe(0)
      socket.destroy()
    }
  })

  it('while its name is being validated leaves nothing either', async () => {
    let validate: (() => void) | undefined
    options = {
      onName: () =>
        new Promise((done) => {
          validate = done
        }),
    }
    const socket = await raw(1_000_000, half(20_000))
    await vi.waitFor(() => expect(validate).toBeDefined(), SOON)
    const broken = new Promise((done) => lastRequest.once('close', done))
    socket.resetAndDestroy()
    await broken
    validate?.()
    await vi.waitFor(() => expect(outcomes).toHaveLength(1), SOON)
    expect(outcomes[0]).toMatchObject({ code: 'invalid_multipart' })
    expect(await stagedCount()).toBe(0)
  })

  it.each([
    ['falls silent', async () => {}],
    ['sends a byte at a time', async (socket: Socket) => void setInterval(() => socket.write('.'), 20).unref()],
  ])('because the client %s ends within two windows', async (_how, go) => {
    options = { windowMs: 150 }
    const socket = await raw(1_000_000, half(100_000))
    await go(socket)
    await vi.waitFor(() => expect(outcomes).toHaveLength(1), SOON)
    expect(outcomes[0]).toMatchObject({ code: 'invalid_multipart', message: expect.stringMatching(/stalled/) })
    expect(await stagedCount()).toBe(0)
    socket.destroy()
  })

  it('does not count the time in which the server itself is busy', async () => {
    options = { windowMs: 1_000, onName: () => delay(3_000) }
    expect(await send(fileForm(randomBytes(8_000_000)))).toMatchObject({ status: 200 })
  })
})

describe('a storage fault', () => {
  it('is an upload that the disk has no room for: refused before it is taken', async () => {
    options = { maxBytes: 2 ** 60 }
    const socket = await raw(2 ** 52, fileForm(randomBytes(1000)).subarray(0, 500))
    await vi.waitFor(() => expect(outcomes).toHaveLength(1), SOON)
    expect(outcomes[0]).toMatchObject({ code: 'unavailable', message: expect.stringContaining('storage is full') })
    expect(await stagedCount()).toBe(0)
    socket.destroy()
  })

  it('on opening the staged object is thrown as it is', async () => {
    const { StorageUnavailable } = await import('@/lib/domain/kernel/blob-store')
    options = { stage: () => Promise.reject(new StorageUnavailable('full', 'The file storage is full.')) }
    expect(await send(fileForm(randomBytes(1_000_000)))).toMatchObject({
      status: 422,
      code: 'unavailable',
    })
  })

  it('in the middle of the file is thrown as it is, and nothing stays', async () => {
    options = {
      stage: async () => {
        const staged = await store.stage()
        return Object.assign(Object.create(staged), { id: staged.id, path: staged.path, writable: () => fullDisk() })
      },
    }
    expect(await send(fileForm(randomBytes(9_000_000)))).toMatchObject({
      status: 422,
      code: 'unavailable',
    })
    expect(await stagedCount()).toBe(0)
  })
})

async function fullDisk() {
  const { StagedFile } = await import('@/lib/adapters/blob-store/staged-file')
  return new StagedFile('full', '/dev/full').writable()
}

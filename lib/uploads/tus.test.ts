import { spawn } from 'node:child_process'
import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readdir, rm, stat, unlink } from 'node:fs/promises'
import type http from 'node:http'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import * as tus from 'tus-js-client'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { createDatabase, type Database } from '@/db/client'
import { resumableUploads } from '@/db/schema/operations'
import { testDatabaseUrl, testDb } from '@/db/testing'
import { DiskBlobStore } from '@/lib/adapters/blob-store/disk'
import { StagedFile } from '@/lib/adapters/blob-store/staged-file'
import { DomainError } from '@/lib/domain/kernel/errors'
import { asRefusal, problemResponse } from '@/lib/http/problem'
import { exchangeServer } from '@/server/testing/exchange-server'
import { createTusEndpoint, type TusOptions } from './tus'
import { UploadRecords } from './upload-records'

type Call = { owner: string }
type Options = TusOptions<Call, string>

const MAX_BYTES = 1024 * 1024 * 1024
/** How long a crowded machine may take to what is there at once elsewhere. */
const SOON = { timeout: 300_000 }

let root: string
let base: string
let store: DiskBlobStore
let records: UploadRecords
let endpoint: ReturnType<typeof createTusEndpoint<Call, string>>
let finished: { id: string; name: string; size: number; sha256: string }[]
const { db, sql: pool } = createDatabase(testDatabaseUrl, { max: 4 })
/** Called with each request's method before it is handled; returning true drops the response. */
let onRequest: (method: string) => boolean

const server = exchangeServer(serve)
beforeAll(() => {
  base = `http://127.0.0.1:${server.port}/api/x/tus`
})
afterAll(() => pool.end({ timeout: 5 }))
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'tus-'))
  store = new DiskBlobStore(root)
  records = new UploadRecords(db)
  await testDb.delete(resumableUploads)
  finished = []
  onRequest = () => false
  start()
})
afterEach(() => rm(root, { recursive: true, force: true }))

/** (Re)starts the service over the same disk and database: nothing it had in memory remains. */
function start(options: Partial<Options> = {}) {
  endpoint = createTusEndpoint<Call, string>({
    store,
    records,
    maxBytes: MAX_BYTES,
    authorise: async ({ owner }) => ({ owner, scope: owner }),
    onCreate: async () => {},
    onFinish: async (_scope, { id, name, size, sha256 }, note) => {
      finished.push({ id, name, size, sha256 })
      await note(db, { status: 201, body: { file: { name, size, sha256 } } })
    },
    ...options,
  })
}
const takes =
  (body: unknown): Options['onFinish'] =>
  (_scope, _upload, note) =>
    note(db, { status: 201, body })
/** Where the bytes of the upload at this address lie. */
const stagedAt = (url: string) => join(root, 'staged', url.slice(-36))
const bytesAt = async (url: string) => (await stat(stagedAt(url)).catch(() => null))?.size ?? null
const recorded = async () => (await testDb.select().from(resumableUploads)).map(({ id }) => id)

async function serve(req: http.IncomingMessage, res: http.ServerResponse) {
  const request = new Request(new URL(req.url ?? '', base), {
    method: req.method,
    headers: new Headers(req.headers as Record<string, string>),
  })
  const drop = onRequest(req.method ?? '')
  const response = await endpoint(request, { owner: request.headers.get('x-owner') ?? 'a' }).catch((error: unknown) => {
    const problem = problemResponse(asRefusal(error), 'r', 'http://localhost')
    return new Response(problem.body, problem)
  })
  if (drop) return void req.socket.destroy()
  res.writeHead(response.status, Object.fromEntries(response.headers))
  res.end(req.method === 'HEAD' ? undefined : Buffer.from(await response.arrayBuffer()))
}

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')
const metadata = (name: string) => `filename ${Buffer.from(name).toString('base64')}`
const CHUNK = 'application/offset+octet-stream'

function call(method: string, url: string, headers: Record<string, string | number> = {}, body?: Buffer) {
  const text = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))
  return fetch(url, { method, headers: { 'tus-resumable': '1.0.0', ...text }, body: body as BodyInit | undefined })
}
async function create(size: number, headers: Record<string, string> = {}): Promise<string> {
  const response = await call('POST', base, { 'upload-length': size, 'upload-metadata': metadata('a.png'), ...headers })
  expect(response.status).toBe(201)
  return new URL(response.headers.get('location') ?? '', base).href
}
const patch = (url: string, offset: number, bytes: Buffer, headers: Record<string, string> = {}) =>
  call('PATCH', url, { 'upload-offset': offset, 'content-type': CHUNK, ...headers }, bytes)
const head = async (url: string) => {
  const response = await call('HEAD', url)
  return { status: response.status, offset: response.headers.get('upload-offset') }
}
const refusal = new DomainError('file_rejected', 'The file was refused.', {
  violations: [{ rule: 'integrity', code: 'truncated', message: 'The image ends early.' }],
})

/** As the browser's upload does it: resolves with the verdict, whichever way it came. */
function uploadAsBrowser(
  bytes: Buffer,
  options: Partial<tus.UploadOptions> = {},
): Promise<{ status: number; body: string }> {
  return new Promise((resolve, reject) => {
    const verdict = async (url: string | null) => {
      const response = await fetch(url ?? '')
      resolve({ status: response.status, body: await response.text() })
    }
    const upload = new tus.Upload(bytes, {
      endpoint: base,
      retryDelays: [0, 20, 50, 100, 200],
      metadata: { filename: 'a.png' },
      chunkSize: 300_000,
      onAfterResponse: (_request, response) => {
        if (response.getHeader('Upload-Verdict') !== 'refused') return
        void upload.abort()
        verdict(upload.url).catch(reject)
        throw new Error('The file was refused.')
      },
      onSuccess: ({ lastResponse }) => {
        const body = lastResponse.getBody()
        if (body) resolve({ status: lastResponse.getStatus(), body })
        else verdict(upload.url).catch(reject)
      },
      onError: (error) => {
        const response = error instanceof tus.DetailedError ? error.originalResponse : null
        if (response) resolve({ status: response.getStatus(), body: response.getBody() })
        else reject(error)
      },
      ...options,
    })
    upload.start()
  })
}

describe('the browser’s upload', () => {
  it('gets the verdict with the last chunk', async () => {
    const bytes = randomBytes(1_000_000)
    const { status, body } = await uploadAsBrowser(bytes)
    expect(status).toBe(201)
    expect(JSON.parse(body)).toEqual({ file: { name: 'a.png', size: 1_000_000, sha256: sha256(bytes) } })
    expect(finished).toHaveLength(1)
  })

  it.each([
    ['an empty file', {}, 0],
    ['a file sent along with its creation', { uploadDataDuringCreation: true, chunkSize: Infinity }, 400_000],
    ['a first chunk sent along with the creation', { uploadDataDuringCreation: true }, 400_000],
  ])('of %s gets the verdict as well', async (_what, options, size) => {
    const bytes = randomBytes(size)
    expect(await uploadAsBrowser(bytes, options)).toMatchObject({
      status: 201,
      body: expect.stringContaining(sha256(bytes)),
    })
  })

  it('hears a refusal once, does not send the file again, and nothing stays staged', async () => {
    start({ onFinish: async () => Promise.reject(refusal) })
    const methods: string[] = []
    onRequest = (method) => methods.push(method) < 0
    const { status, body } = await uploadAsBrowser(randomBytes(500_000))
    expect(status).toBe(422)
    expect(JSON.parse(body)).toMatchObject({ code: 'file_rejected', violations: [{ code: 'truncated' }] })
    expect(methods).toEqual(['POST', 'PATCH', 'PATCH'])
    expect(await readdir(join(root, 'staged'))).toEqual([])
  })

  it('hears a refusal at its creation, before a byte is sent', async () => {
    start({ onCreate: async () => Promise.reject(refusal) })
    expect(await uploadAsBrowser(randomBytes(500_000))).toMatchObject({ status: 422 })
    expect(await readdir(join(root, 'staged')).catch(() => [])).toEqual([])
  })

  it('finds the verdict when the response to its last chunk is lost, and the file is taken once', async () => {
    let patches = 0
    onRequest = (method) => method === 'PATCH' && ++patches === 2
    const bytes = randomBytes(500_000)
    expect(await uploadAsBrowser(bytes)).toMatchObject({ status: 201, body: expect.stringContaining(sha256(bytes)) })
    expect(finished).toHaveLength(1)
  })

  it('finds the refusal when the response to its last chunk is lost, without sending the file again', async () => {
    start({ onFinish: async () => Promise.reject(refusal) })
    const methods: string[] = []
    onRequest = (method) => {
      methods.push(method)
      return methods.filter((each) => each === 'PATCH').length === 2 && method === 'PATCH'
    }
    expect(await uploadAsBrowser(randomBytes(500_000))).toMatchObject({ status: 422 })
    expect(methods).toEqual(['POST', 'PATCH', 'PATCH', 'HEAD', 'GET'])
  })

  it('goes on where it was after the service was restarted, with the right hash', async () => {
    const bytes = randomBytes(1_500_000)
    let patches = 0
    onRequest = (method) => {
      if (method === 'PATCH' && ++patches === 3) start()
      return false
    }
    expect(await uploadAsBrowser(bytes)).toMatchObject({ status: 201, body: expect.stringContaining(sha256(bytes)) })
  })

  it('survives a fault of the service at the end', async () => {
    let faults = 0
    const onFinish: Options['onFinish'] = async (_scope, { sha256: hash }, note) => {
      if (++faults <= 2) throw new DomainError('unavailable', 'The database is down.')
      await note(db, { status: 201, body: { hash } })
    }
    start({ onFinish })
    const bytes = randomBytes(500_000)
    expect(await uploadAsBrowser(bytes)).toMatchObject({ status: 201, body: expect.stringContaining(sha256(bytes)) })
  })
})

describe('a chunk', () => {
  it('that breaks off is stored as far as it came', async () => {
    const bytes = randomBytes(400_000)
    const url = await create(bytes.length)
    const socket = connect({ port: Number(new URL(url).port), host: '127.0.0.1' })
    socket.on('error', () => {})
    socket.write(
      `PATCH ${new URL(url).pathname} HTTP/1.1\r\nHost: x\r\nTus-Resumable: 1.0.0\r\nUpload-Offset: 0\r\nContent-Type: ${CHUNK}\r\nContent-Length: 400000\r\n\r\n`,
    )
    await new Promise((done) => socket.write(bytes.subarray(0, 250_000), done))
    await vi.waitFor(async () => expect(await bytesAt(url)).toBe(250_000), SOON)
    socket.resetAndDestroy()
    expect(await head(url)).toEqual({ status: 200, offset: '250000' })
    const last = await patch(url, 250_000, bytes.subarray(250_000))
    expect(await last.json()).toMatchObject({ file: { sha256: sha256(bytes) } })
  })

  it('that hangs is given up as soon as the client asks for the offset', async () => {
    const url = await create(400_000)
    const socket = connect({ port: Number(new URL(url).port), host: '127.0.0.1' })
    socket.on('error', () => {})
    socket.write(
      `PATCH ${new URL(url).pathname} HTTP/1.1\r\nHost: x\r\nTus-Resumable: 1.0.0\r\nUpload-Offset: 0\r\nContent-Type: ${CHUNK}\r\nContent-Length: 400000\r\n\r\n`,
    )
    socket.write(randomBytes(100_000))
    await vi.waitFor(async () => expect(await bytesAt(url)).toBe(100_000), SOON)
    expect(await head(url)).toEqual({ status: 200, offset: '100000' })
    socket.destroy()
  })

  it('from a silent client is given up after the window', async () => {
    start({ windowMs: 100 })
    const url = await create(400_000)
    const socket = connect({ port: Number(new URL(url).port), host: '127.0.0.1' })
    socket.on('error', () => {})
    socket.write(
      `PATCH ${new URL(url).pathname} HTTP/1.1\r\nHost: x\r\nTus-Resumable: 1.0.0\r\nUpload-Offset: 0\r\nContent-Type: ${CHUNK}\r\nContent-Length: 400000\r\n\r\nabc`,
    )
    const [response] = (await once(socket, 'data')) as [Buffer]
    expect(String(response)).toMatch(/^HTTP\/1.1 409 .*upload_offset_conflict/s)
    expect(await head(url)).toEqual({ status: 200, offset: '3' })
    socket.destroy()
  })

  it.each([
    ['at the wrong offset', 5, 10, {}, 409, 'upload_offset_conflict'],
    ['beyond the declared length', 0, 1001, {}, 413, 'body_too_large'],
    ['of another content type', 0, 10, { 'content-type': 'text/plain' }, 415, 'unsupported_media_type'],
    ['without an offset', 0, 10, { 'upload-offset': '' }, 422, 'validation_failed'],
    ['with a negative offset', 0, 10, { 'upload-offset': '-1' }, 422, 'validation_failed'],
    [
      'with a checksum of unknown kind',
      0,
      10,
      { 'upload-checksum': 'md5 1B2M2Y8AsgTpgAmY7PhCfg==' },
      422,
      'validation_failed',
    ],
    ['with half a checksum', 0, 10, { 'upload-checksum': 'sha256 abcd' }, 422, 'validation_failed'],
    ['of another protocol version', 0, 10, { 'tus-resumable': '0.2.2' }, 412, 'protocol_unsupported'],
  ])('%s is refused and changes nothing', async (_what, offset, size, headers, status, code) => {
    const url = await create(1000)
    const response = await patch(url, offset, randomBytes(size), headers as Record<string, string>)
    expect(response.status).toBe(status)
    expect(response.headers.get('content-type')).toBe('application/problem+json')
    expect(response.headers.get('tus-resumable')).toBe('1.0.0')
    expect(await response.json()).toMatchObject({ status, code })
    expect(await head(url)).toEqual({ status: 200, offset: '0' })
  })

  it.each(['sha1', 'sha256'])('with a wrong %s is thrown away, with the right one stored', async (algorithm) => {
    const bytes = randomBytes(2000)
    const url = await create(2000)
    const checksum = (of: Buffer) => ({
      'upload-checksum': `${algorithm} ${createHash(algorithm).update(of).digest('base64')}`,
    })
    expect((await patch(url, 0, bytes.subarray(0, 500), checksum(bytes.subarray(0, 500)))).status).toBe(204)
    const wrong = await patch(url, 500, randomBytes(1000), checksum(bytes))
    expect(wrong.status).toBe(460)
    expect(await wrong.json()).toMatchObject({ code: 'checksum_mismatch' })
    expect(await head(url)).toEqual({ status: 200, offset: '500' })
    const last = await patch(url, 500, bytes.subarray(500), checksum(bytes.subarray(500)))
    expect(await last.json()).toMatchObject({ file: { sha256: sha256(bytes) } })
  })
})

describe('an upload', () => {
  it('says what the server can do', async () => {
    const { status, headers } = await fetch(base, { method: 'OPTIONS' })
    expect(status).toBe(204)
    expect(headers.get('tus-version')).toBe('1.0.0')
    expect(headers.get('tus-extension')).toBe('creation,creation-with-upload,expiration,termination,checksum')
    expect(headers.get('tus-checksum-algorithm')).toBe('sha1,sha256')
    expect(headers.get('tus-max-size')).toBe(String(MAX_BYTES))
    expect(headers.get('access-control-allow-origin')).toBeNull()
  })

  it('has an address of its own below the one it was created at, whatever host the server thinks it has', async () => {
    const response = await call('POST', base, { 'upload-length': 5, 'upload-metadata': metadata('a.png') })
    expect(response.headers.get('location')).toMatch(/^\/api\/x\/tus\/[0-9a-f-]{36}$/)
    expect(Date.parse(response.headers.get('upload-expires') ?? '')).toBeGreaterThan(Date.now())
  })

  it.each([
    ['no length', { 'upload-metadata': metadata('a') }, 422, 'validation_failed'],
    [
      'a length that is no number',
      { 'upload-length': '1e3', 'upload-metadata': metadata('a') },
      422,
      'validation_failed',
    ],
    ['no name', { 'upload-length': 5 }, 422, 'validation_failed'],
    ['a name that is not base64', { 'upload-length': 5, 'upload-metadata': 'filename a?b' }, 422, 'validation_failed'],
    [
      'two names',
      { 'upload-length': 5, 'upload-metadata': `${metadata('a')},${metadata('b')}` },
      422,
      'validation_failed',
    ],
    ['too many bytes', { 'upload-length': MAX_BYTES + 1, 'upload-metadata': metadata('a') }, 413, 'file_too_large'],
  ])('with %s is not created', async (_what, headers, status, code) => {
    const response = await call('POST', base, headers)
    expect(response.status).toBe(status)
    expect(await response.json()).toMatchObject({ code })
    expect(await recorded()).toEqual([])
  })

  it.each(['Ž-海报-🎬.png', '../../etc/passwd', 'a\r\nb', 'a\0b', 'gpj.\u202Egnp.exe'])(
    'keeps the name %j',
    async (name) => {
      const named: string[] = []
      start({ onCreate: async (_scope, upload) => void named.push(upload.name) })
      await create(5, { 'upload-metadata': metadata(name) })
      expect(named).toEqual([name])
    },
  )

  it('belongs to its owner alone', async () => {
    const url = await create(5)
    for (const method of ['HEAD', 'GET', 'DELETE', 'PATCH']) {
      const headers = { 'x-owner': 'b', 'upload-offset': 0, 'content-type': CHUNK }
      expect((await call(method, url, headers)).status, method).toBe(404)
    }
    expect((await head(url)).status).toBe(200)
  })

  it.each(['/x', '/../x', '/0198c0de-0000-7000-8000-000000000000', '/0198c0de-0000-7000-8000-00000000000g', '//'])(
    'is not found at %s',
    async (path) => {
      expect((await call('HEAD', base + path)).status).toBe(404)
    },
  )

  it('that is terminated is gone with its bytes', async () => {
    const url = await create(1000)
    await patch(url, 0, randomBytes(500))
    expect((await call('DELETE', url)).status).toBe(204)
    expect((await head(url)).status).toBe(404)
    expect(await readdir(join(root, 'staged'))).toEqual([])
    expect(await recorded()).toEqual([])
  })

  it('that was accepted cannot be terminated', async () => {
    const url = await create(10)
    await patch(url, 0, randomBytes(10))
    expect((await call('DELETE', url)).status).toBe(409)
    expect(await head(url)).toEqual({ status: 200, offset: '10' })
  })

  it('that expired is gone at once with its bytes', async () => {
    let now = Date.now()
    start({ now: () => now, expiryMs: 60_000 })
    const url = await create(1000)
    now += 40_000
    await patch(url, 0, randomBytes(500))
    now += 40_000
    expect(await head(url)).toEqual({ status: 200, offset: '500' })
    now += 60_000
    expect((await head(url)).status).toBe(410)
    expect(await readdir(join(root, 'staged'))).toEqual([])
  })

  it('whose bytes are no longer there begins anew, and no client reads that it was refused', async () => {
    const bytes = randomBytes(1000)
    const url = await create(1000)
    await patch(url, 0, bytes.subarray(0, 500))
    await unlink(stagedAt(url))
    expect(await head(url)).toEqual({ status: 200, offset: '0' })
    expect((await patch(url, 0, bytes)).status).toBe(201)
  })

  it('takes no more bytes when its disk is full, keeps those it has, and goes on when there is room', async () => {
    const bytes = randomBytes(400_000)
    const url = await create(bytes.length)
    await patch(url, 0, bytes.subarray(0, 100_000))
    const resume = vi.spyOn(store, 'resume').mockImplementation(async (id) => {
      const full = new StagedFile(id, '/dev/full')
      return Object.assign(full, {
        size: async () => 100_000,
        writable: () => new StagedFile(id, '/dev/full').writable(),
      })
    })
    const refused = await patch(url, 100_000, bytes.subarray(100_000))
    resume.mockRestore()
    expect(refused.status).toBe(503)
    expect(refused.headers.get('retry-after')).not.toBeNull()
    expect(await refused.json()).toMatchObject({ code: 'unavailable' })
    expect(await head(url)).toEqual({ status: 200, offset: '100000' })
    const last = await patch(url, 100_000, bytes.subarray(100_000))
    expect(await last.json()).toMatchObject({ file: { sha256: sha256(bytes) } })
  })

  it('whose way in is closed takes no more bytes, but says how far it came and what became of it', async () => {
    const closed = new DomainError('link_used_up', 'The link is used up.')
    const [unfinished, accepted] = [await create(1000), await create(10)]
    await patch(accepted, 0, randomBytes(10))
    start({ authorise: async ({ owner }) => ({ owner, scope: owner, closed }) })
    expect((await call('POST', base, { 'upload-length': 5, 'upload-metadata': metadata('a.png') })).status).toBe(410)
    expect((await patch(unfinished, 0, randomBytes(1000))).status).toBe(410)
    expect(await head(unfinished)).toEqual({ status: 200, offset: '0' })
    expect((await patch(accepted, 0, randomBytes(10))).status).toBe(201)
    expect((await call('DELETE', unfinished)).status).toBe(204)
  })
})

describe('a verdict', () => {
  it('that accepts can be read again, by GET and by the last chunk sent again, and the file is taken once', async () => {
    const bytes = randomBytes(1000)
    const url = await create(1000)
    const first = await patch(url, 0, bytes)
    const again = [await fetch(url), await patch(url, 1000, Buffer.alloc(0)), await patch(url, 0, bytes)]
    const body = await first.text()
    for (const response of again) {
      expect(response.status).toBe(201)
      expect(await response.text()).toBe(body)
    }
    expect(first.headers.get('upload-offset')).toBe('1000')
    expect(finished).toHaveLength(1)
  })

  it('that refuses can be read again; asking for the offset does not look like success', async () => {
    start({ onFinish: async () => Promise.reject(refusal) })
    const url = await create(1000)
    expect((await patch(url, 0, randomBytes(1000))).status).toBe(422)
    start()
    const again = await fetch(url)
    expect(again.status).toBe(422)
    expect(await again.json()).toMatchObject({ code: 'file_rejected', violations: [{ code: 'truncated' }] })
    expect((await head(url)).status).toBe(410)
    expect((await call('DELETE', url)).status).toBe(204)
    expect((await fetch(url)).status).toBe(404)
  })

  it('is reached when a client asks, if the service stopped before it', async () => {
    const bytes = randomBytes(1000)
    start({ onFinish: async () => Promise.reject(new Error('killed')) })
    const url = await create(1000)
    expect((await patch(url, 0, bytes)).status).toBe(500)
    start()
    const response = await fetch(url)
    expect(response.status).toBe(201)
    expect(await response.json()).toMatchObject({ file: { sha256: sha256(bytes) } })
  })

  it('stands when the service stopped after the file was written and before the response', async () => {
    start({
      onFinish: async (_scope, _upload, note) => {
        await note(db, { status: 201, body: 'taken' })
        throw new Error('killed')
      },
    })
    const url = await create(1000)
    const responses = [await patch(url, 0, randomBytes(1000)), await fetch(url)]
    for (const response of responses) expect(await response.json()).toBe('taken')
    expect(await bytesAt(url)).toBeNull()
  })

  it('is final: a second evaluation that comes to another one changes nothing, whichever it is', async () => {
    for (const [first, second, expected] of [
      [takes('taken'), () => Promise.reject(refusal), 201],
      [() => Promise.reject(refusal), takes('taken'), 422],
    ] as [Options['onFinish'], Options['onFinish'], number][]) {
      // Another process has taken the lease for run out and evaluates the same bytes; it comes first.
      const other = createTusEndpoint<Call, string>({
        store,
        records: new UploadRecords(db),
        maxBytes: MAX_BYTES,
        authorise: async ({ owner }) => ({ owner, scope: owner }),
        onCreate: async () => {},
        onFinish: first,
      })
      const bytes = randomBytes(1000)
      const seen: number[] = []
      start({
        onFinish: async (...given) => {
          await testDb.update(resumableUploads).set({ lockedUntil: new Date(0) })
          const status = await other(new Request(url), { owner: 'a' }).then(
            (response) => response.status,
            () => 422,
          )
          seen.push(status)
          // Its response is written, and the bytes are gone with it.
          await second(...given)
        },
      })
      const url = await create(1000)
      const responses = [await patch(url, 0, bytes), await fetch(url), await patch(url, 0, bytes)]
      expect([...seen, ...responses.map(({ status }) => status)]).toEqual([expected, expected, expected, expected])
    }
  })

  it('is reached once, however many ask for it at the same time', async () => {
    const url = await create(1000)
    let begin = () => {}
    const began = new Promise<void>((resolve) => {
      begin = resolve
    })
    const onFinish = vi.fn<Options['onFinish']>(async (...given) => {
      begin()
      await new Promise((done) => setTimeout(done, 100))
      await takes('taken')(...given)
    })
    start({ onFinish })
    // Asked for while bytes still arrive, it would be taken over.
    const responses = await Promise.all([
      patch(url, 0, randomBytes(1000)),
      ...Array.from({ length: 8 }, () => began.then(() => fetch(url))),
    ])
    for (const response of responses) expect(await response.json()).toBe('taken')
    expect(onFinish).toHaveBeenCalledTimes(1)
  })
})

describe('the lock on an upload', () => {
  const record = async (over: Database = db) => {
    const id = randomUUID()
    await new UploadRecords(over).create({
      id,
      owner: 'a',
      size: 1,
      metadata: '',
      expiresAt: new Date(Date.now() + 1e6),
    })
    return id
  }

  it('is had by one request at a time, in whatever process, and hears that another waits', async () => {
    const id = await record()
    const processes = [new UploadRecords(db, 60_000, 20), new UploadRecords(db, 60_000, 20)]
    let holders = 0
    let most = 0
    let asked = 0
    await Promise.all(
      Array.from({ length: 12 }, async (_, index) => {
        const held = await processes[index % 2]?.lock(id, 'a', 60_000)
        most = Math.max(most, ++holders)
        // Lets go when asked; the last of them is never asked.
        await new Promise((done) => {
          setTimeout(done, 100)
          held?.wanted.addEventListener('abort', done)
        })
        asked += held?.wanted.aborted ? 1 : 0
        holders -= 1
        await held?.release()
      }),
    )
    expect(most).toBe(1)
    expect(asked).toBeGreaterThan(0)
  })

  it('is renewed for as long as the request runs', async () => {
    const id = await record()
    const holder = new UploadRecords(db, 1_000, 100)
    const held = await holder.lock(id, 'a', 0)
    expect(await new UploadRecords(db).lock(id, 'a', 2_500)).toBeNull()
    await held?.release()
    expect(await new UploadRecords(db).lock(id, 'a', 0)).toMatchObject({ record: { id } })
  })

  it('is not waited for longer than wanted, and other uploads are free meanwhile', async () => {
    const [one, other] = [await record(), await record()]
    const held = await records.lock(one, 'a', 0)
    expect(await records.lock(one, 'a', 50)).toBeNull()
    expect(await records.lock(other, 'a', 0)).toMatchObject({ record: { id: other } })
    await held?.release()
  })

  it('is lost to its owner alone', async () => {
    expect(await records.lock(await record(), 'b', 0)).toBeUndefined()
    expect(await records.lock(randomUUID(), 'a', 0)).toBeUndefined()
  })

  it('ends when another has it: the request hears of it, and writes nothing any more', async () => {
    const id = await record()
    const stalled = new UploadRecords(db, 60_000, 20)
    const held = await stalled.lock(id, 'a', 0)
    await testDb.update(resumableUploads).set({ lockedBy: null, lockedUntil: null })
    const next = await records.lock(id, 'a', 0)
    await vi.waitFor(() => expect(held?.wanted.aborted).toBe(true), SOON)
    if (held) held.record.received = 77
    await held?.release()
    const [row] = await testDb.select().from(resumableUploads).where(eq(resumableUploads.id, id))
    expect(row).toMatchObject({ received: 0 })
    expect(row?.lockedBy).not.toBeNull()
    await next?.release()
  })

  it('is free again soon after its process was killed', async () => {
    const id = await record()
    const source = `
      const { createDatabase } = await import('${new URL('../../db/client.ts', import.meta.url)}')
      const { UploadRecords } = await import('${new URL('./upload-records.ts', import.meta.url)}')
      await new UploadRecords(createDatabase('${testDatabaseUrl}').db, 2_000, 200).lock('${id}', 'a', 0)
      console.log('held')
      setInterval(() => {}, 1000)`
    const args = ['--import', 'tsx', '--input-type=module', '-e', source]
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
    await once(child.stdout, 'data')
    expect(await records.lock(id, 'a', 3_000)).toBeNull()
    child.kill('SIGKILL')
    const held = await records.lock(id, 'a', 60_000)
    expect(held).toMatchObject({ record: { id } })
    await held?.release()
  })
})

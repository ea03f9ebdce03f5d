import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createDatabase } from '@/db/client'
import { resumableUploads } from '@/db/schema/operations'
import { testDatabaseUrl, testDb } from '@/db/testing'
import { S3BlobStore } from '@/lib/adapters/blob-store/s3'
import { StagingFolder } from '@/lib/adapters/blob-store/staging-folder'
import { sweeping } from '@/lib/adapters/blob-store/testing/conformance'
import { startS3Server } from '@/lib/adapters/blob-store/testing/s3-server'
import { asRefusal } from '@/lib/http/problem'
import { createTusEndpoint } from './tus'
import { UploadRecords } from './upload-records'

/**
 * Web processes of several machines, each with a disk of its own, over one bucket and one database: any of them goes on
 * with any resumable upload.
 */

const bucket = { bucket: 'greenroom-files', accessKeyId: 'GREENROOMTEST', secretAccessKey: 'secret' }
const MB = 1024 * 1024
const CHUNK = 'application/offset+octet-stream'
const { db, sql } = createDatabase(testDatabaseUrl, { max: 4 })

let server: Awaited<ReturnType<typeof startS3Server>>
const folders: string[] = []
let stored: { sha256: string; path: string }[] = []

beforeAll(async () => {
  server = await startS3Server(bucket)
})
afterAll(async () => {
  await server.stop()
  await sql.end({ timeout: 5 })
  for (const folder of folders) await rm(folder, { recursive: true, force: true })
})
beforeEach(async () => {
  server.breaks()
  server.objects.clear()
  server.requests.length = 0
  stored = []
  await testDb.delete(resumableUploads)
})

type Machine = Awaited<ReturnType<typeof machine>>

/** A web process that has just started, on a machine of its own. */
async function machine() {
  const folder = await mkdtemp(join(tmpdir(), 'machine-'))
  folders.push(folder)
  const { accessKeyId, secretAccessKey } = bucket
  const store = new S3BlobStore(new StagingFolder(folder), {
    bucket: bucket.bucket,
    region: 'eu-central-1',
    endpoint: server.endpoint,
    credentials: { accessKeyId, secretAccessKey },
    prefix: 'greenroom/',
    idleTimeoutMs: 60_000,
  })
  const endpoint = createTusEndpoint<null, null>({
    store,
    records: new UploadRecords(db),
    maxBytes: 1024 * MB,
    authorise: async () => ({ owner: 'a', scope: null }),
    onCreate: async () => {},
    async onFinish(_scope, { sha256, staged }, note) {
      const onDisk = createHash('sha256')
        .update(await readFile(staged.path))
        .digest('hex')
      stored.push({ sha256, path: onDisk })
      await note(db, { status: 201, body: { sha256 } })
    },
  })
  const call = (method: string, url: string, headers: Record<string, string> = {}, body?: Uint8Array) =>
    endpoint(
      new Request(new URL(url, 'http://localhost'), {
        method,
        headers: { 'tus-resumable': '1.0.0', ...headers },
        body: body as BodyInit | undefined,
      }),
      null,
    ).catch((error: unknown) => {
      const known = asRefusal(error)
      return new Response(JSON.stringify({ code: known.code }), { status: known.code === 'unavailable' ? 503 : 409 })
    })
  return {
    store,
    folder,
    async create(size: number) {
      const metadata = `filename ${Buffer.from('a.png').toString('base64')}`
      const response = await call('POST', '/api/x/tus', { 'upload-length': String(size), 'upload-metadata': metadata })
      return response.headers.get('location') ?? ''
    },
    patch: (url: string, from: number, bytes: Uint8Array, headers: Record<string, string> = {}) =>
      call('PATCH', url, { 'upload-offset': String(from), 'content-type': CHUNK, ...headers }, bytes),
    offset: async (url: string) => (await call('HEAD', url)).headers.get('upload-offset'),
    verdict: async (url: string) => (await call('GET', url)).json(),
    remove: (url: string) => call('DELETE', url),
  }
}

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')
const parts = () => [...server.objects.keys()].filter((key) => key.startsWith('greenroom/staged/'))
const copies = async ({ folder }: Machine) =>
  (await readdir(folder, { recursive: true })).filter((name) => name.includes('copy-of-upload'))

describe('a resumable upload', () => {
  it('goes on at whichever machine its next piece comes to, and ends with the hash of what was sent', async () => {
    const [one, other] = [await machine(), await machine()]
    const bytes = randomBytes(21 * MB + 11)
    const url = await one.create(bytes.length)
    const pieces = [0, 5 * MB, 5 * MB + 1, 14 * MB, 14 * MB + 3, bytes.length]
    let last: Response | undefined
    for (const [index, from] of pieces.slice(0, -1).entries()) {
      const at = [one, other][index % 2] as Machine
      last = await at.patch(url, from, bytes.subarray(from, pieces[index + 1]))
    }
    expect(last?.status).toBe(201)
    expect(await last?.json()).toEqual({ sha256: sha256(bytes) })
    expect(stored).toEqual([{ sha256: sha256(bytes), path: sha256(bytes) }])
    expect(parts()).toEqual([])
    expect(await other.verdict(url)).toEqual({ sha256: sha256(bytes) })
  })

  it('is where it was for a machine that never saw it, after the one that took its bytes is gone with its disk', async () => {
    const one = await machine()
    const bytes = randomBytes(10 * MB)
    const url = await one.create(bytes.length)
    expect((await one.patch(url, 0, bytes.subarray(0, 9 * MB))).status).toBe(204)
    await rm(one.folder, { recursive: true })
    const next = await machine()
    expect(await next.offset(url)).toBe(String(9 * MB))
    const last = await next.patch(url, 9 * MB, bytes.subarray(9 * MB))
    expect(await last.json()).toEqual({ sha256: sha256(bytes) })
    expect(stored).toEqual([{ sha256: sha256(bytes), path: sha256(bytes) }])
  })

  it('begins at the last whole part when a machine dies in the middle of a piece', async () => {
    const bytes = randomBytes(20 * MB)
    const one = await machine()
    const url = await one.create(bytes.length)
    // The third part never arrives: as if the machine had gone while it was sent.
    server.breaks((operation) => (operation === 'put' && server.objects.size === 2 ? 'error' : undefined))
    expect((await one.patch(url, 0, bytes)).status).toBe(503)
    server.breaks()
    const next = await machine()
    expect(await next.offset(url)).toBe(String(16 * MB))
    const last = await next.patch(url, 16 * MB, bytes.subarray(16 * MB))
    expect(await last.json()).toEqual({ sha256: sha256(bytes) })
  })

  it('is validated by another machine when all bytes are there and the response to the last piece was lost', async () => {
    const bytes = randomBytes(3 * MB)
    const one = await machine()
    const url = await one.create(bytes.length)
    await one.patch(url, 0, bytes.subarray(0, MB))
    // The bytes are published, and no client hears of a verdict: killed before it.
    const staged = await one.store.resume(url.slice(-36))
    expect(await staged.size()).toBe(MB)
    const sink = await staged.writable({ from: MB, resumable: true })
    await new Promise<void>((done, fail) => sink.on('error', fail).end(bytes.subarray(MB), done))
    await staged.publish(bytes.length)
    const next = await machine()
    expect(await next.verdict(url)).toEqual({ sha256: sha256(bytes) })
    expect(await (await machine()).patch(url, bytes.length, Buffer.alloc(0)).then((r) => r.json())).toEqual({
      sha256: sha256(bytes),
    })
    expect(stored).toHaveLength(1)
  })

  it('fetches from the bucket only what others received', async () => {
    const one = await machine()
    const bytes = randomBytes(18 * MB)
    const url = await one.create(bytes.length)
    await one.patch(url, 0, bytes.subarray(0, 9 * MB))
    expect((await one.patch(url, 9 * MB, bytes.subarray(9 * MB))).status).toBe(201)
    expect(server.requests.filter((operation) => operation === 'get')).toEqual([])
  })

  it('does not count a piece whose checksum is wrong, and takes what a lost process left beyond its end out of the way', async () => {
    const [one, other] = [await machine(), await machine()]
    const bytes = randomBytes(2 * MB)
    const url = await one.create(bytes.length)
    const wrong = { 'upload-checksum': `sha256 ${createHash('sha256').update('x').digest('base64')}` }
    await one.patch(url, 0, bytes, wrong)
    expect([await other.offset(url), parts()]).toEqual(['0', []])
    await one.patch(url, 0, bytes.subarray(0, MB))
    const [first = ''] = parts()
    const stray = first.replace(/\d+$/, String(MB + 5).padStart(16, '0'))
    server.objects.set(stray, server.objects.get(first) as never)
    expect(await other.offset(url)).toBe(String(MB))
    expect(await (await other.patch(url, MB, bytes.subarray(MB))).json()).toEqual({ sha256: sha256(bytes) })
  })

  it('leaves nothing in the bucket or on a disk when it is taken back, and what no upload claims is swept', async () => {
    const [one, other] = [await machine(), await machine()]
    const bytes = randomBytes(2 * MB)
    const url = await one.create(bytes.length)
    await one.patch(url, 0, bytes.subarray(0, MB))
    expect([parts().length, (await copies(one)).length]).toEqual([1, 1])
    await other.store.sweepStaged(sweeping(new Date(0), url.slice(-36)))
    expect(parts()).toHaveLength(1)
    expect((await other.remove(url)).status).toBe(204)
    expect(parts()).toEqual([])
    await one.store.sweepStaged(sweeping(new Date(0)))
    expect(await copies(one)).toEqual([])

    const left = await one.create(bytes.length)
    await one.patch(left, 0, bytes.subarray(0, MB))
    await other.store.sweepStaged(sweeping(new Date(0), randomUUID()))
    expect(parts()).toEqual([])
    expect(existsSync(one.folder)).toBe(true)
  })
})

import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  BlobNotFound,
  type DirectUpload,
  type FetchedUpload,
  StorageUnavailable,
  type UploadPart,
} from '@/lib/domain/kernel/blob-store'
import { S3BlobStore, type S3Options } from './s3'
import { StagingFolder } from './staging-folder'
import { keysOf, newKey, sweeping } from './testing/conformance'
import { startS3Server } from './testing/s3-server'

const BUCKET = 'greenroom-files'
const ORIGIN = 'https://qc.example.com'
const credentials = { accessKeyId: 'GREENROOMTEST', secretAccessKey: 'a/secret+that=is long' }
const MB = 1024 * 1024

let server: Awaited<ReturnType<typeof startS3Server>>
let folder: string
let store: S3BlobStore

const open = (changes: Partial<S3Options> = {}) =>
  new S3BlobStore(new StagingFolder(folder), {
    bucket: BUCKET,
    region: 'eu-central-1',
    endpoint: server.endpoint,
    credentials,
    prefix: 'greenroom/',
    ...changes,
  })

beforeAll(async () => {
  server = await startS3Server({ bucket: BUCKET, ...credentials })
  folder = await mkdtemp(path.join(tmpdir(), 'greenroom-direct-'))
})
afterAll(async () => {
  await server.stop()
  await rm(folder, { recursive: true })
})
beforeEach(() => {
  server.breaks()
  server.set({ isSimple: false, mistakesCopies: false, pageSize: 1000, cors: [] })
  server.objects.clear()
  server.uploads.clear()
  store = open()
})

async function begin(): Promise<DirectUpload> {
  const id = randomUUID()
  return { id, handle: await store.direct.begin(id) }
}

const planOf = (size: number, partSize: number): UploadPart[] =>
  Array.from({ length: Math.ceil(size / partSize) }, (_, index) => ({
    number: index + 1,
    size: Math.min(partSize, size - index * partSize),
  }))

/** As a client does: by the addresses alone. */
const put = (address: string, bytes: Buffer) => fetch(address, { method: 'PUT', body: new Uint8Array(bytes) })

async function sendAll(upload: DirectUpload, bytes: Buffer, plan: UploadPart[]) {
  const addresses = await store.direct.sign(upload, plan)
  let at = 0
  for (const [index, { size }] of plan.entries()) {
    expect((await put(addresses[index] ?? '', bytes.subarray(at, at + size))).status).toBe(200)
    at += size
  }
  return addresses
}

const fetched = (upload: DirectUpload, version: string | null): Promise<FetchedUpload> =>
  store.direct.fetch(upload, version ?? '', () => {})

describe.each([
  ['a bucket', {}],
  ['a bucket of a server that knows no checksums', { isSimple: true }],
  ['a bucket of a server that copies under no condition', { mistakesCopies: true }],
])('direct uploads to %s', (_, kind) => {
  it('are put together of their parts, hashed as they are fetched, and copied inside the bucket', async () => {
    server.set({ ...kind, pageSize: 2 })
    const bytes = randomBytes(17 * MB)
    const plan = planOf(bytes.length, 5 * MB)
    const upload = await begin()
    await sendAll(upload, bytes, plan)
    expect(await store.direct.parts(upload)).toEqual(plan)
    const version = await store.direct.assemble(upload, plan)

    const progress: number[] = []
    const received = server.bytesReceived()
    const { staged, size, sha256 } = await store.direct.fetch(upload, version ?? '', (_, upTo) => progress.push(upTo))
    expect({ size, sha256 }).toEqual({ size: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') })
    expect(progress.at(-1)).toBe(bytes.length)
    expect((await readFile(staged.path)).equals(bytes)).toBe(true)
    const key = newKey()
    await store.commit(staged, key)
    expect(server.bytesReceived()).toBe(received)
    expect((await buffer(await store.read(key))).equals(bytes)).toBe(true)

    await store.direct.remove(upload)
    expect([...server.objects.keys()]).toEqual([`greenroom/${key}`])
  })
})

describe('a direct upload', () => {
  it('is no object of the store, and is copied in parts when it is large', async () => {
    store = open({ copyPartBytes: 5 * MB })
    const bytes = randomBytes(12 * MB)
    const plan = planOf(bytes.length, 6 * MB)
    const upload = await begin()
    await sendAll(upload, bytes, plan)
    const { staged } = await fetched(upload, await store.direct.assemble(upload, plan))
    expect(await keysOf(store)).toEqual([])
    const key = newKey()
    await store.commit(staged, key)
    expect(server.requests).toContain('copy-part')
    expect((await buffer(await store.read(key))).equals(bytes)).toBe(true)
  })

  it('takes by an address only that part of that upload, of that length', async () => {
    const [upload, other] = [await begin(), await begin()]
    const bytes = randomBytes(MB)
    const [address = ''] = await store.direct.sign(upload, [{ number: 1, size: bytes.length }])
    const refused = [
      await put(address, randomBytes(MB + 1)),
      await put(address, randomBytes(MB - 1)),
      await put(address.replace('partNumber=1', 'partNumber=2'), bytes),
      await put(address.replace(upload.id, other.id), bytes),
      await put(address.replace(encodeURIComponent(upload.handle), other.handle), bytes),
      await put(address.replace(/X-Amz-Expires=\d+/, 'X-Amz-Expires=86400'), bytes),
      await fetch(address),
      await fetch(address, { method: 'DELETE' }),
    ]
    expect(refused.map(({ status }) => status)).toEqual(refused.map(() => 403))
    expect(await store.direct.parts(upload)).toEqual([])
    // An address for another key that names this upload is signed by us, and still finds nothing there.
    const [mixed = ''] = await store.direct.sign({ id: other.id, handle: upload.handle }, [{ number: 1, size: MB }])
    expect((await put(mixed, bytes)).status).toBe(404)
  })

  it('is not put together of other parts than were planned', async () => {
    const plan = planOf(11 * MB, 5 * MB)
    const upload = await begin()
    await sendAll(upload, randomBytes(10 * MB), plan.slice(0, 2))
    expect(await store.direct.assemble(upload, plan)).toBeNull()
    await sendAll(upload, randomBytes(2 * MB), [{ number: 3, size: 2 * MB }])
    expect(await store.direct.assemble(upload, plan)).toBeNull()
    await sendAll(upload, randomBytes(MB), plan.slice(2))
    await sendAll(upload, randomBytes(MB), [{ number: 4, size: MB }])
    expect(await store.direct.assemble(upload, plan)).toBeNull()
    expect(server.objects.size).toBe(0)
  })

  it('is put together once, whichever process asks, and takes nothing after that', async () => {
    const bytes = randomBytes(6 * MB)
    const plan = planOf(bytes.length, 5 * MB)
    const upload = await begin()
    const [address = ''] = await sendAll(upload, bytes, plan)
    const versions = await Promise.all([1, 2, 3].map(() => store.direct.assemble(upload, plan)))
    expect(new Set([...versions, await store.direct.assemble(upload, plan)]).size).toBe(1)
    expect((await put(address, bytes.subarray(0, 5 * MB))).status).toBe(404)
    await expect(store.direct.parts(upload)).rejects.toBeInstanceOf(BlobNotFound)
  })

  it.each([false, true])(
    'is neither fetched nor copied when something else lies in its place',
    async (mistakesCopies) => {
      server.set({ mistakesCopies })
      const bytes = randomBytes(MB)
      const plan = planOf(bytes.length, MB)
      const upload = await begin()
      await sendAll(upload, bytes, plan)
      const version = await store.direct.assemble(upload, plan)
      for (const copyPartBytes of [undefined, MB / 4]) {
        store = open({ copyPartBytes })
        const { staged } = await fetched(upload, version)
        const place = `greenroom/incoming/${upload.id}`
        const original = server.objects.get(place)
        if (!original) throw new Error('Nothing arrived.')
        server.objects.set(place, { ...original, etag: 'f'.repeat(32) })
        const key = newKey()
        await expect(store.commit(staged, key)).rejects.toBeInstanceOf(StorageUnavailable)
        await expect(fetched(upload, version)).rejects.toBeInstanceOf(StorageUnavailable)
        expect(await keysOf(store)).toEqual([])
        server.objects.set(place, original)
      }
      expect(server.uploads.size).toBe(0)
    },
  )

  it('leaves nothing when it is removed: before it was put together, after that, and again', async () => {
    const bytes = randomBytes(MB)
    const plan = planOf(bytes.length, MB)
    const [one, other] = [await begin(), await begin()]
    const [address = ''] = await sendAll(one, bytes, plan)
    await sendAll(other, bytes, plan)
    const version = await store.direct.assemble(other, plan)
    for (const upload of [one, other, one, other]) await store.direct.remove(upload)
    expect([server.uploads.size, server.objects.size]).toEqual([0, 0])
    expect((await put(address, bytes)).status).toBe(404)
    await expect(store.direct.assemble(one, plan)).rejects.toBeInstanceOf(BlobNotFound)
    await expect(fetched(other, version)).rejects.toBeInstanceOf(BlobNotFound)
  })

  it('is swept with other unfinished ones, unless it is known to be under way', async () => {
    const [known] = [await begin(), await begin()]
    await store.sweepStaged(sweeping(new Date(Date.now() + 60_000), known.id))
    expect([...server.uploads.values()].map(({ key }) => key)).toEqual([`greenroom/incoming/${known.id}`])
  })

  it('says so when the bucket fails', async () => {
    const bytes = randomBytes(MB)
    const plan = planOf(bytes.length, MB)
    const upload = await begin()
    await sendAll(upload, bytes, plan)
    store = open({ idleTimeoutMs: 300 })
    for (const operation of ['parts', 'complete'] as const) {
      server.breaks((asked) => (asked === operation ? 'error' : undefined))
      await expect(store.direct.assemble(upload, plan)).rejects.toBeInstanceOf(StorageUnavailable)
    }
    server.breaks()
    const version = await store.direct.assemble(upload, plan)
    for (const fault of ['error', 'hang', 'cut'] as const) {
      server.breaks((asked) => (asked === 'get' ? fault : undefined))
      await expect(fetched(upload, version)).rejects.toBeInstanceOf(StorageUnavailable)
    }
    server.breaks()
    const { staged } = await fetched(upload, version)
    server.breaks((asked) => (asked === 'copy' ? 'error' : undefined))
    await expect(store.commit(staged, newKey())).rejects.toBeInstanceOf(StorageUnavailable)
    server.breaks()
    await store.commit(staged, newKey())
    expect(await keysOf(store)).toHaveLength(1)
  })

  it('can come from pages of those origins that the bucket’s CORS rules name', async () => {
    expect(await store.direct.obstacleFor(ORIGIN)).toContain(ORIGIN)
    server.set({ cors: [ORIGIN] })
    expect(await store.direct.obstacleFor(ORIGIN)).toBeNull()
    expect(await store.direct.obstacleFor('https://elsewhere.example')).toContain('elsewhere')
    server.set({ cors: ['*'] })
    expect(await store.direct.obstacleFor('https://elsewhere.example')).toBeNull()
    server.breaks(() => 'hang')
    expect(await open({ idleTimeoutMs: 200 }).direct.obstacleFor(ORIGIN)).toContain('does not reply')
  })
})

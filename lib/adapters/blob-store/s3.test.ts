import { randomBytes } from 'node:crypto'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { BlobExists, BlobNotFound, type BlobStore, StorageUnavailable } from '@/lib/domain/kernel/blob-store'
import { S3BlobStore, type S3Options } from './s3'
import { StagingFolder } from './staging-folder'
import { everyStore, keysOf, newKey, stageBytes, storeBytes, sweeping } from './testing/conformance'
import { type S3Fault, type S3Operation, startS3Server } from './testing/s3-server'

const BUCKET = 'greenroom-files'
const credentials = { accessKeyId: 'GREENROOMTEST', secretAccessKey: 'a/secret+that=is long' }
/** More than one part. */
const LARGE = 20 * 1024 * 1024

let server: Awaited<ReturnType<typeof startS3Server>>
let folder: string
let store: BlobStore

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
  folder = await mkdtemp(path.join(tmpdir(), 'greenroom-staged-'))
})
afterAll(async () => {
  await server.stop()
  await rm(folder, { recursive: true })
})
beforeEach(() => {
  server.breaks()
  server.set({ isSimple: false, refusesConditions: false, pageSize: 1000 })
  server.objects.clear()
  server.uploads.clear()
  store = open()
})

describe('a bucket', () => {
  everyStore(() => store, { large: LARGE })
})

describe('a bucket of a server that knows neither conditions nor checksums', () => {
  beforeEach(() => server.set({ isSimple: true }))

  it('is read back before it is believed', async () => {
    const bytes = randomBytes(LARGE)
    const key = await storeBytes(store, bytes)
    expect(server.requests.slice(server.requests.lastIndexOf('complete'))).toContain('get')
    expect((await buffer(await store.read(key))).equals(bytes)).toBe(true)
    await expect(store.commit(await stageBytes(store, bytes), key)).rejects.toBeInstanceOf(BlobExists)
  })

  it('is not believed when it stored other bytes, and what it stored is removed', async () => {
    server.breaks((operation) => (operation === 'put' ? 'altered' : undefined))
    await expect(storeBytes(store, randomBytes(1000))).rejects.toBeInstanceOf(StorageUnavailable)
    expect(await keysOf(store)).toEqual([])
  })
})

describe('a bucket of a server that refuses conditions', () => {
  beforeEach(() => server.set({ isSimple: true, refusesConditions: true }))

  everyStore(() => store, { large: LARGE, hasConditions: false })
})

describe('in a bucket', () => {
  it('objects lie below the prefix, and others are left alone', async () => {
    const key = await storeBytes(store, randomBytes(10))
    expect([...server.objects.keys()]).toEqual([`greenroom/${key}`])
    expect(await keysOf(open({ prefix: 'another/' }))).toEqual([])
  })

  it('all are listed, however many pages that takes', async () => {
    server.set({ pageSize: 2 })
    const keys = await Promise.all([1, 2, 3, 4, 5].map(() => storeBytes(store, randomBytes(3))))
    expect(await keysOf(store)).toEqual(keys.sort())
  })

  it('unfinished parts are swept, once they are old enough', async () => {
    server.breaks((operation) => (operation === 'complete' || operation === 'abort' ? 'error' : undefined))
    await expect(storeBytes(store, randomBytes(LARGE))).rejects.toBeInstanceOf(StorageUnavailable)
    server.breaks()
    expect(server.uploads.size).toBe(1)
    await store.sweepStaged(sweeping(new Date(Date.now() - 60_000)))
    expect(server.uploads.size).toBe(1)
    expect(await store.sweepStaged(sweeping(new Date(Date.now() + 60_000)))).toBeGreaterThan(0)
    expect(server.uploads.size).toBe(0)
  })

  it('unfinished uploads are swept, however many pages their list has', async () => {
    server.set({ pageSize: 2 })
    const { direct } = open()
    for (let upload = 0; upload < 5; upload += 1) await direct.begin(crypto.randomUUID())
    expect(server.uploads.size).toBe(5)
    expect(await store.sweepStaged(sweeping(new Date(Date.now() + 60_000)))).toBe(5)
    expect(server.uploads.size).toBe(0)
  })

  it('an object can be read by an address of its own, under the name and type it is given', async () => {
    const bytes = randomBytes(500)
    const key = await storeBytes(store, bytes)
    const address = await store.link(key, {
      contentType: 'image/png',
      contentDisposition: 'attachment; filename="a.png"',
    })
    const response = await fetch(address ?? '')
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('image/png')
    expect(response.headers.get('content-disposition')).toBe('attachment; filename="a.png"')
    expect(Buffer.from(await response.arrayBuffer()).equals(bytes)).toBe(true)
    expect((await fetch(`${address}`.replace(key, newKey()))).status).toBe(403)
    expect((await fetch(`${address}`.replace('image%2Fpng', 'text%2Fhtml'))).status).toBe(403)
  })
})

describe('when the bucket fails', () => {
  const upload = () => storeBytes(store, randomBytes(LARGE))
  const small = () => storeBytes(store, randomBytes(100))
  const reads = async () => buffer(await store.read(await storedKey()))
  const lends = async () => store.localPath(await storedKey(), async () => {})
  let key: Awaited<ReturnType<typeof upload>> | undefined
  const storedKey = async () => key ?? newKey()

  it.each<[string, S3Operation, S3Fault, () => Promise<unknown>, string]>([
    ['responds with 500 to an upload', 'put', 'error', small, 'failed'],
    ['responds with 500 to a part', 'part', 'error', upload, 'failed'],
    ['responds with 500 when an upload is completed', 'complete', 'error', upload, 'failed'],
    ['cuts the connection in a part', 'part', 'cut', upload, 'failed'],
    ['refuses the credentials for an upload', 'put', 'forbidden', small, 'forbidden'],
    ['refuses the credentials for metadata', 'head', 'forbidden', small, 'forbidden'],
    ['is full', 'part', 'full', upload, 'full'],
    ['hangs in an upload', 'put', 'hang', small, 'failed'],
    ['hangs before an upload', 'head', 'hang', small, 'failed'],
    ['responds with 500 to a read', 'get', 'error', reads, 'failed'],
    ['cuts a read', 'get', 'cut', lends, 'failed'],
    ['hangs in a read', 'get', 'hang', reads, 'failed'],
    ['responds with 500 to a listing', 'list', 'error', () => keysOf(store), 'failed'],
    ['responds with 500 to a deletion', 'delete', 'error', async () => store.delete(await storedKey()), 'failed'],
  ])(
    '%s: that is said, nothing half is visible, and it works again afterwards',
    async (_, operation, fault, act, reason) => {
      key = await storeBytes(open(), randomBytes(40_000))
      const before = [...server.objects.keys()]
      store = open({ idleTimeoutMs: 300 })
      server.breaks((asked) => (asked === operation ? fault : undefined))
      const failure = await act().then(
        () => null,
        (error: unknown) => error,
      )
      expect(failure).toBeInstanceOf(StorageUnavailable)
      expect(failure).toMatchObject({ reason, code: 'unavailable' })
      expect([...server.objects.keys()]).toEqual(before)
      server.breaks()
      store = open()
      await upload()
      await store.prove()
    },
  )

  it('keeps what was being stored, so that it can be tried again', async () => {
    server.breaks((operation) => (operation === 'part' ? 'error' : undefined))
    const staged = await stageBytes(store, randomBytes(LARGE))
    const target = newKey()
    await expect(store.commit(staged, target)).rejects.toBeInstanceOf(StorageUnavailable)
    await expect(store.size(target)).rejects.toBeInstanceOf(BlobNotFound)
    server.breaks()
    await store.commit(staged, target)
    expect(await store.size(target)).toBe(LARGE)
  })

  it('is said in a sentence when the key, the bucket or the address is wrong', async () => {
    const said = async (changes: Partial<S3Options>) =>
      open({ idleTimeoutMs: 500, ...changes })
        .prove()
        .then(
          () => '',
          (error: StorageUnavailable) => error.explanation,
        )
    expect(await said({ credentials: { ...credentials, secretAccessKey: 'wrong' } })).toContain('S3_SECRET_ACCESS_KEY')
    expect(await said({ credentials: { ...credentials, accessKeyId: 'unknown' } })).toContain('S3_ACCESS_KEY_ID')
    expect(await said({ bucket: 'not-there' })).toContain('“not-there” does not exist')
    expect(await said({ endpoint: 'http://127.0.0.1:9' })).toContain('cannot be used')
  })

  it('leaves nothing in the folder of temporary objects but what waits to be stored', async () => {
    const before = (await readdir(folder)).length
    key = await upload()
    await store.localPath(key, async () => {})
    expect((await readdir(folder)).length).toBe(before)
  })
})

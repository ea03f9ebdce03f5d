import { randomBytes } from 'node:crypto'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { createDatabase } from '@/db/client'
import { testDatabaseUrl } from '@/db/testing'
import { type BlobStore, StorageUnavailable } from '@/lib/domain/kernel/blob-store'
import { databaseIndex } from './remote-index'
import { StagingFolder } from './staging-folder'
import { everyStore, keysOf, newKey, stageBytes, storeBytes, sweeping } from './testing/conformance'
import { startUploadThingServer, type UploadThingFault, type UploadThingOperation } from './testing/uploadthing-server'
import { UploadThingBlobStore, type UploadThingOptions } from './uploadthing'

let server: Awaited<ReturnType<typeof startUploadThingServer>>
let folder: string
let store: BlobStore

const database = createDatabase(testDatabaseUrl)

const open = (changes: Partial<UploadThingOptions> = {}) =>
  new UploadThingBlobStore(new StagingFolder(folder), databaseIndex(database.db), { ...server.options, ...changes })

beforeAll(async () => {
  server = await startUploadThingServer()
  folder = await mkdtemp(path.join(tmpdir(), 'greenroom-staged-'))
})
afterAll(async () => {
  await server.stop()
  await database.sql.end()
  await rm(folder, { recursive: true })
})
beforeEach(() => {
  server.breaks()
  store = open()
})

describe('UploadThing', () => {
  everyStore(() => store, { large: 20 * 1024 * 1024, takesNothing: false })

  it('gets files that only a signature opens, under names that reveal nothing', async () => {
    const key = await storeBytes(store, randomBytes(10))
    const [id] = key.split('/').slice(-1)
    const stored = [...server.files].find(([, { name }]) => name.includes(id ?? '-'))
    expect(stored?.[1].name).toBe(`files:${id}`)
    expect((await fetch(`http://${server.options.ufsHost}/a/greenroomtest/${stored?.[0]}`)).status).toBe(403)
  })

  it('says nothing on the terminal when all goes well, and silences no other output', async () => {
    const heard = vi.spyOn(console, 'warn').mockImplementation(() => {})
    vi.resetModules()
    const fresh = await import('./uploadthing')
    const quiet = new fresh.UploadThingBlobStore(new StagingFolder(folder), databaseIndex(database.db), server.options)
    await storeBytes(quiet, randomBytes(10))
    console.warn('from another sender')
    expect(heard.mock.calls).toEqual([['from another sender']])
    heard.mockRestore()
  })

  it('is rid of a file that no object is, once it is old enough', async () => {
    const orphan = { path: '/nowhere', name: newKey().replace('/', ':'), size: 1, customId: null }
    server.files.set('orphan', { ...orphan, uploadedAt: Date.now() - 3_600_000 })
    server.files.set('young', { ...orphan, uploadedAt: Date.now() })
    server.files.set('foreign', { ...orphan, name: 'holiday.jpg', uploadedAt: 0 })
    const key = await storeBytes(store, randomBytes(10))
    await store.sweepStaged(sweeping(new Date(Date.now() - 60_000)))
    expect(server.files.has('orphan')).toBe(false)
    expect(server.files.has('young') && server.files.has('foreign')).toBe(true)
    expect(await store.size(key)).toBe(10)
  })

  it('is not believed when it stored other bytes', async () => {
    server.breaks((operation) => (operation === 'upload' ? 'altered' : undefined))
    const files = server.files.size
    await expect(storeBytes(store, randomBytes(1000))).rejects.toBeInstanceOf(StorageUnavailable)
    expect(server.files.size).toBe(files)
  })
})

describe('when UploadThing', () => {
  const upload = () => storeBytes(store, randomBytes(300_000))
  it.each<[string, UploadThingOperation, UploadThingFault, 'upload' | 'lend' | 'delete', string]>([
    ['responds with 500 to an upload', 'upload', 'error', 'upload', 'failed'],
    ['refuses the token', 'upload', 'forbidden', 'upload', 'forbidden'],
    ['is full', 'upload', 'full', 'upload', 'full'],
    ['hangs in an upload', 'upload', 'hang', 'upload', 'failed'],
    ['cuts an upload', 'upload', 'cut', 'upload', 'failed'],
    ['cannot give back what it took', 'read', 'error', 'upload', 'failed'],
    ['responds with 500 to a read', 'read', 'error', 'lend', 'failed'],
    ['cuts a read', 'read', 'cut', 'lend', 'failed'],
    ['hangs in a read', 'read', 'hang', 'lend', 'failed'],
    ['responds with 500 to a deletion', 'delete', 'error', 'delete', 'failed'],
  ])(
    '%s: that is said, nothing half is visible, and it works again afterwards',
    async (_, operation, fault, what, reason) => {
      const key = await upload()
      const before = await keysOf(store)
      store = open({ idleTimeoutMs: 500 })
      server.breaks((asked) => (asked === operation ? fault : undefined))
      const act = { upload, lend: () => store.localPath(key, async () => {}), delete: () => store.delete(key) }[what]
      const failure = await act().then(
        () => null,
        (error: unknown) => error,
      )
      expect(failure).toBeInstanceOf(StorageUnavailable)
      expect(failure).toMatchObject({ reason, code: 'unavailable' })
      expect(await keysOf(store)).toEqual(before)
      server.breaks()
      store = open()
      await upload()
      await store.prove()
    },
  )

  it('is given a wrong token: the sentence says so', async () => {
    const token = Buffer.from(JSON.stringify({ apiKey: 'sk_wrong', appId: 'greenroomtest', regions: ['test'] }))
    const failure = await open({ token: token.toString('base64') })
      .prove()
      .then(
        () => '',
        (error: StorageUnavailable) => error.explanation,
      )
    expect(failure).toContain('UPLOADTHING_TOKEN')
  })

  it('is given a file, it leaves nothing on this machine', async () => {
    const before = (await readdir(folder)).length
    const key = await upload()
    await store.localPath(key, async () => {})
    expect((await readdir(folder)).length).toBe(before)
    const staged = await stageBytes(store, randomBytes(10))
    await staged.discard()
  })
})

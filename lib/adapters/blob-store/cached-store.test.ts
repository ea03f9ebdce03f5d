import { randomBytes } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { type BlobKey, BlobNotFound, type BlobStore, StorageUnavailable } from '@/lib/domain/kernel/blob-store'
import { withLocalCopies } from './cached-store'
import { DiskBlobStore } from './disk'
import { StagingFolder } from './staging-folder'
import { everyStore, newKey, stageBytes, storeBytes } from './testing/conformance'

const KIB = 1024
let root: string
let folder: string
let staging: StagingFolder
let remote: BlobStore
let store: BlobStore
/** Keys that were fetched from the store behind. */
let fetched: string[]

const counting = (behind: BlobStore): BlobStore => ({
  ...methodsOf(behind),
  async localPath(key, use) {
    fetched.push(key)
    return behind.localPath(key, use)
  },
})
/** A class has its methods on the prototype, which a spread leaves out. */
const methodsOf = (behind: BlobStore): BlobStore =>
  new Proxy({} as BlobStore, {
    get: (_, name) => {
      const value = Reflect.get(behind, name)
      return typeof value === 'function' ? value.bind(behind) : value
    },
    ownKeys: () => Object.getOwnPropertyNames(Object.getPrototypeOf(behind)).filter((name) => name !== 'constructor'),
    getOwnPropertyDescriptor: () => ({ enumerable: true, configurable: true }),
  })

beforeAll(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'greenroom-cache-'))
})
afterAll(() => rm(root, { recursive: true }))
beforeEach(async () => {
  const own = await mkdtemp(path.join(root, 'test-'))
  folder = path.join(own, 'cache')
  staging = new StagingFolder(path.join(own, 'staged'))
  fetched = []
  remote = counting(new DiskBlobStore(path.join(own, 'elsewhere')))
  store = open(1000 * KIB)
})

const open = (limit: number) => withLocalCopies(remote, staging, { folder, limit })
const bytesOf = (key: BlobKey, from = store) => from.localPath(key, (file) => readFile(file))
const held = async () => (await readdir(folder).catch(() => [])).length

everyStore(() => store)

it('fetches an object once, for all processes of the machine and for those that ask at the same moment', async () => {
  const bytes = randomBytes(10 * KIB)
  const key = await storeBytes(remote, bytes)
  const another = open(1000 * KIB)
  const read = await Promise.all([bytesOf(key), bytesOf(key), bytesOf(key)])
  for (const copy of [...read, await bytesOf(key), await bytesOf(key, another)]) expect(copy.equals(bytes)).toBe(true)
  expect(fetched).toEqual([key])
})

it('does not fetch what came in through this machine', async () => {
  const key = newKey()
  const staged = await stageBytes(store, randomBytes(KIB))
  await store.commit(staged, key, { keepStaged: true })
  await staged.discard()
  expect(await bytesOf(key)).toHaveLength(KIB)
  expect(fetched).toEqual([])
})

it('stays below its limit, and lets go of what was not used for longest', async () => {
  store = open(100 * KIB)
  const keys: BlobKey[] = []
  for (let i = 0; i < 20; i++) {
    const key = await storeBytes(remote, randomBytes(10 * KIB))
    keys.push(key)
    await bytesOf(key)
    if (i > 0) await bytesOf(keys[0] as BlobKey)
  }
  expect(await held()).toBeLessThanOrEqual(10)
  fetched = []
  await bytesOf(keys[0] as BlobKey)
  expect(fetched).toEqual([])
})

it('never takes away a copy that is in use', async () => {
  store = open(20 * KIB)
  const key = await storeBytes(remote, randomBytes(10 * KIB))
  await store.localPath(key, async (file) => {
    for (let i = 0; i < 5; i++) await bytesOf(await storeBytes(remote, randomBytes(10 * KIB)))
    expect((await stat(file)).size).toBe(10 * KIB)
  })
})

it('hands through what is larger than its limit, and what is made again under the same key', async () => {
  store = open(5 * KIB)
  const large = await storeBytes(remote, randomBytes(10 * KIB))
  expect(await bytesOf(large)).toHaveLength(10 * KIB)
  const derived = `derived/${large.slice(6)}/thumbnail.webp` as const
  for (const size of [100, 200]) {
    await store.commit(await stageBytes(store, randomBytes(size)), derived, { replace: true })
    expect(await store.localPath(derived, (file) => readFile(file))).toHaveLength(size)
  }
  expect(await held()).toBe(0)
})

it('forgets a deleted object', async () => {
  const key = await storeBytes(remote, randomBytes(KIB))
  await bytesOf(key)
  await store.delete(key)
  expect(await held()).toBe(0)
  await expect(bytesOf(key)).rejects.toBeInstanceOf(BlobNotFound)
})

it('gives up its copies when the disk is full', async () => {
  const old = await storeBytes(remote, randomBytes(10 * KIB))
  await bytesOf(old)
  const key = await storeBytes(remote, randomBytes(10 * KIB))
  let isFull = true
  const full: BlobStore = {
    ...remote,
    async localPath(wanted, use) {
      if (isFull && (await held()) > 0) throw new StorageUnavailable('full', 'The disk is full.')
      isFull = false
      return remote.localPath(wanted, use)
    },
  }
  expect(await bytesOf(key, withLocalCopies(full, staging, { folder, limit: 1000 * KIB }))).toHaveLength(10 * KIB)
})

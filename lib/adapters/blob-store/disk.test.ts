import { spawn } from 'node:child_process'
import { randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { BlobExists, type BlobKey, BlobNotFound, type StagedBlob } from '@/lib/domain/kernel/blob-store'
import { DiskBlobStore } from './disk'
import { roomAt } from './room'
import { StagedFile } from './staged-file'
import { filesBelow } from './staging-folder'
import { storageFault } from './storage-fault'
import { sweeping } from './testing/conformance'

/** The order of the calls that make a file durable, as the file system was asked for them. */
const calls = vi.hoisted(() => [] as string[])
vi.mock('node:fs/promises', async (original) => {
  const real = await original<typeof import('node:fs/promises')>()
  return {
    ...real,
    link: (from: string, to: string) => {
      calls.push('link')
      return real.link(from, to)
    },
    rename: (from: string, to: string) => {
      calls.push('rename')
      return real.rename(from, to)
    },
    open: async (path: string, ...rest: [string, number?]) => {
      const handle = await real.open(path, ...rest)
      const sync = handle.sync.bind(handle)
      const kind = (await handle.stat()).isDirectory() ? 'folder' : 'file'
      handle.sync = async () => {
        await sync()
        calls.push(`sync ${kind}`)
      }
      return handle
    },
  }
})

let root: string
let store: DiskBlobStore

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'blob-store-'))
  store = new DiskBlobStore(join(root, 'data'))
})
afterEach(() => rm(root, { recursive: true, force: true }))

const newKey = (): BlobKey => `files/${randomUUID()}`

async function stageBytes(bytes: Buffer, from = 0): Promise<StagedBlob> {
  const staged = await store.stage()
  await pipeline([bytes], await staged.writable({ from }))
  return staged
}

async function storeBytes(bytes: Buffer, key = newKey()): Promise<BlobKey> {
  await store.commit(await stageBytes(bytes), key)
  return key
}

describe('the disk store', () => {
  it('gives back what was put in, whole and by range', async () => {
    const bytes = randomBytes(300_000)
    const key = await storeBytes(bytes)
    expect(await store.size(key)).toBe(300_000)
    expect((await buffer(await store.read(key))).equals(bytes)).toBe(true)
    expect((await buffer(await store.read(key, { start: 10, end: 19 }))).equals(bytes.subarray(10, 20))).toBe(true)
    expect(await store.localPath(key, async (path) => (await stat(path)).size)).toBe(300_000)
  })

  it('has made the file and then its folder durable before commit resolves', async () => {
    const staged = await stageBytes(randomBytes(10))
    calls.length = 0
    await store.commit(staged, newKey())
    expect(calls.filter((call) => call === 'sync file').length).toBeLessThanOrEqual(1)
    expect(calls.indexOf('link')).toBeGreaterThan(calls.indexOf('sync file'))
    expect(calls.at(-1)).toBe('sync folder')
    expect(calls.lastIndexOf('link')).toBeLessThan(calls.length - 1)
  })

  it('flushes a file that was never flushed before it is linked into place', async () => {
    const staged = await stageBytes(randomBytes(10))
    const reopened = new StagedFile(staged.id, staged.path)
    await staged.sync()
    calls.length = 0
    await store.commit(reopened, newKey())
    expect(calls.slice(0, 1)).toEqual(['sync file'])
    expect(calls.indexOf('sync file')).toBeLessThan(calls.indexOf('link'))
  })

  it('never overwrites an object, and keeps the first', async () => {
    const key = await storeBytes(Buffer.from('first'))
    const staged = await stageBytes(Buffer.from('second'))
    await expect(store.commit(staged, key)).rejects.toBeInstanceOf(BlobExists)
    expect(String(await buffer(await store.read(key)))).toBe('first')
    expect(await staged.size()).toBe(6)
  })

  it('lets something derived be made again', async () => {
    const key: BlobKey = `derived/${randomUUID()}/thumb-320.webp`
    await storeBytes(Buffer.from('old'), key)
    await store.commit(await stageBytes(Buffer.from('new')), key, { replace: true })
    expect(String(await buffer(await store.read(key)))).toBe('new')
  })

  it.each([
    'files/../../etc/passwd',
    'files/a',
    'staged/0198c0de-0000-7000-8000-000000000000',
    'files/0198C0DE-0000-7000-8000-000000000000',
    'files/0198c0de-0000-7000-8000-000000000000/x',
    'derived/0198c0de-0000-7000-8000-000000000000/../x',
    'derived/0198c0de-0000-7000-8000-000000000000/.hidden',
    'files/0198c0de-0000-7000-8000-000000000000\0',
  ])('refuses %j as a key', async (key) => {
    await expect(store.read(key as BlobKey)).rejects.toThrow(TypeError)
    await expect(store.commit(await store.stage(), key as BlobKey)).rejects.toThrow(TypeError)
  })

  it('says not found for an object that is not there, and deletes it without complaint', async () => {
    const key = newKey()
    await expect(store.read(key)).rejects.toBeInstanceOf(BlobNotFound)
    await expect(store.size(key)).rejects.toBeInstanceOf(BlobNotFound)
    await expect(store.localPath(key, async () => 1)).rejects.toBeInstanceOf(BlobNotFound)
    await store.delete(key)
  })

  it('lists every object by its key, and nothing that is still temporary', async () => {
    const keys = [
      await storeBytes(randomBytes(1)),
      await storeBytes(randomBytes(2), `derived/${randomUUID()}/thumb-320.webp`),
    ]
    await store.stage()
    const listed = new Map<string, number>()
    for await (const blob of store.list()) listed.set(blob.key, blob.size)
    expect(listed).toEqual(new Map(keys.map((key, index) => [key, index + 1])))
  })

  it('lists nothing in a store that was never used', async () => {
    for await (const blob of store.list()) expect.unreachable(blob.key)
    expect(await store.sweepStaged(sweeping(new Date()))).toBe(0)
  })

  it('sweeps temporary objects by age and leaves young ones alone', async () => {
    const [old, young] = [await stageBytes(randomBytes(5)), await stageBytes(randomBytes(5))]
    await utimes(old.path, 1, 1)
    expect(await store.sweepStaged(sweeping(new Date(Date.now() - 60_000)))).toBe(1)
    await expect(old.size()).rejects.toThrow()
    expect(await young.size()).toBe(5)
  })

  it('sweeps at once what a killed process left behind, and when another process takes its place', async () => {
    const leave = async () => {
      const source = `
        const { DiskBlobStore } = await import('${new URL('./disk.ts', import.meta.url)}')
        console.log((await new DiskBlobStore(process.env.ROOT).stage()).path)
        setInterval(() => {}, 1000)`
      const args = ['--import', 'tsx', '--input-type=module', '-e', source]
      const env = { ...process.env, ROOT: join(root, 'data') }
      const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'inherit'] })
      const [path] = await once(child.stdout, 'data')
      return { child, path: String(path).trim() }
    }
    for (const sweep of [() => store.sweepStaged(sweeping(new Date(0))), () => store.stage()]) {
      store = new DiskBlobStore(join(root, 'data'))
      const { child, path } = await leave()
      await store.sweepStaged(sweeping(new Date(0)))
      expect(await stat(path)).toBeDefined()
      child.kill('SIGKILL')
      await once(child, 'exit')
      await sweep()
      await expect(stat(path)).rejects.toThrow('ENOENT')
    }
  })

  it('keeps files to the owner of the server process', async () => {
    const key = await storeBytes(randomBytes(1))
    const mode = await store.localPath(key, async (path) => (await stat(path)).mode & 0o777)
    expect(mode).toBe(0o600)
  })

  it('leaves nothing behind when it proves itself', async () => {
    await store.prove()
    for await (const blob of store.list()) expect.unreachable(blob.key)
    for await (const path of filesBelow(join(root, 'data', 'staged'))) expect.unreachable(path)
  })
})

describe('a staged object', () => {
  it('can be found again by its id after a restart, and be continued', async () => {
    const id = randomUUID()
    await pipeline([Buffer.from('abcdef')], await (await store.resume(id)).writable())
    const again = await new DiskBlobStore(join(root, 'data')).resume(id)
    await pipeline([Buffer.from('DEF!')], await again.writable({ from: 3 }))
    const key = newKey()
    await store.commit(again, key)
    expect(String(await buffer(await store.read(key)))).toBe('abcDEF!')
    expect(await (await store.resume(id)).size()).toBe(0)
  })

  it('refuses to leave a hole', async () => {
    const staged = await stageBytes(Buffer.from('abc'))
    await expect(staged.writable({ from: 4 })).rejects.toThrow(RangeError)
    expect(await staged.size()).toBe(3)
  })

  it('is gone once discarded, and may be discarded twice', async () => {
    const staged = await stageBytes(Buffer.from('abc'))
    await staged.discard()
    await staged.discard()
    await expect(staged.size()).rejects.toThrow()
  })

  it.each(['../../etc/passwd', '', '.', 'staged', 'A198C0DE-0000-7000-8000-000000000000'])(
    'is not searched for under %j',
    async (id) => {
      await expect(store.resume(id)).rejects.toThrow(TypeError)
    },
  )
})

describe('a store that cannot work', () => {
  it('is reported as unavailable when a file stands where its folder should be', async () => {
    await writeFile(join(root, 'data'), '')
    await expect(store.stage()).rejects.toMatchObject({ name: 'StorageUnavailable', reason: 'failed' })
    await expect(store.prove()).rejects.toMatchObject({ name: 'StorageUnavailable' })
  })

  it('refuses an upload that would take the last of the disk, and takes what is its own', async () => {
    const staged = await store.stage()
    const { free, reserved } = await roomAt(root)
    expect(reserved).toBeGreaterThan(0)
    const refusal = {
      name: 'StorageUnavailable',
      reason: 'full',
      explanation: expect.stringContaining('uploads leave'),
    }
    await expect(staged.writable({ expected: free - reserved + 1024 ** 3 })).rejects.toMatchObject(refusal)
    await pipeline([Buffer.from('one')], await staged.writable({ expected: 3 }))
    await pipeline([Buffer.from('its own')], await staged.writable())
    expect(await readFile(staged.path, 'utf8')).toBe('its own')
  })

  it('is reported as full when the device takes no more bytes', async () => {
    const onFullDevice = new StagedFile(randomUUID(), '/dev/full')
    await expect(onFullDevice.writable().then((sink) => pipeline([randomBytes(10)], sink))).rejects.toMatchObject({
      name: 'StorageUnavailable',
      reason: 'full',
    })
  })

  it.each([
    ['ENOSPC', 'full'],
    ['EDQUOT', 'full'],
    ['EACCES', 'forbidden'],
    ['EROFS', 'read_only'],
    ['EIO', 'failed'],
  ])('says of %s that it is %s', (code, reason) => {
    expect(() => storageFault(Object.assign(new Error(code), { code }))).toThrow(expect.objectContaining({ reason }))
  })
})

import { randomBytes, randomUUID } from 'node:crypto'
import { stat } from 'node:fs/promises'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { v7 } from 'uuid'
import { expect, it } from 'vitest'
import {
  BlobExists,
  type BlobKey,
  BlobNotFound,
  type BlobStore,
  type ListOptions,
  type StagedBlob,
  type SweepOptions,
} from '@/lib/domain/kernel/blob-store'

/** Made now, as its first digits say: a sweep looks at what was made lately. */
export const newKey = (): BlobKey => `files/${v7()}`

export async function stageBytes(store: BlobStore, bytes: Buffer): Promise<StagedBlob> {
  const staged = await store.stage()
  await pipeline([bytes], await staged.writable())
  return staged
}

export async function storeBytes(store: BlobStore, bytes: Buffer, key = newKey()): Promise<BlobKey> {
  await store.commit(await stageBytes(store, bytes), key)
  return key
}

/** Sweeps everything last written before `olderThan`, as if no resumable upload but these were under way. */
export const sweeping = (olderThan: Date, ...open: string[]): SweepOptions => ({
  olderThan,
  areOpen: async (ids) => new Set(ids.filter((id) => open.includes(id))),
})

export async function keysOf(store: BlobStore, options?: ListOptions): Promise<BlobKey[]> {
  const keys: BlobKey[] = []
  for await (const { key } of store.list(options)) keys.push(key)
  return keys.sort()
}

/**
 * What every store promises, wherever the bytes lie. `large`: more than goes in one request, where that differs;
 * `takesNothing`: empty objects, too; `hasConditions`: of writers of one key at the same moment, one wins.
 */
export function everyStore(open: () => BlobStore, { large = 300_000, takesNothing = true, hasConditions = true } = {}) {
  it('gives back what was put in: nothing, little, and much', async () => {
    const store = open()
    for (const size of [...(takesNothing ? [0] : []), 1, 70_000, large]) {
      const bytes = randomBytes(size)
      const key = await storeBytes(store, bytes)
      expect(await store.size(key)).toBe(size)
      expect((await buffer(await store.read(key))).equals(bytes)).toBe(true)
    }
  })

  it('gives back a range, first and last byte included', async () => {
    const store = open()
    const bytes = randomBytes(50_000)
    const key = await storeBytes(store, bytes)
    for (const [start, end] of [
      [0, 0],
      [10, 19],
      [49_990, 49_999],
    ] as const) {
      expect((await buffer(await store.read(key, { start, end }))).equals(bytes.subarray(start, end + 1))).toBe(true)
    }
  })

  it('lends the bytes as a local file, and takes it back', async () => {
    const store = open()
    const key = await storeBytes(store, randomBytes(30_000))
    const path = await store.localPath(key, async (path) => {
      expect((await stat(path)).size).toBe(30_000)
      return path
    })
    expect(await store.size(key)).toBe(30_000)
    await expect(store.localPath(key, () => Promise.reject(new Error('broken')))).rejects.toThrow('broken')
    expect(path).not.toBe('')
  })

  it('overwrites nothing, unless it is asked to', async () => {
    const store = open()
    const first = randomBytes(1000)
    const key = await storeBytes(store, first)
    const second = await stageBytes(store, randomBytes(1000))
    await expect(store.commit(second, key)).rejects.toBeInstanceOf(BlobExists)
    expect((await buffer(await store.read(key))).equals(first)).toBe(true)
    await store.commit(second, key, { replace: true })
    expect((await buffer(await store.read(key))).equals(first)).toBe(false)
  })

  it.runIf(hasConditions)('lets one of several writers of one key win, whole', async () => {
    const store = open()
    const key = newKey()
    const writers = await Promise.all(
      [1, 2, 3, 4].map(async (value) => {
        const bytes = Buffer.alloc(20_000, value)
        return { bytes, staged: await stageBytes(store, bytes) }
      }),
    )
    const ends = await Promise.allSettled(writers.map(({ staged }) => store.commit(staged, key)))
    expect(ends.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    const winner = writers[ends.findIndex(({ status }) => status === 'fulfilled')]
    expect((await buffer(await store.read(key))).equals(winner?.bytes ?? Buffer.alloc(0))).toBe(true)
  })

  it('knows no object that was never put there, and says which', async () => {
    const store = open()
    const key = newKey()
    await expect(store.size(key)).rejects.toBeInstanceOf(BlobNotFound)
    await expect(store.read(key)).rejects.toThrow(key)
    await expect(store.localPath(key, async () => {})).rejects.toBeInstanceOf(BlobNotFound)
  })

  it('deletes, and deletes again without complaint', async () => {
    const store = open()
    const key = await storeBytes(store, randomBytes(100))
    await store.delete(key)
    await expect(store.size(key)).rejects.toBeInstanceOf(BlobNotFound)
    await store.delete(key)
  })

  it('lists every object with its size, and nothing that is still coming in', async () => {
    const store = open()
    const before = await keysOf(store)
    const derived: BlobKey = `derived/${randomUUID()}/thumbnail.webp`
    const keys = [await storeBytes(store, randomBytes(10)), await storeBytes(store, randomBytes(20), derived)]
    const staged = await stageBytes(store, randomBytes(30))
    expect((await keysOf(store)).filter((key) => !before.includes(key))).toEqual(keys.sort())
    for await (const { key, size, modifiedAt } of store.list()) {
      if (key === derived) expect(size).toBe(20)
      expect(Math.abs(Date.now() - modifiedAt.getTime())).toBeLessThan(10 * 60_000)
    }
    await staged.discard()
  })

  it('lists what was made since a time, and what was made from one file', async () => {
    const store = open()
    const hours = (ago: number) => Date.now() - ago * 3_600_000
    const [old, recent] = [v7({ msecs: hours(50) }), v7({ msecs: hours(1) })]
    for (const id of [old, recent]) {
      await storeBytes(store, randomBytes(10), `files/${id}`)
      for (const part of ['thumbnail.webp', 'e-1.webp'])
        await storeBytes(store, randomBytes(10), `derived/${id}/${part}`)
    }
    await storeBytes(store, randomBytes(10), 'service/head.json')
    const ours = async (options: ListOptions) =>
      (await keysOf(store, options)).filter((key) => key.includes(old) || key.includes(recent) || key.includes('head'))
    expect(await ours({ since: new Date(hours(2)) })).toEqual([
      `derived/${recent}/e-1.webp`,
      `derived/${recent}/thumbnail.webp`,
      `files/${recent}`,
    ])
    expect(await ours({})).toHaveLength(6)
    expect(await keysOf(store, { derivedOf: old })).toEqual([
      `derived/${old}/e-1.webp`,
      `derived/${old}/thumbnail.webp`,
    ])
  })

  it('keeps the bytes of a resumable upload while it is under way, however old they are, and sweeps them then', async () => {
    const store = open()
    const id = randomUUID()
    const upload = await store.resume(id)
    await pipeline([randomBytes(10)], await upload.writable())
    await upload.publish(10)
    await store.sweepStaged(sweeping(new Date(Date.now() + 60_000), id))
    expect(await (await store.resume(id)).size()).toBe(10)
    await store.sweepStaged(sweeping(new Date(0)))
    expect(await (await store.resume(id)).size()).toBe(0)
  })

  it('keeps the temporary objects of a running process until they are old', async () => {
    const store = open()
    const staged = await stageBytes(store, randomBytes(10))
    await store.sweepStaged(sweeping(new Date(Date.now() - 60_000)))
    expect(await staged.size()).toBe(10)
    await store.sweepStaged(sweeping(new Date(Date.now() + 60_000)))
    await expect(staged.size()).rejects.toThrow()
  })

  it('has taken the temporary object away when it has become permanent, unless it was asked to keep it', async () => {
    const store = open()
    const staged = await stageBytes(store, randomBytes(10))
    const key = newKey()
    await store.commit(staged, key, { keepStaged: true })
    expect(await staged.size()).toBe(10)
    await staged.discard()
    expect(await store.size(key)).toBe(10)
    const other = await stageBytes(store, randomBytes(10))
    await store.commit(other, newKey())
    await expect(other.size()).rejects.toThrow()
  })

  it('takes no key that is not one of ours', async () => {
    const store = open()
    for (const key of ['files/../etc/passwd', 'files/x', '/etc/passwd', 'derived/'] as BlobKey[]) {
      await expect((async () => store.read(key))()).rejects.toBeInstanceOf(TypeError)
    }
  })

  it('proves itself, and leaves nothing of the proof behind', async () => {
    const store = open()
    const before = await keysOf(store)
    await store.prove()
    expect(await keysOf(store)).toEqual(before)
  })
}

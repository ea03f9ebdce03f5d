import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { BlobExists, type BlobKey, BlobNotFound, type BlobStore } from '@/lib/domain/kernel/blob-store'

export type Progress = { moved: number; there: number; objects: number; bytes: number }

/** Keys that were copied and read back before, so that an interrupted move goes on where it was. */
export type Journal = { has(key: BlobKey): boolean; add(key: BlobKey): void }

const AT_ONCE = 4

/**
 * Copies every object of one store to another. Each is hashed as it is read, compared with the hash its upload had where
 * there is one, and read back from where it went. Nothing is deleted: the old store stays whole.
 * @throws Error for the first object whose bytes are not what they should be
 */
export async function copyObjects(
  from: BlobStore,
  to: BlobStore,
  options: {
    journal: Journal
    /** SHA-256 (hex) of what a user uploaded; undefined for what is derived from it. */
    hashOf: (key: BlobKey) => Promise<string | undefined>
    onProgress: (progress: Progress) => void
  },
): Promise<Progress> {
  const progress = { moved: 0, there: 0, objects: 0, bytes: 0 }
  const waiting: { key: BlobKey; size: number }[] = []
  for await (const { key, size } of from.list()) waiting.push({ key, size })
  progress.objects = waiting.length

  const one = async ({ key, size }: { key: BlobKey; size: number }) => {
    if (options.journal.has(key) && (await sizeIn(to, key)) === size) {
      progress.there += 1
    } else {
      await copyOne(from, to, key, await options.hashOf(key))
      options.journal.add(key)
      progress.moved += 1
      progress.bytes += size
    }
    options.onProgress(progress)
  }
  // The first failure ends all, but not before what is under way has come to its end.
  const queue = waiting.values()
  let failure: unknown
  const work = async () => {
    for (const object of queue) {
      if (failure) return
      await one(object).catch((error: unknown) => {
        failure ??= error
      })
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  if (failure) throw failure
  return progress
}

async function copyOne(from: BlobStore, to: BlobStore, key: BlobKey, expected: string | undefined) {
  const staged = await to.stage()
  try {
    const hash = createHash('sha256')
    await pipeline(
      await from.read(key),
      async function* (chunks: AsyncIterable<Buffer>) {
        for await (const chunk of chunks) {
          hash.update(chunk)
          yield chunk
        }
      },
      await staged.writable(),
    )
    const sha256 = hash.digest('hex')
    if (expected !== undefined && sha256 !== expected) {
      throw new Error(`${key} is damaged where it is now: its SHA-256 is ${sha256}, at its upload it was ${expected}.`)
    }
    await to.commit(staged, key, { replace: key.startsWith('derived/') }).catch((error: unknown) => {
      if (!(error instanceof BlobExists)) throw error // copied before; what is there is compared all the same
    })
    const arrived = await hashed(await to.read(key))
    if (arrived !== sha256) throw new Error(`${key} arrived with SHA-256 ${arrived} and left with ${sha256}.`)
  } finally {
    await staged.discard()
  }
}

async function hashed(bytes: Readable): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of bytes) hash.update(chunk)
  return hash.digest('hex')
}

async function sizeIn(store: BlobStore, key: BlobKey): Promise<number | null> {
  return store.size(key).catch((error: unknown) => {
    if (error instanceof BlobNotFound) return null
    throw error
  })
}

import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { buffer } from 'node:stream/consumers'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { BlobKey, BlobStore } from '@/lib/domain/kernel/blob-store'
import { DiskBlobStore } from './disk'
import { copyObjects, type Journal } from './move'
import { S3BlobStore } from './s3'
import { StagingFolder } from './staging-folder'
import { keysOf, storeBytes } from './testing/conformance'
import { startS3Server } from './testing/s3-server'

const credentials = { accessKeyId: 'MOVER', secretAccessKey: 'secret' }
let server: Awaited<ReturnType<typeof startS3Server>>
let folder: string
let disk: BlobStore
let bucket: BlobStore
let journal: Journal & { keys: Set<string> }
let stored: Map<BlobKey, string>

beforeEach(async () => {
  server = await startS3Server({ bucket: 'files', ...credentials })
  folder = await mkdtemp(path.join(tmpdir(), 'greenroom-move-'))
  disk = new DiskBlobStore(path.join(folder, 'blobs'))
  bucket = new S3BlobStore(new StagingFolder(path.join(folder, 'staged')), {
    bucket: 'files',
    region: 'us-east-1',
    endpoint: server.endpoint,
    credentials,
  })
  const keys = new Set<string>()
  journal = { keys, has: (key) => keys.has(key), add: (key) => keys.add(key) }
  stored = new Map()
  for (let index = 0; index < 12; index += 1) {
    const bytes = randomBytes(1000 + index * 700_000)
    const key: BlobKey = index % 3 === 2 ? `derived/${randomUUID()}/preview.webp` : `files/${randomUUID()}`
    await storeBytes(disk, bytes, key)
    stored.set(key, sha256(bytes))
  }
})
afterEach(async () => {
  await server.stop()
  await rm(folder, { recursive: true })
})

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')
const move = (from: BlobStore, to: BlobStore, hashOf = async (key: BlobKey) => stored.get(key)) =>
  copyObjects(from, to, { journal, hashOf, onProgress: () => {} })

async function hashesIn(store: BlobStore) {
  const hashes = new Map<BlobKey, string>()
  for (const key of await keysOf(store)) hashes.set(key, sha256(await buffer(await store.read(key))))
  return hashes
}

it('takes everything from the disk to a bucket and back, every byte of it', async () => {
  expect(await move(disk, bucket)).toMatchObject({ objects: 12, moved: 12, there: 0 })
  expect(await hashesIn(bucket)).toEqual(new Map([...stored].sort()))
  const other = new DiskBlobStore(path.join(folder, 'again'))
  journal.keys.clear()
  await move(bucket, other)
  expect(await hashesIn(other)).toEqual(new Map([...stored].sort()))
})

it('goes on where it was when it was interrupted, and takes what came in meanwhile', async () => {
  let parts = 0
  server.breaks((operation) => (operation === 'put' && ++parts > 4 ? 'forbidden' : undefined))
  await expect(move(disk, bucket)).rejects.toThrow()
  const done = journal.keys.size
  expect(done).toBeGreaterThan(0)
  server.breaks()
  const late = await storeBytes(disk, randomBytes(500))
  expect(await move(disk, bucket)).toMatchObject({ objects: 13, there: done, moved: 13 - done })
  expect(await keysOf(bucket)).toContain(late)
})

it('copies again what the journal names and the other store has lost', async () => {
  await move(disk, bucket)
  const [first] = await keysOf(bucket)
  if (first) await bucket.delete(first)
  expect(await move(disk, bucket)).toMatchObject({ moved: 1, there: 11 })
})

it('stops at a file whose bytes are not those of its upload, naming it', async () => {
  const [damaged] = [...stored.keys()].filter((key) => key.startsWith('files/'))
  await expect(move(disk, bucket, async (key) => (key === damaged ? '0'.repeat(64) : stored.get(key)))).rejects.toThrow(
    `${damaged} is damaged where it is now`,
  )
  expect(await keysOf(bucket)).not.toContain(damaged)
})

import { randomUUID } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { resumableUploads } from '@/db/schema/operations'
import { testDb } from '@/db/testing'
import { DiskBlobStore } from '@/lib/adapters/blob-store/disk'
import { exists } from '@/lib/adapters/blob-store/staging-folder'
import { as } from '@/lib/domain/testing'
import { sweep } from './sweep'

let root: string
let blobs: DiskBlobStore
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'sweep-'))
  blobs = new DiskBlobStore(root)
})
afterAll(() => rm(root, { recursive: true }))

const HOUR = 3_600_000
type Upload = Partial<typeof resumableUploads.$inferInsert>

async function upload(given: Upload = {}): Promise<string> {
  const id = randomUUID()
  const expiresAt = new Date(Date.now() + HOUR)
  await testDb.insert(resumableUploads).values({ id, owner: 'a', size: 10, metadata: '', expiresAt, ...given })
  await writeFile((await blobs.resume(id)).path, 'bytes')
  return id
}

test('resumable uploads are swept when they have expired or have their verdict, and never in the hands of a request', async () => {
  const past = new Date(Date.now() - HOUR)
  const verdict = { accepted: true, status: 201, body: {} }
  const stored = [
    await upload(),
    await upload({ expiresAt: past, lockedBy: randomUUID(), lockedUntil: new Date(Date.now() + HOUR) }),
  ]
  const [decided, expired, abandoned] = [
    await upload({ verdict }),
    await upload({ expiresAt: past }),
    await upload({ expiresAt: past, lockedBy: randomUUID(), lockedUntil: past }),
  ]
  const unknown = randomUUID()
  await writeFile((await blobs.resume(unknown)).path, 'bytes')

  await sweep(as('system', { ports: { blobs } }))

  const there = async (id: string) => exists(join(root, 'staged', id))
  for (const id of stored) expect(await there(id)).toBe(true)
  for (const id of [decided, expired, abandoned, unknown]) expect(await there(id)).toBe(false)
  const rows = (await testDb.select().from(resumableUploads)).map(({ id }) => id)
  expect(rows.sort()).toEqual([...stored, decided].sort())
})

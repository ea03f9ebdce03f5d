import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { S3BlobStore } from './s3'
import { StagingFolder } from './staging-folder'
import { everyStore, keysOf, newKey } from './testing/conformance'

/** The server of docs/storage.md, "Another S3 server"; the settings are the product's own, with TEST_ before them. */
const {
  TEST_S3_ENDPOINT,
  TEST_S3_BUCKET,
  TEST_S3_ACCESS_KEY_ID,
  TEST_S3_SECRET_ACCESS_KEY,
  TEST_S3_REGION,
  TEST_S3_CONDITIONS,
} = process.env
const PART = 5 * 1024 * 1024

describe.skipIf(!TEST_S3_ENDPOINT)(
  'a bucket of a server that is not the tests’ own (skipped without TEST_S3_ENDPOINT)',
  () => {
    const prefix = `greenroom-test-${randomUUID()}/`
    let folder: string
    let store: S3BlobStore

    beforeAll(async () => {
      folder = await mkdtemp(path.join(tmpdir(), 'greenroom-elsewhere-'))
      store = new S3BlobStore(new StagingFolder(folder), {
        bucket: TEST_S3_BUCKET ?? '',
        region: TEST_S3_REGION ?? 'us-east-1',
        endpoint: TEST_S3_ENDPOINT,
        credentials: { accessKeyId: TEST_S3_ACCESS_KEY_ID ?? '', secretAccessKey: TEST_S3_SECRET_ACCESS_KEY ?? '' },
        prefix,
      })
    })
    afterAll(async () => {
      for (const key of await keysOf(store)) await store.delete(key)
      await rm(folder, { recursive: true })
    })

    everyStore(() => store, { large: 20 * 1024 * 1024, hasConditions: TEST_S3_CONDITIONS !== 'false' })

    it('takes a file from a client by signed addresses, and copies it to its place', async () => {
      const bytes = randomBytes(PART + 70_000)
      const plan = [
        { number: 1, size: PART },
        { number: 2, size: 70_000 },
      ]
      const id = randomUUID()
      const upload = { id, handle: await store.direct.begin(id) }
      const addresses = await store.direct.sign(upload, plan)
      const tooMuch = await fetch(addresses[1] ?? '', { method: 'PUT', body: new Uint8Array(70_001) })
      expect(tooMuch.status).toBe(403)
      for (const [index, { size }] of plan.entries()) {
        const body = new Uint8Array(bytes.subarray(index * PART, index * PART + size))
        const response = await fetch(addresses[index] ?? '', { method: 'PUT', body })
        expect(response.status, await response.text()).toBe(200)
      }
      expect(await store.direct.parts(upload)).toEqual(plan)
      const version = await store.direct.assemble(upload, plan)
      const { staged, sha256 } = await store.direct.fetch(upload, version ?? '', () => {})
      expect(sha256).toBe(createHash('sha256').update(bytes).digest('hex'))
      const key = newKey()
      await store.commit(staged, key)
      await store.direct.remove(upload)
      expect((await buffer(await store.read(key))).equals(bytes)).toBe(true)
    })
  },
)

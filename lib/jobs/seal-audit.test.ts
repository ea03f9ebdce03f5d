import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { testDb } from '@/db/testing'
import { DiskBlobStore } from '@/lib/adapters/blob-store/disk'
import { keysOf } from '@/lib/adapters/blob-store/testing/conformance'
import { verifyChain } from '@/lib/domain/audit/chain'
import { inTransaction } from '@/lib/domain/kernel/operation'
import { as } from '@/lib/domain/testing'
import { sealAudit, storedHead, storeHead } from './seal-audit'

let root: string
let blobs: DiskBlobStore
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'seal-'))
  blobs = new DiskBlobStore(root)
})
afterAll(() => rm(root, { recursive: true }))

test('the end of the chain is stored with the files, where every machine finds it and no sweep lists it', async () => {
  const ctx = as('system', { ports: { blobs } })
  expect(await storedHead(blobs)).toBeNull()
  const happens = () => inTransaction(ctx, (tx) => tx.record({ type: 'settings.updated' }))
  for (const position of [1, 2]) {
    await happens()
    await sealAudit(ctx)
    expect((await storedHead(blobs))?.position).toBe(position)
  }
  expect((await verifyChain(testDb, new Date(), { known: await storedHead(blobs) })).fault).toBeNull()
  expect(await keysOf(blobs)).toEqual([])
})

test('how far the chain was verified is stored beside its end', async () => {
  const end = await storedHead(blobs)
  expect(await storedHead(blobs, 'verified')).toBeNull()
  await storeHead(blobs, { position: 1, hash: 'a'.repeat(64) }, 'verified')
  expect(await storedHead(blobs, 'verified')).toEqual({ position: 1, hash: 'a'.repeat(64) })
  expect(await storedHead(blobs)).toEqual(end)
})

import { Readable, Writable } from 'node:stream'
import { expect, it } from 'vitest'
import type { BlobStore } from '@/lib/domain/kernel/blob-store'
import { proveStore } from './prove'
import { asStorageFault } from './storage-fault'

it('a store whose disk is full says so, and not that it gave back other bytes', async () => {
  const full = () =>
    new Writable({
      write(_chunk, _encoding, done) {
        done(asStorageFault(Object.assign(new Error('no space left on device'), { code: 'ENOSPC' })))
      },
    })
  const nothing = async () => undefined
  const store = {
    stage: async () => ({ writable: async () => full(), discard: nothing }),
    commit: nothing,
    read: async () => Readable.from([]),
    delete: nothing,
  } as unknown as BlobStore
  await expect(proveStore(store)).rejects.toMatchObject({ reason: 'full' })
})

import { randomBytes, randomUUID } from 'node:crypto'
import { finished } from 'node:stream/promises'
import { type BlobKey, type BlobStore, StorageUnavailable } from '@/lib/domain/kernel/blob-store'

/** Writes a small object, reads it, compares it and deletes it: the only proof there is that a store can be used. */
export async function proveStore(store: Omit<BlobStore, 'prove'>): Promise<void> {
  const written = randomBytes(64)
  const key: BlobKey = `derived/${randomUUID()}/proof`
  const staged = await store.stage()
  try {
    const sink = await staged.writable()
    sink.end(written)
    // Not the callback of `end`: it is called after a failed write, too, and then with the error as its argument.
    await finished(sink)
    await store.commit(staged, key)
    const read: Buffer[] = []
    for await (const chunk of await store.read(key)) read.push(chunk as Buffer)
    if (!Buffer.concat(read).equals(written)) {
      throw new StorageUnavailable('failed', 'The file storage gave back other bytes than were written to it.')
    }
  } finally {
    await staged.discard()
    await store.delete(key)
  }
}

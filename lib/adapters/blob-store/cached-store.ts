import { link, mkdir, opendir, stat, unlink, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { type BlobKey, type BlobStore, StorageUnavailable } from '@/lib/domain/kernel/blob-store'
import { exists, removeFile, type StagingFolder } from './staging-folder'
import { isErrno } from './storage-fault'

/** Bytes added before the folder is measured again, as a part of the limit. */
const MEASURE_AFTER = 1 / 20
/** What is left of the limit after making room, so that not every new object has to. */
const LEAVE = 0.9

/**
 * The local copies of a store elsewhere: each uploaded file is fetched once by a machine and then shared by its checks, its
 * previews and its pages, in whatever process; one that was uploaded through this machine is not fetched at all. Keys of
 * uploaded files never hold other bytes; derived objects do and are not held here.
 *
 * A copy that is in use has a hard link of its own in the staging folder, so that making room never takes it away. Where
 * links cannot be made, or an object is larger than the limit, the store is asked each time.
 *
 * @param folder on the same file system as `staging`
 * @param limit bytes of all copies together
 */
export function withLocalCopies<Store extends Omit<BlobStore, 'direct'>>(
  store: Store,
  staging: StagingFolder,
  { folder, limit }: { folder: string; limit: number },
): Store {
  const fetching = new Map<BlobKey, Promise<boolean>>()
  let added = Number.POSITIVE_INFINITY
  const isCopied = (key: BlobKey) => key.startsWith('files/')
  const pathOf = (key: BlobKey) => join(/*turbopackIgnore: true*/ folder, key.replaceAll('/', '-'))

  /** False when the object cannot be held. */
  async function put(key: BlobKey, path: string): Promise<boolean> {
    try {
      const { size } = await stat(path)
      if (size > limit) return false
      await mkdir(folder, { recursive: true, mode: 0o700 })
      await link(path, pathOf(key))
      added += size
      if (added > limit * MEASURE_AFTER) {
        added = 0
        await makeRoom(folder, limit)
      }
      return true
    } catch (error) {
      return isErrno(error, 'EEXIST')
    }
  }

  /** Runs `use` with a link to the copy; null when there is none. */
  async function take<T>(key: BlobKey, use: (path: string) => Promise<T>): Promise<{ value: T } | null> {
    if (!(await exists(pathOf(key)))) return null
    const mine = await staging.stage()
    try {
      await unlink(mine.path)
      await link(pathOf(key), mine.path)
      const now = new Date()
      await utimes(mine.path, now, now)
    } catch {
      await mine.discard()
      return null
    }
    try {
      return { value: await use(mine.path) }
    } finally {
      await mine.discard()
    }
  }

  function fetch(key: BlobKey): Promise<boolean> {
    const running = fetching.get(key)
    if (running) return running
    const fetched = store.localPath(key, (path) => put(key, path)).finally(() => fetching.delete(key))
    fetching.set(key, fetched)
    return fetched
  }

  async function localPath<T>(key: BlobKey, use: (path: string) => Promise<T>): Promise<T> {
    if (!isCopied(key)) return store.localPath(key, use)
    const known = await take(key, use)
    if (known) return known.value
    if ((await store.size(key)) > limit) return store.localPath(key, use)
    const isHeld = await fetch(key).catch(async (error: unknown) => {
      if (!(error instanceof StorageUnavailable && error.reason === 'full')) throw error
      await makeRoom(folder, 0)
      return fetch(key)
    })
    const taken = isHeld ? await take(key, use) : null
    return taken ? taken.value : store.localPath(key, use)
  }

  return {
    ...store,
    localPath,
    async commit(staged, key, options) {
      await store.commit(staged, key, options)
      if (isCopied(key) && options?.keepStaged) await put(key, staged.path)
    },
    async delete(key) {
      await removeFile(pathOf(key))
      await store.delete(key)
    },
  }
}

/** Removes the copies that were not used for longest, until they fit. */
async function makeRoom(folder: string, limit: number): Promise<void> {
  const copies: { path: string; size: number; usedAt: number }[] = []
  for await (const entry of await opendir(folder)) {
    const path = join(/*turbopackIgnore: true*/ folder, entry.name)
    const info = await stat(path).catch(() => null) // another process makes room, too
    if (info?.isFile()) copies.push({ path, size: info.size, usedAt: info.mtimeMs })
  }
  let total = copies.reduce((sum, { size }) => sum + size, 0)
  if (total <= limit) return
  for (const { path, size } of copies.sort((a, b) => a.usedAt - b.usedAt)) {
    if (total <= limit * LEAVE) break
    await removeFile(path)
    total -= size
  }
}

import { randomBytes, randomUUID } from 'node:crypto'
import { link, mkdir, open, opendir, rename, stat, unlink } from 'node:fs/promises'
import { dirname, join, relative, resolve, sep } from 'node:path'
import type { Readable } from 'node:stream'
import {
  BlobExists,
  type BlobKey,
  BlobNotFound,
  type BlobStore,
  type ByteRange,
  isBlobKey,
  isStagedId,
  type StagedBlob,
  StorageUnavailable,
  type StoredBlob,
} from '@/lib/domain/kernel/blob-store'
import { StagedFile } from './staged-file'
import { isErrno, storageFault } from './storage-fault'

const READ_CHUNK_BYTES = 256 * 1024
const UUID_LENGTH = 36

/**
 * Objects in folders below `root`, temporary ones beside them on the same file system, so that making one permanent is
 * one atomic step. All files are readable by the server's own user only.
 */
export class DiskBlobStore implements BlobStore {
  private readonly root: string

  constructor(root: string) {
    this.root = resolve(root)
  }

  async stage(): Promise<StagedBlob> {
    const id = randomUUID()
    const path = this.stagedPath(id)
    await mkdir(dirname(path), { recursive: true, mode: 0o700 }).catch(storageFault)
    const file = await open(path, 'wx', 0o600).catch(storageFault)
    await file.close()
    return new StagedFile(id, path)
  }

  async findStaged(id: string): Promise<StagedBlob | null> {
    if (!isStagedId(id)) return null
    const path = this.stagedPath(id)
    return (await exists(path)) ? new StagedFile(id, path) : null
  }

  async commit(staged: StagedBlob, key: BlobKey, options: { replace?: boolean } = {}): Promise<void> {
    const path = this.pathOf(key)
    await staged.sync()
    await this.makeFolder(dirname(path))
    if (options.replace) await rename(staged.path, path).catch(storageFault)
    else await moveUnlessThere(staged.path, path, key)
    await syncFolder(dirname(path))
  }

  async read(key: BlobKey, range?: ByteRange): Promise<Readable> {
    const file = await open(this.pathOf(key), 'r').catch(missing(key))
    return file.createReadStream({ highWaterMark: READ_CHUNK_BYTES, ...range })
  }

  async size(key: BlobKey): Promise<number> {
    return (await stat(this.pathOf(key)).catch(missing(key))).size
  }

  async delete(key: BlobKey): Promise<void> {
    await removeFile(this.pathOf(key))
  }

  async *list(): AsyncIterable<StoredBlob> {
    for (const prefix of ['files', 'derived']) {
      for await (const path of filesBelow(join(this.root, prefix))) {
        const key = this.keyAt(path)
        const info = key && (await stat(path).catch(() => null)) // deleted while we were looking
        if (key && info) yield { key, size: info.size, modifiedAt: info.mtime }
      }
    }
  }

  async sweepStaged(olderThan: Date): Promise<number> {
    let swept = 0
    for await (const path of filesBelow(join(this.root, 'staged'))) {
      const info = await stat(path).catch(() => null)
      if (info && info.mtime < olderThan) {
        await removeFile(path)
        swept += 1
      }
    }
    return swept
  }

  async localPath<T>(key: BlobKey, use: (path: string) => Promise<T>): Promise<T> {
    const path = this.pathOf(key)
    await stat(path).catch(missing(key))
    return use(path)
  }

  async prove(): Promise<void> {
    const written = randomBytes(64)
    const key: BlobKey = `derived/${randomUUID()}/proof`
    const staged = await this.stage()
    try {
      const sink = await staged.writable()
      await new Promise<void>((done, fail) => sink.on('error', fail).end(written, done))
      await this.commit(staged, key)
      const read: Buffer[] = []
      for await (const chunk of await this.read(key)) read.push(chunk as Buffer)
      if (!Buffer.concat(read).equals(written)) {
        throw new StorageUnavailable('failed', 'The file storage gave back other bytes than were written to it.')
      }
    } finally {
      await staged.discard()
      await this.delete(key)
    }
  }

  private stagedPath(id: string): string {
    return join(this.root, 'staged', id)
  }

  /** 256 folders by the last two digits of the UUID: its first ones are a clock and would fill one folder at a time. */
  private pathOf(key: BlobKey): string {
    if (!isBlobKey(key)) throw new TypeError(`"${key}" is not a key of the file storage.`)
    const [prefix = '', id = '', part] = key.split('/')
    return join(this.root, prefix, id.slice(-2), part === undefined ? id : `${id}.${part}`)
  }

  private keyAt(path: string): BlobKey | null {
    const [prefix, , name = ''] = relative(this.root, path).split(sep)
    const [id, part] = [name.slice(0, UUID_LENGTH), name.slice(UUID_LENGTH + 1)]
    const key = part === '' ? `${prefix}/${id}` : `${prefix}/${id}/${part}`
    return isBlobKey(key) && this.pathOf(key) === path ? key : null
  }

  /** Makes the folder and, when it is new, makes its own entry survive a power cut as well. */
  private async makeFolder(folder: string): Promise<void> {
    const firstMade = await mkdir(folder, { recursive: true, mode: 0o700 }).catch(storageFault)
    if (firstMade === undefined) return
    for (let at = folder; at.length >= firstMade.length; at = dirname(at)) await syncFolder(dirname(at))
  }
}

/** link + unlink, because rename would silently replace a file that is already there. */
async function moveUnlessThere(from: string, to: string, key: BlobKey): Promise<void> {
  try {
    await link(from, to)
  } catch (error) {
    if (isErrno(error, 'EEXIST')) throw new BlobExists(key)
    // Some network and FAT file systems know no links; there a look and a rename must do, on a key nobody else has.
    if (!isErrno(error, 'EPERM', 'ENOTSUP', 'ENOSYS', 'EMLINK')) storageFault(error)
    if (await exists(to)) throw new BlobExists(key)
    await rename(from, to).catch(storageFault)
    return
  }
  await removeFile(from)
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch(storageFault)
  try {
    await handle.sync()
  } catch (error) {
    storageFault(error)
  } finally {
    await handle.close()
  }
}

async function removeFile(path: string): Promise<void> {
  await unlink(path).catch((error: unknown) => {
    if (!isErrno(error, 'ENOENT')) storageFault(error)
  })
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    (error: unknown) => (isErrno(error, 'ENOENT') ? false : storageFault(error)),
  )
}

function missing(key: BlobKey): (error: unknown) => never {
  return (error) => {
    if (isErrno(error, 'ENOENT', 'ENOTDIR')) throw new BlobNotFound(key)
    storageFault(error)
  }
}

async function* filesBelow(folder: string): AsyncIterable<string> {
  const entries = await opendir(folder).catch((error: unknown) =>
    isErrno(error, 'ENOENT') ? null : storageFault(error),
  )
  if (!entries) return
  for await (const entry of entries) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) yield* filesBelow(path)
    else if (entry.isFile()) yield path
  }
}

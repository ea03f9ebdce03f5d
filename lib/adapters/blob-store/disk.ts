import { constants } from 'node:fs'
import { copyFile, link, mkdir, open, rename, stat } from 'node:fs/promises'
import { dirname, join, relative, resolve, sep } from 'node:path'
import type { Readable } from 'node:stream'
import {
  BlobExists,
  type BlobKey,
  BlobNotFound,
  type BlobStore,
  type ByteRange,
  type CommitOptions,
  isBlobKey,
  type ListOptions,
  placesOf,
  type ResumableBlob,
  type StagedBlob,
  type StoredBlob,
  type SweepOptions,
} from '@/lib/domain/kernel/blob-store'
import { proveStore } from './prove'
import { exists, filesBelow, removeFile, StagingFolder } from './staging-folder'
import { isErrno, storageFault } from './storage-fault'

const READ_CHUNK_BYTES = 256 * 1024
const UUID_LENGTH = 36

/**
 * Objects in folders below `root`, temporary ones beside them on the same file system, so that making one permanent is
 * one atomic step. All files are readable by the server's own user only.
 */
export class DiskBlobStore implements BlobStore {
  readonly direct = null
  private readonly root: string
  private readonly staging: StagingFolder

  constructor(root: string) {
    this.root = resolve(root)
    this.staging = new StagingFolder(join(this.root, 'staged'))
  }

  stage(): Promise<StagedBlob> {
    return this.staging.stage()
  }

  resume(id: string): Promise<ResumableBlob> {
    return this.staging.resume(id)
  }

  async commit(staged: StagedBlob, key: BlobKey, options: CommitOptions = {}): Promise<void> {
    const path = this.pathOf(key)
    await staged.sync()
    await this.makeFolder(dirname(path))
    if (options.replace) await rename(staged.path, path).catch(storageFault)
    else await linkUnlessThere(staged.path, path, key)
    await syncFolder(dirname(path))
    if (!options.keepStaged) await staged.discard()
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

  async *list(options: ListOptions = {}): AsyncIterable<StoredBlob> {
    for (const { below, from } of placesOf(options)) {
      const [prefix = '', id] = below.split('/')
      for await (const path of filesBelow(join(/*turbopackIgnore: true*/ this.root, prefix, id ? id.slice(-2) : ''))) {
        const key = this.keyAt(path)
        if (!key?.startsWith(below) || key.slice(below.length) < from) continue
        const info = await stat(path).catch(() => null) // deleted meanwhile
        if (info) yield { key, size: info.size, modifiedAt: info.mtime }
      }
    }
  }

  sweepStaged(options: SweepOptions): Promise<number> {
    return this.staging.sweep(options)
  }

  async localPath<T>(key: BlobKey, use: (path: string) => Promise<T>): Promise<T> {
    const path = this.pathOf(key)
    await stat(path).catch(missing(key))
    return use(path)
  }

  /** A disk has no address of its own to be read from. */
  async link(): Promise<null> {
    return null
  }

  prove(): Promise<void> {
    return proveStore(this)
  }

  /** 256 folders by the last two digits of the UUID: its first ones are a clock and would fill one folder at a time. */
  private pathOf(key: BlobKey): string {
    if (!isBlobKey(key)) throw new TypeError(`"${key}" is not a key of the file storage.`)
    const [prefix = '', id = '', part] = key.split('/')
    return join(/*turbopackIgnore: true*/ this.root, prefix, id.slice(-2), part === undefined ? id : `${id}.${part}`)
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

/** A link, because rename would silently replace a file that is already there. */
async function linkUnlessThere(from: string, to: string, key: BlobKey): Promise<void> {
  try {
    await link(from, to)
  } catch (error) {
    if (isErrno(error, 'EEXIST')) throw new BlobExists(key)
    // Some network and FAT file systems know no links; there the bytes are copied after a check; no other process has this key.
    if (!isErrno(error, 'EPERM', 'ENOTSUP', 'ENOSYS', 'EMLINK')) storageFault(error)
    if (await exists(to)) throw new BlobExists(key)
    await copyDurably(from, `${from}.copy`)
    await rename(`${from}.copy`, to).catch(storageFault)
  }
}

async function copyDurably(from: string, to: string): Promise<void> {
  await copyFile(from, to, constants.COPYFILE_FICLONE).catch(storageFault)
  const copy = await open(to, 'r+').catch(storageFault)
  try {
    await copy.sync()
  } catch (error) {
    storageFault(error)
  } finally {
    await copy.close()
  }
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

function missing(key: BlobKey): (error: unknown) => never {
  return (error) => {
    if (isErrno(error, 'ENOENT', 'ENOTDIR')) throw new BlobNotFound(key)
    storageFault(error)
  }
}

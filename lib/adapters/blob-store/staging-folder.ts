import { randomUUID } from 'node:crypto'
import { mkdir, open, opendir, readdir, rmdir, stat, unlink } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { isStagedId, type StagedBlob, type SweepOptions } from '@/lib/domain/kernel/blob-store'
import { isGone, ownName } from './process-name'
import { StagedFile } from './staged-file'
import { isErrno, storageFault } from './storage-fault'

const UUID_LENGTH = 36

/**
 * Temporary objects on the local disk, wherever the permanent ones are kept: decoders need a path. Those of resumable
 * uploads lie in the folder itself under the id of their upload; each process keeps all others in a folder of its own,
 * so that what a killed process left behind can be told from what is in use.
 */
export class StagingFolder {
  private swept = false

  constructor(private readonly folder: string) {}

  async stage(): Promise<StagedFile> {
    // A process that takes the place of a killed one cleans up after it.
    if (!this.swept) await this.sweepGone().catch(() => 0)
    this.swept = true
    const id = randomUUID()
    return this.make(id, join(this.folder, ownName(), id), 'wx')
  }

  async resume(id: string): Promise<StagedBlob> {
    if (!isStagedId(id)) throw new TypeError(`"${id}" is not the id of a resumable upload.`)
    return this.make(id, join(this.folder, id), 'a')
  }

  /** Says how many files it removed. */
  async sweep({ olderThan, areOpen }: SweepOptions): Promise<number> {
    let swept = await this.sweepGone()
    const uploads = (await this.entries()).filter((entry) => entry.isFile()).map(({ name }) => name)
    const open = uploads.length > 0 ? await areOpen(uploads.map(idOf).filter(isStagedId)) : new Set()
    for (const name of uploads) {
      if (open.has(idOf(name))) continue
      await removeFile(join(this.folder, name))
      swept += 1
    }
    for await (const path of filesBelow(this.folder)) {
      const info = open.has(idOf(basename(path))) ? null : await stat(path).catch(() => null)
      if (info && info.mtime < olderThan) {
        await removeFile(path)
        swept += 1
      }
    }
    return swept
  }

  /** Removes what processes left behind that are gone. */
  private async sweepGone(): Promise<number> {
    let swept = 0
    for (const entry of await this.entries()) {
      if (!entry.isDirectory() || !isGone(entry.name)) continue
      const folder = join(this.folder, entry.name)
      for await (const path of filesBelow(folder)) {
        await removeFile(path)
        swept += 1
      }
      await rmdir(folder).catch(() => {}) // another process sweeps it, too
    }
    return swept
  }

  private entries() {
    return readdir(this.folder, { withFileTypes: true }).catch((error: unknown) =>
      isErrno(error, 'ENOENT') ? [] : storageFault(error),
    )
  }

  private async make(id: string, path: string, flags: 'wx' | 'a'): Promise<StagedFile> {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 }).catch(storageFault)
    const file = await open(path, flags, 0o600).catch(storageFault)
    await file.close()
    return new StagedFile(id, path)
  }
}

const idOf = (name: string) => name.slice(0, UUID_LENGTH)

export async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    (error: unknown) => (isErrno(error, 'ENOENT') ? false : storageFault(error)),
  )
}

export async function removeFile(path: string): Promise<void> {
  await unlink(path).catch((error: unknown) => {
    if (!isErrno(error, 'ENOENT')) storageFault(error)
  })
}

export async function* filesBelow(folder: string): AsyncIterable<string> {
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

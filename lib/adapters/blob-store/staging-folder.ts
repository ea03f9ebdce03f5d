import { randomUUID } from 'node:crypto'
import { mkdir, open, opendir, readdir, rmdir, stat, unlink } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { isStagedId, type SweepOptions } from '@/lib/domain/kernel/blob-store'
import { isGone, ownName } from './process-name'
import { StagedFile } from './staged-file'
import { isErrno, storageFault } from './storage-fault'

const UUID_LENGTH = 36
/** How the names of copies end. */
const COPY = '.copy-of-upload'

/**
 * Temporary objects on the local disk, wherever the permanent ones are stored: decoders need a path. Those of resumable
 * uploads lie in the folder itself under the id of their upload; each process keeps all others in a folder of its own,
 * so that what a killed process left behind can be distinguished from what is in use.
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

  async resume(id: string): Promise<StagedFile> {
    assertUploadId(id)
    return this.make(id, join(this.folder, id), 'a')
  }

  /** This process's own copy of a resumable upload whose bytes are elsewhere, as it was left, or a new one. */
  async copy(id: string): Promise<StagedFile> {
    return this.make(id, this.copyPath(id), 'a')
  }

  copyPath(id: string): string {
    assertUploadId(id)
    return join(this.folder, ownName(), `${id}${COPY}`)
  }

  /** Says how many files it removed. */
  async sweep({ olderThan, areOpen }: SweepOptions): Promise<number> {
    let swept = await this.sweepGone()
    const uploads: string[] = []
    for await (const path of filesBelow(this.folder))
      if (dirname(path) === this.folder || path.endsWith(COPY)) uploads.push(path)
    const ids = uploads.map((path) => idOf(basename(path))).filter(isStagedId)
    const open = ids.length > 0 ? await areOpen(ids) : new Set()
    for (const path of uploads) {
      if (open.has(idOf(basename(path)))) continue
      await removeFile(path)
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

function assertUploadId(id: string): void {
  if (!isStagedId(id)) throw new TypeError(`"${id}" is not the id of a resumable upload.`)
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

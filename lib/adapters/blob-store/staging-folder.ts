import { randomUUID } from 'node:crypto'
import { mkdir, open, opendir, stat, unlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { isStagedId, type StagedBlob } from '@/lib/domain/kernel/blob-store'
import { StagedFile } from './staged-file'
import { isErrno, storageFault } from './storage-fault'

/** Temporary objects on the local disk, wherever the permanent ones are kept: decoders need a path. */
export class StagingFolder {
  constructor(private readonly folder: string) {}

  async stage(): Promise<StagedFile> {
    const id = randomUUID()
    const path = this.pathOf(id)
    await mkdir(dirname(path), { recursive: true, mode: 0o700 }).catch(storageFault)
    const file = await open(path, 'wx', 0o600).catch(storageFault)
    await file.close()
    return new StagedFile(id, path)
  }

  async find(id: string): Promise<StagedBlob | null> {
    if (!isStagedId(id)) return null
    const path = this.pathOf(id)
    return (await exists(path)) ? new StagedFile(id, path) : null
  }

  /** Removes what was last written before `olderThan`; says how many. */
  async sweep(olderThan: Date): Promise<number> {
    let swept = 0
    for await (const path of filesBelow(this.folder)) {
      const info = await stat(path).catch(() => null)
      if (info && info.mtime < olderThan) {
        await removeFile(path)
        swept += 1
      }
    }
    return swept
  }

  private pathOf(id: string): string {
    return join(this.folder, id)
  }
}

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

import { randomUUID } from 'node:crypto'
import { constants } from 'node:fs'
import { mkdir, open, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Readable } from 'node:stream'
import { filesBelow } from '@/lib/adapters/blob-store/staging-folder'
import { isErrno } from '@/lib/adapters/blob-store/storage-fault'
import { assertName, BackupError, isName, type Target } from './target'

const READ_BYTES = 256 * 1024
const OURS = ['backups', 'objects', 'partial']

/** Backups in a folder: files of mode 0600 in folders of mode 0700, because rows and secrets are in them. */
export class FolderTarget implements Target {
  private readonly root: string

  constructor(readonly address: string) {
    this.root = path.resolve(address)
  }

  async open(): Promise<void> {
    await this.within(async () => {
      await mkdir(this.root, { recursive: true, mode: 0o700 })
      await rm(this.partial, { recursive: true, force: true })
      await mkdir(this.partial, { mode: 0o700 })
    })
  }

  async put(name: string, bytes: AsyncIterable<Uint8Array>): Promise<void> {
    const to = this.pathOf(name)
    const draft = path.join(this.partial, randomUUID())
    await this.within(async () => {
      try {
        const file = await open(draft, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, 0o600)
        try {
          await writeFile(file, bytes)
          await file.sync()
        } finally {
          await file.close()
        }
        const firstMade = await mkdir(path.dirname(to), { recursive: true, mode: 0o700 })
        await rename(draft, to)
        for (let at = path.dirname(to); ; at = path.dirname(at)) {
          await syncFolder(at)
          if (!firstMade || at.length < firstMade.length) return
        }
      } finally {
        await rm(draft, { force: true })
      }
    })
  }

  size(name: string): Promise<number | null> {
    return this.within(async () => {
      try {
        return (await stat(this.pathOf(name))).size
      } catch (error) {
        if (isErrno(error, 'ENOENT', 'ENOTDIR')) return null
        throw error
      }
    })
  }

  read(name: string): Promise<Readable> {
    return this.within(async () => {
      // A link in a target that others can write to must not lead to files of this machine.
      const file = await open(this.pathOf(name), constants.O_RDONLY | constants.O_NOFOLLOW)
      return file.createReadStream({ highWaterMark: READ_BYTES })
    })
  }

  async *list(): AsyncIterable<string> {
    for await (const file of filesBelow(path.join(this.root, 'backups'))) {
      const name = path.relative(this.root, file).replaceAll(path.sep, '/')
      if (isName(name)) yield name
    }
  }

  async isOurs(): Promise<boolean> {
    return this.within(async () => {
      const entries = await readdir(this.root).catch((error: unknown) => {
        if (isErrno(error, 'ENOENT')) return []
        throw error
      })
      return entries.every((entry) => OURS.includes(entry) || entry === 'lost+found')
    })
  }

  private get partial() {
    return path.join(this.root, 'partial')
  }

  private pathOf(name: string): string {
    return path.join(this.root, ...assertName(name).split('/'))
  }

  private async within<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      throw this.explain(error)
    }
  }

  private explain(error: unknown): unknown {
    if (isErrno(error, 'ENOSPC', 'EDQUOT', 'EFBIG'))
      return new BackupError(
        `${this.address} is full. Backups that are there are whole; make room and run this again, it goes on where it was.`,
        { cause: error },
      )
    if (isErrno(error, 'EACCES', 'EPERM', 'EROFS'))
      return new BackupError(`${this.address} may not be used (${error.code}); check owner, mode and mount.`, {
        cause: error,
      })
    if (isErrno(error, 'ENOTDIR', 'EEXIST', 'ELOOP', 'ENOENT'))
      return new BackupError(`${error.path ?? this.address} is not what it should be in a backup (${error.code}).`, {
        cause: error,
      })
    return error
  }
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

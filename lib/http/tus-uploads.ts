import { mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { isErrno, storageFault } from '@/lib/adapters/blob-store/storage-fault'
import { type BlobStore, isStagedId } from '@/lib/domain/kernel/blob-store'
import type { ErrorCode, FieldError, Violation } from '@/lib/domain/kernel/errors'
import type { UploadLocks } from './tus-locks'

/** What was decided about an upload once all its bytes were there. */
export type Verdict =
  | { accepted: true; status: number; body: unknown }
  | { accepted: false; code: ErrorCode; detail: string; violations?: Violation[]; errors?: FieldError[] }

/** A resumable upload as it is remembered between its requests, under the id of its staged bytes. */
export interface UploadRecord {
  id: string
  /** Whose it is; nobody else gets to see it. */
  owner: string
  name: string
  size: number
  /** The header as the client sent it: HEAD gives it back. */
  metadata: string
  /** Milliseconds since 1970. Moved on with every chunk. */
  expiresAt: number
  verdict: Verdict | null
}

/** Unfinished uploads and the verdicts on finished ones, beside the staged bytes on this machine's disk. */
export class UploadRecords {
  constructor(private readonly folder: string) {}

  async find(id: string): Promise<UploadRecord | null> {
    if (!isStagedId(id)) return null
    try {
      return JSON.parse(await readFile(this.pathOf(id), 'utf8')) as UploadRecord
    } catch (error) {
      if (isErrno(error, 'ENOENT')) return null
      storageFault(error)
    }
  }

  /** Replaced in one step, so that a crash leaves the old record or the new one. A verdict also survives a power cut. */
  async save(record: UploadRecord): Promise<void> {
    await mkdir(this.folder, { recursive: true, mode: 0o700 }).catch(storageFault)
    const draft = join(this.folder, `${record.id}.draft`)
    const file = await open(draft, 'w', 0o600).catch(storageFault)
    try {
      await file.writeFile(JSON.stringify(record))
      if (record.verdict) await file.sync()
    } catch (error) {
      storageFault(error)
    } finally {
      await file.close()
    }
    await rename(draft, this.pathOf(record.id)).catch(storageFault)
  }

  async delete(id: string): Promise<void> {
    await rm(this.pathOf(id), { force: true }).catch(storageFault)
    await rm(join(this.folder, `${id}.draft`), { force: true }).catch(storageFault)
  }

  async ids(): Promise<string[]> {
    const names = await readdir(this.folder).catch((error: unknown) =>
      isErrno(error, 'ENOENT') ? [] : storageFault(error),
    )
    return [...new Set(names.map((name) => name.split('.')[0] ?? ''))].filter(isStagedId)
  }

  private pathOf(id: string): string {
    return join(this.folder, `${id}.json`)
  }
}

/** Removes what nobody came back for, and verdicts nobody will ask for any more; says how many. A job of the sweeper. */
export async function sweepUploads(
  { records, store, locks }: { records: UploadRecords; store: BlobStore; locks: UploadLocks },
  now: Date,
): Promise<number> {
  let swept = 0
  for (const id of await records.ids()) {
    const release = await locks.acquire(id, () => {}, 0)
    if (!release) continue // somebody is at it now
    try {
      const record = await records.find(id)
      if (record && record.expiresAt > now.getTime()) continue
      await (await store.findStaged(id))?.discard()
      await records.delete(id)
      swept += 1
    } finally {
      await release()
    }
  }
  return swept
}

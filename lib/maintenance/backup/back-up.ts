import { createReadStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createGzip } from 'node:zlib'
import { sql } from 'drizzle-orm'
import { createDatabase, type Executor } from '@/db/client'
import { BlobNotFound, type BlobStore } from '@/lib/domain/kernel/blob-store'
import { takeBackupLock } from '@/lib/jobs/backup-lock'
import { type BackedUpObject, KnownImages } from './listing'
import { type FoundBackup, listBackups, type Manifest, readManifest, writeManifest } from './manifest'
import { type SpooledObject, takeSnapshot } from './snapshot'
import { Altered, chunksOf, expecting, linesOf, type Sum, summing, sumOf, through } from './streams'
import { BackupError, idOf, listingName, objectName, secretsName, type Target } from './target'

/** So many objects are copied at the same time. */
const AT_ONCE = 8

export type Progress = { objects: number; copied: number; copiedBytes: number }

export type Backup = { id: string; manifest: Manifest; progress: Progress; missing: string[] }

/**
 * Backs up everything into the target: rows of one moment, then the objects they name that the target does not hold yet, the
 * manifest last. While it runs, nothing deletes objects (lib/jobs/backup-lock.ts); a broken-off one leaves no manifest
 * and does no harm. An object that is missing or damaged in the store is named, and ends nothing.
 *
 * @throws BackupError when the target is none for this database, is full, or another backup runs
 */
export async function backUp(options: {
  databaseUrl: string
  blobs: BlobStore
  target: Target
  authSecret: string
  version: string
  /** Puts AUTH_SECRET into the backup, too. */
  withSecrets: boolean
  onProgress: (progress: Progress) => void
}): Promise<Backup> {
  const { target, authSecret } = options
  if (!(await target.isOurs()))
    throw new BackupError(
      `${target.address} holds other things than backups of Greenroom. Name an empty place, or one of its own.`,
    )
  const previous = await findPrevious(target, authSecret)
  const { db, sql: pool } = createDatabase(options.databaseUrl, { max: 4 })
  const folder = await mkdtemp(path.join(tmpdir(), 'greenroom-backup-'))
  const spool = path.join(folder, 'objects')
  try {
    return await db.transaction(async (lock) => {
      await lock.execute(sql`select set_config('idle_in_transaction_session_timeout', '0', true)`)
      if (!(await takeBackupLock(lock))) throw new BackupError('A backup of this database is already running.')
      const snapshot = await takeSnapshot({ db, sql: pool }, target, spool, async (installation) => {
        const other = previous?.manifest.installation
        if (installation && other && installation !== other)
          throw new BackupError(
            `${target.address} holds backups of another Greenroom (its newest is ${previous?.id}). Name a place of its own for this one.`,
          )
        // Only now: another backup may be writing there, and half of a file is taken for what a killed one left.
        await target.open()
      })
      const id = idOf(new Date(snapshot.taken_at))
      const objects = await copyObjects({ ...options, id, spool, previous })
      await requireLock(lock)
      const secrets = options.withSecrets ? await putSecrets(target, id, authSecret) : null
      const manifest: Manifest = {
        format: 1,
        ...snapshot,
        finished_at: new Date().toISOString(),
        version: options.version,
        objects: objects.listing,
        secrets,
      }
      await writeManifest(target, manifest, authSecret)
      return { id, manifest, progress: objects.progress, missing: objects.missing }
    })
  } finally {
    await pool.end({ timeout: 5 })
    await rm(folder, { recursive: true, force: true })
  }
}

/** The newest backup that can be read: what it holds need not be hashed again. */
async function findPrevious(target: Target, authSecret: string): Promise<FoundBackup | null> {
  for (const id of (await listBackups(target)).reverse()) {
    try {
      return await readManifest(target, id, authSecret)
    } catch (error) {
      // One that is damaged is no reason to make no new one.
      if (!(error instanceof BackupError)) throw error
    }
  }
  return null
}

/** Without its connection the lock is gone, and objects may have been deleted. */
async function requireLock(lock: Executor): Promise<void> {
  try {
    await lock.execute(sql`select 1`)
  } catch (error) {
    throw new BackupError(
      'The connection to the database was lost while objects were copied. Run it again: it goes on where it was.',
      {
        cause: error,
      },
    )
  }
}

async function copyObjects(from: {
  blobs: BlobStore
  target: Target
  id: string
  spool: string
  previous: FoundBackup | null
  onProgress: (progress: Progress) => void
}) {
  const progress: Progress = { objects: 0, copied: 0, copiedBytes: 0 }
  const missing: string[] = []
  let totalBytes = 0
  const known = new KnownImages(from.target, from.previous, from.blobs)
  const one = async (object: SpooledObject): Promise<BackedUpObject> => {
    const { key } = object
    const found = await copyObject(from, object, object.uploaded ? null : await known.find(key))
    if ('missing' in found) missing.push(`${key} ${found.missing}`)
    else {
      totalBytes += found.bytes
      if (found.isCopied) {
        progress.copied += 1
        progress.copiedBytes += found.bytes
      }
    }
    progress.objects += 1
    from.onProgress(progress)
    return 'missing' in found ? { key, missing: found.missing } : { key, bytes: found.bytes, sha256: found.sha256 }
  }
  async function* lines() {
    for await (const chunk of chunksOf(linesOf<SpooledObject>(createReadStream(from.spool)), AT_ONCE)) {
      // Read in their order, which both lists have.
      await known.advanceTo(chunk)
      for (const object of await Promise.all(chunk.map(one))) yield Buffer.from(`${JSON.stringify(object)}\n`)
    }
  }
  let sum: Sum | undefined
  try {
    await from.target.put(
      listingName(from.id),
      summing(through(lines(), createGzip()), (found) => {
        sum = found
      }),
    )
  } finally {
    await known.close()
  }
  const listing = {
    count: progress.objects,
    total_bytes: totalBytes,
    missing: missing.length,
    ...(sum as unknown as Sum),
  }
  return { listing, progress, missing }
}

type Copied = (Sum & { isCopied: boolean }) | { missing: string }

/** Copies what the target does not hold yet. Of what users uploaded the row says what it must be; `known`: what an image was. */
async function copyObject(
  { blobs, target }: { blobs: BlobStore; target: Target },
  { key, uploaded }: SpooledObject,
  known: Sum | null,
): Promise<Copied> {
  const expected = uploaded ?? known
  if (expected && (await holds(target, expected))) return { ...expected, isCopied: false }
  try {
    for (let attempt = 1; ; attempt += 1) {
      const sum = uploaded ?? (await sumOf(await blobs.read(key)))
      if (!uploaded && (await holds(target, sum))) return { ...sum, isCopied: false }
      const bytes = await blobs.read(key)
      try {
        await target.put(objectName(sum.sha256), expecting(key, sum, bytes), sum.bytes)
        return { ...sum, isCopied: true }
      } catch (error) {
        if (!(error instanceof Altered)) throw error
        // An image may be drawn anew while it is read.
        if (uploaded || attempt === 3) return { missing: 'is damaged' }
      } finally {
        bytes.destroy()
      }
    }
  } catch (error) {
    if (error instanceof BlobNotFound) return { missing: 'is missing' }
    throw error
  }
}

const holds = async (target: Target, { bytes, sha256 }: Sum) => (await target.size(objectName(sha256))) === bytes

async function putSecrets(target: Target, id: string, authSecret: string): Promise<Sum> {
  let sum: Sum | undefined
  const bytes = Buffer.from(`${JSON.stringify({ auth_secret: authSecret })}\n`)
  await target.put(
    secretsName(id),
    summing([bytes], (found) => {
      sum = found
    }),
  )
  return sum as unknown as Sum
}

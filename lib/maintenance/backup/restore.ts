import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { inArray } from 'drizzle-orm'
import { files } from '@/db/schema/files'
import { type BlobKey, BlobNotFound, type BlobStore } from '@/lib/domain/kernel/blob-store'
import { type Context, inTransaction } from '@/lib/domain/kernel/operation'
import { storeHead } from '@/lib/jobs/seal-audit'
import { findUnclaimed } from '@/lib/jobs/sweep'
import { atOnce } from '../at-once'
import { type BackedUpObject, readListing } from './listing'
import { type FoundBackup, listBackups, readManifest } from './manifest'
import { migrationsIn, prepareEmpty, verifyRows, writeRows } from './restore-rows'
import { Altered, chunksOf, expecting, type Sum, sumOf } from './streams'
import { BackupError, objectName, secretsName, type Target } from './target'

const AT_ONCE = 4
const CHUNK = 200

/**
 * The newest complete backup of that moment or before it; of all without one.
 * @throws BackupError when there is none, or when its manifest was not signed by this secret
 */
export async function chooseBackup(
  target: Target,
  { at, authSecret }: { at: Date | null; authSecret: string | null },
): Promise<FoundBackup> {
  const ids = await listBackups(target)
  const id = ids.filter((each) => at === null || momentOf(each) <= at.getTime()).at(-1)
  if (id) return readManifest(target, id, authSecret)
  throw new BackupError(
    ids.length === 0
      ? `${target.address} holds no complete backup.`
      : `${target.address} holds no backup of ${at?.toISOString()} or before; the oldest is ${ids[0]}, the newest ${ids.at(-1)}.`,
  )
}

const momentOf = (id: string) => Date.parse(id.replace(/T(\d\d)-(\d\d)-/, 'T$1:$2:'))

/** AUTH_SECRET, where the backup was made with it (`--with-secrets`); else null. */
export async function secretIn(target: Target, { id, manifest }: FoundBackup): Promise<string | null> {
  if (!manifest.secrets) return null
  const name = secretsName(id)
  const chunks: Uint8Array[] = []
  for await (const chunk of expecting(name, manifest.secrets, await target.read(name))) chunks.push(chunk)
  const { auth_secret } = JSON.parse(Buffer.concat(chunks).toString('utf8'))
  return typeof auth_secret === 'string' ? auth_secret : null
}

type Progress = { objects: number; written: number; there: number; bytes: number }
export type Outcome = Progress & { missing: string[] }

type Reading = { target: Target; backup: FoundBackup; onProgress: (progress: Progress) => void }

/** Reads everything and compares its hashes; writes nothing. @throws BackupError that names what is damaged */
export async function verifyBackup({ target, backup, onProgress }: Reading): Promise<Outcome> {
  migrationsIn(backup)
  await verifyRows(target, backup)
  return eachObject({ target, backup, onProgress }, async (object) => {
    const name = objectName(object.sha256)
    for await (const _ of expecting(`${name} (${object.key})`, object, await target.read(name))) void _
    return 'there'
  })
}

/**
 * Restores a backup into a database and a store that are empty. Every hash is compared before the first row is written, and
 * rows come last, in one transaction: broken off, it leaves no rows, and is run again. The caller migrates then.
 *
 * @throws BackupError when either is in use, or anything in the backup is damaged
 */
export async function restore(
  given: Reading & {
    ctx: Context
    databaseUrl: string
    dataDir: string
    /** The store holds objects that may be those of the backup: they are compared. */
    keepsStore: boolean
  },
): Promise<Outcome> {
  const { ctx, target, backup, dataDir } = given
  const { blobs } = ctx.ports
  migrationsIn(backup)
  await verifyRows(target, backup)
  await prepareEmpty(ctx.db, given.databaseUrl, backup)
  const marker = path.join(dataDir, 'restore.json')
  const goesOn = existsSync(marker) && readFileSync(marker, 'utf8') === backup.id
  if (!goesOn && !given.keepsStore) await assertNoObjects(blobs)
  writeFileSync(marker, backup.id, { mode: 0o600 })
  const outcome = await eachObject(given, (object) => putBack(blobs, target, object))
  await writeRows(given.databaseUrl, target, backup)
  if (backup.manifest.audit_head) await storeHead(blobs, backup.manifest.audit_head)
  rmSync(marker, { force: true })
  return outcome
}

/** Records on the audit trail that it was set back, once the database is of this version. */
export async function recordRestore(ctx: Context, { id, manifest }: FoundBackup, { missing }: Outcome): Promise<void> {
  await inTransaction(ctx, (tx) =>
    tx.record({
      type: 'service.restored',
      data: { backup: id, taken_at: manifest.taken_at, objects: manifest.objects.count, missing: missing.length },
    }),
  )
}

async function assertNoObjects(blobs: BlobStore): Promise<void> {
  for await (const { key } of blobs.list())
    throw new BackupError(
      `The store is not empty: it holds ${key}. Name an empty one; or, where it is the store that the backup was made of, add --keep-store: what it holds is then compared, and not copied again.`,
    )
}

/** Puts objects back that rows of the running service name and its store lost or damaged; nothing else is touched. */
export async function restoreObjects({ ctx, ...reading }: Reading & { ctx: Context }): Promise<Outcome> {
  const { blobs } = ctx.ports
  const wanted = new Set<BlobKey>()
  const checkChunk = async (chunk: BackedUpObject[]) => {
    wanted.clear()
    const keys = chunk.map(({ key }) => key)
    const unclaimed = new Set(await findUnclaimed(ctx.db, keys))
    const rows = await ctx.db
      .select({ key: files.objectKey, sha256: files.sha256 })
      .from(files)
      .where(inArray(files.objectKey, keys))
    const uploaded = new Map(rows.map(({ key, sha256 }) => [key, sha256]))
    for (const object of chunk) {
      if (unclaimed.has(object.key) || 'missing' in object) continue
      if (object.key.startsWith('files/') && uploaded.get(object.key) !== object.sha256) continue
      wanted.add(object.key)
    }
  }
  return eachObject(
    reading,
    async (object) => (wanted.has(object.key) ? putBack(blobs, reading.target, object) : 'left'),
    checkChunk,
  )
}

/** All of them, even when one is damaged: the administrator wants to know how much is lost. */
async function eachObject(
  { target, backup, onProgress }: Reading,
  work: (object: { key: BlobKey } & Sum) => Promise<'written' | 'there' | 'left'>,
  before: (chunk: BackedUpObject[]) => Promise<void> = async () => {},
): Promise<Outcome> {
  const progress: Progress = { objects: 0, written: 0, there: 0, bytes: 0 }
  const missing: string[] = []
  const damaged: string[] = []
  for await (const chunk of chunksOf(readListing(target, backup), CHUNK)) {
    await before(chunk)
    await atOnce(AT_ONCE, chunk, async (object) => {
      progress.objects += 1
      if ('missing' in object) {
        missing.push(`${object.key} ${object.missing}`)
        return
      }
      try {
        const done = await work(object)
        if (done !== 'left') progress[done] += 1
        if (done === 'written') progress.bytes += object.bytes
      } catch (error) {
        if (!(error instanceof Altered)) throw error
        damaged.push(error.message)
      }
      onProgress(progress)
    })
  }
  if (damaged.length > 0)
    throw new BackupError(
      [`The backup ${backup.id} is damaged:`, ...damaged.slice(0, 50), 'Nothing was written to the database.'].join(
        '\n',
      ),
    )
  return { ...progress, missing }
}

async function putBack(blobs: BlobStore, target: Target, object: { key: BlobKey } & Sum): Promise<'written' | 'there'> {
  const stored = await sumIn(blobs, object)
  if (stored === object.sha256) return 'there'
  const name = objectName(object.sha256)
  if ((await target.size(name)) === null)
    throw new Altered(`${name} (${object.key})`, 'no bytes at all', `${object.bytes}`)
  const staged = await blobs.stage()
  try {
    await pipeline(expecting(`${name} (${object.key})`, object, await target.read(name)), await staged.writable())
    await blobs.commit(staged, object.key, { replace: stored !== null })
  } finally {
    await staged.discard()
  }
  return 'written'
}

/** The SHA-256 of what the store has, `''` for another length; null for nothing. */
async function sumIn(blobs: BlobStore, { key, bytes }: { key: BlobKey } & Sum): Promise<string | null> {
  try {
    return (await blobs.size(key)) === bytes ? (await sumOf(await blobs.read(key))).sha256 : ''
  } catch (error) {
    if (error instanceof BlobNotFound) return null
    throw error
  }
}

import { and, asc, gt, inArray, isNull, lt, ne, or, sql } from 'drizzle-orm'
import type { Executor } from '@/db/client'
import { firstIdAt } from '@/db/schema/columns'
import { commentAttachments } from '@/db/schema/comments'
import { files } from '@/db/schema/files'
import { directUploads, endedSessions, idempotencyKeys, rateLimits, resumableUploads } from '@/db/schema/operations'
import { webhookDeliveries } from '@/db/schema/webhooks'
import { sweepDirectUploads } from '@/lib/domain/direct-uploads/settle'
import { attachmentKey, attachmentPictureKey, attachmentsOf, keptAttachments } from '@/lib/domain/files/attachments'
import { removeUnusedCopies, resumeLost } from '@/lib/domain/files/content-copies'
import { type BlobKey, isBlobKey } from '@/lib/domain/kernel/blob-store'
import { isSuperseded } from '@/lib/domain/kernel/jobs'
import { type Context, inTransaction } from '@/lib/domain/kernel/operation'
import { type Among, idArray } from '@/lib/domain/kernel/rows'
import { isUuid } from '@/lib/domain/kernel/shapes'
import { PLAYBACK } from '@/lib/domain/playback/find'
import { removeUnusedMeasurements } from '@/lib/domain/pre-qc/measure-once'
import { expireWaivers } from '@/lib/domain/pre-qc/waivers'
import { TILES } from '@/lib/domain/tiles/find'
import { log } from '@/lib/log'
import { MEASURE_VERSION } from '@/lib/media/measurer/version'
import { isBackupUnderWay } from './backup-lock'

const CONTENT_COPIES = [PLAYBACK, TILES]

/** Staged bytes whose process cannot be asked (of another container, say) are kept for so long. */
const STAGED_HOURS = 25
/** An object is given this long between becoming durable and being named by a row. */
export const UNCLAIMED_HOURS = 1
/**
 * Objects are checked for so long after their key was made, so that a sweep does not list a whole bucket. The key of an
 * uploaded file is made when its bytes are complete, that of a derived object with the row of its file; what a crash leaves
 * of older ones is found by `npm run doctor`.
 */
const RECENT_HOURS = 48
/** While a backup is under way, what was deleted is checked again after so long. */
const AFTER_BACKUP_MINUTES = 10
/** A session cookie is valid for 14 days; past that an ended one needs no remembering. */
const SESSION_HOURS = 15 * 24
/** The delivery log of webhooks goes back 30 days. */
const DELIVERY_HOURS = 30 * 24
/** Of them, as many are deleted in one transaction. */
const DELIVERIES_A_STEP = 1000
/** Contents whose measurements and copies are looked at in one sweep, of each kind: in a day, three million. */
export const ROWS_A_SWEEP = 20_000
const HOUR = 3_600_000
const CHUNK = 500

/** Removes what no row claims, and rows that have served their time. */
export async function sweep(ctx: Context) {
  const now = ctx.now.getTime()
  const staged = (await sweepDirectUploads(ctx)) + (await sweepStaged(ctx))
  let removed = 0
  let chunk: BlobKey[] = []
  const flush = async () => {
    removed += await removeUnclaimed(ctx, chunk)
    chunk = []
  }
  for await (const object of ctx.ports.blobs.list({ since: new Date(now - RECENT_HOURS * HOUR) })) {
    if (object.modifiedAt.getTime() > now - UNCLAIMED_HOURS * HOUR) continue
    chunk.push(object.key)
    if (chunk.length === CHUNK) await flush()
  }
  await flush()
  const waivers = await expireWaivers(ctx)
  await removeUnused(ctx, lookOn)
  for (const copy of CONTENT_COPIES) await inTransaction(ctx, (tx) => resumeLost(tx, copy))
  await ctx.db.delete(idempotencyKeys).where(lt(idempotencyKeys.expiresAt, ctx.now))
  await ctx.db.delete(rateLimits).where(lt(rateLimits.arrivalAt, new Date(now - HOUR)))
  await ctx.db.delete(endedSessions).where(lt(endedSessions.endedAt, new Date(now - SESSION_HOURS * HOUR)))
  await removeDeliveries(ctx, new Date(now - DELIVERY_HOURS * HOUR))
  // Sweeps that failed for good: this one did what they were to do.
  await ctx.db.execute(sql`select graphile_worker.complete_jobs(array(
    select j.id from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
    where (t.identifier = 'sweep' and j.attempts >= j.max_attempts and j.locked_at is null) or ${isSuperseded}))`)
  if (staged + removed > 0) log.info({ staged, removed }, 'swept what no row claims')
  if (waivers > 0) log.info({ waivers }, 'ended waivers whose time is over')
}

/**
 * Forgets the deliveries of webhooks, with their attempts, that were made before then and are over. By their identifiers,
 * which are in the order of time, and some in each transaction: whatever has gathered, none takes long (decision 0115).
 */
async function removeDeliveries({ db }: Context, before: Date) {
  const { id, status } = webhookDeliveries
  for (let last = firstIdAt(new Date(0)); ; ) {
    const old = await db
      .select({ id })
      .from(webhookDeliveries)
      .where(and(gt(id, last), lt(id, firstIdAt(before)), ne(status, 'pending')))
      .orderBy(asc(id))
      .limit(DELIVERIES_A_STEP)
    if (old.length > 0) {
      const ids = idArray(old.map((row) => row.id))
      await db.delete(webhookDeliveries).where(and(sql`${id} = any(${ids})`, ne(status, 'pending')))
    }
    last = old.at(-1)?.id ?? last
    if (old.length < DELIVERIES_A_STEP) return
  }
}

/** Forgets resumable uploads that have expired, and removes the staged bytes that no process and no upload claims. */
async function sweepStaged(ctx: Context): Promise<number> {
  const { id, verdict, expiresAt, lockedUntil } = resumableUploads
  const isFree = or(isNull(lockedUntil), lt(lockedUntil, sql`now()`))
  await ctx.db.delete(resumableUploads).where(and(lt(expiresAt, ctx.now), isFree))
  return ctx.ports.blobs.sweepStaged({
    olderThan: new Date(ctx.now.getTime() - STAGED_HOURS * HOUR),
    async areOpen(ids) {
      const open = await ctx.db
        .select({ id })
        .from(resumableUploads)
        .where(and(inArray(id, ids), isNull(verdict)))
        .union(ctx.db.select({ id: directUploads.id }).from(directUploads).where(inArray(directUploads.id, ids)))
      return new Set(open.map((row) => row.id))
    },
  })
}

/**
 * Those that no row claims. `files/{uuid}` is claimed by the row that names it, `derived/{uuid}/…` by the file it was made
 * from, the playback copy (its pieces while it is made) or the tiles of its content, or the batch or estimate it was printed of; both by the comment that
 * carries them. What a retention rule has removed is claimed no more.
 */
export async function findUnclaimed(db: Executor, keys: BlobKey[]): Promise<BlobKey[]> {
  if (keys.length === 0) return []
  const owner = (key: BlobKey) => key.split('/')[1] ?? ''
  const derived = keys.filter((key) => key.startsWith('derived/'))
  const claimedKeys = await db
    .select({ key: files.objectKey })
    .from(files)
    .where(and(inArray(files.objectKey, keys), isNull(files.removedAt)))
  const carried = await claimedByComments(db, [...new Set(keys.map(owner))])
  const owners = [...new Set(derived.map(owner))]
  const claimedIds =
    owners.length === 0
      ? []
      : await db.execute<{ id: string }>(sql`
          select id from files where id in ${owners} and previews_removed_at is null union all select id from batches where id in ${owners}
          union all select id from cost_estimates where id in ${owners} union all select id from playback_proxies where id in ${owners}
          union all select id from image_tiles where id in ${owners}
          union all select pieces_id from playback_proxies where pieces_id in ${owners} and status in ('queued', 'running')`)
  const isClaimed = (key: BlobKey) =>
    carried.has(owner(key)) ||
    (key.startsWith('derived/')
      ? claimedIds.some(({ id }) => id === owner(key))
      : claimedKeys.some((row) => row.key === key))
  return keys.filter((key) => !isClaimed(key))
}

/** Of these ids of objects, those that a comment carries whose file is kept. */
async function claimedByComments(db: Executor, ids: string[]): Promise<Set<string>> {
  const known = ids.filter(isUuid)
  if (known.length === 0) return new Set()
  const kept = await keptAttachments(db, inArray(commentAttachments.objectId, known))
  return new Set(kept.map(({ objectId }) => objectId))
}

/** Removes those of the objects that no row claims, and says how many: none while a backup may need them. */
export async function removeUnclaimed(ctx: Context, keys: BlobKey[]): Promise<number> {
  const unclaimed = await findUnclaimed(ctx.db, keys)
  if (unclaimed.length === 0 || (await isBackupUnderWay(ctx.db))) return 0
  for (const key of unclaimed) await ctx.ports.blobs.delete(key)
  return unclaimed.length
}

/** What is looked at of a table: it is given what removes there what no file needs, and says of which rows. */
type Look = (table: string, remove: (among: Among) => Promise<string | null>) => Promise<unknown>

/** What was measured of contents that no file keeps, and playback copies and tiles that none uses; copies later, while a backup may need them. */
async function removeUnused(ctx: Context, look: Look) {
  await look('measurements', (among) =>
    inTransaction(ctx, (tx) => removeUnusedMeasurements(tx, MEASURE_VERSION, among)),
  )
  if (await isBackupUnderWay(ctx.db)) return
  for (const copy of CONTENT_COPIES)
    await look(copy.task, (among) => inTransaction(ctx, (tx) => removeUnusedCopies(tx, copy, among)))
}

/** Of these contents. */
const lookAt =
  (hashes: readonly string[]): Look =>
  async (_table, remove) =>
    hashes.length > 0 && remove({ hashes })

/** How far the sweeps of this process have looked, by table. */
const lookedUpTo = new Map<string, string>()

/**
 * Of any content: what a job that failed for good has left, and what older code measured. Each sweep looks at some rows of
 * each table, behind those of the one before, so that none takes long, however many there are.
 */
const lookOn: Look = async (table, remove) => {
  const next = await remove({ after: lookedUpTo.get(table) ?? firstIdAt(new Date(0)), most: ROWS_A_SWEEP })
  if (next) lookedUpTo.set(table, next)
  else lookedUpTo.delete(table)
}

/** The bytes of a deleted file, and everything made from them; later, while a backup may need them. */
export async function removeObjects(ctx: Context, deleted: { file_id: string; object_key: string; sha256?: string }) {
  const { file_id, object_key } = deleted
  // Without one, everything in the store would be listed.
  if (!isUuid(file_id)) throw new Error(`A job to remove objects names the file ${JSON.stringify(file_id)}.`)
  if (await isBackupUnderWay(ctx.db)) {
    const runAt = new Date(ctx.now.getTime() + AFTER_BACKUP_MINUTES * 60_000)
    await inTransaction(ctx, (tx) => tx.enqueue('remove_objects', deleted, { runAt }))
    return
  }
  if (isBlobKey(object_key)) await ctx.ports.blobs.delete(object_key)
  for await (const { key } of ctx.ports.blobs.list({ derivedOf: file_id })) await ctx.ports.blobs.delete(key)
  if (deleted.sha256) await removeUnused(ctx, lookAt([deleted.sha256]))
}

/** The objects that comments carried, unless another comment still does; later, while a backup may need them. */
export async function removeAttachments(ctx: Context, { object_ids }: { object_ids: string[] }) {
  if (await isBackupUnderWay(ctx.db)) {
    const runAt = new Date(ctx.now.getTime() + AFTER_BACKUP_MINUTES * 60_000)
    await inTransaction(ctx, (tx) => tx.enqueue('remove_attachments', { object_ids }, { runAt }))
    return
  }
  const keys = object_ids.filter(isUuid).flatMap((objectId) => objectKeysOf({ objectId }))
  await removeUnclaimed(ctx, keys)
}

const objectKeysOf = (named: { objectId: string }) => [attachmentKey(named), attachmentPictureKey(named)]

/** The objects of files whose bytes or previews are no longer kept, as their rows say now; later, while a backup may need them. */
export async function removeExpired(ctx: Context, { file_ids }: { file_ids: string[] }) {
  if (await isBackupUnderWay(ctx.db)) {
    const runAt = new Date(ctx.now.getTime() + AFTER_BACKUP_MINUTES * 60_000)
    await inTransaction(ctx, (tx) => tx.enqueue('remove_expired', { file_ids }, { runAt }))
    return
  }
  const { id, objectKey, sha256, removedAt, previewsRemovedAt } = files
  const rows = await ctx.db
    .select({ id, objectKey, sha256, removedAt, previewsRemovedAt })
    .from(files)
    .where(inArray(id, file_ids))
  for (const file of rows) {
    if (file.removedAt && isBlobKey(file.objectKey)) await ctx.ports.blobs.delete(file.objectKey)
    if (!file.previewsRemovedAt) continue
    for await (const { key } of ctx.ports.blobs.list({ derivedOf: file.id })) await ctx.ports.blobs.delete(key)
  }
  const gone = rows.filter(({ removedAt }) => removedAt !== null).map((file) => file.id)
  await removeUnclaimed(ctx, (await attachmentsOf(ctx.db, gone)).flatMap(objectKeysOf))
  await removeUnused(ctx, lookAt(rows.map((file) => file.sha256)))
}

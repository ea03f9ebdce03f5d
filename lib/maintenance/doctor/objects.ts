import { createHash } from 'node:crypto'
import { and, eq, inArray, isNull, sql } from 'drizzle-orm'
import { commentAttachments } from '@/db/schema/comments'
import { files } from '@/db/schema/files'
import { keptAttachments } from '@/lib/domain/files/attachments'
import { type BlobKey, BlobNotFound, type BlobStore } from '@/lib/domain/kernel/blob-store'
import type { Context } from '@/lib/domain/kernel/operation'
import { findUnclaimed, removeUnclaimed, UNCLAIMED_HOURS } from '@/lib/jobs/sweep'
import { atOnce } from '../at-once'
import { type NamedObject, namedObjects } from '../named-objects'
import { type Check, counted, type Outcome, ok } from './check'

const AT_ONCE = 4
const CHUNK = 500
/** The sweeper comes by every ten minutes. */
const UNSWEPT_MS = (UNCLAIMED_HOURS * 60 + 15) * 60_000
const GB = 1e9

/** Every row that names an object has it: what was uploaded with its size and hash, what is derived from it at all. */
export const objects: Check = {
  id: 'objects',
  needsDatabase: true,
  async examine({ ctx, isQuick, onProgress }) {
    const seen = { objects: 0, bytes: 0 }
    const faults: (NamedObject & { fault: string })[] = []
    await atOnce(AT_ONCE, namedObjects(ctx.db), async (object) => {
      const fault = await faultOf(ctx.ports.blobs, object, isQuick)
      seen.objects += 1
      seen.bytes += object.uploaded?.size ?? 0
      if (seen.objects % CHUNK === 0) onProgress(`${counted(seen.objects, 'object')} examined`)
      // A file that was deleted or removed after its row was read has taken its objects with it.
      if (fault && (await isStillNamed(ctx, object))) faults.push({ ...object, fault })
    })
    const how = isQuick ? 'by size' : `by hash, ${(seen.bytes / GB).toFixed(2)} GB read`
    const value = `${counted(seen.objects, 'object')} compared ${how}`
    return faults.length === 0 ? ok(value) : outcomeOf(value, faults)
  },
}

async function faultOf(blobs: BlobStore, { key, uploaded }: NamedObject, isQuick: boolean): Promise<string | null> {
  try {
    const size = await blobs.size(key)
    if (!uploaded) return size > 0 ? null : 'is empty'
    if (size !== uploaded.size) return `has ${size} bytes instead of ${uploaded.size}`
    if (isQuick) return null
    const hash = createHash('sha256')
    for await (const chunk of await blobs.read(key)) hash.update(chunk)
    const sha256 = hash.digest('hex')
    return sha256 === uploaded.sha256 ? null : `is damaged: its SHA-256 is ${sha256} instead of ${uploaded.sha256}`
  } catch (error) {
    if (error instanceof BlobNotFound) return 'is missing'
    throw error
  }
}

async function isStillNamed({ db }: Context, { file, uploaded, attachmentId }: NamedObject): Promise<boolean> {
  if (attachmentId !== null) {
    const kept = await keptAttachments(db, eq(commentAttachments.id, attachmentId))
    return kept.length > 0
  }
  const isKept = isNull(uploaded ? files.removedAt : files.previewsRemovedAt)
  const rows = await db
    .select({ id: files.id })
    .from(files)
    .where(and(eq(files.id, file.id), isKept))
  return rows.length > 0
}

function outcomeOf(value: string, faults: (NamedObject & { fault: string })[]): Outcome {
  const lost = faults.filter(({ uploaded }) => uploaded)
  const pictures = faults.filter(({ uploaded, attachmentId }) => !uploaded && attachmentId !== null)
  const previews = faults.filter(
    ({ uploaded, resultId, attachmentId }) => !uploaded && resultId === null && attachmentId === null,
  )
  const evidence = faults.filter(({ resultId }) => resultId !== null)
  const undrawn = [...new Set(pictures.map(({ key }) => key.split('/')[1] ?? ''))]
  const redrawn = [...new Set(previews.map(({ file }) => file.id))]
  return {
    status: 'problem',
    value: `${value}: ${faults.length} missing or damaged`,
    details: faults.map(({ key, file, fault, resultId, attachmentId }) => {
      const ofComment = attachmentId && `attachment ${attachmentId} of a comment on`
      const what =
        ofComment ?? (resultId ? `evidence of the result ${resultId} of` : key.startsWith('derived/') ? 'image of' : '')
      return `${key} ${fault} (${[what, `“${file.name}”`].filter(Boolean).join(' ')}, file ${file.id})`
    }),
    fix: [
      ...(lost.length > 0 ? ['Put it back from a backup: npm run restore -- --from … --only-objects.'] : []),
      ...(previews.length > 0 ? ['Images are drawn again by --fix.'] : []),
      ...(pictures.length > 0 ? ['Attachments without their image are shown by name only after --fix.'] : []),
      ...(evidence.length > 0 ? ['Evidence is drawn again when the checks of the file are run again.'] : []),
    ].join(' '),
    ...(redrawn.length + undrawn.length > 0 && {
      repair: async (tx) => {
        for (const id of redrawn) {
          await tx.db.update(files).set({ previews: null, updatedAt: tx.now }).where(eq(files.id, id))
          await tx.enqueue('make_pictures', { file_id: id }, { key: `make_pictures:${id}` })
        }
        if (undrawn.length > 0)
          await tx.db
            .update(commentAttachments)
            .set({ hasPicture: false })
            .where(inArray(commentAttachments.objectId, undrawn))
        return {
          done: [
            ...redrawn.map((id) => `Images of the file ${id} are drawn again.`),
            ...undrawn.map((id) => `The attachment of the object ${id} is shown by its name, without an image.`),
          ],
        }
      },
    }),
  }
}

/** Every object that is older than what the sweeper removes has a row. */
export const unclaimed: Check = {
  id: 'unclaimed',
  needsDatabase: true,
  async examine({ ctx }) {
    let stored = 0
    const found: BlobKey[] = []
    let chunk: BlobKey[] = []
    const flush = async () => {
      found.push(...(await findUnclaimed(ctx.db, chunk)))
      chunk = []
    }
    for await (const { key, modifiedAt } of ctx.ports.blobs.list()) {
      stored += 1
      if (modifiedAt.getTime() > ctx.now.getTime() - UNSWEPT_MS) continue
      chunk.push(key)
      if (chunk.length === CHUNK) await flush()
    }
    await flush()
    const orphans = await withoutThoseAboutToGo(ctx, found)
    const value = `${counted(stored, 'object')} stored`
    if (orphans.length === 0) return ok(`${value}, each with its row`)
    return {
      status: 'problem',
      value: `${value}, ${orphans.length} without a row`,
      details: orphans.map((key) => `${key} is named by no row`),
      fix: 'A worker sweeps those of the last two days: see that one runs. --fix removes all of them.',
      repair: async () => ({
        done: orphans.map((key) => `${key}, named by no row, is removed.`),
        afterwards: () => removeUnclaimed(ctx, orphans),
      }),
    }
  },
}

/** Not those whose file was deleted or removed a moment ago. */
async function withoutThoseAboutToGo({ db, ports }: Context, keys: BlobKey[]): Promise<BlobKey[]> {
  if (keys.length === 0) return []
  const jobs = await db.execute<{ file_id: string | null; object_key: string | null }>(sql`
    select j.payload ->> 'file_id' as file_id, j.payload ->> 'object_key' as object_key
    from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
    where t.identifier = 'remove_objects' and j.attempts < j.max_attempts
    union all
    select of_job.id, 'files/' || of_job.id
    from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id,
      json_array_elements_text(j.payload -> 'object_ids') of_job(id)
    where t.identifier = 'remove_attachments' and j.attempts < j.max_attempts
    union all
    select case when f.previews_removed_at is not null then f.id end::text, case when f.removed_at is not null then f.object_key end
    from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id,
      json_array_elements_text(j.payload -> 'file_ids') of_job(id) join files f on f.id = of_job.id::uuid
    where t.identifier = 'remove_expired' and j.attempts < j.max_attempts`)
  const isGoing = (key: BlobKey) =>
    jobs.some(({ file_id, object_key }) => key === object_key || key.startsWith(`derived/${file_id}/`))
  const left: BlobKey[] = []
  for (const key of keys) {
    if (isGoing(key)) continue
    const isGone = await ports.blobs.size(key).then(
      () => false,
      (error: unknown) => error instanceof BlobNotFound,
    )
    if (!isGone) left.push(key)
  }
  return left
}

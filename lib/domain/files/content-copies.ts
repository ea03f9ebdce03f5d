import { and, eq, inArray, isNull, type SQL, sql } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import { files } from '@/db/schema/files'
import type { MediaKind } from '@/lib/vocabulary'
import type { BlobKey } from '../kernel/blob-store'
import { giveHint } from '../kernel/events'
import type { JobOptions } from '../kernel/jobs'
import type { Tx } from '../kernel/operation'
import { type Among, idsAmong, nextAfter } from '../kernel/rows'
import { assertBytes, assertPreviews } from '../retention/rules'
import type { FileRow } from './present'
import { assertMayOpen } from './queries'

/**
 * What a job makes once of a content, however many files hold it (playback copies, tiles): a row by SHA-256 with a status,
 * and an object in the store. It goes with the last file that keeps it.
 */
export type ContentCopy = {
  table: PgTable
  /** Of the files that have such copies. */
  kinds: readonly MediaKind[]
  keyOf: (id: string) => BlobKey
  /** What else of it is stored, by its row as SQL names it. */
  otherKeysOf?: (row: Readonly<Record<string, unknown>>) => readonly BlobKey[]
  /** The job that makes it, and the field of its payload that names the row. */
  task: string
  idField: string
  options?: JobOptions
}

/** Files that keep copies: their bytes and what was made from them are there. */
export const keepsCopies = ({ kinds }: ContentCopy) =>
  and(inArray(files.kind, [...kinds]), isNull(files.removedAt), isNull(files.previewsRemovedAt))

/** The files that are shown by the copy of a content. */
export const filesShownBy = (tx: Pick<Tx, 'db'>, copy: ContentCopy, sha256: string) =>
  tx.db
    .select()
    .from(files)
    .where(and(eq(files.sha256, sha256), keepsCopies(copy)))
    .orderBy(sql`${files.id}`)
    .limit(100)

/** @throws `removed`, or `forbidden` for a file in quarantine, for who may not have that */
export function assertShown(tx: Tx, file: FileRow) {
  assertMayOpen(tx, file)
  assertBytes(file)
  assertPreviews(file)
}

export const enqueueCopy = (tx: Tx, { task, idField, options }: ContentCopy, id: string) =>
  tx.enqueue(task, { [idField]: id }, { key: `${task}:${id}`, ...options })

const HOUR = 3_600_000
/** One that was used a moment ago may be about to be used again. */
const SPARED_MS = 60_000
const before = (tx: Tx, milliseconds: number): SQL =>
  sql`${new Date(tx.now.getTime() - milliseconds).toISOString()}::timestamptz`

/**
 * Removes the copies of contents of which no file is left that keeps one; a job removes their objects. Returns behind which row the
 * next are looked at; null where these were the last.
 */
export async function removeUnusedCopies(tx: Tx, copy: ContentCopy, among: Among): Promise<string | null> {
  const [looked] = await tx.db.execute<{ seen: number; last: string | null; removed: { id: string }[] }>(sql`
    with looked as materialized (${idsAmong(copy.table, among)}),
    removed as (
      delete from ${copy.table} c using looked where c.id = looked.id and c.updated_at < ${before(tx, SPARED_MS)}
        and not exists (select from files where files.sha256 = c.sha256 and ${keepsCopies(copy)})
      returning to_jsonb(c) as row)
    select count(*)::int as seen, (select id from looked order by id desc limit 1) as last,
      (select coalesce(jsonb_agg(row), '[]') from removed) as removed from looked`)
  if (!looked) return null
  const keys = looked.removed.flatMap((row) => [copy.keyOf(row.id), ...(copy.otherKeysOf?.(row) ?? [])])
  if (keys.length > 0) await tx.enqueue('remove_copies', { keys })
  return nextAfter(among, looked)
}

/** Has those made whose job is gone: it ran out of tries while the store or the database was away. */
export async function resumeLost(tx: Tx, copy: ContentCopy): Promise<number> {
  const lost = await tx.db.execute<{ id: string }>(sql`
    update ${copy.table} c set status = 'queued', updated_at = ${before(tx, 0)}
    where c.status in ('queued', 'running') and c.updated_at < ${before(tx, HOUR)}
      and not exists (
        select from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
        where t.identifier = ${copy.task} and j.payload ->> ${copy.idField} = c.id::text
          and (j.locked_at is not null or j.attempts < j.max_attempts))
    returning c.id`)
  for (const { id } of lost) await enqueueCopy(tx, copy, id)
  return lost.length
}

/** Has copies made again of which the store has no object: as after a restore, which brings rows and no copies. */
export async function makeAgain(tx: Tx, copy: ContentCopy, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return []
  const queued = await tx.db.execute<{ id: string }>(sql`
    update ${copy.table} set status = 'queued', updated_at = ${before(tx, 0)}
    where id in ${[...ids]} and status = 'ready' returning id`)
  for (const { id } of queued) await enqueueCopy(tx, copy, id)
  return [...queued].map(({ id }) => id)
}

/** The live screens of the batches that hold the content ask anew. */
export async function notifyShown(tx: Pick<Tx, 'db'>, copy: ContentCopy, sha256: string): Promise<void> {
  for (const { projectId, batchId } of await filesShownBy(tx, copy, sha256))
    await giveHint(tx, 'file.previewed', { projectId, batchId })
}

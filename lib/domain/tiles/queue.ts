import { eq, sql } from 'drizzle-orm'
import { newId } from '@/db/schema/columns'
import { imageTiles } from '@/db/schema/image-tiles'
import type { FileRow } from '../files/present'
import type { Tx } from '../kernel/operation'
import { tilesKey } from './find'

/** A person waits for them. */
const jobOf = (id: string) => [{ tiles_id: id }, { key: `make_tiles:${id}`, isUrgent: true }] as const

/** Has the tiles of a file made, unless those of the same content are there or being made; again where that failed. */
export async function queueTiles(tx: Tx, file: Pick<FileRow, 'sha256'>): Promise<void> {
  const [row] = await tx.db
    .insert(imageTiles)
    .values({ id: newId(tx.now), sha256: file.sha256, createdAt: tx.now, updatedAt: tx.now })
    .onConflictDoUpdate({
      target: imageTiles.sha256,
      set: { status: 'queued', failure: null, updatedAt: tx.now },
      setWhere: eq(imageTiles.status, 'failed'),
    })
    .returning({ id: imageTiles.id })
  if (row) await tx.enqueue('make_tiles', ...jobOf(row.id))
}

const HOUR = 3_600_000
/** Those that were used a moment ago may be about to be used again. */
const SPARED_MS = 60_000

/** Removes the tiles (of these contents, or all) of which no file is left that keeps them; a job removes their objects. */
export async function removeUnusedTiles(tx: Tx, hashes?: readonly string[]): Promise<number> {
  if (hashes?.length === 0) return 0
  const removed = await tx.db.execute<{ id: string }>(sql`
    delete from image_tiles t
    where ${hashes ? sql`t.sha256 in ${[...hashes]}` : sql`true`} and t.updated_at < ${new Date(tx.now.getTime() - SPARED_MS).toISOString()}::timestamptz
      and not exists (select from files f where f.sha256 = t.sha256 and f.kind = 'image'
        and f.removed_at is null and f.previews_removed_at is null)
    returning t.id`)
  const keys = [...removed].map(({ id }) => tilesKey(id))
  if (keys.length > 0) await tx.enqueue('remove_copies', { keys })
  return keys.length
}

/** Has those made whose job is gone: it ran out of tries while the store or the database was away. */
export async function resumeTiles(tx: Tx): Promise<number> {
  const lost = await tx.db.execute<{ id: string }>(sql`
    update image_tiles t set status = 'queued', updated_at = ${tx.now.toISOString()}::timestamptz
    where t.status in ('queued', 'running') and t.updated_at < ${new Date(tx.now.getTime() - HOUR).toISOString()}::timestamptz
      and not exists (
        select from graphile_worker._private_jobs j join graphile_worker._private_tasks k on k.id = j.task_id
        where k.identifier = 'make_tiles' and j.payload ->> 'tiles_id' = t.id::text
          and (j.locked_at is not null or j.attempts < j.max_attempts))
    returning t.id`)
  for (const { id } of lost) await tx.enqueue('make_tiles', ...jobOf(id))
  return lost.length
}

import { and, eq, sql } from 'drizzle-orm'
import { newId } from '@/db/schema/columns'
import { files } from '@/db/schema/files'
import { playbackProxies } from '@/db/schema/playback'
import type { Tx } from '../kernel/operation'
import { keepsCopy, proxyKey } from './find'
import { needsPlaybackCopy } from './rules'

/** Has a copy made of what browsers do not play, unless one of the same content is there or being made. */
export async function queuePlayback(tx: Tx, fileId: string, { again = false } = {}): Promise<void> {
  const [file] = await tx.db
    .select({ kind: files.kind, sha256: files.sha256, mediaType: files.mediaType, media: files.media })
    .from(files)
    .where(and(eq(files.id, fileId), keepsCopy))
  if (!file || (file.kind !== 'video' && file.kind !== 'audio')) return
  if (!needsPlaybackCopy(file.mediaType, file.media)) return
  const { kind, sha256 } = file
  const [proxy] = await tx.db
    .insert(playbackProxies)
    .values({ id: newId(tx.now), kind, sha256, createdAt: tx.now, updatedAt: tx.now })
    .onConflictDoUpdate({
      target: playbackProxies.sha256,
      // It is used again: what removes unused ones leaves it.
      set: { updatedAt: tx.now, ...(again && { status: 'queued', progress: 0, failure: null }) },
    })
    .returning()
  if (proxy?.status !== 'queued') return
  await tx.enqueue('make_playback', { proxy_id: proxy.id }, { key: `make_playback:${proxy.id}` })
}

const HOUR = 3_600_000
/** One that was used a moment ago may be about to be used again. */
const SPARED_MS = 60_000

/** Removes the copies (of these contents, or all) of which no file is left that keeps one; a job removes their objects. */
export async function removeUnusedCopies(tx: Tx, hashes?: readonly string[]): Promise<number> {
  if (hashes?.length === 0) return 0
  const removed = await tx.db.execute<{ id: string }>(sql`
    delete from playback_proxies p
    where ${hashes ? sql`p.sha256 in ${[...hashes]}` : sql`true`} and p.updated_at < ${new Date(tx.now.getTime() - SPARED_MS).toISOString()}::timestamptz
      and not exists (select from files f where f.sha256 = p.sha256 and f.kind in ('video', 'audio')
        and f.removed_at is null and f.previews_removed_at is null)
    returning p.id`)
  const keys = [...removed].map(({ id }) => proxyKey(id))
  if (keys.length > 0) await tx.enqueue('remove_copies', { keys })
  return keys.length
}

/** Has those made whose job is gone: it ran out of tries while the store or the database was away. */
export async function resumeCopies(tx: Tx): Promise<number> {
  const lost = await tx.db.execute<{ id: string }>(sql`
    update playback_proxies p set status = 'queued', updated_at = ${tx.now.toISOString()}::timestamptz
    where p.status in ('queued', 'running') and p.updated_at < ${new Date(tx.now.getTime() - HOUR).toISOString()}::timestamptz
      and not exists (
        select from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
        where t.identifier = 'make_playback' and j.payload ->> 'proxy_id' = p.id::text
          and (j.locked_at is not null or j.attempts < j.max_attempts))
    returning p.id`)
  for (const { id } of lost) await tx.enqueue('make_playback', { proxy_id: id }, { key: `make_playback:${id}` })
  return lost.length
}

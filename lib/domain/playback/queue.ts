import { and, eq } from 'drizzle-orm'
import { newId } from '@/db/schema/columns'
import { files } from '@/db/schema/files'
import { playbackProxies } from '@/db/schema/playback'
import { enqueueCopy, keepsCopies } from '../files/content-copies'
import type { Tx } from '../kernel/operation'
import { PLAYBACK } from './find'
import { copyWanted } from './rules'

/** Has a copy made of what browsers do not play, or of its audio where that is read for them, unless one of the same content is there or being made. */
export async function queuePlayback(tx: Tx, fileId: string, { again = false } = {}): Promise<void> {
  const [file] = await tx.db
    .select({
      kind: files.kind,
      sha256: files.sha256,
      mediaType: files.mediaType,
      media: files.media,
      size: files.size,
    })
    .from(files)
    .where(and(eq(files.id, fileId), keepsCopies(PLAYBACK)))
  if (!file || (file.kind !== 'video' && file.kind !== 'audio')) return
  const wanted = copyWanted(file.mediaType, file.media, file.size)
  if (wanted === null) return
  const { sha256 } = file
  const kind = wanted === 'audio' ? 'audio' : file.kind
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
  await enqueueCopy(tx, PLAYBACK, proxy.id)
}

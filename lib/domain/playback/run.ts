import { createHash } from 'node:crypto'
import { pipeline } from 'node:stream/promises'
import { and, eq, inArray } from 'drizzle-orm'
import type { Executor } from '@/db/client'
import { playbackProxies, type StoredPair } from '@/db/schema/playback'
import { log } from '@/lib/log'
import { filesShownBy, notifyShown } from '../files/content-copies'
import { type BlobKey, BlobNotFound, StorageUnavailable } from '../kernel/blob-store'
import { isUnavailable } from '../kernel/database-errors'
import { advancing, type Context, inTransaction } from '../kernel/operation'
import { keysOfPairs, PLAYBACK, type ProxyRow, pairKey, proxyKey } from './find'
import { keepPiece, NO_PIECES, newPieces, removePieces } from './pieces'
import { type CopyFacts, CopyStopped, type WrittenFile } from './port'

type Made = CopyFacts & { copySha256: string; size: number; pairs: StoredPair[] }

const PROGRESS_MS = 2_000

/** Makes the copy of a file that browsers play. What cannot be made says why; what is away is tried again. */
export async function makePlaybackCopy(ctx: Context, { proxy_id }: { proxy_id: string }) {
  const proxy = await begin(ctx, proxy_id)
  if (!proxy) return
  const later = advancing(ctx)
  try {
    const [file] = await filesShownBy(ctx, PLAYBACK, proxy.sha256)
    if (!file) return await finish(later(), proxy, 'The file is gone.')
    await notifyShown(ctx, PLAYBACK, proxy.sha256)
    const made = await ctx.ports.blobs.localPath(file.objectKey as BlobKey, (path) =>
      ctx.ports.playback.copy(
        path,
        { mediaType: file.mediaType, kind: proxy.kind },
        { progress: progressOf(later, proxy), piece: (piece) => keepPiece(later(), proxy, piece) },
        (copy) => keep(ctx, proxy, copy),
      ),
    )
    await finish(later(), proxy, 'failed' in made ? made.failed : made)
  } catch (error) {
    // The queue tries again.
    if (error instanceof StorageUnavailable || error instanceof CopyStopped || isUnavailable(error)) throw error
    if (!(error instanceof BlobNotFound)) log.error({ err: error, proxy_id }, 'a playback copy could not be made')
    const why =
      error instanceof BlobNotFound ? 'its bytes are not in the storage' : 'the reason is in the log of the service'
    await finish(later(), proxy, `The copy could not be made: ${why}.`)
  }
}

/** Marks it as being made, with no pieces yet: those of an attempt before are removed. */
function begin(ctx: Context, id: string): Promise<ProxyRow | undefined> {
  return inTransaction(ctx, async (tx) => {
    const isOpen = and(eq(playbackProxies.id, id), inArray(playbackProxies.status, ['queued', 'running']))
    await removePieces(tx, await tx.db.select().from(playbackProxies).where(isOpen).for('update'))
    const [proxy] = await tx.db
      .update(playbackProxies)
      .set({ status: 'running', progress: 0, ...newPieces(tx.now), updatedAt: tx.now })
      .where(isOpen)
      .returning()
    return proxy
  })
}

/** Writes how much is done, now and then; nothing waits for it. */
function progressOf(later: () => Context, { id }: ProxyRow): (percent: number) => void {
  let written = performance.now()
  return (percent) => {
    if (!Number.isInteger(percent) || performance.now() - written < PROGRESS_MS) return
    written = performance.now()
    const { db, now } = later()
    void db
      .update(playbackProxies)
      .set({ progress: Math.min(99, Math.max(0, percent)), updatedAt: now })
      .where(and(eq(playbackProxies.id, id), eq(playbackProxies.status, 'running')))
      .catch(() => undefined)
  }
}

async function keep(
  { ports: { blobs } }: Context,
  proxy: ProxyRow,
  { read, pairs, ...facts }: Parameters<Parameters<Context['ports']['playback']['copy']>[3]>[0],
): Promise<Made> {
  const kept: StoredPair[] = []
  for (const [number, { channels, ...file }] of pairs.entries())
    kept.push({ channels, size: file.size, sha256: await store(blobs, file, pairKey(proxy.id, number)) })
  return { ...facts, pairs: kept, copySha256: await store(blobs, { read }, proxyKey(proxy.id)) }
}

/** Returns the SHA-256 of what was stored. */
async function store(
  blobs: Context['ports']['blobs'],
  { read }: Pick<WrittenFile, 'read'>,
  key: BlobKey,
): Promise<string> {
  const staged = await blobs.stage()
  try {
    const hash = createHash('sha256')
    await pipeline(
      read(),
      async function* (source) {
        for await (const piece of source) {
          hash.update(piece)
          yield piece
        }
      },
      await staged.writable(),
    )
    await blobs.commit(staged, key, { replace: true })
    return hash.digest('hex')
  } finally {
    await staged.discard()
  }
}

/** Writes what became of it: the copy, or the reason why there is none. */
async function finish(ctx: Context, proxy: ProxyRow, made: Made | string): Promise<void> {
  const isMade = typeof made !== 'string'
  const { copySha256, size, codec, width, height, frameRate, frames, durationSeconds, hasAudio } = isMade
    ? made
    : ({} as Partial<Made>)
  await inTransaction(ctx, async (tx) => {
    const isRunning = and(eq(playbackProxies.id, proxy.id), eq(playbackProxies.status, 'running'))
    // The whole takes over from its pieces.
    await removePieces(tx, await tx.db.select().from(playbackProxies).where(isRunning).for('update'))
    const written = await tx.db
      .update(playbackProxies)
      .set(
        isMade
          ? {
              status: 'ready',
              progress: 100,
              failure: null,
              copySha256,
              size,
              codec,
              width,
              height,
              frameRate,
              frames,
              durationSeconds,
              hasAudio,
              dynamicRange: made.dynamicRange,
              isDeinterlaced: made.isDeinterlaced,
              peaks: made.peaks,
              loudness: made.loudness,
              pairs: made.pairs,
              ...NO_PIECES,
              updatedAt: tx.now,
            }
          : { status: 'failed', failure: made.slice(0, 1000), ...NO_PIECES, updatedAt: tx.now },
      )
      .where(isRunning)
      .returning({ id: playbackProxies.id })
    // Its last file went while it was made.
    if (written.length === 0 && isMade)
      await tx.enqueue('remove_copies', { keys: await unclaimed(tx.db, proxy, made.pairs) })
  })
  await notifyShown(ctx, PLAYBACK, proxy.sha256)
}

/** The objects of a copy whose row is gone. */
async function unclaimed(db: Executor, { id }: ProxyRow, pairs: readonly StoredPair[]) {
  const rows = await db.select({ id: playbackProxies.id }).from(playbackProxies).where(eq(playbackProxies.id, id))
  return rows.length === 0 ? [proxyKey(id), ...keysOfPairs(id, pairs)] : []
}

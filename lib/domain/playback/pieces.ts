import { pipeline } from 'node:stream/promises'
import { and, eq, sql } from 'drizzle-orm'
import { newId } from '@/db/schema/columns'
import { playbackProxies } from '@/db/schema/playback'
import type { BlobKey } from '../kernel/blob-store'
import type { Context, Tx } from '../kernel/operation'
import type { CopyPiece } from './port'

type Pieces = Pick<typeof playbackProxies.$inferSelect, 'piecesId' | 'pieceStarts'>

/**
 * The pieces of a copy that is being made lie below an id of their own, which the row of the copy names meanwhile. Whatever
 * becomes of the worker, they are claimed by no row once the copy is made, failed, or begun anew: the sweeper takes those
 * that no job has removed.
 */
export const pieceKey = (piecesId: string, number: number): BlobKey => `derived/${piecesId}/${number}.mp4`

export const NO_PIECES = { piecesId: null, pieceStarts: [], piecesEnd: null, piecesWhole: null }

/** Those of an attempt that begins. */
export const newPieces = (now: Date) => ({ ...NO_PIECES, piecesId: newId(now) })

/** Their objects, and one that may have been stored before its row said so. */
export function keysOfPieces({ piecesId, pieceStarts }: Pieces): BlobKey[] {
  return piecesId === null
    ? []
    : Array.from({ length: pieceStarts.length + 1 }, (_, number) => pieceKey(piecesId, number))
}

/** Has the pieces of these rows removed. */
export async function removePieces(tx: Tx, rows: readonly Pieces[]): Promise<void> {
  const keys = rows.flatMap(keysOfPieces)
  if (keys.length > 0) await tx.enqueue('remove_copies', { keys })
}

/** Stores a piece, and lets players know of it. False: the attempt it belongs to is over. */
export async function keepPiece(
  { db, now, ports: { blobs } }: Context,
  { id, piecesId }: { id: string; piecesId: string | null },
  piece: CopyPiece,
): Promise<boolean> {
  if (piecesId === null) return false
  const staged = await blobs.stage()
  try {
    await pipeline(piece.read(), await staged.writable())
    await blobs.commit(staged, pieceKey(piecesId, piece.number), { replace: true })
  } finally {
    await staged.discard()
  }
  const written = await db
    .update(playbackProxies)
    .set({
      pieceStarts: sql`array_append(${playbackProxies.pieceStarts}, ${piece.start}::double precision)`,
      piecesEnd: piece.end,
      piecesWhole: Math.max(piece.whole, piece.end),
      updatedAt: now,
    })
    .where(
      and(
        eq(playbackProxies.id, id),
        eq(playbackProxies.piecesId, piecesId),
        sql`cardinality(${playbackProxies.pieceStarts}) = ${piece.number}`,
      ),
    )
    .returning({ id: playbackProxies.id })
  return written.length > 0
}

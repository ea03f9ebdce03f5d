import { eq } from 'drizzle-orm'
import { newId } from '@/db/schema/columns'
import { imageTiles } from '@/db/schema/image-tiles'
import { enqueueCopy } from '../files/content-copies'
import type { FileRow } from '../files/present'
import type { Tx } from '../kernel/operation'
import { TILES } from './find'

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
  if (row) await enqueueCopy(tx, TILES, row.id)
}

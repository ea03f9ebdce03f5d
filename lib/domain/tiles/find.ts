import { eq, sql } from 'drizzle-orm'
import { imageTiles } from '@/db/schema/image-tiles'
import type { ContentCopy } from '../files/content-copies'
import type { FileRow } from '../files/present'
import type { BlobKey } from '../kernel/blob-store'
import type { Tx } from '../kernel/operation'
import { levelsOf, needsTiles, TILE_SIZE } from './rules'
import type { ImageTiles } from './schema'

/** Without the places of the tiles, of which there may be thousands. */
const columns = {
  id: imageTiles.id,
  sha256: imageTiles.sha256,
  status: imageTiles.status,
  failure: imageTiles.failure,
  width: imageTiles.width,
  height: imageTiles.height,
  hasAlpha: imageTiles.hasAlpha,
  size: imageTiles.size,
}
type TilesRow = Omit<typeof imageTiles.$inferSelect, 'offsets' | 'createdAt' | 'updatedAt'>

/** Where the tiles lie: below their own id, as several files may hold the content they were made of. */
export const tilesKey = (id: string): BlobKey => `derived/${id}/tiles.bin`

export const TILES: ContentCopy = {
  table: imageTiles,
  kinds: ['image'],
  keyOf: tilesKey,
  task: 'make_tiles',
  idField: 'tiles_id',
  // A person waits for them.
  options: { isUrgent: true },
}

export async function tilesOf(tx: Pick<Tx, 'db'>, sha256: string): Promise<TilesRow | undefined> {
  const [row] = await tx.db.select(columns).from(imageTiles).where(eq(imageTiles.sha256, sha256))
  return row
}

/** Whether the tiles of an image, once asked for, would have to be made: there are none yet, or that failed. */
export async function areToBeMade(tx: Pick<Tx, 'db'>, { mediaType, media, sha256 }: FileRow): Promise<boolean> {
  if (!needsTiles(mediaType, media)) return false
  const row = await tilesOf(tx, sha256)
  return row === undefined || row.status === 'failed'
}

/** The bytes of one tile in the object of all, both ends inclusive. */
export async function placeOf(
  tx: Pick<Tx, 'db'>,
  id: string,
  number: number,
): Promise<{ start: number; end: number } | null> {
  // Arrays of SQL begin at 1.
  const [row] = await tx.db
    .select({
      start: sql<string | null>`${imageTiles.offsets}[${number + 1}]`,
      next: sql<string | null>`${imageTiles.offsets}[${number + 2}]`,
    })
    .from(imageTiles)
    .where(eq(imageTiles.id, id))
  if (row?.start == null || row.next == null) return null
  return { start: Number(row.start), end: Number(row.next) - 1 }
}

/** Whether a file is shown by tiles, where its pixels may be seen. */
export const isShownByTiles = (file: FileRow): boolean =>
  !file.removedAt && !file.previewsRemovedAt && needsTiles(file.mediaType, file.media)

/** @param address of the file in the interface */
export function presentTiles(
  file: Pick<FileRow, 'mediaType' | 'media' | 'sha256'>,
  row: TilesRow | undefined,
  address: string,
): ImageTiles {
  const { width, height } = row ?? {}
  return {
    is_needed: needsTiles(file.mediaType, file.media),
    status: row?.status ?? null,
    failure: row?.failure ?? null,
    tiles:
      row?.status === 'ready' && width && height
        ? {
            url: `${address}/tiles`,
            width,
            height,
            tile_size: TILE_SIZE,
            levels: levelsOf(width, height).length,
            has_alpha: row.hasAlpha ?? false,
            size: row.size ?? 0,
          }
        : null,
  }
}

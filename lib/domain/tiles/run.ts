import { pipeline } from 'node:stream/promises'
import { and, eq, inArray } from 'drizzle-orm'
import { imageTiles } from '@/db/schema/image-tiles'
import { log } from '@/lib/log'
import { filesShownBy, notifyShown } from '../files/content-copies'
import { type BlobKey, BlobNotFound, StorageUnavailable } from '../kernel/blob-store'
import { isUnavailable } from '../kernel/database-errors'
import { advancing, type Context, inTransaction } from '../kernel/operation'
import { TILES, tilesKey } from './find'
import { type TilesFacts, TilingStopped } from './port'
import { levelsOf } from './rules'

type Made = TilesFacts & { size: number }
type Row = { id: string; sha256: string }

/** Makes the tiles of an image. What cannot be made says why; what is away is tried again. */
export async function makeImageTiles(ctx: Context, { tiles_id }: { tiles_id: string }) {
  const [row] = await ctx.db
    .update(imageTiles)
    .set({ status: 'running', updatedAt: ctx.now })
    .where(and(eq(imageTiles.id, tiles_id), inArray(imageTiles.status, ['queued', 'running'])))
    .returning({ id: imageTiles.id, sha256: imageTiles.sha256 })
  if (!row) return
  const later = advancing(ctx)
  try {
    const [file] = await filesShownBy(ctx, TILES, row.sha256)
    if (!file) return await finish(later(), row, 'The file is gone.')
    const made = await ctx.ports.blobs.localPath(file.objectKey as BlobKey, (path) =>
      ctx.ports.tiles.tile(path, file.mediaType, async (tiles) =>
        isWhole(file.media, tiles) ? keep(ctx, row, tiles) : { failed: notWhole(file.media, tiles) },
      ),
    )
    await finish(later(), row, 'failed' in made ? made.failed : made)
  } catch (error) {
    // The queue tries again.
    if (error instanceof StorageUnavailable || error instanceof TilingStopped || isUnavailable(error)) throw error
    if (!(error instanceof BlobNotFound)) log.error({ err: error, tiles_id }, 'the tiles of an image could not be made')
    const why =
      error instanceof BlobNotFound ? 'its bytes are not in the storage' : 'the reason is in the log of the service'
    await finish(later(), row, `The tiles could not be made: ${why}.`)
  }
}

type Size = Record<string, unknown>

/** Whether it is as large as was measured, upright or not: a photograph of several parts may be decoded in part. */
const isWhole = ({ width, height }: Size, made: Size) =>
  (made.width === width && made.height === height) || (made.width === height && made.height === width)

const notWhole = (measured: Size, made: Size) =>
  `The decoder gives ${made.width} × ${made.height} of ${measured.width} × ${measured.height} pixels.`

async function keep(
  { ports: { blobs } }: Context,
  row: Row,
  { read, ...facts }: Parameters<Parameters<Context['ports']['tiles']['tile']>[2]>[0],
): Promise<Made> {
  assertComplete(facts)
  const staged = await blobs.stage()
  try {
    await pipeline(read(), await staged.writable())
    await blobs.commit(staged, tilesKey(row.id), { replace: true })
    return facts
  } finally {
    await staged.discard()
  }
}

/** What the decoder reports is not trusted: each tile has a place within the object. */
function assertComplete({ width, height, offsets, size }: Made) {
  const last = levelsOf(width, height).at(-1)
  const count = last ? last.before + last.columns * last.rows : 0
  const isOrdered = offsets.every(
    (at, index) => Number.isSafeInteger(at) && (index === 0 || at > Number(offsets[index - 1])),
  )
  if (offsets.length !== count + 1 || offsets[0] !== 0 || offsets[count] !== size || !isOrdered)
    throw new Error('the places of the tiles do not fit their object')
}

/** Writes what became of it: the tiles, or the reason why there are none. */
async function finish(ctx: Context, row: Row, made: Made | string): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    const written = await tx.db
      .update(imageTiles)
      .set(
        typeof made === 'string'
          ? { status: 'failed', failure: made.slice(0, 1000), updatedAt: tx.now }
          : { status: 'ready', failure: null, ...made, updatedAt: tx.now },
      )
      .where(and(eq(imageTiles.id, row.id), eq(imageTiles.status, 'running')))
      .returning({ id: imageTiles.id })
    if (written.length > 0 || typeof made === 'string') return
    // Its last file went while they were made.
    const rows = await tx.db.select({ id: imageTiles.id }).from(imageTiles).where(eq(imageTiles.id, row.id))
    if (rows.length === 0) await tx.enqueue('remove_copies', { keys: [tilesKey(row.id)] })
  })
  await notifyShown(ctx, TILES, row.sha256)
}

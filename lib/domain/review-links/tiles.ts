import { command, query } from '../kernel/operation'
import { tilesForHolders } from '../tiles/for-holders'
import type { TileOfFile } from '../tiles/operations'
import { authenticateGuest, type FileOfLink, onRoomFile } from './find'
import { addressOfFile, limitWrites, showsTiles, watermarkOf } from './holder'

/** Every pixel of a large image, as far as a review link shows it. */

const asGuest = { permission: 'anyone', authenticateAs: authenticateGuest } as const
const tiles = tilesForHolders<FileOfLink>(
  ({ link, file }) => showsTiles(link, file),
  (tx, { link, file }) => addressOfFile(tx, link, file.id),
)

export const getRoomTiles = query({
  ...asGuest,
  resource: onRoomFile,
  name: 'getRoomTiles',
  summary: 'The tiles by which the holder of a review link views every pixel of a large image',
  ...tiles.get,
})

export const makeRoomTiles = command({
  ...asGuest,
  resource: onRoomFile,
  name: 'makeRoomTiles',
  summary: 'Have the tiles of a large image made, as the holder of a review link',
  ...tiles.make,
  async prepare(ctx, found) {
    await limitWrites(ctx)
    await tiles.make.prepare(ctx, found)
  },
})

/** One tile, and the name that is drawn into it. Returns no JSON: the route streams it. */
export const openRoomTile = query({
  ...asGuest,
  resource: tiles.onTile(onRoomFile),
  name: 'openRoomTile',
  summary: 'One tile of a large image that a review link shows; with a watermark its holder’s name is in the pixels',
  run: async (_tx, { resource: { tile, link } }): Promise<TileOfFile & { watermark: string | null }> => ({
    ...tile,
    watermark: watermarkOf(link),
  }),
})

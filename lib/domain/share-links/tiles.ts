import { command, query } from '../kernel/operation'
import { tilesForHolders } from '../tiles/for-holders'
import type { TileOfFile } from '../tiles/operations'
import { addressOf, showsTiles } from './address'
import { authenticateReceiver, type FileOfShare, onSharedFile } from './find'

/** Every pixel of a large image, where a share link lets it be downloaded. */

const asReceiver = { permission: 'anyone', authenticateAs: authenticateReceiver } as const
const tiles = tilesForHolders<FileOfShare>(
  ({ link, file }) => showsTiles(link, file),
  (tx, on) => `${addressOf(tx, on)}/files/${on.file.id}`,
)

export const getSharedTiles = query({
  ...asReceiver,
  resource: onSharedFile,
  name: 'getSharedTiles',
  summary: 'The tiles by which the receiver of a share link views every pixel of a large image',
  ...tiles.get,
})

export const makeSharedTiles = command({
  ...asReceiver,
  resource: onSharedFile,
  name: 'makeSharedTiles',
  summary: 'Have the tiles of a large image made, as the receiver of a share link',
  ...tiles.make,
})

/** Returns no JSON: the route streams it. */
export const openSharedTile = query({
  ...asReceiver,
  resource: tiles.onTile(onSharedFile),
  name: 'openSharedTile',
  summary: 'One tile of a large image that is shared',
  run: async (_tx, { resource: { tile } }): Promise<TileOfFile> => tile,
})

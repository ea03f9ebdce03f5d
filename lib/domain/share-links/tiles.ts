import { forbidden } from '../kernel/errors'
import { command, type Finder, query, type Tx } from '../kernel/operation'
import { findTile, haveTilesMade, TILE_PLACE, type TileOfFile, tilesAt } from '../tiles/operations'
import { ImageTiles } from '../tiles/schema'
import { addressOf, showsTiles } from './address'
import { authenticateReceiver, type FileOfShare, onSharedFile } from './find'

/** Every pixel of a large image, where a share link lets it be downloaded. */

const asReceiver = { permission: 'anyone', authenticateAs: authenticateReceiver } as const

/** @throws `forbidden` where only previews are shared */
function assertShowsPixels({ link, file }: FileOfShare) {
  if (showsTiles(link, file)) return
  throw forbidden('This link shows a preview of this image, and not each of its pixels. Ask its sender.')
}

const tilesOf = (tx: Tx, on: FileOfShare) => tilesAt(tx, on.file, `${addressOf(tx, on)}/files/${on.file.id}`)

export const getSharedTiles = query({
  ...asReceiver,
  resource: onSharedFile,
  name: 'getSharedTiles',
  summary: 'The tiles by which the receiver of a share link views every pixel of a large image',
  output: ImageTiles,
  async run(tx, { resource }) {
    assertShowsPixels(resource)
    return tilesOf(tx, resource)
  },
})

export const makeSharedTiles = command({
  ...asReceiver,
  resource: onSharedFile,
  name: 'makeSharedTiles',
  summary: 'Have the tiles of a large image made, as the receiver of a share link',
  output: ImageTiles,
  async run(tx, { resource }) {
    assertShowsPixels(resource)
    await haveTilesMade(tx, resource.file)
    return tilesOf(tx, resource)
  },
})

const onSharedTile: Finder<'token' | 'file_id' | (typeof TILE_PLACE)[number], FileOfShare & { tile: TileOfFile }> = {
  params: [...onSharedFile.params, ...TILE_PLACE],
  async find(tx, { level, column, row, ...path }, lock) {
    const on = await onSharedFile.find(tx, path, lock)
    assertShowsPixels(on)
    return { ...on, tile: await findTile(tx, on.file, { level, column, row }) }
  },
}

/** Returns no JSON: the route streams it. */
export const openSharedTile = query({
  ...asReceiver,
  resource: onSharedTile,
  name: 'openSharedTile',
  summary: 'One tile of a large image that is shared',
  run: async (_tx, { resource: { tile } }): Promise<TileOfFile> => tile,
})

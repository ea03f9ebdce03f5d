import { forbidden } from '../kernel/errors'
import { command, type Finder, query, type Tx } from '../kernel/operation'
import { findTile, haveTilesMade, TILE_PLACE, type TileOfFile, tilesAt } from '../tiles/operations'
import { ImageTiles } from '../tiles/schema'
import { authenticateGuest, type FileOfLink, onRoomFile } from './find'
import { addressOfFile, limitWrites, showsTiles, watermarkOf } from './holder'

/** Every pixel of a large image, as far as a review link shows it. */

const asGuest = { permission: 'anyone', authenticateAs: authenticateGuest } as const

/** @throws `forbidden` where the link shows previews only */
function assertShowsPixels({ link, file }: FileOfLink) {
  if (showsTiles(link, file)) return
  throw forbidden('This link shows a preview of this image, and not each of its pixels. Ask its sender.')
}

const tilesOf = (tx: Tx, { link, file }: FileOfLink) => tilesAt(tx, file, addressOfFile(tx, link, file.id))

export const getRoomTiles = query({
  ...asGuest,
  resource: onRoomFile,
  name: 'getRoomTiles',
  summary: 'The tiles by which the holder of a review link views every pixel of a large image',
  output: ImageTiles,
  async run(tx, { resource }) {
    assertShowsPixels(resource)
    return tilesOf(tx, resource)
  },
})

export const makeRoomTiles = command({
  ...asGuest,
  resource: onRoomFile,
  name: 'makeRoomTiles',
  summary: 'Have the tiles of a large image made, as the holder of a review link',
  output: ImageTiles,
  prepare: limitWrites,
  async run(tx, { resource }) {
    assertShowsPixels(resource)
    await haveTilesMade(tx, resource.file)
    return tilesOf(tx, resource)
  },
})

const onRoomTile: Finder<'token' | 'file_id' | (typeof TILE_PLACE)[number], FileOfLink & { tile: TileOfFile }> = {
  params: [...onRoomFile.params, ...TILE_PLACE],
  async find(tx, { level, column, row, ...path }, lock) {
    const on = await onRoomFile.find(tx, path, lock)
    assertShowsPixels(on)
    return { ...on, tile: await findTile(tx, on.file, { level, column, row }) }
  },
}

/** One tile, and the name that is drawn into it. Returns no JSON: the route streams it. */
export const openRoomTile = query({
  ...asGuest,
  resource: onRoomTile,
  name: 'openRoomTile',
  summary: 'One tile of a large image that a review link shows; with a watermark its holder’s name is in the pixels',
  run: async (_tx, { resource: { tile, link } }): Promise<TileOfFile & { watermark: string | null }> => ({
    ...tile,
    watermark: watermarkOf(link),
  }),
})

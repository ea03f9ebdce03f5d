import { assertShown } from '../files/content-copies'
import { onFile } from '../files/find'
import { type FileRow, filePath } from '../files/present'
import { invalidState, notFound, quote } from '../kernel/errors'
import { command, query, type Tx } from '../kernel/operation'
import { placeOf, presentTiles, tilesOf } from './find'
import { queueTiles } from './queue'
import { levelsOf, needsTiles, tileNumber } from './rules'
import { ImageTiles } from './schema'

/** @param address of the file, as the caller reaches it */
export const tilesAt = async (tx: Tx, file: FileRow, address: string) =>
  presentTiles(file, await tilesOf(tx, file.sha256), address)
const tilesOfFile = (tx: Tx, file: FileRow) => tilesAt(tx, file, tx.ports.baseUrl + filePath(file))

/** @throws `invalid_state` for a file that needs none */
export async function haveTilesMade(tx: Tx, file: FileRow) {
  assertShown(tx, file)
  if (!needsTiles(file.mediaType, file.media))
    throw invalidState(`${quote(file.name)} needs no tiles: it is shown as a whole, or it is no image.`, 'not_needed', [
      'needed',
    ])
  await queueTiles(tx, file)
}

export const getTiles = query({
  name: 'getTiles',
  summary: 'The tiles by which every pixel of a large image is viewed',
  permission: 'projects.read',
  resource: onFile,
  output: ImageTiles,
  async run(tx, { resource: { file } }) {
    assertShown(tx, file)
    return tilesOfFile(tx, file)
  },
})

export const makeTiles = command({
  name: 'makeTiles',
  summary: 'Have the tiles of a large image made, once for its content, or made again where that failed',
  // Who views an image has them made: it changes nothing of the file.
  permission: 'projects.read',
  resource: onFile,
  output: ImageTiles,
  async run(tx, { resource: { file } }) {
    await haveTilesMade(tx, file)
    return tilesOfFile(tx, file)
  },
})

export const TILE_PLACE = ['level', 'column', 'row'] as const
type Place = (typeof TILE_PLACE)[number]

/** Where a tile of a file lies. @throws `not_found` */
export async function findTile(tx: Tx, file: FileRow, { level, column, row }: Record<Place, string>) {
  const tiles = await tilesOf(tx, file.sha256)
  const [l, c, r] = [level, column, row].map((digits) => (/^\d{1,6}$/.test(digits) ? Number(digits) : -1))
  const { width, height } = tiles ?? {}
  const levels = tiles?.status === 'ready' && width && height ? levelsOf(width, height) : []
  const number = tileNumber(levels, l ?? -1, c ?? -1, r ?? -1)
  const place = tiles && number !== null ? await placeOf(tx, tiles.id, number) : null
  if (!tiles || !place) throw notFound('tile of this image', `${level}/${column}/${row}`)
  return { file, tilesId: tiles.id, place }
}

export type TileOfFile = Awaited<ReturnType<typeof findTile>>

/** One tile, for who may have the bytes of the file. Returns no JSON: the route streams it. */
export const openTile = query({
  name: 'openTile',
  summary: 'One tile of a large image; 404 until they are made',
  permission: 'projects.read',
  resource: {
    params: [...onFile.params, ...TILE_PLACE] as const,
    async find(tx: Tx, { level, column, row, ...params }: Record<(typeof onFile.params)[number] | Place, string>) {
      const { file } = await onFile.find(tx, params, false)
      return findTile(tx, file, { level, column, row })
    },
  },
  async run(tx, { resource }) {
    assertShown(tx, resource.file)
    return resource
  },
})

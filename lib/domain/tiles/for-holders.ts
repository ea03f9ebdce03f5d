import type { FileRow } from '../files/present'
import { forbidden } from '../kernel/errors'
import { type Context, type Finder, reading, type Tx } from '../kernel/operation'
import { LIMITS, takeShared } from '../kernel/rate-limit'
import { areToBeMade } from './find'
import { findTile, haveTilesMade, TILE_PLACE, type TileOfFile, tilesAt } from './operations'
import { ImageTiles } from './schema'

type OnFile = { file: FileRow; link: { id: string } }

/**
 * How the holders of a kind of link view every pixel of a large image: what its operations have in common.
 *
 * @param shows whether the link shows the pixels of a file; else they get `forbidden`
 * @param address of a file, as the holder reaches it
 */
export function tilesForHolders<On extends OnFile>(shows: (on: On) => boolean, address: (tx: Tx, on: On) => string) {
  function assertShowsPixels(on: On) {
    if (shows(on)) return
    throw forbidden('This link shows a preview of this image, and not each of its pixels. Ask its sender.')
  }
  const present = (tx: Tx, on: On) => tilesAt(tx, on.file, address(tx, on))
  return {
    get: {
      output: ImageTiles,
      async run(tx: Tx, { resource }: { resource: On }) {
        assertShowsPixels(resource)
        return present(tx, resource)
      },
    },
    make: {
      output: ImageTiles,
      /** Asking for what is there, or is being made, counts nothing. @throws `rate_limited` */
      async prepare(ctx: Context, { resource }: { resource: On }) {
        assertShowsPixels(resource)
        const tx = reading(ctx)
        if (await areToBeMade(tx, resource.file)) await takeShared(tx, LIMITS.linkTiles, resource.link.id)
      },
      async run(tx: Tx, { resource }: { resource: On }) {
        assertShowsPixels(resource)
        await haveTilesMade(tx, resource.file)
        return present(tx, resource)
      },
    },
    /** One tile of a file that is found by the link. */
    onTile: (
      onFile: Finder<'token' | 'file_id', On>,
    ): Finder<'token' | 'file_id' | (typeof TILE_PLACE)[number], On & { tile: TileOfFile }> => ({
      params: [...onFile.params, ...TILE_PLACE],
      async find(tx, { level, column, row, ...path }, lock) {
        const on = await onFile.find(tx, path, lock)
        assertShowsPixels(on)
        return { ...on, tile: await findTile(tx, on.file, { level, column, row }) }
      },
    }),
  }
}

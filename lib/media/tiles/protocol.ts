import type { TilesFacts } from '@/lib/domain/tiles/port'

/** `folder`: one that both processes may write to; the tiles are written to `into`, a path in it. */
export type ImageToTile = { path: string; folder: string; into: string; mediaType: string }

export type TilerJobs = {
  tile: { request: ImageToTile; result: TilesFacts; progress: never }
}

import type { Readable } from 'node:stream'

declare module '../kernel/ports' {
  interface SlowPorts {
    tiles: ImageTiler
  }
}

/** The work was given up because this process ends; another will do it. */
export class TilingStopped extends Error {
  override readonly name = 'TilingStopped'
}

/** Cuts images on the local disk into tiles. */
export interface ImageTiler {
  /**
   * Makes the tiles, one behind another in one file, and gives it to `use`; it is gone once that settles. `failed`: a
   * sentence for people why there are none. Never rejects but by what `use` throws, and with TilingStopped.
   */
  tile<R>(
    path: string,
    mediaType: string,
    use: (tiles: TilesFacts & { size: number; read(): Readable }) => Promise<R>,
  ): Promise<R | { failed: string }>
  /** A tile with the name of its viewer drawn into its pixels, PNG. */
  mark(tile: Buffer, name: string): Promise<Buffer>
}

export type TilesFacts = {
  /** Pixels, as seen. */
  width: number
  height: number
  hasAlpha: boolean
  /** Where each tile begins, in the order of `levelsOf`, and where the last one ends. */
  offsets: number[]
}

import { z } from 'zod'
import { PLAYBACK_STATUSES } from '@/lib/vocabulary'

export const ImageTiles = z
  .object({
    is_needed: z.boolean().describe('False: the image is shown as a whole'),
    status: z.enum(PLAYBACK_STATUSES).nullable().describe('Null: no tiles were asked for'),
    failure: z.string().nullable().describe('Why there are no tiles'),
    tiles: z
      .object({
        url: z.string().describe('What a tile is got below: /{level}/{column}/{row}, all from 0'),
        width: z.int().describe('Pixels, as seen'),
        height: z.int(),
        tile_size: z.int().describe('Pixels; the last column and row may have fewer'),
        levels: z
          .int()
          .describe('The last has every pixel, each before half the sides of the next, the first is one tile'),
        has_alpha: z.boolean(),
        size: z.int().describe('Bytes of all tiles'),
      })
      .nullable()
      .describe('How the tiles lie, once they are ready: PNG in sRGB'),
  })
  .meta({ id: 'ImageTiles' })
export type ImageTiles = z.infer<typeof ImageTiles>

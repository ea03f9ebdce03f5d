import { open, readFile, rm, unlink } from 'node:fs/promises'
import path from 'node:path'
import sharp, { type Sharp, type SharpOptions } from 'sharp'
import type { TilesFacts } from '@/lib/domain/tiles/port'
import { levelsOf, TILE_SIZE } from '@/lib/domain/tiles/rules'
import { decodeImage } from '../decode/image'
import type { ImageToTile } from './protocol'
import { writeWholeFrame } from './whole-frame'

/** libvips, as sharp brings it, has no loader for these; FFmpeg has. */
const NOT_FOR_SHARP: ReadonlySet<string> = new Set(['image/vnd.adobe.photoshop', 'image/heic'])

/** Those by which the sides change places or rows run upwards: libvips needs the whole image then, not row by row. */
const isTurned = (orientation: number | undefined) => (orientation ?? 1) > 2

/**
 * Cuts an image as people see it (upright, sRGB, 8 bits) into tiles of PNG, level by level, row by row, one behind another
 * in one file. libvips goes through the image once, by strips. Runs in the sandboxed child; rejects with the decoder's reason.
 */
export async function makeTiles({ path: source, folder, into, mediaType }: ImageToTile): Promise<TilesFacts> {
  sharp.cache(false)
  const { image, width, height, hasAlpha } = await open8Bit(source, mediaType, folder)
  const pyramid = path.join(folder, 'pyramid.dz')
  await image
    .png({ compressionLevel: 3, adaptiveFiltering: true })
    .tile({ size: TILE_SIZE, overlap: 0, depth: 'onetile', layout: 'dz' })
    .toFile(pyramid)
  const tiles = path.join(folder, 'pyramid_files')
  const offsets = await packTiles(tiles, levelsOf(width, height), into)
  await rm(tiles, { recursive: true, force: true })
  return { width, height, hasAlpha, offsets }
}

type Opened = { image: Sharp; width: number; height: number; hasAlpha: boolean }

async function open8Bit(source: string, mediaType: string, folder: string): Promise<Opened> {
  const file = NOT_FOR_SHARP.has(mediaType) ? await writeWholeFrame(source, mediaType, folder) : source
  const options: SharpOptions = { failOn: 'error', limitInputPixels: 500_000_000 }
  const facts = await sharp(file, options).metadata()
  if (facts.space === 'lab' || facts.space === 'labs') return openLab(source, mediaType, facts.width * facts.height)
  const image = sharp(file, { ...options, sequentialRead: !isTurned(facts.orientation) })
    .autoOrient()
    .toColourspace('srgb')
  return { image, ...facts.autoOrient, hasAlpha: facts.hasAlpha === true }
}

/** Lab is converted as a whole, which takes memory. */
async function openLab(source: string, mediaType: string, pixels: number): Promise<Opened> {
  const raster = await decodeImage(source, mediaType)
  const { width, height, channels } = raster
  if (width * height < pixels) throw new Error('an image in Lab is too large to be converted')
  return { image: sharp(raster.data, { raw: { width, height, channels } }), width, height, hasAlpha: channels === 4 }
}

/** One file of all tiles. Returns where each begins, and where the last ends. */
async function packTiles(folder: string, levels: ReturnType<typeof levelsOf>, into: string): Promise<number[]> {
  const offsets = [0]
  const output = await open(into, 'w')
  try {
    let end = 0
    for (const [number, { columns, rows }] of levels.entries())
      for (let row = 0; row < rows; row++)
        for (let column = 0; column < columns; column++) {
          const name = path.join(folder, String(number), `${column}_${row}.png`)
          const tile = await readFile(name)
          await output.write(tile)
          await unlink(name)
          end += tile.length
          offsets.push(end)
        }
  } finally {
    await output.close()
  }
  return offsets
}

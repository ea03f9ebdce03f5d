import { readFile } from 'node:fs/promises'
import sharp, { type Sharp, type SharpOptions } from 'sharp'
import { asRgb, fromLab } from '../formats/image/lab-tiff'
import type { Raster } from '../measure/pixels'

/** Above this an image is reduced while decoding: 60 megapixels of RGBA are 240 MB. */
const MOST_PIXELS = 60_000_000

async function decodeLab({ bytes, photometric }: NonNullable<ReturnType<typeof asRgb>>): Promise<Raster> {
  const options = { failOn: 'error', limitInputPixels: MOST_PIXELS } as const
  const { depth: stored } = await sharp(bytes, options).metadata()
  const depth = stored === 'ushort' ? 'ushort' : 'uchar'
  const { data, info } = await sharp(bytes, options)
    .toColourspace(depth === 'ushort' ? 'rgb16' : 'srgb')
    .raw({ depth })
    .toBuffer({ resolveWithObject: true })
  return fromLab({ data, width: info.width, height: info.height, channels: info.channels, depth }, photometric)
}

/** libvips, as sharp brings it, has no loader for these; FFmpeg has. */
const NOT_FOR_SHARP: ReadonlySet<string> = new Set(['image/vnd.adobe.photoshop', 'image/heic'])

/**
 * Opens an image for sharp. SVG is handed over as bytes: as a path its references would be resolved against the
 * file system. Warnings do not stop it: that the file is intact was settled at intake.
 */
async function open(path: string, mediaType: string): Promise<Sharp> {
  const options: SharpOptions = { failOn: 'error', limitInputPixels: 500_000_000, sequentialRead: true }
  return sharp(mediaType === 'image/svg+xml' ? await readFile(path) : path, options)
}

/**
 * Decodes the first frame of an image once, as people see it: orientation applied, sRGB, 8 bits.
 * Runs in the sandboxed child, where a crash harms nothing else; rejects with libvips' reason when it cannot decode.
 */
export async function decodeImage(path: string, mediaType: string): Promise<Raster> {
  if (NOT_FOR_SHARP.has(mediaType)) {
    // Loaded for those alone: the decoder of videos is most of what a process needs to start.
    const { frameAt, turnOf, upright } = await import('./video')
    const { decodeGrid, orientationOf, reducedGrid } = await import('./heif-grid')
    const grid = decodeGrid(path, mediaType)
    if (grid) return upright(await reducedGrid(grid))
    const { raster } = frameAt(path, mediaType, 0)
    return upright({ raster, ...turnOf(orientationOf(path, mediaType)) })
  }
  const lab = mediaType === 'image/tiff' ? asRgb(await readFile(path)) : null
  if (lab) return decodeLab(lab)
  const image = await open(path, mediaType)
  const { width, height } = (await image.metadata()).autoOrient
  const reduction = Math.min(1, Math.sqrt(MOST_PIXELS / (width * height)))
  const upright = image.autoOrient()
  if (reduction < 1) upright.resize({ width: Math.max(1, Math.floor(width * reduction)), kernel: 'linear' })
  const { data, info } = await upright
    .toColourspace('srgb')
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true })
  if (info.channels === 3 || info.channels === 4) {
    return { data, width: info.width, height: info.height, channels: info.channels, scale: info.width / width }
  }
  throw new Error(`The decoder gave ${info.channels} channels, RGB or RGBA was expected.`)
}

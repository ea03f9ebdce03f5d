import sharp, { type Metadata, type Sharp } from 'sharp'
import type { ImageFacts, ImageFormat } from '../../facts'
import type { Raster } from '../../measure/pixels'
import { bomb, corrupt, Shortage, truncated } from '../defect'
import { hasPositionInXmp, readExif } from './exif'
import { readProfile } from './icc'

/** Pixels of one image, and of all frames or pages together. */
export const MAX_PIXELS = 268_402_689
/**
 * Pixels of one image that is decoded line by line, never held as a whole, and has the bytes that a picture of this size has:
 * at least one for 100 pixels. A JPEG of a photograph at low quality has one for 20, a surface of one colour one for 300.
 */
const MAX_STREAMED_PIXELS = 500_000_000
const MOST_PIXELS_OF_A_BYTE = 100
export const MAX_TOTAL_PIXELS = 2_000_000_000
export const MAX_FRAMES = 10_000

sharp.cache(false)
// With more threads libvips does not always report the same damage; one thread always does.
sharp.concurrency(1)
// Only the loaders whose formats were sniffed by us may run: no ImageMagick, PDF, OpenSlide or vips files.
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({
  operation: ['Jpeg', 'Png', 'Webp', 'Nsgif', 'Tiff', 'Svg', 'Heif'].map((loader) => `VipsForeignLoad${loader}`),
})

export const RASTER_ENGINE = `sharp ${sharp.versions.sharp}, libvips ${sharp.versions.vips}`

/**
 * Refuses an image by its declared size, before a byte of it is unpacked.
 * @param streamed bytes of a file whose image is decoded line by line
 */
export function limitPixels(width: number, height: number, frames = 1, streamed = 0): void {
  if (width <= 0 || height <= 0) throw corrupt(`it declares ${width} × ${height} pixels`)
  const most = width * height <= streamed * MOST_PIXELS_OF_A_BYTE ? MAX_STREAMED_PIXELS : MAX_PIXELS
  if (width * height > most) {
    throw bomb(`${width} × ${height} pixels, where at most ${Math.floor(most / 1e6)} megapixels are taken`)
  }
  if (frames > MAX_FRAMES) throw bomb(`${frames} frames, where at most ${MAX_FRAMES} are taken`)
  if (width * height * frames > MAX_TOTAL_PIXELS) {
    throw bomb(
      `${frames} frames of ${width} × ${height} pixels, where at most ${MAX_TOTAL_PIXELS / 1e9} gigapixels are taken`,
    )
  }
}

export function openRaster(input: string | Buffer, page = 0): Sharp {
  return sharp(input, { failOn: 'warning', limitInputPixels: MAX_STREAMED_PIXELS, sequentialRead: true, page })
}

/** Reads the header of an image with libvips. Throws a Defect when it is not readable. */
export async function readMetadata(input: string | Buffer): Promise<Metadata> {
  try {
    return await openRaster(input).metadata()
  } catch (error) {
    throw rasterDefect(error)
  }
}

/** Is given the first image of a file as people see it, when it was decoded anyway. */
export type StoreImage = (image: Raster) => void

/** Above this an image is not kept whole: 60 megapixels of RGBA are 240 MB. */
const MOST_STORED_PIXELS = 60_000_000

/**
 * Decodes every pixel of one page: nothing but a whole decode finds flipped bits. Without a keeper the result is thrown
 * away; PNG without compression is the sink, since it takes lines as they come and needs no memory for the image.
 */
export async function decodePage(input: string | Buffer, page = 0, store?: StoreImage): Promise<void> {
  if (store && page === 0 && (await storeImage(input, store))) return
  try {
    await openRaster(input, page).png({ compressionLevel: 0, adaptiveFiltering: false }).toFile('/dev/null')
  } catch (error) {
    throw rasterDefect(error)
  }
}

/**
 * False when the image is too large to be kept, or could not be decoded as people see it. Whether it is intact is then
 * for the plain decode to say: a profile that cannot be converted is no damage.
 */
async function storeImage(input: string | Buffer, store: StoreImage): Promise<boolean> {
  try {
    const image = openRaster(input)
    const { width, height } = await image.metadata()
    if (width * height > MOST_STORED_PIXELS) return false
    const { data, info } = await image
      .autoOrient()
      .toColourspace('srgb')
      .raw({ depth: 'uchar' })
      .toBuffer({ resolveWithObject: true })
    if (info.channels !== 3 && info.channels !== 4) return false
    store({ data, width: info.width, height: info.height, channels: info.channels, scale: 1 })
    return true
  } catch {
    return false
  }
}

/**
 * Whether no pixel uses the alpha channel; null when there is none, or the image is too large for a second pass.
 * `frames`: of an animation all are inspected as they are shown, one over the other.
 */
export async function readOpacity(input: string | Buffer, metadata: Metadata, frames = 1): Promise<boolean | null> {
  if (!metadata.hasAlpha) return null
  const height = metadata.pageHeight ?? metadata.height
  if (metadata.width * height * frames > 40_000_000) return null
  const isDeep = metadata.depth === 'ushort'
  const data = await sharp(input, {
    failOn: 'warning',
    limitInputPixels: MAX_PIXELS,
    sequentialRead: true,
    pages: frames > 1 ? -1 : 1,
  })
    .extractChannel('alpha')
    .raw({ depth: isDeep ? 'ushort' : 'uchar' })
    .toBuffer()
  const samples = isDeep ? new Uint16Array(data.buffer, data.byteOffset, data.length / 2) : data
  return samples.every((alpha) => alpha === (isDeep ? 65_535 : 255))
}

/** The facts libvips can state for any image; a format's own reader fills in and corrects the rest. */
export function imageFacts(format: ImageFormat, metadata: Metadata): ImageFacts {
  const profile = readProfile(metadata.icc)
  const exif = readExif(metadata.exif)
  return {
    kind: 'image',
    format,
    width: metadata.width,
    height: metadata.pageHeight ?? metadata.height,
    colourSpace: metadata.isPalette ? 'indexed' : colourSpaceOf(metadata, profile.name),
    hasProfile: metadata.icc !== undefined,
    profileName: profile.name,
    profileColourSpace: profile.colourSpace,
    profileGamut: profile.gamut,
    bitDepth: metadata.bitsPerSample ?? depthOf(metadata.depth),
    channels: metadata.channels,
    hasAlpha: metadata.hasAlpha,
    isOpaque: null,
    // libvips gives whole numbers.
    densityDpi: metadata.density ?? null,
    ...exif.density,
    orientation: metadata.orientation ?? exif.orientation,
    frames: 1,
    pages: 1,
    loopCount: null,
    frameDelaysMs: [],
    durationSeconds: null,
    hasGps: exif.hasGps || hasPositionInXmp(metadata.xmp),
    hasExif: metadata.exif !== undefined,
    hasXmp: metadata.xmp !== undefined,
    progressive: metadata.isProgressive ?? false,
    jpegQuality: null,
    chromaSubsampling: metadata.chromaSubsampling ?? null,
    layers: null,
    compression: metadata.compression ?? null,
  }
}

function colourSpaceOf(metadata: Metadata, profileName: string | null): string | null {
  switch (metadata.space) {
    case 'srgb':
    case 'rgb16':
    case 'rgb':
      return profileName === null || /sRGB|IEC ?61966/i.test(profileName) ? 'srgb' : 'rgb'
    case 'b-w':
    case 'grey16':
      return 'grey'
    case 'cmyk':
      return 'cmyk'
    case 'lab':
    case 'labs':
      return 'lab'
    default:
      return metadata.space ?? null
  }
}

function depthOf(depth: string | undefined): number | null {
  const bits: Record<string, number> = {
    uchar: 8,
    char: 8,
    ushort: 16,
    short: 16,
    uint: 32,
    int: 32,
    float: 32,
    double: 64,
  }
  return bits[depth ?? ''] ?? null
}

/** Turns libvips' words into a verdict. */
export function rasterDefect(error: unknown): Error {
  const message = error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error)
  if (/out of memory|unable to (create|start) thread|too many open files|no space left/i.test(message))
    return new Shortage(message)
  if (/pixel limit/i.test(message)) return bomb(`more than ${Math.floor(MAX_PIXELS / 1e6)} megapixels`)
  if (/premature end|unexpected end|end of (file|stream)|truncated|not enough data/i.test(message))
    return truncated(message)
  return corrupt(message)
}

import sharp, { type Sharp } from 'sharp'

/** Longest sides, pixels. */
export const THUMBNAIL_SIZE = 320
export const PREVIEW_SIZE = 1600

/** WebP. The preview is never larger than the original. */
export type Previews = { thumbnail: Buffer; preview: Buffer }

/** Half the time of libvips' usual 4, for files that are 1 to 5 % larger and look the same (0.2 dB). */
export const EFFORT = 2

/** Both sizes, the smaller from the larger: the full image is gone through once. */
export async function shrink(image: Sharp): Promise<Previews> {
  const within = (size: number) => ({ width: size, height: size, fit: 'inside', withoutEnlargement: true }) as const
  const large = await image.resize(within(PREVIEW_SIZE)).raw().toBuffer({ resolveWithObject: true })
  const reduced = () => sharp(large.data, { raw: large.info })
  return {
    preview: await reduced().webp({ quality: 82, effort: EFFORT }).toBuffer(),
    thumbnail: await reduced().resize(within(THUMBNAIL_SIZE)).webp({ quality: 78, effort: EFFORT }).toBuffer(),
  }
}

import sharp, { type Sharp } from 'sharp'

/** Longest sides, pixels. */
export const THUMBNAIL_SIZE = 320
export const PREVIEW_SIZE = 1600

/** WebP. The preview is never larger than the original. */
export type Previews = { thumbnail: Buffer; preview: Buffer }

/** Both sizes, the smaller from the larger: the full image is gone through once. */
export async function shrink(image: Sharp): Promise<Previews> {
  const within = (size: number) => ({ width: size, height: size, fit: 'inside', withoutEnlargement: true }) as const
  const large = await image.resize(within(PREVIEW_SIZE)).raw().toBuffer({ resolveWithObject: true })
  const reduced = () => sharp(large.data, { raw: large.info })
  return {
    preview: await reduced().webp({ quality: 82 }).toBuffer(),
    thumbnail: await reduced().resize(within(THUMBNAIL_SIZE)).webp({ quality: 78 }).toBuffer(),
  }
}

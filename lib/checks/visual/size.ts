import type { ImageFacts, VideoFacts } from '@/lib/media/facts'

/** Pixels as seen: EXIF orientation, rotation and sample aspect ratio applied. */
export function sizeAsSeen(media: ImageFacts | VideoFacts): { width: number; height: number } {
  if (media.kind === 'video') return { width: media.displayWidth, height: media.displayHeight }
  // EXIF 2.32, tag 0x0112: orientations 5 to 8 lie on their side.
  return media.orientation >= 5
    ? { width: media.height, height: media.width }
    : { width: media.width, height: media.height }
}

/** `300x250` as numbers; the schema of a threshold made sure of the form. */
export function parseSize(size: string): { width: number; height: number } {
  const [width = 0, height = 0] = size.split('x').map(Number)
  return { width, height }
}

/** Of some sizes the one that differs least, side by side. */
export function nearestSize(
  sizes: readonly { width: number; height: number }[],
  seen: { width: number; height: number },
): { width: number; height: number } | undefined {
  const distance = (size: { width: number; height: number }) =>
    Math.abs(Math.log(size.width / seen.width)) + Math.abs(Math.log(size.height / seen.height))
  return [...sizes].sort((a, b) => distance(a) - distance(b))[0]
}

import type { File } from '@/lib/domain/files/schema'

/** Pixels as they are seen: an image or video that is stored turned has its sides exchanged. */
export function seenSize({ media }: Pick<File, 'media'>): { width: number; height: number } {
  const width = Number(media.display_width ?? media.width) || 16
  const height = Number(media.display_height ?? media.height) || 9
  const isTurned =
    Number(media.orientation ?? 1) >= 5 ||
    (media.display_width === undefined && Number(media.rotation ?? 0) % 180 !== 0)
  return isTurned ? { width: height, height: width } : { width, height }
}

import { sizeAsSeen } from '@/lib/checks/visual/size'
import type { ImageFacts, VideoFacts } from '@/lib/media/facts'

export const numberOf = (value: unknown): number | null => (typeof value === 'number' ? value : null)

/**
 * The sides of what a file shows as it is seen, in pixels; null where it has none.
 *
 * @param media the measured facts of a file
 */
export function seenSize(media: Record<string, unknown>): { width: number | null; height: number | null } {
  const isSeen = media.kind === 'image' || media.kind === 'video'
  const { width, height } = isSeen ? sizeAsSeen(media as ImageFacts | VideoFacts) : media
  return { width: numberOf(width), height: numberOf(height) }
}

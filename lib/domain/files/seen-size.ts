export const numberOf = (value: unknown): number | null => (typeof value === 'number' ? value : null)

/**
 * The sides of an image or video as it is seen, in pixels: of one that is stored turned by a quarter (Exif 2.32, 4.6.4, Orientation
 * 5 to 8) they are exchanged. Null where it has none.
 *
 * @param media the measured facts of a file
 */
export function seenSize(media: Record<string, unknown>): { width: number | null; height: number | null } {
  const width = numberOf(media.displayWidth) ?? numberOf(media.width)
  const height = numberOf(media.displayHeight) ?? numberOf(media.height)
  return (numberOf(media.orientation) ?? 1) >= 5 ? { width: height, height: width } : { width, height }
}

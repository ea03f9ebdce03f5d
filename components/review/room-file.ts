import { seenSize } from '@/components/files/seen-size'
import { timecode as minutes } from '@/components/pre-qc/occurrences'
import { ownPath } from '@/lib/client/own-path'
import type { File } from '@/lib/domain/files/schema'
import { timecodeAt } from '@/lib/timecode'

/** A file without the parts of its facts that are long and not viewed here. */
export function slimFile(file: File): File {
  const { documents: _texts, entries: _entries, fonts: _fonts, images: _images, ...media } = file.media
  return { ...file, media }
}

/** What a browser draws itself. CMYK JPEGs are among them, as the browser understands them. */
const DRAWN_BY_BROWSERS = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/svg+xml', 'image/avif'])
const SMALL_BYTES = 4_000_000
const PREVIEW_SIDE = 1600

/** The file itself, where a browser can draw it. */
export function originalOf(file: File): string | null {
  const isDrawn = file.media.kind === 'image' && DRAWN_BY_BROWSERS.has(file.media_type)
  return isDrawn && !file.removed ? ownPath(file.download_url) : null
}

/** Whether what is viewed of such a file was removed by a retention rule: an image may be left of a removed file. */
export function isGone(file: File): boolean {
  if (!file.removed && !file.previews_removed) return false
  const isPlayed = file.media.kind === 'video' || file.media.kind === 'audio' || file.media.kind === 'archive'
  return isPlayed ? file.removed !== null : imageOf(file) === null
}

/** Whether browsers draw its pages themselves: then all can be shown, whether they have an image or not. */
export const drawsPages = (file: File) => file.media.format === 'pdf' && !file.removed

/** How many of its pages can be shown: 1 of what has none. */
export function pagesOf(file: File): number {
  const pages = drawsPages(file) ? Number(file.media.pages) || 1 : file.preview_pages
  return Math.max(1, pages)
}

/** What is shown first: the file itself when it is small, else the image that was made of it. */
export function imageOf(file: File, page = 1): string | null {
  const original = originalOf(file)
  const { width, height } = seenSize(file)
  const isAnimated = file.media_type === 'image/gif' || file.media.animated === true
  const isSmall = file.size <= SMALL_BYTES && (Math.max(width, height) <= PREVIEW_SIDE || isAnimated)
  if (original && (isSmall || !file.preview_url)) return original
  if (!file.preview_url || page > Math.max(1, file.preview_pages)) return null
  const preview = ownPath(file.preview_url)
  return page > 1 ? `${preview}?page=${page}` : preview
}

/** Frames a second of a video, as measured. */
export const rateOf = ({ media }: Pick<File, 'media'>) =>
  Number((media.frame_rate as { average?: number } | undefined)?.average) || 25

/** The timecode of its first frame, as the file states it; null: it carries none. */
export const startOf = ({ media }: Pick<File, 'media'>) => (typeof media.timecode === 'string' ? media.timecode : null)

/** How its times are written: as the timecode of a video, else as minutes and seconds. */
export const clockOf = (file: File | null) =>
  file?.media.kind === 'video' ? (seconds: number) => timecodeAt(seconds, rateOf(file), startOf(file)) : minutes

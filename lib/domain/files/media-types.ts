/** The file types whose integrity the service can validate. Pure: the browser asks the same table. */

type MediaTypeKind = 'image' | 'video' | 'audio' | 'document' | 'archive' | 'other'

export type MediaType = {
  mediaType: string
  /** As a person says it. */
  label: string
  kind: MediaTypeKind
  /** Lower case, without the dot; the usual one first. */
  extensions: readonly string[]
}

/** IANA media types where registered; HTML's and the trade's usual ones elsewhere. */
export const MEDIA_TYPES = [
  { mediaType: 'image/png', label: 'PNG image', kind: 'image', extensions: ['png', 'apng'] },
  { mediaType: 'image/jpeg', label: 'JPEG image', kind: 'image', extensions: ['jpg', 'jpeg', 'jpe', 'jfif'] },
  { mediaType: 'image/gif', label: 'GIF image', kind: 'image', extensions: ['gif'] },
  { mediaType: 'image/webp', label: 'WebP image', kind: 'image', extensions: ['webp'] },
  { mediaType: 'image/tiff', label: 'TIFF image', kind: 'image', extensions: ['tif', 'tiff'] },
  { mediaType: 'image/vnd.adobe.photoshop', label: 'Photoshop document', kind: 'image', extensions: ['psd', 'psb'] },
  { mediaType: 'image/svg+xml', label: 'SVG drawing', kind: 'image', extensions: ['svg'] },
  { mediaType: 'image/avif', label: 'AVIF image', kind: 'image', extensions: ['avif', 'avifs'] },
  { mediaType: 'image/heic', label: 'HEIC image', kind: 'image', extensions: ['heic', 'heif', 'hif'] },
  { mediaType: 'application/postscript', label: 'EPS drawing', kind: 'image', extensions: ['eps'] },
  { mediaType: 'application/pdf', label: 'PDF document', kind: 'document', extensions: ['pdf'] },
  { mediaType: 'video/mp4', label: 'MP4 video', kind: 'video', extensions: ['mp4', 'm4v'] },
  { mediaType: 'video/quicktime', label: 'QuickTime movie', kind: 'video', extensions: ['mov', 'qt'] },
  { mediaType: 'video/webm', label: 'WebM video', kind: 'video', extensions: ['webm'] },
  { mediaType: 'video/x-matroska', label: 'Matroska video', kind: 'video', extensions: ['mkv'] },
  { mediaType: 'application/mxf', label: 'MXF video', kind: 'video', extensions: ['mxf'] },
  { mediaType: 'video/ogg', label: 'Ogg video', kind: 'video', extensions: ['ogv'] },
  { mediaType: 'audio/wav', label: 'WAV audio', kind: 'audio', extensions: ['wav', 'wave'] },
  { mediaType: 'audio/mpeg', label: 'MP3 audio', kind: 'audio', extensions: ['mp3'] },
  { mediaType: 'audio/flac', label: 'FLAC audio', kind: 'audio', extensions: ['flac'] },
  { mediaType: 'audio/aiff', label: 'AIFF audio', kind: 'audio', extensions: ['aif', 'aiff', 'aifc'] },
  { mediaType: 'audio/aac', label: 'AAC audio', kind: 'audio', extensions: ['aac'] },
  { mediaType: 'audio/mp4', label: 'MPEG-4 audio', kind: 'audio', extensions: ['m4a', 'm4b'] },
  { mediaType: 'audio/ogg', label: 'Ogg audio', kind: 'audio', extensions: ['ogg', 'oga', 'opus', 'spx'] },
  { mediaType: 'application/zip', label: 'ZIP archive', kind: 'archive', extensions: ['zip'] },
  { mediaType: 'font/ttf', label: 'TrueType font', kind: 'other', extensions: ['ttf'] },
  { mediaType: 'font/otf', label: 'OpenType font', kind: 'other', extensions: ['otf'] },
  { mediaType: 'font/woff', label: 'WOFF font', kind: 'other', extensions: ['woff'] },
  { mediaType: 'font/woff2', label: 'WOFF2 font', kind: 'other', extensions: ['woff2'] },
  { mediaType: 'font/collection', label: 'Font collection', kind: 'other', extensions: ['ttc', 'otc'] },
  { mediaType: 'application/x-subrip', label: 'SubRip captions', kind: 'other', extensions: ['srt'] },
  { mediaType: 'text/vtt', label: 'WebVTT captions', kind: 'other', extensions: ['vtt'] },
  { mediaType: 'application/ttml+xml', label: 'TTML captions', kind: 'other', extensions: ['ttml', 'dfxp', 'itt'] },
  { mediaType: 'application/vast+xml', label: 'VAST ad tag', kind: 'other', extensions: ['xml', 'vast'] },
  { mediaType: 'application/x-ebu-stl', label: 'EBU STL subtitles', kind: 'other', extensions: ['stl'] },
] as const satisfies readonly MediaType[]

export type KnownMediaType = (typeof MEDIA_TYPES)[number]['mediaType']

/**
 * Types that one extension may hold besides its own: a `.mov` may be brand-marked as MP4 and the reverse, a
 * TrueType-flavoured font may be called `.otf`, a Matroska file that keeps to WebM's limits is still a `.mkv`.
 */
const ALSO_ACCEPTED: Readonly<Record<string, readonly KnownMediaType[]>> = {
  mp4: ['video/quicktime', 'audio/mp4'],
  m4v: ['video/quicktime'],
  mov: ['video/mp4'],
  qt: ['video/mp4'],
  m4a: ['video/mp4', 'video/quicktime'],
  m4b: ['video/mp4'],
  ogg: ['video/ogg'],
  ogv: ['audio/ogg'],
  mkv: ['video/webm'],
  otf: ['font/ttf'],
  ttf: ['font/otf'],
  heic: ['image/avif'],
  heif: ['image/avif'],
  hif: ['image/avif'],
}

const byExtension = new Map<string, MediaType>(
  MEDIA_TYPES.flatMap((type) => type.extensions.map((extension) => [extension as string, type as MediaType])),
)
const byMediaType = new Map<string, MediaType>(MEDIA_TYPES.map((type) => [type.mediaType, type]))

/** The extension of a file name, lower case and without the dot; `''` when there is none. */
export function extensionOf(fileName: string): string {
  const dot = fileName.lastIndexOf('.')
  return dot < 0 ? '' : fileName.slice(dot + 1).toLowerCase()
}

/** The type an extension promises; undefined when the service does not know the extension. */
export function findTypeByExtension(extension: string): MediaType | undefined {
  return byExtension.get(extension.toLowerCase())
}

/** The description of a media type such as `image/png`; undefined when the service does not know it. */
export function findMediaType(mediaType: string): MediaType | undefined {
  return byMediaType.get(mediaType)
}

/** May a file of this type carry this extension? */
export function isExtensionFor(extension: string, mediaType: string): boolean {
  const wanted = extension.toLowerCase()
  if (byExtension.get(wanted)?.mediaType === mediaType) return true
  return (ALSO_ACCEPTED[wanted] ?? []).some((held) => held === mediaType)
}

/** `PNG image (.png, .apng)`: the label and extensions of a type, for messages. */
export function describeMediaType(mediaType: string): string {
  const type = byMediaType.get(mediaType)
  return type ? `${type.label} (${type.extensions.map((extension) => `.${extension}`).join(', ')})` : mediaType
}

/** Extensions a name may carry where these media types are taken; empty: all. */
export function allowedExtensions(mediaTypes: readonly string[]): string[] {
  return MEDIA_TYPES.filter((type) => mediaTypes.length === 0 || mediaTypes.includes(type.mediaType)).flatMap(
    (type) => [...type.extensions],
  )
}

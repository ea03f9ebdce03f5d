import { describeMediaType, findMediaType, findTypeByExtension, isExtensionFor } from '@/lib/domain/files/media-types'
import type { MediaFacts } from '../facts'
import type { Inspection, InspectionViolation } from '../inspection'
import { ByteSource } from './byte-source'
import { Defect, isShortage } from './defect'
import type { Examination, Examiner } from './format'
import { type Sniffed, sniff } from './sniff'

/** Readers are loaded when their format arrives: no file pays for the decoders of another. */
const EXAMINERS: Readonly<Record<string, () => Promise<Examiner>>> = {
  'image/png': async () => (await import('./image/png')).examinePng,
  'image/jpeg': async () => (await import('./image/jpeg')).examineJpeg,
  'image/gif': async () => (await import('./image/gif')).examineGif,
  'image/webp': async () => (await import('./image/webp')).examineWebp,
  'image/tiff': async () => (await import('./image/tiff')).examineTiff,
  'image/vnd.adobe.photoshop': async () => (await import('./image/psd')).examinePsd,
  'image/svg+xml': async () => (await import('./image/svg')).examineSvg,
  'image/avif': async () => (await import('./image/heif')).examineHeif,
  'image/heic': async () => (await import('./image/heif')).examineHeif,
  'application/postscript': async () => (await import('./image/eps')).examineEps,
  'application/pdf': async () => (await import('./document/pdf')).examinePdf,
  'video/mp4': async () => (await import('./video/iso-media')).examineIsoMedia,
  'video/quicktime': async () => (await import('./video/iso-media')).examineIsoMedia,
  'audio/mp4': async () => (await import('./video/iso-media')).examineIsoMedia,
  'video/webm': async () => (await import('./video/matroska')).examineMatroska,
  'video/x-matroska': async () => (await import('./video/matroska')).examineMatroska,
  'application/mxf': async () => (await import('./video/mxf')).examineMxf,
  'audio/wav': async () => (await import('./audio/wav')).examineWav,
  'audio/aiff': async () => (await import('./audio/aiff')).examineAiff,
  'audio/mpeg': async () => (await import('./audio/mp3')).examineMp3,
  'audio/flac': async () => (await import('./audio/flac')).examineFlac,
  'audio/ogg': async () => (await import('./audio/ogg')).examineOgg,
  'video/ogg': async () => (await import('./audio/ogg')).examineOgg,
  'audio/aac': async () => (await import('./audio/adts')).examineAdts,
  'application/zip': async () => (await import('./archive/zip')).examineZip,
  'font/ttf': async () => (await import('./font/font')).examineFont,
  'font/otf': async () => (await import('./font/font')).examineFont,
  'font/woff': async () => (await import('./font/font')).examineFont,
  'font/woff2': async () => (await import('./font/font')).examineFont,
  'font/collection': async () => (await import('./font/font')).examineFont,
  'application/x-subrip': async () => (await import('./captions/srt')).examineSrt,
  'text/vtt': async () => (await import('./captions/webvtt')).examineWebVtt,
  'application/ttml+xml': async () => (await import('./captions/ttml')).examineTtml,
  'application/vast+xml': async () => (await import('./vast/vast')).examineVast,
  'application/x-ebu-stl': async () => (await import('./captions/ebu-stl')).examineEbuStl,
}

/**
 * Reads one file to its end: what it is, what can be measured of it, and every reason to refuse it.
 *
 * A name that does not fit the content is one reason, damage another: both are reported at once. Rejects only with what is
 * no fault of the file: a decoder that is not installed, too little memory, a disk that cannot be read.
 */
export async function examine(path: string, examination: Examination): Promise<Inspection> {
  const source = new ByteSource(path)
  try {
    if (source.size === 0) {
      const message = 'The file is empty (0 bytes). Export it again and send the new copy.'
      return refused('application/octet-stream', [{ rule: 'integrity', code: 'empty', message }])
    }
    const sniffed = sniff(source)
    examination.onSniffed?.(sniffed.mediaType)
    const mismatch = validateExtension(examination.extension, sniffed)
    const load = sniffed.mediaType === undefined ? undefined : EXAMINERS[sniffed.mediaType]
    if (sniffed.mediaType === undefined || load === undefined) return refused('application/octet-stream', mismatch)
    // Loading stays outside: a decoder that is not installed is no fault of the file.
    const examiner = await load()
    try {
      const examined = await examiner(source, examination)
      const mediaType = examined.mediaType ?? sniffed.mediaType
      const violations =
        examined.mediaType === undefined
          ? mismatch
          : validateExtension(examination.extension, { ...sniffed, mediaType })
      return {
        mediaType,
        kind: examined.media.kind,
        media: await withProvenance(examined.media, source, mediaType),
        violations: [...violations, ...(examined.violations ?? [])],
        complete: examined.complete ?? true,
        engine: examined.engine,
      }
    } catch (error) {
      if (isShortage(error)) throw error
      return refused(sniffed.mediaType, [...mismatch, toDefect(error).toViolation()])
    }
  } finally {
    source.close()
  }
}

/** Of images, video and audio; a PDF is read by its own objects. */
async function withProvenance(media: MediaFacts, source: ByteSource, mediaType: string): Promise<MediaFacts> {
  if (media.kind !== 'image' && media.kind !== 'video' && media.kind !== 'audio') return media
  const { readProvenance } = await import('./provenance/provenance')
  const provenance = readProvenance(source, mediaType)
  return provenance ? { ...media, provenance } : media
}

function toDefect(error: unknown): Defect {
  if (error instanceof Defect) return error
  // A reader that stumbles over the bytes has met something no intact file holds: it fails closed.
  const reason = error instanceof Error ? error.message : String(error)
  return new Defect(
    'corrupt',
    `The file is damaged and cannot be read to its end (${reason.slice(0, 200)}). Export it again and send the new copy.`,
  )
}

function refused(mediaType: string, violations: InspectionViolation[]): Inspection {
  return {
    mediaType,
    kind: findMediaType(mediaType)?.kind ?? 'other',
    media: null,
    violations,
    complete: true,
    engine: '',
  }
}

function validateExtension(extension: string, sniffed: Sniffed): InspectionViolation[] {
  const wanted = findTypeByExtension(extension)
  if (sniffed.mediaType !== undefined && isExtensionFor(extension, sniffed.mediaType)) return []
  const rule = 'integrity'
  const code = 'type_mismatch'
  if (wanted === undefined && sniffed.mediaType !== undefined) {
    const expected = describeMediaType(sniffed.mediaType)
    const message = `The extension “.${extension}” is not one of a file with this content, which is ${sniffed.name}. Name it as ${expected}.`
    return [{ rule, code, message, expected }]
  }
  if (wanted === undefined) {
    const message = `Files with the extension “.${extension}” are not accepted, and the content is ${sniffed.name}.`
    return [{ rule: 'media_type', code: 'unsupported_type', message }]
  }
  const expected = describeMediaType(wanted.mediaType)
  const message = `The name says ${wanted.label} (.${extension}) but the content is ${sniffed.name}. Send the file under the extension of its real type, or export it as ${wanted.label}.`
  return [{ rule, code, message, expected }]
}

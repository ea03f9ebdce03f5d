import sharp, { type Sharp } from 'sharp'
import { decodeImage } from '../decode/image'
import { drawPage } from '../decode/pdf-page'
import { posterFrame } from '../decode/video'
import type { MediaKind } from '../facts'
import type { Raster } from '../measure/pixels'
import { PREVIEW_SIZE, type Previews, shrink, THUMBNAIL_SIZE } from './shrink'
import { drawText } from './text-page'
import { drawPeaks, measurePeaks } from './waveform'

/**
 * Draws what a file looks like: the image itself, a representative frame of a video, a page of a document (from 1), the waveform
 * of an audio file, the first lines of a VAST tag. Null for what shows nothing (archives, fonts, captions, EPS). Runs in the sandboxed child, where a crash harms nothing else;
 * rejects with the decoder's reason.
 */
export async function makePreviews(
  path: string,
  kind: MediaKind,
  mediaType: string,
  page = 1,
): Promise<Previews | null> {
  switch (kind) {
    case 'image':
      return mediaType === 'application/postscript' ? null : previewsOf(await decodeImage(path, mediaType))
    case 'video': {
      const { raster, rotation } = posterFrame(path, mediaType)
      return shrink(open(raster).rotate(rotation))
    }
    case 'document':
      return previewsOf(await drawPage(path, page))
    case 'audio': {
      const peaks = measurePeaks(path, mediaType, 160)
      const draw = (bars: readonly number[], width: number, height: number) =>
        sharp(Buffer.from(drawPeaks(bars, width, height)))
          .webp({ lossless: true })
          .toBuffer()
      return {
        preview: await draw(peaks, PREVIEW_SIZE, 400),
        thumbnail: await draw(everyOther(peaks), THUMBNAIL_SIZE, 180),
      }
    }
    case 'other':
      return mediaType === 'application/vast+xml' ? drawText(path) : null
    case 'archive':
      return null
  }
}

/** Of what is decoded already. */
export const previewsOf = (raster: Raster): Promise<Previews> => shrink(open(raster))

function open(raster: Raster): Sharp {
  return sharp(raster.data, { raw: { width: raster.width, height: raster.height, channels: raster.channels } })
}

/** Half as many peaks, the higher of each two: bars that are still bars in a thumbnail. */
function everyOther(peaks: readonly number[]): number[] {
  return peaks.flatMap((peak, index) => (index % 2 === 0 ? [Math.max(peak, peaks[index + 1] ?? 0)] : []))
}

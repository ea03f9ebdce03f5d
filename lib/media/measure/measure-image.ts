import type { Measures } from '@/lib/media/measurements'
import { decodeImage } from '../decode/image'
import type { MediaKind } from '../facts'
import type { Failure } from '../measurements'
import { findCodes } from './codes'
import { measurePixels, type Raster } from './pixels'

export type InspectedImage = { [M in 'pixels' | 'codes' | 'placed']?: Measures[M] | Failure }

/**
 * One pass over a file for all checks together: an image is decoded once, of a document the first page is drawn, of a video
 * one representative frame is taken. Each measure fails by itself. Runs in the sandboxed child, where a crash harms nothing else.
 */
export async function inspectPixels(path: string, kind: MediaKind, mediaType: string): Promise<InspectedImage> {
  const attempt = <T>(what: string, measure: () => Promise<T> | T) => attemptOn(path, what, measure)
  if (kind === 'video') {
    return { pixels: await attempt('a frame', async () => measurePixels(await poster(path, mediaType))) }
  }
  if (kind !== 'image' && kind !== 'document') return {}
  const drawn = await attempt(kind === 'image' ? 'the image' : 'the first page', () =>
    kind === 'image' ? decodeImage(path, mediaType) : firstPage(path),
  )
  const placed = kind === 'document' && { placed: await attempt('what is on the pages', () => placedOn(path)) }
  if ('failed' in drawn) return { pixels: drawn, codes: drawn, ...placed }
  return { ...(await inspectRaster(drawn, path)), ...placed }
}

/** Decoders are loaded when their kind of file arrives: no photo pays for those of videos and documents. */
const poster = async (path: string, mediaType: string) =>
  (await import('../decode/video')).posterFrame(path, mediaType).raster
const firstPage = async (path: string) => (await import('../decode/pdf-page')).drawPage(path, 1)
const placedOn = async (path: string) => ({
  ...(await (await import('./placed-images')).measurePlaced(path)),
  edges: await attemptOn(path, 'the edges of the pages', async () => (await import('./page-edges')).measureEdges(path)),
})

/** The same for an image that is decoded already. */
export async function inspectRaster(drawn: Raster, path: string): Promise<InspectedImage> {
  return {
    pixels: await attemptOn(path, 'the pixels', () => measurePixels(drawn)),
    codes: await attemptOn(path, 'the codes', () => findCodes(drawn)),
  }
}

async function attemptOn<T>(path: string, what: string, measure: () => Promise<T> | T): Promise<T | Failure> {
  try {
    return await measure()
  } catch (error) {
    return { failed: `${what} could not be decoded (${reasonOf(error, path)})` }
  }
}

/** The decoder's first line, without the place the file lies at, which is not reported. */
function reasonOf(error: unknown, path: string): string {
  const message = error instanceof Error ? error.message : String(error)
  return (message.split('\n')[0] ?? '').replaceAll(path, 'the file').trim().slice(0, 200)
}

import { buffer } from 'node:stream/consumers'
import yauzl from 'yauzl'

/** Larger parts of an ad are not shown: no ad server would load them either. */
const MAX_PART_BYTES = 50 * 1024 * 1024

/** What a part of an ad is served as; anything else is bytes that do nothing. */
const TYPES: Record<string, string> = {
  html: 'text/html; charset=utf-8',
  htm: 'text/html; charset=utf-8',
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  mjs: 'text/javascript; charset=utf-8',
  json: 'application/json',
  svg: 'image/svg+xml',
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  avif: 'image/avif',
  mp4: 'video/mp4',
  webm: 'video/webm',
  mp3: 'audio/mpeg',
  wav: 'audio/wav',
  ogg: 'audio/ogg',
  woff: 'font/woff',
  woff2: 'font/woff2',
  ttf: 'font/ttf',
  otf: 'font/otf',
}

/** The media type of a file in an ad, by its name. */
export function partType(name: string): string {
  return TYPES[name.split('.').at(-1)?.toLowerCase() ?? ''] ?? 'application/octet-stream'
}

/** The bytes of one file in a ZIP archive, or null where it has none of that name or the file is too large to be shown. */
export async function readArchivePart(archive: string, name: string): Promise<Buffer | null> {
  const zip = await yauzl.openPromise(archive)
  for await (const entry of zip.eachEntry()) {
    if (entry.fileName !== name) continue
    if (entry.uncompressedSize > MAX_PART_BYTES) return null
    return await buffer(await zip.openReadStreamPromise(entry))
  }
  return null
}

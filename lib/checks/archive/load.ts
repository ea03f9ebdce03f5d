import type { BannerFacts, BannerRequest } from '@/lib/media/measurements'
import type { Subject } from '../check'
import { measuredConfidence } from '../confidence'
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

/** Of what packing makes smaller: how much better or worse a server may pack it than the archive (one standard deviation). */
const OTHER_PACKING = 0.1
/** Larger than this share of its size: images and video, which no packing makes smaller. */
const HARDLY_PACKED = 0.95

/**
 * What was loaded in some phases, each file once, as a compressing server sends it; the heaviest first. `uncertainty`: one
 * standard deviation of the sum, bytes.
 */
export function loadOf({ requests }: BannerFacts, phases: readonly BannerRequest['phase'][]) {
  const files = new Map<string, number>()
  let uncertainty = 0
  for (const { target, phase, status, bytes, packedBytes } of requests) {
    if (status !== 'served' || files.has(target)) continue
    const isCounted = phases.includes(phase)
    files.set(target, isCounted ? packedBytes : 0)
    if (isCounted && packedBytes < HARDLY_PACKED * bytes) uncertainty += OTHER_PACKING * packedBytes
  }
  const loaded = [...files].filter(([, bytes]) => bytes > 0).sort((a, b) => b[1] - a[1])
  return { bytes: loaded.reduce((sum, [, bytes]) => sum + bytes, 0), loaded, uncertainty }
}

/** How likely a load is on the same side of a limit; what other servers serve is not in it. */
export function sureOfLoad(
  { bytes, uncertainty }: { bytes: number; uncertainty: number },
  limit: number,
  isElsewhere: boolean,
): number {
  return Math.min(isElsewhere ? 0.7 : 1, measuredConfidence(bytes, limit, uncertainty))
}

/** `“hero.jpg” (120 kB)`, the heaviest few. */
export const heaviest = (loaded: [string, number][]): string[] =>
  loaded.slice(0, 3).map(([path, bytes]) => `“${path}” (${fileSize(bytes)})`)

/** The limit for an ad, by the first of the sizes its name says, it states and it draws that has one. */
export function limitFor(
  bySize: Readonly<Record<string, number>>,
  otherwise: number | null,
  { frame, stage }: BannerFacts,
  { width, height }: Subject['claims'],
): { size: string; limit: number | null } {
  const sizes = [width && height ? { width, height } : frame, frame, ...(stage ? [stage] : [])].map(
    (each) => `${Math.round(each.width)}x${Math.round(each.height)}`,
  )
  const listed = sizes.find((size) => bySize[size] !== undefined)
  const size = (listed ?? sizes[0] ?? '').replace('x', ' × ')
  return { size: `${size} px`, limit: (listed === undefined ? undefined : bySize[listed]) ?? otherwise }
}

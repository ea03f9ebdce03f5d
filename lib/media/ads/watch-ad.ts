import { availableParallelism } from 'node:os'
import { ProcessPool } from '@/lib/sandbox/pool'
import { SANDBOXED_PROGRAMS } from '@/lib/sandbox/programs'
import { withScratchFolder } from '@/lib/sandbox/scratch'
import type { BannerFacts, Failure } from '../measurements'
import type { Previews } from '../previews/shrink'
import { type Chromium, type ChromiumPlaces, findChromium } from './chromium'
import { type AdToRun, BANNER_LIMITS, type BannerLimits, type BrowserJobs, SLOWEST_PACE } from './protocol'

/** Beside what the ad itself may take: unpacking, starting the browser, clicking, drawing the strip, on a busy machine. */
const MARGIN_MS = 5 * 60_000
/** Of the process beside the browser, which is held to 10 minutes itself. */
const CPU_MS = 10 * 60_000
/** A browser that did not run is searched for again after so long: an administrator may have fixed it. */
const TRY_AGAIN_MS = 60_000

/** A process and a browser for each ad: nothing of one reaches the next. */
const browsers = new ProcessPool<BrowserJobs>({
  program: SANDBOXED_PROGRAMS.browser,
  label: 'the process of the browser',
  maxBytes: 1024 * 1024 * 1024,
  // Facts and a contact sheet stay far below.
  maxResultBytes: 16 * 1024 * 1024,
  // Each wants a processor: two on one would measure each other.
  parallel: Math.max(1, Math.floor(availableParallelism() / 2)),
  jobsEach: 1,
})

export type WatchBanner = (
  file: string,
  ad: Pick<AdToRun, 'start' | 'frame'>,
) => Promise<{ facts: BannerFacts; strip: Buffer | null; still: Previews | null } | Failure>

/** Runs ads in a Chromium found in these places. What it gives back never rejects. */
export function bannerWatcher(places: ChromiumPlaces, limits: Partial<BannerLimits> = {}): WatchBanner {
  let found: Promise<Chromium> | undefined
  const chromium = () => {
    found ??= findChromium(places).catch((error) => {
      setTimeout(() => (found = undefined), TRY_AGAIN_MS).unref()
      throw error
    })
    return found
  }
  return async (path, ad) => {
    try {
      const browser = await chromium()
      return await watch({ path, ...ad, chromium: browser, limits: { ...BANNER_LIMITS, ...limits } })
    } catch (error) {
      return { failed: error instanceof Error ? error.message : String(error) }
    }
  }
}

const bytes = (image: string) => Buffer.from(image, 'base64')

async function watch(ad: Omit<AdToRun, 'scratch'>): Promise<Awaited<ReturnType<WatchBanner>>> {
  const wallMs = ad.limits.loadMs * SLOWEST_PACE + ad.limits.watchMs + MARGIN_MS
  const end = await browsers.use((process) =>
    withScratchFolder('banner', async (scratch) => {
      const end = await process.run('run', { ...ad, scratch }, { cpuMs: CPU_MS, wallMs })
      await process.killed()
      return end
    }),
  )
  if (end.end === 'failed') return { failed: `the ad could not be run (${end.why})` }
  if (end.end !== 'completed') return { failed: end.why, ...(end.end !== 'flooded' && { again: true as const }) }
  const { facts, strip, still } = end.result
  return {
    facts,
    strip: strip === null ? null : bytes(strip),
    still: still && { thumbnail: bytes(still.thumbnail), preview: bytes(still.preview) },
  }
}

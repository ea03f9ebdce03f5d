import type { BannerFacts } from '../measurements'
import type { Chromium } from './chromium'

/** How long and how far an ad may go. */
export type BannerLimits = {
  /** For the load event. */
  loadMs: number
  /** Watched for so long after it, at most. */
  watchMs: number
  /** Nothing changes and nothing is planned for so long: it has ended. */
  stillMs: number
  /** Between two samples. */
  pollMs: number
  /** A page that does not respond for so long is blocked. */
  silenceMs: number
  memoryBytes: number
}

export const BANNER_LIMITS: BannerLimits = {
  loadMs: 15_000,
  // A little more than the 30 s an ad may move, so that one that goes on is seen to.
  watchMs: 32_000,
  stillMs: 2_500,
  pollMs: 400,
  silenceMs: 8_000,
  memoryBytes: 1536 * 1024 * 1024,
}

/** On a busy machine an ad is given up to so many times as long to load and to respond (run-ad.ts). */
export const SLOWEST_PACE = 10

export type AdToRun = {
  path: string
  /** The page to start from, as a path in the archive. */
  start: string
  /** The frame it is given, CSS pixels. */
  frame: { width: number; height: number }
  chromium: Chromium
  /** A folder for what the browser writes; who made it removes it. */
  scratch: string
  limits: BannerLimits
}

/** The contact sheet and the still of the ad are WebP in base64. */
export type BrowserJobs = {
  run: {
    request: AdToRun
    result: { facts: BannerFacts; strip: string | null; still: { thumbnail: string; preview: string } | null }
  }
}

import type { ChildProcess } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import path from 'node:path'
import type { Readable } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'
import { spawnCaged } from '@/lib/sandbox/command'
import type { BannerFacts, Failure } from '../measurements'
import type { Pictures } from '../previews/shrink'
import { type Chromium, type ChromiumPlaces, findChromium } from './chromium'
import { afterRunning } from './patience'
import { BANNER_LIMITS, type BannerAnswer, type BannerLimits, type BannerRequestToRun, SLOWEST_PACE } from './protocol'

/** Facts and a film strip stay far below. */
const MAX_ANSWER_BYTES = 16 * 1024 * 1024
/** Beside what the ad itself may take: unpacking, starting the browser, clicking, drawing the strip, on a busy machine. */
const MARGIN_MS = 5 * 60_000
/** A browser that did not run is looked for again after so long: somebody may have mended it. */
const TRY_AGAIN_MS = 60_000
/** Each wants a processor: two on one would measure each other. */
const MAX_PARALLEL = Math.max(1, Math.floor(availableParallelism() / 2))

/** Killed processes go at once, unless the machine is very busy; who is dead and not yet buried counts as there. */
const KILL_MS = 3_000

const waiting: (() => void)[] = []
let running = 0

export type WatchBanner = (
  file: string,
  ad: Pick<BannerRequestToRun, 'start' | 'frame'>,
) => Promise<{ facts: BannerFacts; strip: Buffer | null; still: Pictures | null } | Failure>

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
  return async (file, ad) => {
    if (running >= MAX_PARALLEL) await new Promise<void>((resolve) => waiting.push(resolve))
    running += 1
    let scratch: string | undefined
    try {
      const browser = await chromium()
      scratch = await mkdtemp(path.join(tmpdir(), 'greenroom-banner-'))
      const request = { path: file, ...ad, chromium: browser, scratch, limits: { ...BANNER_LIMITS, ...limits } }
      const answer = await runChild(request)
      if ('failed' in answer) return answer
      const { facts, strip, still } = answer.done
      const picture = (sent: string) => Buffer.from(sent, 'base64')
      return {
        facts,
        strip: strip === null ? null : picture(strip),
        still: still && { thumbnail: picture(still.thumbnail), preview: picture(still.preview) },
      }
    } catch (error) {
      return { failed: error instanceof Error ? error.message : String(error) }
    } finally {
      // Its processes have just been killed: the last of them may still be writing.
      if (scratch)
        await rm(scratch, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }).catch(() => undefined)
      running -= 1
      waiting.shift()?.()
    }
  }
}

/** One process for one ad. Whatever became of it, its whole group is gone afterwards. */
function runChild(request: BannerRequestToRun): Promise<BannerAnswer> {
  const { loadMs, watchMs } = request.limits
  const allMs = loadMs * SLOWEST_PACE + watchMs + MARGIN_MS
  return new Promise((resolve) => {
    const child = spawnCaged('browser')
    let answer = ''
    let errors = ''
    let hasEnded = false
    const end = (message: BannerAnswer) => {
      // Killing it makes it end once more, without an answer.
      if (hasEnded) return
      hasEnded = true
      callOff()
      killGroup(child, request.scratch).then(() => resolve(message))
    }
    const callOff = afterRunning(allMs, () =>
      end({ failed: `the ad took more than ${allMs / 1000} s to run`, again: true }),
    )
    const answers = child.stdio[3] as Readable
    answers.setEncoding('utf8')
    answers.on('data', (text: string) => {
      answer += text
      if (answer.length > MAX_ANSWER_BYTES) end({ failed: 'the browser gave an answer without end' })
      else if (answer.endsWith('\n')) end(JSON.parse(answer) as BannerAnswer)
    })
    child.stderr?.on('data', (bytes: Buffer) => {
      errors = (errors + bytes.toString('utf8')).slice(-2000)
    })
    // A process that has just died tells so by its end.
    child.stdin?.on('error', () => undefined)
    const lost = (why: string) => {
      const last = why.trim().split('\n').at(-1)
      const detail = last ? ` (${last.slice(0, 200)})` : ''
      end({ failed: `the process of the browser ended without an answer${detail}`, again: true })
    }
    child.on('error', (error) => lost(error.message))
    child.on('close', () => lost(errors))
    child.stdin?.end(JSON.stringify(request))
  })
}

/**
 * Kills all of them, and waits until the last one is gone: what it may still write is removed next. A browser's crash
 * handler leaves the group; it is known by the folder it was given.
 */
async function killGroup({ pid }: ChildProcess, scratch: string): Promise<void> {
  if (pid === undefined) return
  for (const until = performance.now() + KILL_MS; performance.now() < until; await wait(20)) {
    const left = [...processesNaming(scratch), -pid].filter(killed)
    if (left.length === 0) return
  }
}

/** False when there is no such process, or group, any more. */
function killed(pid: number): boolean {
  try {
    return process.kill(pid, 'SIGKILL')
  } catch {
    return false
  }
}

function processesNaming(folder: string): number[] {
  try {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name) && commandOf(name).includes(folder))
      .map(Number)
  } catch {
    return []
  }
}

function commandOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  } catch {
    return ''
  }
}

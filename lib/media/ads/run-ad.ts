import { randomBytes } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { BannerFacts, Click, Motion, Stage } from '../measurements'
import type { Previews } from '../previews/shrink'
import { type AdFile, asksForLessMotion, mentionsItsPage, unusedOf } from './ad-files'
import { ContactSheet } from './contact-sheet'
import { BrowserEnded, type Devtools, Silence } from './devtools'
import { type Browser, launch } from './launch'
import {
  CLICK_TARGET,
  clickableShare,
  FIND_EXIT,
  MEASURE_STAGE,
  offerSafeFrame,
  pageAround,
  READ_CLICK_TAG,
  READ_STATE,
  SET_CLICK_TAG,
} from './page-scripts'
import { PAGE_AROUND, PageWatch, startUrl } from './page-watch'
import { familyMemory, secondsWaited } from './processes'
import { type AdToRun, type BannerLimits, SLOWEST_PACE } from './protocol'
import { busiestShare, heaviestOf, shareOf, type Work, type WorkAt } from './work'

const MEMORY_POLL_MS = 100
/** What a click asks for is asked for at once; some ads animate their exit first. */
const CLICK_MS = 1_200
/** The folder of a browser that is started once more: the first may have left its locks. */
const SECOND_START = 'again'
/** A browser is there within this on a machine with nothing else to do. */
const LAUNCH_MS = 2_000

type Run = Pick<AdToRun, 'start' | 'frame' | 'chromium' | 'scratch' | 'limits'> & {
  files: Map<string, AdFile>
}

/** Runs an ad in a browser of its own. Rejects only when there is no browser: whatever the ad does is a fact. */
export async function runBanner(
  asked: Run,
): Promise<{ facts: BannerFacts; strip: Buffer | null; still: Previews | null }> {
  const { browser, page, run } = await openBrowser(asked)
  let memoryBytes = 0
  let isTooLarge = false
  const memory = setInterval(() => {
    memoryBytes = Math.max(memoryBytes, familyMemory(browser.pid))
    if (memoryBytes <= run.limits.memoryBytes) return
    isTooLarge = true
    browser.devtools.end(new Error('the ad takes too much memory'))
    browser.kill()
  }, MEMORY_POLL_MS)
  try {
    const seen = await watch(browser.devtools, page, run)
    const strip = await seen.reel.strip().catch(() => null)
    const still = await seen.reel.still().catch(() => null)
    const lessMotion = seen.motion?.changes ? await withLessMotion(browser, page, run, seen.changedAt) : undefined
    const inFrame = seen.ended === 'watched' ? await inFrameOf(browser, page, run) : undefined
    const facts: BannerFacts = {
      browser: browser.version,
      start: run.start,
      frame: run.frame,
      ended: isTooLarge ? 'memory' : page.crashed ? 'crashed' : page.left ? 'left' : seen.ended,
      loadSeconds: page.loadedAt === undefined ? null : Math.round(page.loadedAt - page.began) / 1000,
      watchedSeconds: seen.watchedSeconds,
      requests: page.requests,
      moreRequests: page.moreRequests,
      errors: [...page.errors.values()],
      motion: seen.motion,
      stage: seen.stage,
      click: seen.click,
      cpu: seen.cpu,
      violations: page.violations,
      features: [...page.features].map(([what, times]) => ({ what, times })),
      ...seen.clickable,
      ...lessMotion,
      ...(inFrame && { inFrame }),
      unused: unusedOf(run.files, page.asked).slice(0, 200),
      memoryBytes,
    }
    return { facts, strip, still }
  } finally {
    clearInterval(memory)
    await browser.close()
  }
}

type Opened = { browser: Browser; page: PageWatch; run: Run }

/**
 * A browser with an empty page. One that ends before that has seen nothing of the ad, and it happens now and then where
 * much runs at once: it is started once more.
 */
async function openBrowser(asked: Run): Promise<Opened> {
  try {
    return await openOnce(asked, asked.scratch)
  } catch (error) {
    if (!(error instanceof BrowserEnded)) throw error
  }
  try {
    const folder = path.join(asked.scratch, SECOND_START)
    await mkdir(folder)
    return await openOnce(asked, folder)
  } catch (error) {
    if (!(error instanceof BrowserEnded)) throw error
    throw new BrowserEnded(`the browser ended at its start, and again when it was started once more: ${error.message}`)
  }
}

async function openOnce(asked: Run, folder: string): Promise<Opened> {
  const began = performance.now()
  const browser = await launch(asked.chromium, folder)
  const run = { ...asked, limits: atThisPace(asked.limits, performance.now() - began) }
  try {
    return { browser, run, page: await openPage(browser, run) }
  } catch (error) {
    await browser.close()
    throw error
  }
}

/**
 * How long an ad may keep others waiting is measured in what the same machine needs, at the same time, to start the
 * browser: where thirty others want the processor, an ad is as slow as that start, and not blocked.
 */
function atThisPace(limits: BannerLimits, launchMs: number): BannerLimits {
  const pace = Math.min(SLOWEST_PACE, Math.max(1, launchMs / LAUNCH_MS))
  return { ...limits, loadMs: limits.loadMs * pace, silenceMs: limits.silenceMs * pace }
}

async function openPage(
  { devtools }: Browser,
  { files, frame }: Run,
  around?: (ours: string) => { page: string; script: string },
): Promise<PageWatch> {
  const { targetId } = await devtools.send('Target.createTarget', { url: 'about:blank' })
  const { sessionId } = await devtools.send('Target.attachToTarget', { targetId, flatten: true })
  const ours = `watch${randomBytes(8).toString('hex')}`
  const page = new PageWatch(devtools, files, targetId, sessionId, ours, around?.(ours))
  await devtools.send('Target.setDiscoverTargets', { discover: true })
  await devtools.send('Browser.setDownloadBehavior', { behavior: 'deny', eventsEnabled: true })
  await page.prepare(sessionId)
  await devtools.send('Performance.enable', { timeDomain: 'timeTicks' }, sessionId)
  const metrics = { ...frame, deviceScaleFactor: 1, mobile: false }
  await devtools.send('Emulation.setDeviceMetricsOverride', metrics, sessionId)
  return page
}

type Seen = {
  ended: 'watched' | 'blocked'
  watchedSeconds: number
  reel: ContactSheet
  motion: Motion | null
  /** Seconds after the load event of every change but the first image. */
  changedAt: number[]
  stage: Stage | null
  click: Click | null
  cpu: BannerFacts['cpu']
  clickable: Pick<BannerFacts, 'clickableShare' | 'linkedShare'>
}

async function watch(devtools: Devtools, page: PageWatch, { start, limits, frame }: Run): Promise<Seen> {
  const reel = new ContactSheet()
  const seen: Seen = {
    ended: 'watched',
    watchedSeconds: 0,
    reel,
    motion: null,
    changedAt: [],
    stage: null,
    click: null,
    cpu: null,
    clickable: {},
  }
  const inspection = inspectPage(devtools, page, limits)
  const before = await inspection.processSeconds()
  try {
    // Its response comes when the page is there, which a script that never ends may prevent.
    devtools.notify('Page.navigate', { url: startUrl(start) }, page.session)
    await page.loaded(limits.loadMs)
    await watchMotion(page, inspection, limits, seen)
    seen.stage = await inspection.inOurWorld<Stage>(MEASURE_STAGE)
    if (!page.left && seen.stage && !seen.stage.isEmpty)
      seen.clickable =
        (await inspection.inPage<Seen['clickable'] | undefined>(clickableShare(page.plans, seen.stage))) ?? {}
    // The middle of what is to be seen of it.
    const half = (side: 'width' | 'height') => Math.min(frame[side], Math.max(2, seen.stage?.[side] ?? frame[side])) / 2
    if (!page.left) seen.click = await click(devtools, page, inspection, { x: half('width'), y: half('height') })
  } catch (error) {
    // A page that is gone is reported by the watch; one that is silent is blocked.
    if (error instanceof Silence) seen.ended = 'blocked'
    const seconds = page.seconds
    const after = await inspection.processSeconds()
    if (seconds > 0 && before !== null && after !== null)
      seen.cpu ??= { mainThread: null, process: (after - before) / seconds, seconds }
  }
  return seen
}

/** Watches until nothing has changed for a while and nothing is planned, or the time is over. */
async function watchMotion(
  page: PageWatch,
  inspection: PageInspection,
  limits: BannerLimits,
  seen: Seen,
): Promise<void> {
  const from = page.loadedAt ?? performance.now()
  const passed = () => (performance.now() - from) / 1000
  const motion: Motion = { lastChangeSeconds: 0, isMoving: false, changes: 0 }
  const start = { at: performance.now(), ...(await inspection.load()) }
  const samples: WorkAt[] = start.work ? [{ ...start.work, at: start.at }] : []
  let isLoud = false
  let lastChange = performance.now()
  let busyUntil = 0
  for (;;) {
    // Before the image is taken: what is not planned any more by now is seen in it.
    const plans = await inspection.plans()
    const state = await inspection.state()
    const at = Math.max(0, passed())
    const screenshot = await inspection.screenshot()
    if (await seen.reel.add(at, screenshot)) {
      motion.changes += 1
      lastChange = performance.now()
      // The first image is where it begins.
      motion.lastChangeSeconds = motion.changes > 1 ? at : 0
      if (motion.changes > 1) seen.changedAt.push(at)
    }
    if (plans.rounds > 0) Object.assign(motion, { scriptRounds: plans.rounds, scriptSteps: plans.steps })
    if (state.rounds !== undefined) motion.rounds = state.rounds === 'endless' ? null : state.rounds
    isLoud ||= state.isLoud || plans.isHeard
    if (plans.planned > 0 || state.animations > 0 || state.playing > 0) busyUntil = passed()
    motion.plannedUntilSeconds = Math.max(busyUntil, motion.lastChangeSeconds)
    seen.watchedSeconds = Math.round(passed() * 10) / 10
    seen.motion = { ...motion, changes: Math.max(0, motion.changes - 1) }
    const { work, used } = await inspection.load()
    const seconds = (performance.now() - start.at) / 1000
    if (work) samples.push({ ...work, at: performance.now() })
    const isStill = performance.now() - lastChange > limits.stillMs
    // What it takes while it moves: a long rest afterwards would make the mean a pretty one.
    if (!isStill || seen.cpu === null) {
      seen.cpu = {
        mainThread: work === null || start.work === null ? null : shareOf(start.work, work, seconds),
        process: used === null || start.used === null ? null : (used - start.used) / Math.max(seconds, 0.001),
        seconds,
      }
    }
    const busiest = busiestShare(samples)
    if (busiest !== null) seen.cpu = { ...seen.cpu, busiest }
    if (work) seen.cpu = { ...seen.cpu, ...heaviestOf([{ ...NOTHING, at: page.began }, ...samples]) }
    const isDone = isStill && plans.planned === 0 && state.animations === 0 && state.playing === 0
    if (isDone || page.left || passed() * 1000 >= limits.watchMs) {
      seen.motion.isMoving = !isStill && passed() * 1000 >= limits.watchMs
      break
    }
    await wait(limits.pollMs)
  }
  if (isLoud) page.noteViolation('sound', 'plays audio without being asked')
}

/** When the page began, nobody had asked its process yet for how long it had waited. */
const NOTHING: Work = { thread: 0, tasks: 0, waited: null }

type PageInspection = ReturnType<typeof inspectPage>

/** The questions asked of a page, each within the time a live page needs to respond. */
function inspectPage(devtools: Devtools, page: PageWatch, { silenceMs }: BannerLimits) {
  const ask = (method: string, params: Record<string, unknown> = {}) =>
    devtools.send(method, params, page.session, silenceMs)
  let world: number | undefined
  const inOurWorld = async <T>(expression: string): Promise<T> => {
    world ??= (await ask('Page.createIsolatedWorld', { frameId: page.target, worldName: 'greenroom' }))
      .executionContextId
    const { result } = await ask('Runtime.evaluate', { expression, contextId: world, returnByValue: true })
    return result.value
  }
  /** The processes that run pages; an idle one may stand ready. */
  const renderers = async (): Promise<{ id: number; cpuTime: number }[]> => {
    const info = await devtools.send('SystemInfo.getProcessInfo', {}, undefined, silenceMs).catch(() => null)
    return (info?.processInfo ?? []).filter(({ type }: { type: string }) => type === 'renderer')
  }
  return {
    inOurWorld,
    async inPage<T>(expression: string): Promise<T> {
      const { result } = await ask('Runtime.evaluate', { expression, returnByValue: true })
      return result.value
    },
    async screenshot(): Promise<Buffer> {
      const { data } = await ask('Page.captureScreenshot', { format: 'png', optimizeForSpeed: true })
      return Buffer.from(data, 'base64')
    },
    /** How much of its own the page has planned, what scripts repeated, whether they play; nothing when it cannot say. */
    async plans(): Promise<{ planned: number; rounds: number; steps: number; isHeard: boolean }> {
      const { result } = await ask('Runtime.evaluate', { expression: `${page.plans}()`, returnByValue: true })
      const { timers = 0, repeats = 0, frames = 0, rounds = 0, steps = 0, isHeard = false } = result.value ?? {}
      return { planned: timers + repeats + frames, rounds, steps, isHeard }
    },
    async state() {
      type State = { animations: number; playing: number; isLoud: boolean; rounds?: number | 'endless' }
      return (await inOurWorld<State | undefined>(READ_STATE)) ?? { animations: 0, playing: 0, isLoud: false }
    },
    /** What the page's main thread has done since it began, and the processor time of its process. */
    async load(): Promise<{ work: Work | null; used: number | null }> {
      const processes = await renderers()
      const { metrics } = (await ask('Performance.getMetrics')) as { metrics: { name: string; value: number }[] }
      const [thread, tasks] = ['ThreadTime', 'TaskDuration'].map((name) => metrics.find((each) => each.name === name))
      const waited = secondsWaited(processes.map(({ id }) => id))
      return {
        work: thread && tasks ? { thread: thread.value, tasks: tasks.value, waited } : null,
        used: secondsOf(processes),
      }
    },
    /** The processor time alone; the browser knows it even when the page is silent. */
    processSeconds: async () => secondsOf(await renderers()),
  }
}

/** Processor time of the processes with all their threads; null where there is none. */
const secondsOf = (processes: readonly { cpuTime: number }[]): number | null =>
  processes.length === 0 ? null : processes.reduce((sum, { cpuTime }) => sum + cpuTime, 0)

const LESS_MOTION = [{ name: 'prefers-reduced-motion', value: 'reduce' }]
/** What an ad shows at first is not motion; what changes between there and here is. */
const SETTLE_MS = 1_000
const LOOKS = 6
/** It is watched until it should have changed so often, or has: a single change may be a late image. */
const ENOUGH_CHANGES = 2

type LessMotion = Pick<BannerFacts, 'reducedMotion' | 'lessMotion'>

/**
 * The ad once more, for a user who asks for less motion: does it move? `changedAt`: when it changed without, seconds.
 * Undefined where that cannot be said.
 */
async function withLessMotion(
  browser: Browser,
  watched: PageWatch,
  run: Run,
  changedAt: readonly number[],
): Promise<LessMotion | undefined> {
  if (!asksForLessMotion(run.files)) return { reducedMotion: 'unasked' }
  if (watched.crashed || watched.left) return undefined
  watched.end()
  const { devtools } = browser
  const settled = changedAt.filter((seconds) => seconds * 1000 > SETTLE_MS)
  const last = settled.slice(0, ENOUGH_CHANGES).at(-1) ?? 0
  const untilMs = last * 1000 - SETTLE_MS + 2 * run.limits.pollMs
  try {
    // The new page first: a browser without any ends.
    const page = await openPage(browser, run)
    await devtools.send('Target.closeTarget', { targetId: watched.target })
    await devtools.send('Emulation.setEmulatedMedia', { features: LESS_MOTION }, page.session)
    const inspection = inspectPage(devtools, page, run.limits)
    devtools.notify('Page.navigate', { url: startUrl(run.start) }, page.session)
    await page.loaded(run.limits.loadMs)
    await wait(SETTLE_MS)
    const reel = new ContactSheet()
    const from = performance.now()
    const passed = () => performance.now() - from
    let changes = -1
    for (let look = 0; changes < ENOUGH_CHANGES && (look < LOOKS || passed() < untilMs); look++) {
      if (await reel.add(passed() / 1000, await inspection.screenshot())) changes += 1
      await wait(run.limits.pollMs)
    }
    page.end()
    const without = settled.filter((seconds) => seconds * 1000 <= SETTLE_MS + passed()).length
    return { reducedMotion: changes > 0 ? 'moves' : 'rests', lessMotion: { changes: Math.max(0, changes), without } }
  } catch (error) {
    if (error instanceof BrowserEnded || error instanceof Silence) return undefined
    throw error
  }
}

/** Long enough for what an ad does at its start; what waits for a click does nothing. */
const IN_FRAME_MS = 2_500
/** What Chromium says of scripts that touch or navigate a window of another site. */
const FORBIDDEN_ACCESS = /from accessing a cross-origin frame/
/** And of those that use `$sf.ext` where it is not. */
const WITHOUT_SAFEFRAME = /\$sf is not defined|reading 'ext'/
const FORBIDDEN_WAY = /does not have permission to navigate|attempt to initiate navigation/

/** The ad once more, in a frame of a page of another site that offers SafeFrame. Undefined where that cannot be said. */
async function inFrameOf(browser: Browser, watched: PageWatch, run: Run): Promise<BannerFacts['inFrame'] | undefined> {
  if (!mentionsItsPage(run.files)) return 'unasked'
  if (watched.crashed || watched.left) return undefined
  watched.end()
  const { devtools } = browser
  try {
    const page = await openPage(browser, run, (ours) => ({
      page: pageAround(startUrl(run.start), run.frame),
      script: offerSafeFrame(ours, run.frame),
    }))
    devtools.notify('Page.navigate', { url: PAGE_AROUND }, page.session)
    await page.loaded(run.limits.loadMs)
    await wait(IN_FRAME_MS)
    page.end()
    if (page.loadedAt === undefined) return undefined
    for (const { text, uncaught } of page.errors.values()) {
      if (FORBIDDEN_WAY.test(text)) page.noteFrameFault('leaves_page', text)
      else if (uncaught && FORBIDDEN_ACCESS.test(text))
        page.noteFrameFault('reaches_out', text.replace(/: Blocked.*/s, ''))
      else if (uncaught && !watched.errors.has(text)) page.noteFrameFault('breaks', text)
    }
    for (const { text, uncaught } of watched.errors.values())
      if (uncaught && WITHOUT_SAFEFRAME.test(text) && !page.errors.has(text))
        page.noteFrameFault('needs_safeframe', text)
    for (const { what, detail } of page.violations) if (what === 'redirect') page.noteFrameFault('leaves_page', detail)
    return page.frameFaults
  } catch (error) {
    if (error instanceof BrowserEnded || error instanceof Silence) return undefined
    throw error
  }
}

/** Clicks in the middle; where nothing comes of it, on the element that asks for it. */
async function click(
  devtools: Devtools,
  page: PageWatch,
  inspection: PageInspection,
  middle: { x: number; y: number },
): Promise<Click> {
  const declared = await inspection.inPage<string | null>(READ_CLICK_TAG)
  await inspection.inPage(SET_CLICK_TAG)
  page.phase = 'click'
  const places: { on: Click['on']; at: { x: number; y: number } | null }[] = [
    { on: 'stage', at: middle },
    { on: 'element', at: await inspection.inOurWorld<{ x: number; y: number } | null>(FIND_EXIT) },
  ]
  let on: Click['on'] = 'stage'
  for (const place of places) {
    if (!place.at || page.exit) continue
    on = place.on
    const mouse = (type: string, button = 'left') =>
      devtools.send('Input.dispatchMouseEvent', { type, ...place.at, button, clickCount: 1 }, page.session, 3_000)
    await mouse('mouseMoved', 'none')
    await mouse('mousePressed')
    await mouse('mouseReleased')
    for (const until = performance.now() + CLICK_MS; performance.now() < until && !page.exit; ) await wait(50)
  }
  const { exit } = page
  return {
    on,
    target: exit?.target ?? null,
    how: exit?.how ?? null,
    byClickTag: exit?.target.startsWith(CLICK_TARGET) ?? false,
    declared,
  }
}

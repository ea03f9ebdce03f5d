'use client'

import { useSyncExternalStore } from 'react'

/**
 * Whether this tab can be kept up to date, and why not. One state a tab: the bar shows it, refreshes wait for it.
 *
 * - `unreachable`: no response at all. - `faulty`: 429, a 5xx, or a response that is not Greenroom's (a proxy's page).
 * - `signed_out`: this screen was opened by a signed-in user, and the session has ended.
 * - `outdated`: the service was updated since this page was loaded; the router would load the page anew.
 * - `gone`: Greenroom responds, but not with this page any more.
 */
export type Trouble = 'unreachable' | 'faulty' | 'signed_out' | 'outdated' | 'gone'

/** The build this script belongs to; every response of /api names the build that gave it (`X-Greenroom-Build`). */
const OWN_BUILD = process.env.GREENROOM_BUILD
const PROBE_LIMIT_MS = 20_000
const FIRST_PAUSE_MS = 1_000
const LONGEST_PAUSE_MS = 10_000

/** Found by asking a cheap address, and found by a page that did not come: either is a reason to say so. */
let probed: Trouble | null = null
let page: Trouble | null = null
let needsSession = false
let isLeaving = false
const listeners = new Set<() => void>()

const current = () => page ?? probed

function change(set: () => void) {
  const before = current()
  set()
  if (current() !== before) for (const listener of [...listeners]) listener()
}

/** Called at every change of the state; returns how to stop. */
function onConnectionChange(listener: () => void): () => void {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}

/** What is wrong with the connection now; null when all is well. */
export const useTrouble = (): Trouble | null => useSyncExternalStore(onConnectionChange, current, () => null)

/** Said by every signed-in screen: without a session it cannot be refreshed. */
export function setNeedsSession(needed: boolean) {
  needsSession = needed
  if (!needed && probed === 'signed_out') change(() => (probed = null))
}

/** What became of the page asked for last; null: it came, or another one is on screen. */
export function setPageTrouble(trouble: Trouble | null) {
  change(() => (page = trouble))
}

/** A write got a 401. */
export function reportSignedOut() {
  if (!needsSession) return
  change(() => (probed = 'signed_out'))
  poll()
}

/** Something went without a response: finds out at once whether that goes for everything. */
export function reportNoResponse() {
  void check().then((trouble) => trouble && poll())
}

/** Resolves when Greenroom responds, screens that need a session have one, and the build is the one this page belongs to. */
export async function whenWell(): Promise<void> {
  if ((await check()) === null) return
  poll()
  await new Promise<void>((resolve) => {
    const stop = onConnectionChange(() => {
      if (probed !== null) return
      stop()
      resolve()
    })
  })
}

let asking: Promise<Trouble | null> | undefined

/** Asks once, however many want to know. */
export function check(): Promise<Trouble | null> {
  asking ??= probe().then((trouble) => {
    asking = undefined
    // A page that is being left gives up its requests: no outage.
    if (!isLeaving) change(() => (probed = trouble))
    return trouble
  })
  return asking
}

async function probe(): Promise<Trouble | null> {
  const own = needsSession
  try {
    const response = await fetch(own ? '/api/users/me' : '/api/health/live', {
      cache: 'no-store',
      credentials: 'same-origin',
      headers: { Accept: 'application/json' },
      signal: AbortSignal.timeout(PROBE_LIMIT_MS),
    })
    const isOurs = /^application\/(?:problem\+)?json\b/.test(response.headers.get('Content-Type') ?? '')
    await response.arrayBuffer()
    if (own && response.status === 401 && isOurs) return 'signed_out'
    if (!response.ok || !isOurs) return 'faulty'
    const build = response.headers.get('X-Greenroom-Build')
    return OWN_BUILD && build && build !== OWN_BUILD ? 'outdated' : null
  } catch {
    return 'unreachable'
  }
}

let isAsking = false

/** Asks again, ever more rarely, until all is well; at once when the browser says that something changed. */
async function poll() {
  if (isAsking) return
  isAsking = true
  // An update that was missed does not go away; a session comes back when the user signs in, in another tab.
  for (let attempt = 0; probed !== null && probed !== 'outdated'; attempt++) {
    await pause(attempt)
    await check()
  }
  isAsking = false
}

/**
 * Waits before the next attempt: 1 s, 2 s, 4 s, … at most 10 s, at least `seconds` when the server asked for it. Ends
 * early when the network is back, the tab is shown again, or the user presses "Try now".
 */
export function pause(attempt: number, seconds = 0): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer)
      wake.removeEventListener('now', done)
      resolve()
    }
    const backoff = Math.min(FIRST_PAUSE_MS * 2 ** Math.min(attempt, 10), LONGEST_PAUSE_MS)
    const timer = setTimeout(done, Math.max(backoff, Math.min(seconds, 60) * 1000))
    wake.addEventListener('now', done)
  })
}

const wake = new EventTarget()

/** Ends every pause: whatever waits tries again now. */
export const tryNow = () => void wake.dispatchEvent(new Event('now'))

/** Listens to what the browser knows of the network. Once a tab, by the bar. */
export function watchNetwork(): () => void {
  const online = () => {
    tryNow()
    reportNoResponse()
  }
  const seen = () => {
    if (document.visibilityState === 'visible' && current() !== null) online()
  }
  const leaving = () => (isLeaving = true)
  const back = () => (isLeaving = false)
  const listening = new AbortController()
  const { signal } = listening
  window.addEventListener('online', online, { signal })
  window.addEventListener('offline', reportNoResponse, { signal })
  window.addEventListener('focus', seen, { signal })
  window.addEventListener('pagehide', leaving, { signal })
  window.addEventListener('pageshow', back, { signal })
  document.addEventListener('visibilitychange', seen, { signal })
  return () => listening.abort()
}

/** Whether the browser is on its way to another page. */
export const isTabLeaving = () => isLeaving

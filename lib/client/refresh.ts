import { whenWell } from './connection'
import { isRefreshWaiting } from './page-requests'

/**
 * Asking the server components anew, once for many reasons: a response, a hint from elsewhere and an upload often come
 * together. A refresh never leaves the page: not while a write is under way, not before a cheap address has said that
 * Greenroom responds, the session lasts and the build is this page's; and what it meets on its way then, the guard of
 * page requests keeps from the router (see page-requests.ts).
 */

const APART_MS = 700

let lastAt = 0
let timer: ReturnType<typeof setTimeout> | undefined
let writes = 0
let wanted: (() => void) | null = null

/** At once if nothing was refreshed lately and nothing is being written, else as soon as that is so. */
export function refreshSoon(router: { refresh(): void }) {
  wanted = () => router.refresh()
  settle()
}

/** Holds refreshes back until the work is done. */
export async function whileWriting<T>(work: () => Promise<T>): Promise<T> {
  writes += 1
  try {
    return await work()
  } finally {
    writes -= 1
    settle()
  }
}

function settle() {
  if (!wanted || writes > 0 || timer) return
  const wait = Math.max(0, lastAt + APART_MS - Date.now())
  timer = setTimeout(async () => {
    await whenWell()
    timer = undefined
    if (!wanted || writes > 0) return
    const run = wanted
    wanted = null
    lastAt = Date.now()
    if (!isRefreshWaiting()) run()
  }, wait)
}

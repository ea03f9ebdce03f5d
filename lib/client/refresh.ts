import type { useRouter } from 'next/navigation'
import { whenWell } from './connection'
import { isRefreshWaiting, ownsQuery, renderedQuery, searchOf } from './page-requests'

/**
 * Asking the server components anew, once for many reasons: a response, a hint from elsewhere and an upload often come
 * together. A refresh never leaves the page: not while a write is under way, not before a cheap address has said that
 * Greenroom responds, the session lasts and the build is this page's; and what it meets on its way then, the guard of
 * page requests keeps from the router (see page-requests.ts).
 */

const APART_MS = 700

type Router = Pick<ReturnType<typeof useRouter>, 'refresh' | 'replace'>

let lastAt = 0
let timer: ReturnType<typeof setTimeout> | undefined
let writes = 0
let wanted: (() => void) | null = null

/** At once if nothing was refreshed lately and nothing is being written, else as soon as that is so. */
export function refreshSoon(router: Router) {
  wanted = () => refresh(router)
  settle()
}

/** The query the router was last led to. */
let ledTo: string | null = null

/**
 * A page may change the query of its address without asking the server. Next.js keeps the query its page was rendered with,
 * and takes a response for another one as a mismatch (vercel/next.js#98323). So the router is led to the address first, and
 * refreshes after that; a page that alone reads its query stays as it was rendered (page-requests.ts).
 */
function refresh(router: Router) {
  const { pathname, search, hash } = window.location
  const rendered = renderedQuery()
  const here = searchOf(window.location)
  if (rendered === null || rendered === here || ledTo === here || ownsQuery(pathname)) {
    ledTo = null
    router.refresh()
    return
  }
  ledTo = here
  router.replace(`${pathname}${search}${hash}`, { scroll: false })
  refreshSoon(router)
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

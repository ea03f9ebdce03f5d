'use client'

import { check, isTabLeaving, pause, setPageTrouble, type Trouble } from './connection'
import { whenSettled } from './settled'

/**
 * The router asks for pages with `fetch` (header `RSC: 1`). Whatever it gets but a page, it responds by loading the
 * address as a document, and what was typed is gone (Next.js, `fetch-server-response`: a failed request, a status that
 * is not 2xx, another content type, a redirect elsewhere). So nothing but a page is handed to it: a request that met
 * an outage is repeated until it is over, and a page on screen is never exchanged for an error. Pages fetched ahead wait
 * until this one is complete: they would take its connections and its processor.
 */
export function guardPageRequests(): () => void {
  const native = window.fetch
  const guarded: typeof fetch = async (input, init) => {
    const kind = kindOf(init)
    if (init && kind === 'page' && !(input instanceof Request)) {
      const url = new URL(input, window.location.href)
      const isRefresh = url.pathname === window.location.pathname && searchOf(url) === searchOf(window.location)
      const asked = isRefresh ? asRendered(url) : url
      return requestPage((request) => native.call(window, asked, request), isRefresh, init)
    }
    if (kind === 'ahead') await whenSettled()
    return native.call(window, input, init)
  }
  window.fetch = guarded
  return () => {
    if (window.fetch === guarded) window.fetch = native
  }
}

/**
 * For so long after it was asked for, a page is held back until it is whole. React shows what comes after a skeleton no
 * sooner than 300 ms after the skeleton (FALLBACK_THROTTLE_MS): a page that is whole within 100 ms would stand there after
 * 400 ms. A page that takes longer begins with its skeletons.
 */
const HOLD_MS = 250

/** Refreshes that wait for the end of an outage: another one would bring nothing more. */
let waiting = 0
export const isRefreshWaiting = () => waiting > 0

async function requestPage(
  send: (init: RequestInit) => Promise<Response>,
  isRefresh: boolean,
  init: RequestInit,
): Promise<Response> {
  let isWaiting = false
  try {
    for (let attempt = 0; ; attempt++) {
      const got = await attemptPage(send, init, isRefresh)
      if (got instanceof Response) {
        if (isRefresh || isWaiting) setPageTrouble(null)
        return got
      }
      setPageTrouble(got.trouble)
      // A response, and not this page: what is on screen stays, until the reader decides.
      if (got.trouble === 'gone') return await new Promise<never>(() => {})
      if (!isWaiting && isRefresh) waiting += 1
      isWaiting = true
      await pause(attempt, got.retryAfter)
    }
  } finally {
    if (isWaiting && isRefresh) waiting -= 1
  }
}

/** One attempt: the response to hand on, or what is wrong. A refresh is read to its end first: half a page is none. */
async function attemptPage(
  send: (init: RequestInit) => Promise<Response>,
  init: RequestInit,
  isRefresh: boolean,
): Promise<Response | { trouble: Trouble; retryAfter?: number }> {
  try {
    const began = performance.now()
    const response = await send(init)
    if (response.status === 429 || response.status >= 500)
      return { trouble: 'faulty', retryAfter: Number(response.headers.get('Retry-After')) || 0 }
    if (!isRefresh) return wholeWithin(HOLD_MS - (performance.now() - began), response)
    const isPage = response.ok && response.headers.get('Content-Type')?.startsWith('text/x-component')
    if (!isPage || response.redirected) return { trouble: 'gone' }
    const body = await response.text()
    // A page that leads on to where one signs in: the session ended after it was said to last. Next.js writes that into a page, as
    // the digest of an error (`NEXT_REDIRECT;replace;/sign-in;307;`), with status 200. So may a text on it: the session is asked about.
    if (body.includes(';/sign-in') && (await check()) === 'signed_out') return { trouble: 'signed_out' }
    return new Response(body, response)
  } catch (error) {
    if (init.signal?.aborted || isTabLeaving()) throw error
    return { trouble: 'unreachable' }
  }
}

/** Paths of the pages whose query only the browser reads: filters, and the file in view. */
const ownQueries = new Set<string>()
export const ownsQuery = (pathname: string) => ownQueries.has(pathname)

/** Said by such a page as it begins; returns what ends it. */
export function ownQuery(pathname: string): () => void {
  ownQueries.add(pathname)
  return () => void ownQueries.delete(pathname)
}

/**
 * The address of a refresh of such a page, with the query it was rendered with. Next.js asks for the page it has under the
 * new address, takes the response for another page, asks a second time, scrolls to the top, and after two in a row loads
 * the whole document (vercel/next.js#98323).
 */
function asRendered(url: URL): URL {
  const rendered = renderedQuery()
  if (rendered === null || rendered === searchOf(url) || !ownsQuery(url.pathname)) return url
  const asked = new URL(url)
  asked.search = rendered
  const buster = url.searchParams.get('_rsc')
  if (buster !== null) asked.searchParams.set('_rsc', buster)
  return asked
}

/** The query the page was rendered with, as the router notes it in the history; null where it does not. */
export function renderedQuery(): string | null {
  const noted: unknown = window.history.state?.__PRIVATE_NEXTJS_INTERNALS_TREE?.renderedSearch
  return typeof noted === 'string' ? searchOf({ search: noted }) : null
}

/** The response, with all of its body where that has come within so many milliseconds; else with what has, and what will. */
async function wholeWithin(ms: number, response: Response): Promise<Response> {
  if (!response.body || response.redirected || ms <= 0) return response
  const reader = response.body.getReader()
  const parts: Uint8Array<ArrayBuffer>[] = []
  let next = reader.read()
  const isOver = new Promise<null>((resolve) => setTimeout(() => resolve(null), ms))
  for (;;) {
    const read = await Promise.race([next, isOver])
    if (read?.done || read === null) break
    parts.push(read.value)
    next = reader.read()
  }
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
    start(controller) {
      for (const part of parts) controller.enqueue(part)
    },
    async pull(controller) {
      const read = await next
      if (read.done) return controller.close()
      controller.enqueue(read.value)
      next = reader.read()
    },
    cancel: (reason) => reader.cancel(reason),
  })
  return new Response(body, response)
}

/** A page; one fetched ahead, which may fail; or anything else, development's own refresh too. */
function kindOf(init: RequestInit | undefined): 'page' | 'ahead' | null {
  if (!init?.headers || (init.method ?? 'GET') !== 'GET') return null
  const headers = new Headers(init.headers)
  if (!headers.has('rsc') || headers.has('next-hmr-refresh')) return null
  return headers.has('next-router-prefetch') ? 'ahead' : 'page'
}

/** The query as people see it, without the router's own parameter. */
export function searchOf({ search }: { search: string }): string {
  const params = new URLSearchParams(search)
  params.delete('_rsc')
  return params.toString()
}

'use client'

import { useRouter } from 'next/navigation'
import { useEffect, useRef } from 'react'
import { reportNoResponse, whenWell } from './connection'
import { refreshSoon } from './refresh'

type Hint = { type: string; project_id: string | null; batch_id: string | null }
type Listener = (hint: Hint | null) => void

/** A change after a quiet while is shown at once; of a burst (forty files of one delivery) the screen asks once a second. */
const AT_ONCE_MS = 50
const BURST_MS = 1000
const FALLBACK_MS = 30_000
const REOPEN_MS = 5_000

/** Steps on the way to something, which only the screen of that very batch shows. */
const PROGRESS = new Set(['pre_qc.progress', 'file.previewed'])

const listeners = new Set<Listener>()
let source: EventSource | undefined
/**
 * A page is read before its parts listen: those of a document come to life one after the other for so long, those of a page
 * that is gone to within it much sooner. What was heard meanwhile they hear as they begin.
 */
const LOADING_MS = 30_000
const GOING_MS = 3_000
let heardLately: { hint: Hint | null; at: number }[] = []

function hearAgain(): (Hint | null)[] {
  const now = performance.now()
  heardLately = heardLately.filter(({ at }) => now < LOADING_MS || at > now - GOING_MS)
  return heardLately.map(({ hint }) => hint)
}

/** Whether this document ever had a stream. */
let wasOpened = false
/** What the database held when the document was read. */
let since: string | null = null

/** Said by the frame of every signed-in screen before a part of it listens. */
export function listenSince(snapshot: string) {
  since = snapshot
}

/** One stream a tab, however many parts of the screen listen. */
function open() {
  if (source || isReopening || typeof EventSource === 'undefined') return
  let isNew = !wasOpened && since !== null
  source = new EventSource(isNew ? `/api/live?since=${since}` : '/api/live')
  source.onmessage = ({ data }) => {
    const said = JSON.parse(data) as Hint
    // The server itself lost the line for a moment: everything may have changed.
    const hint = said.type === 'resumed' ? null : said
    hearAgain()
    heardLately.push({ hint, at: performance.now() })
    for (const listener of listeners) listener(hint)
  }
  // Whatever happened while the line was down was not heard. What happened since the document was read the server says.
  source.onopen = () => {
    wasOpened = true
    if (!isNew) for (const listener of listeners) listener(null)
    isNew = false
  }
  source.onerror = () => {
    // What happened until the browser gets through again is not known.
    isNew = false
    reportNoResponse()
    // A refused stream (502 of a proxy, a session that ended) is not tried again by the browser.
    if (source?.readyState === EventSource.CLOSED) void reopen()
  }
}

let isReopening = false

async function reopen() {
  if (isReopening) return
  isReopening = true
  close()
  await new Promise((resolve) => setTimeout(resolve, REOPEN_MS))
  await whenWell()
  isReopening = false
  if (listeners.size > 0) open()
}

function close() {
  source?.close()
  source = undefined
}

/**
 * Shows what happened elsewhere without a reload: the server components of this page are asked anew when a hint for the
 * batch or project (or any, if neither is given) arrives. Where the stream does not get through, it asks every 30 s.
 */
export function useLive(
  {
    projectId,
    batchId,
    ignoresProgress = false,
    refreshes = true,
  }: {
    projectId?: string
    batchId?: string
    ignoresProgress?: boolean /** False: the page asks for what it needs itself. */
    refreshes?: boolean
  },
  onHint?: (hint: Hint | null) => void,
) {
  const router = useRouter()
  const heard = useRef(onHint)
  heard.current = onHint
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    let lastAt = Number.NEGATIVE_INFINITY
    const refresh = () => {
      timer ??= setTimeout(
        () => {
          timer = undefined
          lastAt = performance.now()
          refreshSoon(router)
        },
        Math.max(AT_ONCE_MS, lastAt + BURST_MS - performance.now()),
      )
    }
    const listener: Listener = (hint) => {
      const concerns =
        hint === null || ((!batchId || hint.batch_id === batchId) && (!projectId || hint.project_id === projectId))
      if (!concerns || (ignoresProgress && hint && PROGRESS.has(hint.type))) return
      heard.current?.(hint)
      if (refreshes) refresh()
    }
    listeners.add(listener)
    for (const hint of hearAgain()) listener(hint)
    open()
    const fallback = setInterval(() => {
      if (source?.readyState === EventSource.OPEN || document.visibilityState !== 'visible') return
      heard.current?.(null)
      if (refreshes) refreshSoon(router)
    }, FALLBACK_MS)
    return () => {
      listeners.delete(listener)
      clearTimeout(timer)
      clearInterval(fallback)
      if (listeners.size === 0) close()
    }
  }, [router, projectId, batchId, ignoresProgress, refreshes])
}

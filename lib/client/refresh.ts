/**
 * Asking the server components anew, once for many reasons: an answer, a hint from elsewhere and an upload often come
 * together. Never while a write is under way: a refresh that no longer fits the page makes the router load it from
 * scratch, and that would cut the write off.
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
  timer = setTimeout(() => {
    timer = undefined
    if (!wanted || writes > 0) return
    const run = wanted
    wanted = null
    lastAt = Date.now()
    run()
  }, wait)
}

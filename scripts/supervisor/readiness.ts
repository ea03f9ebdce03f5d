import { setTimeout as delay } from 'node:timers/promises'
import type { Child } from './child'

const PATIENCE_MS = 120_000
const CRASHES_TOLERATED = 3

/** Waits until the product says it is ready. Throws with what it said last when it does not become so. */
export async function waitUntilReady(port: number, web: Child, signal: AbortSignal) {
  const deadline = Date.now() + PATIENCE_MS
  let last = 'it does not answer'
  while (Date.now() < deadline && web.failures < CRASHES_TOLERATED) {
    try {
      const answer = await fetch(`http://127.0.0.1:${port}/api/health/ready`, {
        signal: AbortSignal.any([signal, AbortSignal.timeout(60_000)]),
      })
      if (answer.ok) return
      last = `/api/health/ready answers ${answer.status} ${(await answer.text()).slice(0, 500)}`
    } catch (error) {
      signal.throwIfAborted()
      last = error instanceof Error ? error.message : String(error)
    }
    await delay(150, undefined, { signal })
  }
  throw new Error(
    `Greenroom does not become ready: ${web.failures >= CRASHES_TOLERATED ? 'the web process keeps ending' : last}.`,
  )
}

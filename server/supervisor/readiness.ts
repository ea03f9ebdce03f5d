import { setTimeout as delay } from 'node:timers/promises'
import type { Child } from './child'

/** Ends what hangs; beside many other processes a start takes minutes. */
const TIMEOUT_MS = 10 * 60_000

/**
 * Waits until the processes have said that they do their work, and the product that it is ready. Throws with what it said
 * last when it does not become so.
 */
export async function waitUntilReady(port: number, children: readonly Child[], signal: AbortSignal) {
  const late = AbortSignal.timeout(TIMEOUT_MS)
  const waiting = AbortSignal.any([signal, late])
  let last = 'its processes do not start'
  try {
    await Promise.all(children.map((child) => child.whenReady(waiting)))
    for (;;) {
      last = await problemOf(port, waiting)
      if (last === '') return
      // All of our own is there: what is missing is an external database or storage.
      await delay(500, undefined, { signal: waiting })
    }
  } catch (error) {
    signal.throwIfAborted()
    throw late.aborted ? new Error(`Greenroom does not become ready: ${last}.`) : error
  }
}

/** Why it is not ready; empty when it is. */
async function problemOf(port: number, signal: AbortSignal): Promise<string> {
  try {
    const response = await fetch(`http://127.0.0.1:${port}/api/health/ready`, { signal })
    return response.ok
      ? ''
      : `/api/health/ready responds with ${response.status} ${(await response.text()).slice(0, 500)}`
  } catch (error) {
    signal.throwIfAborted()
    return error instanceof Error ? error.message : String(error)
  }
}

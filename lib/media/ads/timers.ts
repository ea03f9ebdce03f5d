const TICK_MS = 100

/**
 * Does the work once this process itself has run for so long, unless it is called off first. A machine that stood still
 * meanwhile has delayed no process: the clock on the wall would call an ad blocked for it.
 */
export function afterRunning(ms: number, work: () => void): () => void {
  let ticks = Math.ceil(ms / TICK_MS)
  const clock = setInterval(() => {
    ticks -= 1
    if (ticks > 0) return
    clearInterval(clock)
    work()
  }, TICK_MS)
  return () => clearInterval(clock)
}

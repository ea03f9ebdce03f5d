import { readFileSync } from 'node:fs'

const PAGE_BYTES = 4096
/** Linux counts processor time in hundredths of a second (proc(5), /proc/pid/stat, fields 14 and 15). */
const TICK_MS = 10
const POLL_MS = 50

/** Resident memory of a process in bytes, by /proc; 0 where the system has none. */
export function residentBytes(pid: number | undefined): number {
  try {
    return Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1] ?? 0) * PAGE_BYTES
  } catch {
    return 0
  }
}

/** Processor time in milliseconds that a process and its threads have used; where there is no /proc, the time that has passed. */
export function usedMilliseconds(pid: number | undefined): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return (Number(fields[11]) + Number(fields[12])) * TICK_MS
  } catch {
    return performance.now()
  }
}

export type UseLimits = {
  /** Processor time, from the moment the watch begins: a busy machine makes nobody late. */
  cpuMs: number
  /** A process that uses no processor time at all for so long, while this one runs, hangs. */
  idleMs: number
  maxBytes: number
}

export type Overuse = 'out_of_time' | 'hung' | 'out_of_memory'

/**
 * Watches what a process uses, from outside: one that is busy cannot watch itself. `over` is called once, with the limit
 * that was passed. Returns what ends the watch.
 */
export function watchUse(pid: number | undefined, limits: UseLimits, over: (why: Overuse) => void): () => void {
  const began = usedMilliseconds(pid)
  let lastUsed = began
  // Counted in looks of our own, so that a machine that stood still has made nobody hang.
  let looksWithout = 0
  const clock = setInterval(() => {
    const used = usedMilliseconds(pid)
    looksWithout = used > lastUsed ? 0 : looksWithout + 1
    lastUsed = used
    if (residentBytes(pid) > limits.maxBytes) end('out_of_memory')
    else if (used - began > limits.cpuMs) end('out_of_time')
    else if (looksWithout * POLL_MS > limits.idleMs) end('hung')
  }, POLL_MS)
  const end = (why: Overuse) => {
    clearInterval(clock)
    over(why)
  }
  return () => clearInterval(clock)
}

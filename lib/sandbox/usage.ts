import { existsSync, readFileSync } from 'node:fs'

const PAGE_BYTES = 4096
/** Linux counts processor time in hundredths of a second (proc(5), /proc/pid/stat, fields 14 and 15). */
const TICK_MS = 10
const POLL_MS = 40

/** Whether the system reports what a process uses. Without it only the wall clock is watched. */
export const hasUsage = existsSync('/proc/self/statm')

/** Processor time that a process and its threads have used, and its resident memory; null when it is gone, or no usage is reported. */
export function usageOf(pid: number): { cpuMs: number; residentBytes: number } | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const pages = readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1]
    return { cpuMs: (Number(fields[11]) + Number(fields[12])) * TICK_MS, residentBytes: Number(pages) * PAGE_BYTES }
  } catch {
    return null
  }
}

export type UsageLimits = {
  /** Processor time, from the moment the watch begins: a busy machine delays no process. */
  cpuMs: () => number
  /** The clock, as a last resort. */
  wallMs: number
  /** A process that uses no processor time at all for so long hangs. */
  idleMs: number
  residentBytes: number
}

export type Overuse = 'processor_time' | 'wall_clock' | 'hung' | 'memory'

/**
 * Watches what a process uses, from outside: one that is busy cannot watch itself. `over` is called once, with the limit
 * that was passed. Time on the clock is counted in polls of our own, so that a machine that stood still has delayed no
 * process. Returns what ends the watch.
 */
export function watchUsage(pid: number, limits: UsageLimits, over: (limit: Overuse) => void): () => void {
  const began = usageOf(pid)?.cpuMs ?? 0
  let lastUsed = began
  let polls = 0
  let pollsWithout = 0
  const clock = setInterval(() => {
    polls += 1
    const passed = overuse()
    if (!passed) return
    clearInterval(clock)
    over(passed)
  }, POLL_MS)
  const overuse = (): Overuse | null => {
    if (polls * POLL_MS > limits.wallMs) return 'wall_clock'
    const usage = usageOf(pid)
    if (!usage) return null
    pollsWithout = usage.cpuMs > lastUsed ? 0 : pollsWithout + 1
    lastUsed = usage.cpuMs
    if (usage.residentBytes > limits.residentBytes) return 'memory'
    if (usage.cpuMs - began > limits.cpuMs()) return 'processor_time'
    return pollsWithout * POLL_MS > limits.idleMs ? 'hung' : null
  }
  return () => clearInterval(clock)
}

import { readFileSync, writeFileSync } from 'node:fs'
import { getPriority, setPriority } from 'node:os'

/** What no user waits for yet stands behind the checks, which stand at 10 (server/worker.ts). */
export const AHEAD_NICE = 15

/**
 * Lets others have the processor first: a process and, as Linux may share it out among sessions before it considers the
 * processes in them (sched(7), autogroup), the session that it leads. `by` is a nice value, 0 to 19. A process that stands further back
 * already stays there: only root may come forward, and no caller asked for it.
 */
export function stepBack(pid: number, by: number): void {
  if (by <= 0) return
  try {
    const nice = Math.max(by, getPriority(pid))
    setPriority(pid, nice)
    if (leadsSession(pid)) writeFileSync(`/proc/${pid}/autogroup`, String(nice))
  } catch {
    // It is gone already, or the system has no such thing or does not allow it: it then works like any other.
  }
}

/** Who does not lead it shares it with others, who have not asked for this (proc(5), /proc/pid/stat, field 6). */
function leadsSession(pid: number): boolean {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[3]) === pid
}

import { readdirSync, readFileSync } from 'node:fs'

const PAGE_BYTES = 4096

/** Memory that a process and all that descend from it hold for themselves, by /proc; 0 where the system has none. */
export function familyMemory(root: number): number {
  const parents = new Map<number, number>()
  const own = new Map<number, number>()
  try {
    for (const name of readdirSync('/proc')) {
      if (!/^\d+$/.test(name)) continue
      try {
        const stat = readFileSync(`/proc/${name}/stat`, 'utf8')
        parents.set(Number(name), Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]))
        const [, resident = 0, shared = 0] = readFileSync(`/proc/${name}/statm`, 'utf8').split(' ').map(Number)
        // What several share (the program itself) is not counted for each of them.
        own.set(Number(name), (resident - shared) * PAGE_BYTES)
      } catch {
        // It has just ended.
      }
    }
  } catch {
    return 0
  }
  const isOfFamily = (pid: number): boolean => {
    for (let each: number | undefined = pid, steps = 0; each && steps < 20; each = parents.get(each), steps += 1)
      if (each === root) return true
    return false
  }
  let sum = 0
  for (const [pid, bytes] of own) if (isOfFamily(pid)) sum += bytes
  return sum
}

/**
 * Seconds for which the first threads of these processes were ready to run and had no processor, since they began, by
 * /proc/PID/schedstat (Linux, scheduler statistics: the second number, in ns); null where the system has none.
 */
export function secondsWaited(pids: readonly number[]): number | null {
  try {
    const waited = pids.map((pid) => Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[1]))
    return waited.reduce((sum, each) => sum + each, 0) / 1e9
  } catch {
    return null
  }
}

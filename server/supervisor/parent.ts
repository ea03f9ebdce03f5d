import { readFileSync } from 'node:fs'

const POLL_MS = 250

/**
 * npm runs us in a shell, and passes a signal to that shell alone: it ends, and we would go on without anybody who could
 * stop us. Calls `gone` once when the shell, or npm above it, is not there any more. Started by node itself, no
 * process is watched: the one that starts a service in the background may end.
 */
export function whenStarterIsGone(
  gone: () => void,
  { isNpm = process.env.npm_lifecycle_event !== undefined, starters = startersOfThis } = {},
): void {
  if (!isNpm) return
  const [shell, npm] = starters()
  const clock = setInterval(() => {
    const [shellNow, npmNow] = starters()
    if (shellNow === shell && npmNow === npm) return
    clearInterval(clock)
    gone()
  }, POLL_MS)
  clock.unref()
}

/** The process that started us, and the one that started that; null where the system does not say. */
function startersOfThis(): [parent: number, grandparent: number | null] {
  return [process.ppid, parentOf(process.ppid)]
}

/** Field 4 of /proc/PID/stat; the name in field 2 may hold spaces and brackets, so count behind it. */
function parentOf(pid: number): number | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
  } catch {
    return null
  }
}

import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'

/** A process as it can be found again after a crash: its number alone may have been given to a stranger since. */
export type ProcessIdentity = { pid: number; startedAt: string }

/** Who runs under `pid` now, or null when no process does (a zombie counts as none). */
export function identifyProcess(pid: number): ProcessIdentity | null {
  if (!Number.isInteger(pid) || pid <= 0) return null
  try {
    const startedAt = process.platform === 'linux' ? startOnLinux(pid) : startElsewhere(pid)
    return startedAt ? { pid, startedAt } : null
  } catch {
    return null
  }
}

/** True while the very process that was identified still runs. */
export function isRunning(identity: ProcessIdentity): boolean {
  return identifyProcess(identity.pid)?.startedAt === identity.startedAt
}

/** The processes of a session whose environment has `NAME=value`, also after their leader's end; on Linux alone. */
export function processesOfSession(leader: number, variable: string): ProcessIdentity[] {
  if (process.platform !== 'linux') return []
  const pids = readdirSync('/proc').map(Number).filter(Number.isInteger)
  return pids.flatMap((pid) => {
    try {
      // Fields 3 to 6 of /proc/PID/stat: state, parent, process group, session.
      const session = statFields(pid)[3]
      if (session !== String(leader)) return []
      if (!readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').includes(variable)) return []
    } catch {
      return [] // ended meanwhile, or another process's
    }
    return identifyProcess(pid) ?? []
  })
}

/** The command line of a process as one string; empty when it cannot be read. */
export function commandLine(pid: number): string {
  try {
    if (process.platform === 'linux') return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim()
    return execFileSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' }).trim()
  } catch {
    return ''
  }
}

/**
 * Sends the signals in turn, each with its grace in milliseconds, until the process is gone.
 * Throws EPERM when the process belongs to another user, and when it outlives the last signal.
 */
export async function endProcess(identity: ProcessIdentity, steps: [signal: NodeJS.Signals, graceMs: number][]) {
  for (const [signal, graceMs] of steps) {
    if (!isRunning(identity)) return
    try {
      process.kill(identity.pid, signal)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ESRCH') return
      throw error
    }
    const deadline = Date.now() + graceMs
    while (Date.now() < deadline) {
      if (!isRunning(identity)) return
      await delay(20)
    }
  }
  if (isRunning(identity)) throw new Error(`Process ${identity.pid} does not end, not even by ${steps.at(-1)?.[0]}.`)
}

/** The fields of /proc/PID/stat from the third on: the name in the second may hold spaces and brackets. */
function statFields(pid: number): string[] {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
}

// Field 22: clock ticks since boot.
function startOnLinux(pid: number): string | null {
  const fields = statFields(pid)
  return fields[0] === 'Z' || fields[0] === 'X' ? null : (fields[19] ?? null)
}

function startElsewhere(pid: number): string | null {
  if (process.platform === 'win32') {
    process.kill(pid, 0)
    return 'running'
  }
  return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim() || null
}

import { readFileSync, readlinkSync, realpathSync, rmSync } from 'node:fs'
import path from 'node:path'
import { commandLine, endProcess, identifyProcess, type ProcessIdentity } from './process'

/** What PostgreSQL writes into postmaster.pid (src/include/utils/pidfile.h): line 1 pid, 4 port, 8 status. */
export type Postmaster = { pid: number; port: number; status: string }

export function readPostmaster(folder: string): Postmaster | null {
  try {
    const lines = readFileSync(path.join(folder, 'postmaster.pid'), 'utf8').split('\n')
    const pid = Number(lines[0])
    return pid > 0 ? { pid, port: Number(lines[3]), status: (lines[7] ?? '').trim() } : null
  } catch {
    return null
  }
}

/** The server that runs on `folder` at this moment, no matter who started it; null when there is none. */
export function findPostmaster(folder: string): (Postmaster & { identity: ProcessIdentity }) | null {
  const noted = readPostmaster(folder)
  const identity = noted && identifyProcess(noted.pid)
  // In a restarted container the old number often belongs to another program: only a postgres on this folder counts.
  if (!identity || !worksIn(noted.pid, folder)) return null
  return { ...noted, identity }
}

/** A postmaster names its folder when it is started, and makes it its working directory (which survives a rename). */
function worksIn(pid: number, folder: string): boolean {
  if (commandLine(pid).includes(folder)) return true
  try {
    return readlinkSync(`/proc/${pid}/cwd`) === realpathSync(folder)
  } catch {
    return false
  }
}

/**
 * Leaves `folder` free for a new server: stops one that outlived its supervisor, and removes a pid file whose server
 * is gone (PostgreSQL itself refuses to start when the number now belongs to any process of the same user).
 */
export async function clearPostmaster(folder: string): Promise<'none' | 'stopped' | 'stale'> {
  const running = findPostmaster(folder)
  if (running) {
    await stopPostmaster(running.identity)
    return 'stopped'
  }
  if (!readPostmaster(folder)) return 'none'
  rmSync(path.join(folder, 'postmaster.pid'), { force: true })
  return 'stale'
}

/** Fast shutdown with a checkpoint; immediate, then forced, only when that hangs: recovery repairs it at the next start. */
export async function stopPostmaster(identity: ProcessIdentity) {
  await endProcess(identity, [
    ['SIGINT', 20_000],
    ['SIGQUIT', 5_000],
    ['SIGKILL', 5_000],
  ])
}

import { readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { killUntilGone } from './kill'

/**
 * A folder for what a program writes. When the work is over it is removed; before that any process that names it on its command
 * line is killed, as the last of them may still be writing: a browser's crash handler leaves the group of its process.
 */
export async function withScratchFolder<R>(name: string, work: (folder: string) => Promise<R>): Promise<R> {
  const folder = await mkdtemp(path.join(tmpdir(), `greenroom-${name}-`))
  try {
    return await work(folder)
  } finally {
    await killUntilGone(() => processesNaming(folder).filter(killed).length > 0)
    await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }).catch(() => undefined)
  }
}

/** False when there is no such process any more. */
function killed(pid: number): boolean {
  try {
    return process.kill(pid, 'SIGKILL')
  } catch {
    return false
  }
}

function processesNaming(folder: string): number[] {
  try {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name) && commandOf(name).includes(folder))
      .map(Number)
  } catch {
    return []
  }
}

function commandOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  } catch {
    return ''
  }
}

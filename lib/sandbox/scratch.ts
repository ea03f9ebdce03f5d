import { constants, readdirSync, readFileSync } from 'node:fs'
import { type FileHandle, mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Readable } from 'node:stream'
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

/** Opens the file that a process left, not what a link in its place leads to; null where it left none. The caller closes it. */
export async function openWritten(file: string): Promise<{ handle: FileHandle; size: number } | null> {
  const handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW)
  const { size, nlink } = await handle.stat()
  if (nlink === 1 && size > 0) return { handle, size }
  await handle.close()
  return null
}

/** Gives that file to `use`, and closes it once that settles. @param missing what is said where there is none */
export async function withWritten<R>(
  file: string,
  missing: string,
  use: (written: { size: number; read(): Readable }) => Promise<R>,
): Promise<Awaited<R> | { failed: string }> {
  const written = await openWritten(file)
  if (!written) return { failed: missing }
  const { handle, size } = written
  try {
    return await use({ size, read: () => handle.createReadStream({ start: 0, autoClose: false }) })
  } finally {
    await handle.close()
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

import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import {
  endProcess,
  identifyProcess,
  isRunning,
  type ProcessIdentity,
  processesOfSession,
} from '@/server/embedded-database/process'

/** What a running Greenroom leaves in its data folder: who runs, and whom it has started. */
type Note = { supervisor: ProcessIdentity; children: ProcessIdentity[]; url: string }

export type Claim = {
  /** True when the run before this one was killed and left processes behind (they are ended by now). */
  recovered: boolean
  addChild(pid: number): void
  release(): void
}

/**
 * Takes a data folder for this process. Throws when another Greenroom runs on it. What a killed run has left behind is
 * ended first: its processes are recognised by number and start time, so that no stranger is ever hit.
 */
export async function claimDataFolder(dataDir: string, url: string): Promise<Claim> {
  const file = path.join(dataDir, 'running.json')
  const me = identifyProcess(process.pid)
  if (!me) throw new Error('This process cannot be identified: is /proc mounted?')
  const note: Note = { supervisor: me, children: [], url }
  let recovered = false
  while (!claim(file, note)) {
    const found = read(file)
    if (found && isRunning(found.supervisor)) {
      throw new Error(
        `Greenroom already runs on ${dataDir} (process ${found.supervisor.pid}, ${found.url}). ` +
          'Stop it first, or set DATA_DIR to another folder.',
      )
    }
    const left = found?.children.flatMap((child) => leftOf(child, dataDir)) ?? []
    // Without their supervisor they have nothing to finish and end by themselves, unless they hang on the way out.
    await Promise.all(left.map((child) => endProcess(child, [['SIGKILL', 5_000]])))
    recovered ||= left.length > 0
    discard(file, found)
  }
  return {
    recovered,
    addChild(pid) {
      const child = identifyProcess(pid)
      if (!child) return
      note.children = [...note.children.filter(isRunning), child]
      try {
        write(file, note)
      } catch {
        // A full disk: the note is whole with the next process that is started; this one notices itself when we are gone.
      }
    },
    release: () => rmSync(file, { force: true }),
  }
}

/** A child that still runs, and what it had started: each leads a session, and its environment names the data folder. */
function leftOf(child: ProcessIdentity, dataDir: string): ProcessIdentity[] {
  const started = processesOfSession(child.pid, `DATA_DIR=${dataDir}`).filter(({ pid }) => pid !== child.pid)
  return isRunning(child) ? [child, ...started] : started
}

/** A link never replaces what is there: of two starts at the same moment one gets the name. */
function claim(file: string, note: Note): boolean {
  const draft = `${file}.${process.pid}`
  writeFileSync(draft, JSON.stringify(note), { mode: 0o600 })
  try {
    linkSync(draft, file)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  } finally {
    rmSync(draft, { force: true })
  }
}

/** Takes a dead run's note away, unless another start has just put its own in the place. */
function discard(file: string, dead: Note | null) {
  const aside = `${file}.${process.pid}.dead`
  try {
    renameSync(file, aside)
  } catch {
    return
  }
  if (dead && read(aside)?.supervisor.startedAt !== dead.supervisor.startedAt) linkSync(aside, file)
  rmSync(aside, { force: true })
}

function write(file: string, note: Note) {
  const draft = `${file}.${process.pid}`
  try {
    writeFileSync(draft, JSON.stringify(note), { mode: 0o600 })
    renameSync(draft, file)
  } finally {
    rmSync(draft, { force: true })
  }
}

function read(file: string): Note | null {
  try {
    const note = JSON.parse(readFileSync(file, 'utf8'))
    return Number.isInteger(note?.supervisor?.pid) && Array.isArray(note.children) ? note : null
  } catch {
    return null
  }
}

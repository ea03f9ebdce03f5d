import { createHash } from 'node:crypto'
import { readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'

const NAME = /^process-([0-9a-f]{12})-(\d+)-(\d+)$/

let own: string | undefined
let here: string | undefined

/** Names this process among all that may ever share a folder, so that others can find out whether it still runs. */
export function ownName(): string {
  own ??= `process-${machine()}-${process.pid}-${startOf(process.pid) ?? 0}`
  return own
}

/**
 * True when the named process is known to have ended. A process of another machine or container is never known to have
 * ended, nor is a name that was not made here.
 */
export function isGone(name: string): boolean {
  const [, where, pid, start] = NAME.exec(name) ?? []
  if (where !== machine() || pid === undefined) return false
  try {
    process.kill(Number(pid), 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH'
  }
  // Ids are given again, and one that ended stays listed until its parent asks for its end.
  const running = startOf(Number(pid))
  return running !== null && running !== start
}

/** The world in which process ids are unique: a host, on Linux a pid namespace of it (pid_namespaces(7)). */
function machine(): string {
  here ??= createHash('sha256').update(`${hostname()} ${pidNamespace()}`).digest('hex').slice(0, 12)
  return here
}

function pidNamespace(): string {
  try {
    return readlinkSync('/proc/self/ns/pid')
  } catch {
    return '' // not Linux
  }
}

/** When a process started, in ticks since boot (proc(5), field 22), 'ended' for a zombie; null where that is not known. */
function startOf(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return fields[0] === 'Z' ? 'ended' : (fields[19] ?? null)
  } catch {
    return null
  }
}

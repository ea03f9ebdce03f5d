import { type ChildProcess, spawn } from 'node:child_process'
import { getPriority } from 'node:os'
import { limitingPrefix } from './limits'
import { stepBack } from './priority'
import { nodeArguments, type Program, productRoot } from './programs'
import { LOAD_FIRST } from './protocol'

export type LaunchOptions = {
  /** How far it lets others have the processor first (priority.ts); at least as far as this process does. */
  nice?: number
  nodeOptions?: readonly string[]
  /** It reads bytes that are sent to it (protocol.ts). */
  takesBytes?: boolean
  /** It loads what its jobs may need before it is ready: for one that is started ahead. Others load what their job needs. */
  loadsFirst?: boolean
}

/**
 * Megabytes. V8 goes through its heap again each time it has grown by a little, from the start on: up to 64 at once saves a
 * twelfth of what measuring a video of 30 s takes beside decoding it.
 */
const HEAP = ['--max-old-space-size=768', '--initial-heap-size=64']

/** Starts a program in its sandbox, listening on stdin and sending results on descriptor 3 (protocol.ts). */
export function launch(
  program: Program,
  { nice = 0, nodeOptions = [], takesBytes = false, loadsFirst = false }: LaunchOptions = {},
): ChildProcess {
  const node = [
    process.execPath,
    ...HEAP,
    ...nodeOptions,
    ...nodeArguments(program),
    ...(loadsFirst ? [LOAD_FIRST] : []),
  ]
  const [command = process.execPath, ...args] = [...limitingPrefix(program.profile), ...node]
  const child = spawn(command, args, {
    cwd: productRoot(),
    env: sandboxEnvironment(),
    // A group of its own: killing the group reaches whatever a decoder may have started.
    detached: true,
    stdio: ['pipe', 'ignore', 'pipe', 'pipe', ...(takesBytes ? ['pipe' as const] : [])],
  })
  if (child.pid !== undefined) stepBack(child.pid, Math.max(nice, getPriority()))
  return child
}

/** Nothing of the server's configuration: no secret, no address. */
export function sandboxEnvironment(): NodeJS.ProcessEnv {
  return {
    PATH: process.env.PATH ?? '/usr/bin:/bin',
    LANG: 'C.UTF-8',
    NODE_ENV: 'production',
    UV_THREADPOOL_SIZE: '2',
    // glibc keeps an arena per thread and gives little back; two are enough here.
    MALLOC_ARENA_MAX: '2',
    // The memory of one image serves the next: asking the system for new pages costs a third of decoding a photo.
    MALLOC_MMAP_THRESHOLD_: String(256 * 1024 * 1024),
    MALLOC_TRIM_THRESHOLD_: String(512 * 1024 * 1024),
    ...(process.env.TMPDIR ? { TMPDIR: process.env.TMPDIR } : {}),
  }
}

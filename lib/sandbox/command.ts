import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { getPriority } from 'node:os'
import path from 'node:path'
import { stepBack } from './priority'

/** What a reader may use up before the system ends it. The wall clock and the memory watch lie with its parent. */
const READER = { cpuSeconds: 3600, writtenBytes: 64 * 1024 * 1024, asUser: '--map-root-user' }
/** A browser keeps what its processes share in files, and makes its own sandbox only for somebody who is not root. */
const BROWSER = { cpuSeconds: 600, writtenBytes: 1024 * 1024 * 1024, asUser: '--map-current-user' }

const prefixes = new Map<typeof READER, string[]>()

/**
 * The words to put before the command of a reader so that it runs without network, without new privileges, with limits,
 * and dies with its parent. Each tool is used when this machine has it and lets us; none is required.
 */
export function cagePrefix(limits = READER): string[] {
  const { cpuSeconds, writtenBytes, asUser } = limits
  const known = prefixes.get(limits)
  if (known) return known
  const prefix = [
    ...firstThatRuns([['unshare', '--net'], ['unshare', asUser, '--net'], []]),
    ...firstThatRuns([['prlimit', `--cpu=${cpuSeconds}`, `--fsize=${writtenBytes}`, '--core=0'], []]),
    ...firstThatRuns([['setpriv', '--no-new-privs', '--pdeathsig', 'KILL'], ['setpriv', '--no-new-privs'], []]),
  ]
  prefixes.set(limits, prefix)
  return prefix
}

function firstThatRuns(candidates: string[][]): string[] {
  return (
    candidates.find(([command, ...args]) => {
      if (command === undefined) return true
      return spawnSync(command, [...args, 'true'], { stdio: 'ignore', timeout: 5000 }).status === 0
    }) ?? []
  )
}

/** The folder of the product: a bundled server has no file beside this module to start. */
export function productRoot(): string {
  return process.env.GREENROOM_ROOT ?? process.cwd()
}

/** The programs that run sandboxed, and their sources. */
export const CHILDREN = {
  inspector: 'lib/media/inspect/child.ts',
  measurer: 'lib/media/measurer/child.ts',
  printer: 'lib/adapters/printer/child.ts',
  browser: 'lib/media/ads/child.ts',
} as const
export type Child = keyof typeof CHILDREN
/** Where a build leaves them (scripts/bundle-children.ts). */
export const BUNDLED_CHILDREN = path.join('.next', 'children')

/**
 * How to start one of them in its cage: as built in production, from its source in development. Tests bundle them for
 * their run and say where (db/testing-cluster.ts): they start hundreds.
 */
export function cagedCommand(child: Child): { command: string; args: string[]; cwd: string } {
  const root = productRoot()
  const { GREENROOM_CHILDREN, NODE_ENV } = process.env
  const folder = GREENROOM_CHILDREN ?? (NODE_ENV === 'production' ? BUNDLED_CHILDREN : null)
  const built = folder && path.resolve(/*turbopackIgnore: true*/ root, folder, `${child}.mjs`)
  const program =
    built && existsSync(/*turbopackIgnore: true*/ built)
      ? [built]
      : ['--import', 'tsx', path.join(root, CHILDREN[child])]
  const prefix = cagePrefix(child === 'browser' ? BROWSER : READER)
  const [command, ...args] = [...prefix, process.execPath, '--max-old-space-size=768', ...program]
  return { command: command ?? process.execPath, args, cwd: root }
}

/** Starts one of them, listening on stdin and answering on descriptor 3, as far back in the queue for the processor as we are. */
export function spawnCaged(child: Child): ChildProcess {
  const { command, args, cwd } = cagedCommand(child)
  const caged = spawn(command, args, {
    cwd,
    env: readerEnvironment(),
    // A group of its own: killing the group reaches whatever a decoder may have started.
    detached: true,
    stdio: ['pipe', 'ignore', 'pipe', 'pipe'],
  })
  if (caged.pid !== undefined) stepBack(caged.pid, getPriority())
  return caged
}

/** The reader sees nothing of the server's configuration: no secret, no address. */
export function readerEnvironment(): NodeJS.ProcessEnv {
  return {
    PATH: process.env.PATH ?? '/usr/bin:/bin',
    LANG: 'C.UTF-8',
    NODE_ENV: 'production',
    UV_THREADPOOL_SIZE: '2',
    // glibc keeps an arena per thread and gives little back; two are enough here.
    MALLOC_ARENA_MAX: '2',
    // The memory of one picture serves the next: asking the system for new pages costs a third of decoding a photo.
    MALLOC_MMAP_THRESHOLD_: String(256 * 1024 * 1024),
    MALLOC_TRIM_THRESHOLD_: String(512 * 1024 * 1024),
    ...(process.env.TMPDIR ? { TMPDIR: process.env.TMPDIR } : {}),
  }
}

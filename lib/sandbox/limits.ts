import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { EnvironmentError } from '@/lib/env'
import { hasUsage } from './usage'

/**
 * What the system itself holds a sandboxed process to. Each limit is given by a tool of util-linux and needs rights that
 * a machine may not give; what it does not give is reported (`sandboxLimits`), and refused where SANDBOX is `strict`. Always in
 * force, whatever the machine: an environment without settings, the wall clock, and the length of a result.
 */
const LIMITS = {
  network: {
    what: 'isolation from the network',
    how: 'needs Linux, util-linux (unshare), and root or user namespaces (sysctl user.max_user_namespaces above 0; on Ubuntu kernel.apparmor_restrict_unprivileged_userns=0; in Docker --cap-add SYS_ADMIN)',
  },
  resources: {
    what: 'limits on processor time, memory, files and open files',
    how: 'needs Linux and util-linux (prlimit)',
  },
  privileges: { what: 'a bar on new privileges', how: 'needs Linux and util-linux (setpriv)' },
  parent: { what: 'an end with its parent', how: 'needs Linux and util-linux 2.33 or newer (setpriv --pdeathsig)' },
  user: {
    what: 'a user of its own',
    how: 'needs Greenroom to be started as root, with a data folder that root may read: decoders then run as user 65534, who may write nothing',
  },
  watch: { what: 'a watch on processor time and memory', how: 'needs Linux with /proc' },
} as const
export type LimitName = keyof typeof LIMITS

/** A decoder reads one file. A writer makes a copy of one, in a folder that is given to it. A browser shares memory through files, and makes its own sandbox only for who is not root. */
export type Profile = 'decoder' | 'writer' | 'browser'

const MB = 1024 * 1024
/** `largest`: megabytes of a file it may write; `seconds` of processor time. */
const decoderResources = (largest: number, seconds: number) => [
  `--cpu=${seconds}`,
  `--fsize=${largest * MB}`,
  '--nofile=256',
  '--core=0',
  // Address space that can be written to. All of it (RLIMIT_AS) cannot be limited: WebAssembly reserves 8 GiB a module.
  `--data=${4096 * MB}`,
]
const RESOURCES: Record<Profile, string[]> = {
  decoder: decoderResources(64, 3600),
  writer: decoderResources(5 * 1024, 4 * 3600),
  browser: ['--cpu=600', `--fsize=${1024 * MB}`, '--core=0'],
}
const NAMESPACE: Record<Profile, string> = {
  decoder: '--map-root-user',
  writer: '--map-root-user',
  browser: '--map-current-user',
}

const UNPRIVILEGED = '65534'
/** Reads what root may read, and nothing more: it cannot write to a file of ours, nor signal a process of ours. */
const OWN_USER = [
  `--reuid=${UNPRIVILEGED}`,
  `--regid=${UNPRIVILEGED}`,
  '--clear-groups',
  ...['--inh-caps', '--ambient-caps', '--bounding-set'].map((set) => `${set}=-all,+dac_read_search`),
  // Else access(2), by which libvips searches for a file, denies what open(2) grants, and an intact file is taken for a missing one.
  '--securebits=+no_setuid_fixup',
]

/** Words to put before a command, and what they limit. */
type Step = { words: string[]; gives: LimitName[] }
const NOTHING: Step = { words: [], gives: [] }

/** For each tool what it can do, the most first. */
function stepsOf(profile: Profile): Step[][] {
  const bound = ['--no-new-privs', '--pdeathsig', 'KILL']
  return [
    [
      { words: ['unshare', '--net'], gives: ['network'] },
      { words: ['unshare', NAMESPACE[profile], '--net'], gives: ['network'] },
    ],
    [{ words: ['prlimit', ...RESOURCES[profile]], gives: ['resources'] }],
    [
      ...(profile !== 'browser'
        ? [{ words: ['setpriv', ...OWN_USER, ...bound], gives: ['user', 'privileges', 'parent'] } satisfies Step]
        : []),
      { words: ['setpriv', ...bound], gives: ['privileges', 'parent'] },
      { words: ['setpriv', '--no-new-privs'], gives: ['privileges'] },
    ],
  ]
}

type Confinement = { prefix: string[]; gives: ReadonlySet<LimitName> }
const known = new Map<Profile, Confinement>()

/** The most that this machine gives, found out by trying, once. */
function confinementOf(profile: Profile): Confinement {
  const before = known.get(profile)
  if (before) return before
  const prefix: string[] = []
  const gives = new Set<LimitName>(hasUsage ? ['watch'] : [])
  for (const steps of stepsOf(profile)) {
    const step =
      steps.find(({ words, gives }) => (gives.includes('user') ? canDecode : canStart)([...prefix, ...words])) ??
      NOTHING
    prefix.push(...step.words)
    for (const limit of step.gives) gives.add(limit)
  }
  const held = { prefix, gives }
  known.set(profile, held)
  return held
}

/** Generous: on a busy machine a limit must not be taken for one that is not there. */
const TRY_MS = 60_000

/** Whether a process can be started by these words. */
const canStart = (words: string[]) => canRun([...words, 'true'])

/** Not by lib/env: a tool that decodes (a bench, a script) is held, too, where another setting is wrong or missing. */
const setting = (name: 'DATA_DIR' | 'SANDBOX') => process.env[name]?.trim()

/** Whether one that is then another user can read what only we may read, and write temporary files. */
function canDecode(words: string[]): boolean {
  const folders = [tmpdir(), setting('DATA_DIR') || '.data'].filter((folder) =>
    existsSync(/*turbopackIgnore: true*/ folder),
  )
  const ours: string[] = []
  try {
    for (const folder of folders) {
      const made = mkdtempSync(path.join(/*turbopackIgnore: true*/ folder, 'greenroom-sandbox-'))
      ours.push(made)
      writeFileSync(path.join(/*turbopackIgnore: true*/ made, 'file'), '', { mode: 0o600 })
    }
    const script = `const fs = require('node:fs')
      for (const folder of ${JSON.stringify(ours)}) {
        fs.accessSync(folder + '/file', fs.constants.R_OK)
        fs.readFileSync(folder + '/file')
      }
      fs.rmdirSync(fs.mkdtempSync(require('node:os').tmpdir() + '/greenroom-sandbox-'))`
    return canRun([...words, process.execPath, '-e', script])
  } catch {
    // A folder of another user, or a full disk: what cannot be tried is not relied on.
    return false
  } finally {
    for (const folder of ours) rmSync(folder, { recursive: true })
  }
}

function canRun([command = '', ...args]: string[]): boolean {
  return spawnSync(command, args, { stdio: 'ignore', timeout: TRY_MS }).status === 0
}

export type SandboxLimit = { name: LimitName; what: string; how: string; isInForce: boolean }

/** Each limit, and whether every program that can be held to it is. */
export function sandboxLimits(): SandboxLimit[] {
  const decoder = confinementOf('decoder').gives
  const browser = confinementOf('browser').gives
  return Object.entries(LIMITS).map(([key, text]) => {
    const name = key as LimitName
    return { name, ...text, isInForce: decoder.has(name) && (name === 'user' || browser.has(name)) }
  })
}

/**
 * Refuses to go on where SANDBOX is `strict` and a limit is missing.
 * @throws EnvironmentError that names each, and how to get it
 */
export function requireLimits(): void {
  if (setting('SANDBOX') !== 'strict') return
  // Only root can give a process another user. A service that runs as an ordinary user is not made to run as root for it.
  const isRoot = process.getuid?.() === 0
  const missing = sandboxLimits().filter(({ name, isInForce }) => !isInForce && (name !== 'user' || isRoot))
  if (missing.length === 0) return
  throw new EnvironmentError(
    [
      'SANDBOX is "strict", and this machine does not hold decoders to all limits. Missing:',
      ...missing.map(({ what, how }) => `- ${what}: ${how}.`),
      'Provide them, or set SANDBOX=auto to go on without.',
    ].join('\n'),
  )
}

/** The words to put before the command of a program so that it is held to the limits. */
export function limitingPrefix(profile: Profile): string[] {
  requireLimits()
  return confinementOf(profile).prefix
}

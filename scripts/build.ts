import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { closeSync, existsSync, mkdirSync, openSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { bundleChildren } from './bundle-children'

// Everything in the repository can change what is built, except these; of the scripts only the worker is built.
const IGNORED = new Set(['bench', 'docs', 'e2e', 'node_modules', 'playwright-report', 'test-results', 'next-env.d.ts'])
const STAMP = path.join('.next', 'greenroom-build')

/**
 * A fingerprint of the sources below `root`: names and contents, never times, so that a checkout, a copy or a touch
 * does not count as a change. Tests, documents and dot-files do not end up in a build and are left out.
 */
export function fingerprintSources(root: string): string {
  const hash = createHash('sha256')
  for (const file of listSources(root)) {
    const content = readFileSync(path.join(root, file))
    hash.update(`${file}\0${content.length}\0`).update(content)
  }
  return hash.digest('hex')
}

function listSources(root: string, below = ''): string[] {
  const entries = readdirSync(path.join(root, below), { withFileTypes: true })
  return entries
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const file = path.posix.join(below, entry.name)
      if (entry.name.startsWith('.') || (below === '' && IGNORED.has(entry.name))) return []
      if (below === 'scripts' && entry.name !== 'worker.ts') return []
      if (entry.isDirectory()) return listSources(root, file)
      return entry.isFile() && !/\.test\.tsx?$|\.md$|\.tsbuildinfo$|\.log$/.test(entry.name) ? [file] : []
    })
}

/** Whether `root` needs a build: there is none, it was cut short, or the sources are not those it was made from. */
export function isBuildStale(root: string): boolean {
  const stamp = path.join(root, STAMP)
  if (!existsSync(stamp) || !existsSync(path.join(root, '.next', 'BUILD_ID'))) return true
  return readFileSync(stamp, 'utf8') !== fingerprintSources(root)
}

/**
 * Builds for production when the last build is stale; its messages go to `logFile`.
 * Throws with the end of those messages when the build fails. A build that is aborted stays stale.
 */
export async function buildIfStale(root: string, logFile: string, signal?: AbortSignal): Promise<boolean> {
  if (!isBuildStale(root)) return false
  const stamp = path.join(root, STAMP)
  // Of before the build: what is edited meanwhile belongs to the next one.
  const fingerprint = fingerprintSources(root)
  rmSync(stamp, { force: true })
  mkdirSync(path.dirname(logFile), { recursive: true })
  const log = openSync(logFile, 'w', 0o600)
  const code = await new Promise<number | null>((resolve, reject) => {
    const child = spawn(process.execPath, [path.join('node_modules', 'next', 'dist', 'bin', 'next'), 'build'], {
      cwd: root,
      env: { ...process.env, NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1' },
      stdio: ['ignore', log, log],
      signal,
    })
    child.once('error', reject)
    child.once('close', resolve)
  }).finally(() => closeSync(log))
  if (code !== 0) {
    const end = readFileSync(logFile, 'utf8').trim().split('\n').slice(-30).join('\n')
    throw new Error(`The build failed:\n\n${end}\n\nAll of it is in ${logFile}.`)
  }
  await bundleChildren(root)
  writeFileSync(stamp, fingerprint)
  return true
}

if (process.argv[1] === import.meta.filename) {
  try {
    const built = await buildIfStale(process.cwd(), path.join('.next', 'cache', 'greenroom-build.log'))
    console.log(built ? 'Built.' : 'The build is up to date.')
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    process.exitCode = 1
  }
}

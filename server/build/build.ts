import { type SpawnOptions, spawn } from 'node:child_process'
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { patchPostgres } from '../workarounds/postgres-patch.mjs'
import { fingerprintSources } from './sources.mjs'

const STAMP = path.join('.next', 'greenroom-build')
// Next empties its folder first. Each in a process of its own, so that what builds ends with the build.
const STEPS = [
  [path.join('node_modules', 'next', 'dist', 'bin', 'next'), 'build'],
  ['--import', 'tsx', path.join('server', 'build', 'bundle.ts')],
]

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
  patchPostgres(root)
  if (!isBuildStale(root)) return false
  const stamp = path.join(root, STAMP)
  // Of before the build: what is edited meanwhile belongs to the next one.
  const fingerprint = fingerprintSources(root)
  rmSync(stamp, { force: true })
  mkdirSync(path.dirname(logFile), { recursive: true })
  const log = openSync(logFile, 'w', 0o600)
  let code: number | null = 0
  try {
    for (const step of STEPS) {
      if (code === 0) code = await runStep(step, { cwd: root, stdio: ['ignore', log, log], signal })
    }
  } finally {
    closeSync(log)
  }
  if (code !== 0) {
    const end = readFileSync(logFile, 'utf8').trim().split('\n').slice(-30).join('\n')
    throw new Error(`The build failed:\n\n${end}\n\nAll of it is in ${logFile}.`)
  }
  writeFileSync(stamp, fingerprint)
  return true
}

/** The exit code; null when it was ended by a signal. */
function runStep(args: string[], options: SpawnOptions): Promise<number | null> {
  return new Promise((resolve, reject) => {
    const env = { ...process.env, NODE_ENV: 'production' as const, NEXT_TELEMETRY_DISABLED: '1' }
    const child = spawn(process.execPath, args, { ...options, env })
    child.once('error', reject)
    child.once('close', resolve)
  })
}

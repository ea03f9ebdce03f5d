// Runs before anything is installed: Node's own modules only.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { patchPostgres } from '../workarounds/postgres-patch.mjs'

export const root = fileURLToPath(new URL('../..', import.meta.url)).replace(/[\\/]$/, '')

/** Says in one sentence what stands in the way, and ends. */
export function refuse(sentence) {
  console.error(`\n${sentence}\n`)
  process.exit(1)
}

/** Ends with a sentence when this Node is older than package.json asks for. */
export function requireNode() {
  const { engines } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'))
  const wanted = engines.node.replace(/^\D+/, '')
  const [major = 0, minor = 0] = wanted.split('.').map(Number)
  const [hasMajor, hasMinor] = process.versions.node.split('.').map(Number)
  if (hasMajor < major || (hasMajor === major && hasMinor < minor)) {
    refuse(`Greenroom needs Node.js ${wanted} or newer; this is ${process.versions.node}. See https://nodejs.org.`)
  }
}

/**
 * Installs the dependencies when there are none, or when the lockfile is not the one they were installed from.
 * What builds and tests need is a development dependency, so NODE_ENV=production must not leave it out.
 */
export function ensureInstalled() {
  const stamp = path.join(root, 'node_modules', '.greenroom-installed')
  const wanted = fingerprint()
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return repairPackages()
  const fresh = !existsSync(path.join(root, 'node_modules'))
  console.log(
    fresh ? 'Installing what is needed (a few minutes, once) ...' : 'Bringing the dependencies up to date ...',
  )
  const args = ['install', '--include=dev', '--no-save', '--no-audit', '--no-fund', '--loglevel=error']
  // Started by npm, use that very npm; started by node alone, the one on the path.
  const npm = process.env.npm_execpath?.endsWith('.js') ? process.env.npm_execpath : null
  const result = npm
    ? spawnSync(process.execPath, [npm, ...args], { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] })
    : spawnSync('npm', args, {
        cwd: root,
        stdio: ['ignore', 'inherit', 'inherit'],
        shell: process.platform === 'win32',
      })
  if (result.signal) process.exit(1)
  if (result.error || result.status !== 0) {
    refuse(
      `The dependencies could not be installed${result.error ? ` (${result.error.message})` : '; npm says why above'}.`,
    )
  }
  repairPackages()
  try {
    writeFileSync(stamp, wanted)
  } catch {
    // node_modules belongs to another user: npm is asked again next time, which is slow and right.
  }
}

/** Repairs what is installed where its authors have not yet. */
export function repairPackages() {
  try {
    patchPostgres(root)
  } catch (error) {
    refuse(
      `The database driver could not be repaired: ${error.message}\nRun npm run build as the owner of node_modules.`,
    )
  }
}

function fingerprint() {
  const hash = createHash('sha256').update(`${process.platform} ${process.arch} ${process.versions.modules}\n`)
  for (const name of ['package.json', 'package-lock.json']) hash.update(readFileSync(path.join(root, name)))
  return hash.digest('hex')
}

// The supervisor and the programs of scripts/ as plain JavaScript, so that a running Greenroom needs no compiler, neither on the disk nor
// in memory.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { refuse, root } from './installed.mjs'
import { fingerprintPrograms } from './sources.mjs'

const FOLDER = path.join(root, '.next', 'programs')

/** Whether they were bundled from the sources as they are now, with what is installed now. */
export function areProgramsCurrent() {
  const stamp = path.join(FOLDER, 'fingerprint')
  const installed = existsSync(path.join(root, 'node_modules'))
  return installed && existsSync(stamp) && readFileSync(stamp, 'utf8') === fingerprintPrograms(root)
}

/**
 * Where the bundle of a program lies; all of them are bundled first when a source has changed since.
 *
 * @param {string} name
 */
export function programAddress(name) {
  if (!areProgramsCurrent()) {
    // In a process of its own: the compilers end with it.
    const args = ['--import', 'tsx', path.join('server', 'build', 'bundle.ts'), 'programs']
    const { status } = spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' })
    if (status !== 0) {
      refuse('The programs could not be bundled; the reason stands above. `npm install` brings what that needs.')
    }
  }
  return pathToFileURL(path.join(FOLDER, `${name}.mjs`)).href
}

// Asked before anything is bundled: Node's own modules only.
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

// Everything in the repository can change what is built or bundled, except these ...
const IGNORED = [
  'bench',
  'deploy',
  'docs',
  'e2e',
  'next-env.d.ts',
  'node_modules',
  'playwright-report',
  'server/testing',
  'test-results',
]
// ... and these, which are only bundled: they are no part of what Next builds.
const PROGRAMS = ['fixtures', 'scripts', 'server/embedded-database', 'server/supervisor', 'server/web']

/**
 * A fingerprint of the sources below `root`: names and contents, never times, so that a checkout, a copy or a touch
 * does not count as a change. Tests, documents and dot-files do not end up in a build and are left out.
 *
 * @param {string} root
 */
export function fingerprintSources(root, ignored = [...IGNORED, ...PROGRAMS]) {
  const hash = createHash('sha256')
  for (const file of listSources(root, new Set(ignored))) {
    const content = readFileSync(path.join(root, file))
    hash.update(`${file}\0${content.length}\0`).update(content)
  }
  return hash.digest('hex')
}

/**
 * Of all that the programs are made from, and of the Node that its packages were installed for.
 *
 * @param {string} root
 */
export const fingerprintPrograms = (root) =>
  `${process.platform} ${process.arch} ${process.versions.modules} ${fingerprintSources(root, IGNORED)}`

/** @type {(root: string, ignored: Set<string>, below?: string) => string[]} */
function listSources(root, ignored, below = '') {
  const entries = readdirSync(path.join(root, below), { withFileTypes: true })
  return entries
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const file = path.posix.join(below, entry.name)
      if (entry.name.startsWith('.') || ignored.has(file)) return []
      if (entry.isDirectory()) return listSources(root, ignored, file)
      return entry.isFile() && !/\.test\.tsx?$|\.md$|\.tsbuildinfo$|\.log$/.test(entry.name) ? [file] : []
    })
}

import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { isBuildStale } from './build'
import { fingerprintSources } from './sources.mjs'

let root: string
const write = (file: string, content: string) => {
  mkdirSync(path.dirname(path.join(root, file)), { recursive: true })
  writeFileSync(path.join(root, file), content)
}
/** As buildIfStale() leaves it after a build that succeeded. */
const build = () => {
  write('.next/BUILD_ID', 'one')
  write('.next/greenroom-build', fingerprintSources(root))
}

beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), 'greenroom-build-'))
  write('app/page.tsx', 'export default () => null')
  write('lib/rules.ts', 'export const limit = 1')
  write('package.json', '{}')
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

describe('a build', () => {
  it('is needed where there is none', () => {
    expect(isBuildStale(root)).toBe(true)
  })

  it('is not repeated while the sources are the same, whatever their times say', () => {
    build()
    utimesSync(path.join(root, 'lib/rules.ts'), new Date(), new Date())
    expect(isBuildStale(root)).toBe(false)
  })

  it.each([
    ['a changed file', () => write('lib/rules.ts', 'export const limit = 2')],
    ['a change that keeps the length', () => write('lib/rules.ts', 'export const limit = 9')],
    ['a new file', () => write('app/new/page.tsx', '')],
    ['a renamed file', () => renameSync(path.join(root, 'lib/rules.ts'), path.join(root, 'lib/rule.ts'))],
    ['a removed file', () => rmSync(path.join(root, 'lib/rules.ts'))],
    ['a changed worker', () => write('server/worker.ts', 'changed')],
    ['a changed dependency', () => write('package.json', '{"dependencies":{}}')],
    ['a build cut short', () => rmSync(path.join(root, '.next/greenroom-build'))],
    ['a build whose output is gone', () => rmSync(path.join(root, '.next/BUILD_ID'))],
  ])('is needed after %s', (_, change) => {
    build()
    change()
    expect(isBuildStale(root)).toBe(true)
  })

  it.each([
    'lib/rules.test.ts',
    'docs/running.md',
    'scripts/token.ts',
    'server/supervisor/child.ts',
    'e2e/story.spec.ts',
    'README.md',
    '.data/files/x',
    'node_modules/x/i.js',
  ])('is not needed because of %s, which is no part of it', (file) => {
    build()
    write(file, 'changed')
    expect(isBuildStale(root)).toBe(false)
  })
})

it('finds the lockfile as npm would write it: `npm prune` after the build would change it, which asks for another', () => {
  const project = JSON.parse(readFileSync('package.json', 'utf8'))
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'))
  const { name, version, license, dependencies, bin, devDependencies, engines } = project
  expect(packages['']).toEqual({ name, version, license, dependencies, bin, devDependencies, engines })
})

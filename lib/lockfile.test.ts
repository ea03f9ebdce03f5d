import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

type Package = {
  dependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
  inBundle?: boolean
}

/** `npm ci` refuses a lockfile that leaves out what a package names, be it for another system only. */
it('the lockfile names every package that another one needs, those of other systems included', () => {
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as { packages: Record<string, Package> }
  const missing = Object.entries(packages).flatMap(([at, { inBundle, dependencies, optionalDependencies }]) =>
    inBundle
      ? []
      : Object.keys({ ...dependencies, ...optionalDependencies })
          .filter((name) => !foldersAbove(at).some((folder) => `${folder}node_modules/${name}` in packages))
          .map((name) => `${at} needs ${name}`),
  )
  expect(missing).toEqual([])
})

/** Where Node searches for the packages of a package: below itself, and below each that it lies in. */
function foldersAbove(at: string): string[] {
  const folders = [at === '' ? '' : `${at}/`]
  for (let end = at.lastIndexOf('node_modules/'); end >= 0; end = at.lastIndexOf('node_modules/', end - 1)) {
    folders.push(at.slice(0, end))
    if (end === 0) break
  }
  return folders
}

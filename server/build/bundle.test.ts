import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { bundleChildren, bundlePrograms } from './bundle'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'greenroom-bundle-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

it.each([
  ['programs', bundlePrograms],
  ['sandboxed processes and the worker', bundleChildren],
])('the %s need no package that `npm prune --omit=dev` removes', async (_, bundle) => {
  const { metafile } = await bundle(process.cwd(), folder)
  const named = Object.values(metafile.outputs).flatMap(({ imports }) =>
    imports.filter(({ external, path: name }) => external && !isBuiltin(name)).map(({ path: name }) => packageOf(name)),
  )
  expect(named.length).toBeGreaterThan(5)
  const { dependencies } = JSON.parse(readFileSync('package.json', 'utf8'))
  expect([...new Set(named)].filter((name) => !(name in dependencies))).toEqual([])
})

const packageOf = (name: string) =>
  name
    .split('/')
    .slice(0, name.startsWith('@') ? 2 : 1)
    .join('/')

import { readdirSync, readFileSync } from 'node:fs'
import vm from 'node:vm'
import { gzipSync } from 'node:zlib'
import { COMPILE_HINT } from '@/server/build/adapter.mjs'
import { expect, test } from './support/test'

/** Kilobytes of JavaScript, compressed, that a browser loads before a page works. The first that matches counts. */
const BUDGETS: [beginning: string, kilobytes: number][] = [
  ['u/[token]', 189],
  // Both with the field in which the number of a page is entered.
  ['(room)', 283],
  ['r/[token]', 231],
  // With the form of a delivery.
  ['(workspace)/projects/[project_id]/batches/[batch_id]/deliveries', 292],
  ['(workspace)/projects/[project_id]/batches/[batch_id]', 250],
  ['(workspace)/cost-estimates', 365],
  // Little more than what every signed-in page loads, of which React and Next are 133.
  ['(workspace)/inbox', 200],
  ['(workspace)/work', 200],
  ['(workspace)', 334],
  // Every part there is.
  ['docs/design', 300],
  ['', 231],
]

const BUILD = '.next'
/** Once, as the first line. */
const HINTED = new RegExp(`^${COMPILE_HINT}(?!${COMPILE_HINT})`)
const MANIFEST = 'page_client-reference-manifest.js'

type ClientManifest = { entryJSFiles?: Record<string, string[]> }

/** The scripts of each page with those of the layouts around it, as the build names them. */
function scriptsOfPages(): Map<string, Set<string>> {
  const { rootMainFiles } = JSON.parse(readFileSync(`${BUILD}/build-manifest.json`, 'utf8')) as {
    rootMainFiles: string[]
  }
  const found = readdirSync(`${BUILD}/server/app`, { recursive: true, encoding: 'utf8' })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => file.endsWith(`/${MANIFEST}`))
  return new Map(
    found.map((file) => {
      const context = { globalThis: {} as { __RSC_MANIFEST?: Record<string, ClientManifest> } }
      vm.runInNewContext(readFileSync(`${BUILD}/server/app/${file}`, 'utf8'), context)
      const manifests = Object.values(context.globalThis.__RSC_MANIFEST ?? {})
      const own = manifests.flatMap(({ entryJSFiles }) => Object.values(entryJSFiles ?? {}).flat())
      return [file.slice(0, -MANIFEST.length - 1), new Set([...rootMainFiles, ...own])]
    }),
  )
}

test('the code of each page stays within its budget', () => {
  const sizes = new Map<string, number>()
  const sizeOf = (script: string) => {
    const known = sizes.get(script) ?? gzipSync(readFileSync(`${BUILD}/${script}`)).length
    sizes.set(script, known)
    return known
  }
  const pages = [...scriptsOfPages()].map(([page, scripts]) => ({
    page,
    kilobytes: Math.round([...scripts].reduce((sum, script) => sum + sizeOf(script), 0) / 1000),
    budget: BUDGETS.find(([beginning]) => page.startsWith(beginning))?.[1] ?? 0,
  }))
  // Nothing is found where the build names its files in another way.
  for (const [beginning] of BUDGETS) expect(pages.some(({ page }) => page.startsWith(beginning))).toBe(true)
  expect(Math.min(...pages.map(({ kilobytes }) => kilobytes))).toBeGreaterThan(50)
  expect(pages.filter(({ kilobytes, budget }) => kilobytes > budget)).toEqual([])
})

test('every script begins with the hint to compile all of its functions', () => {
  const scripts = [...scriptsOfPages().values()].flatMap((all) => [...all])
  expect(scripts.length).toBeGreaterThan(50)
  for (const script of new Set(scripts)) expect(readFileSync(`${BUILD}/${script}`, 'utf8'), script).toMatch(HINTED)
})

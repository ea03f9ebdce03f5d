import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'

/**
 * Imports point one way: each place may import itself and what stands before it in this list.
 */
const ORDER = [
  'lib/vocabulary.ts',
  'lib/env.ts',
  'lib/log-output.ts',
  // Where code says what it is doing; what sends that is an adapter, found at run time.
  'lib/tracing.ts',
  'lib/log.ts',
  // How numbers, times and amounts are written: pure, the same on paper and on screens.
  'lib/format.ts',
  'lib/currencies.ts',
  'lib/timecode.ts',
  'lib/k-weighting.ts',
  'lib/loudness.ts',
  // What Next, Node and drivers cannot do for us yet.
  'server/workarounds',
  'db',
  'lib/domain/naming',
  'lib/domain/files/media-types.ts',
  'lib/domain/kernel',
  // The types that media fills and checks read: no code, so that checks depend on no decoder.
  'lib/media/facts.ts',
  'lib/media/measurements.ts',
  'lib/checks',
  'lib/repairs',
  'lib/destinations',
  'lib/domain/directory',
  'lib/domain/destinations',
  'lib/domain/settings',
  'lib/domain/projects',
  'lib/domain/retention',
  'lib/domain/batches',
  'lib/domain/files',
  'lib/domain/playback',
  'lib/domain/tiles',
  'lib/domain/separations',
  'lib/domain/pre-qc',
  'lib/domain/repairs',
  'lib/domain/review',
  'lib/domain/guest-links',
  'lib/domain/review-links',
  'lib/domain/review-stages',
  'lib/domain/upload-links',
  'lib/domain/direct-uploads',
  'lib/domain/cost-estimates',
  'lib/domain/search',
  'lib/domain/saved-views',
  'lib/domain/analytics',
  'lib/domain/scorecards',
  'lib/domain/notifications',
  'lib/domain/certificates',
  'lib/domain/deliveries',
  'lib/domain/share-links',
  'lib/domain/audit',
  'lib/domain/webhooks',
  'lib/domain/erasure',
  'lib/domain/service-status',
  'lib/domain/reactions.ts',
  'lib/pdf',
  'lib/sandbox',
  'lib/media',
  'lib/command-line',
  'lib/adapters',
  'lib/service.ts',
  'lib/jobs',
  'lib/maintenance',
  'lib/auth.ts',
  'lib/http',
  'lib/uploads',
  'lib/client',
  'components',
  'app',
  // The processes: what starts the product and serves the build; nothing else imports it.
  'server',
  // What tests, benches and the demo workspace are filled with.
  'fixtures',
  // What each check decides, by cases and by files.
  'lib/checks/specs',
]

/** What runs in a browser may import of the domain only what is pure. */
const BROWSER = ['lib/client', 'components']
const PURE =
  /^lib\/((vocabulary|currencies|format|timecode|loudness)\.ts$|checks\/|domain\/naming\/|domain\/kernel\/(errors|money|permissions|shapes)\.ts$|domain\/[a-z-]+\/(schema|rules|states|media-types|next-step)\.ts$|http\/csv\.ts$|client\/)|^components\//

/** Of files that only a server runs, these types may be named: what /api takes and returns, what its reference shows. */
const SERVER_TYPES = [
  'lib/client/api.ts -> lib/http/calls.ts',
  'components/docs/operation-card.tsx -> lib/http/json-schema.ts',
  'components/docs/operation-card.tsx -> lib/http/openapi.ts',
  'components/docs/schema-fields.tsx -> lib/http/json-schema.ts',
  'components/settings/simulate-button.tsx -> lib/domain/pre-qc/simulate.ts',
]

/** Untrusted bytes are read in the sandbox; the others start the product itself, its database and its build. */
const STARTS_PROCESSES = /^(lib\/sandbox|server\/(supervisor|embedded-database|build|web))\//

const root = process.cwd()
const sources = ['app', 'components', 'db', 'fixtures', 'lib', 'server'].flatMap((folder) =>
  readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((file) => path.posix.join(folder, file.replaceAll(path.sep, '/')))
    .filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$|\/testing(\/|\.ts)|^db\/(migrate|testing)/.test(file)),
)

type Import = { from: string; to: string; isType: boolean }

const imports: Import[] = sources.flatMap((from) => {
  const text = readFileSync(path.join(root, from), 'utf8')
  return specifiersOf(text).flatMap(({ specifier, isType }) => {
    if (!/^(@|\.{1,2})\//.test(specifier)) return []
    const bare = specifier.startsWith('@/') ? specifier.slice(2) : path.posix.join(path.posix.dirname(from), specifier)
    const to = ['', '.ts', '.tsx', '/index.ts'].map((end) => bare + end).find((file) => sources.includes(file))
    return to ? [{ from, to, isType }] : []
  })
})

/** What a source names by `import`, `export … from` and `import()`. Imported types cost nothing at run time. */
function specifiersOf(text: string) {
  const statements = [...text.matchAll(/^(?:import|export)\s+(type\s+)?(?:[^'";]*?\sfrom\s+)?['"]([^'"]+)['"]/gm)]
  const calls = [...text.matchAll(/(?<![\w.])import\(\s*['"]([^'"]+)['"]\s*\)(?!\.[A-Z])/g)]
  return [
    ...statements.map((match) => ({ specifier: match[2] ?? '', isType: match[1] !== undefined })),
    ...calls.map((match) => ({ specifier: match[1] ?? '', isType: false })),
  ]
}

/** The most specific place of the list that holds the file. */
const placeOf = (file: string) =>
  ORDER.reduce((best, place, index) => {
    const holds = file === place || file.startsWith(`${place}/`)
    return holds && place.length > (ORDER[best]?.length ?? 0) ? index : best
  }, -1)

describe('the architecture', () => {
  test('every source file has its place in the order', () => {
    expect(sources.filter((file) => placeOf(file) === -1)).toEqual([])
  })

  test('imports point down', () => {
    // A reader that finds nothing would be content with everything.
    expect(imports.length).toBeGreaterThan(100)
    const upward = imports.filter((found) => placeOf(found.to) > placeOf(found.from))
    expect(upward.map(({ from, to }) => `${from} -> ${to}`)).toEqual([])
  })

  test('no files import each other in a circle, types included', () => {
    const graph = new Map<string, string[]>()
    for (const { from, to } of imports) graph.set(from, [...(graph.get(from) ?? []), to])
    const done = new Set<string>()
    const circles: string[] = []
    const visit = (file: string, trail: string[]) => {
      if (trail.includes(file)) circles.push([...trail.slice(trail.indexOf(file)), file].join(' -> '))
      if (done.has(file) || trail.includes(file)) return
      for (const next of graph.get(file) ?? []) visit(next, [...trail, file])
      done.add(file)
    }
    for (const file of graph.keys()) visit(file, [])
    expect(circles).toEqual([])
  })

  test('what runs in the browser imports nothing that only a server has', () => {
    const heavy = imports.filter(
      ({ from, to }) => BROWSER.some((place) => from.startsWith(`${place}/`)) && !PURE.test(to),
    )
    const named = (isType: boolean) =>
      heavy.filter((found) => found.isType === isType).map(({ from, to }) => `${from} -> ${to}`)
    expect(named(false)).toEqual([])
    expect(named(true).sort()).toEqual([...SERVER_TYPES].sort())
  })

  test('checks are pure: of packages they know only zod', () => {
    const packages = sources
      .filter((file) => file.startsWith('lib/checks/') && !file.startsWith('lib/checks/specs/'))
      .flatMap((file) =>
        specifiersOf(readFileSync(path.join(root, file), 'utf8'))
          .filter(({ specifier, isType }) => !isType && !/^(@\/|\.)/.test(specifier) && specifier !== 'zod')
          .map(({ specifier }) => `${file} -> ${specifier}`),
      )
    expect(packages).toEqual([])
  })

  test('only the files that are made for it know next-auth, and the domain reads no clock', () => {
    const text = (file: string) => readFileSync(path.join(root, file), 'utf8')
    const knowing = sources.filter((file) => /from 'next-auth/.test(text(file)))
    expect(
      knowing.filter(
        (file) =>
          file !== 'lib/auth.ts' &&
          !file.startsWith('app/api/auth/') &&
          !file.startsWith('app/sign-in/') &&
          !file.startsWith('components/'),
      ),
    ).toEqual([])
    expect(
      sources.filter((file) => file.startsWith('lib/domain/') && /new Date\(\)|Date\.now\(\)/.test(text(file))),
    ).toEqual([])
  })

  test('a condition of an index is no parameter: planned for any values, the statement would not use the index', () => {
    const naming = sources.filter((file) => {
      const content = readFileSync(path.join(root, file), 'utf8')
      return /\beq\(\w+\.(isCurrent|couldNotRun|needsEyes), true\)/.test(content)
    })
    expect(naming).toEqual([])
  })

  test('of what a server runs only pages know Next: routes under /api are called without it', () => {
    const knowing = sources.filter(
      (file) =>
        /^(app\/api|lib)\//.test(file) &&
        !file.startsWith('lib/client/') &&
        /from 'next(\/[^']*)?'/.test(readFileSync(path.join(root, file), 'utf8')),
    )
    expect(knowing).toEqual(['lib/http/load.ts'])
  })

  test('OpenTelemetry is known to one adapter, which loads it when it is wanted', () => {
    const naming = sources.filter((file) => /['"]@opentelemetry\//.test(readFileSync(path.join(root, file), 'utf8')))
    expect(naming).toEqual([])
    const adapter = readFileSync(path.join(root, 'lib/adapters/telemetry.mjs'), 'utf8')
    expect(adapter.match(/import\('@opentelemetry\//g)?.length).toBeGreaterThan(0)
    expect(adapter).not.toMatch(/^import .*@opentelemetry\//m)
  })

  test('the domain and what it decides by read no environment: settings come as ports', () => {
    const reads = (file: string) =>
      /process\.env|from '(@\/|(\.\.\/)+)lib\/env'/.test(readFileSync(path.join(root, file), 'utf8'))
    expect(sources.filter((file) => /^lib\/(domain|checks)\//.test(file) && reads(file))).toEqual([])
  })

  test('only the sandbox starts processes, and what of server/ is made for it', () => {
    const starting = sources.filter((file) =>
      specifiersOf(readFileSync(path.join(root, file), 'utf8')).some(
        ({ specifier, isType }) => !isType && /^(node:)?child_process$/.test(specifier),
      ),
    )
    expect(starting.filter((file) => !STARTS_PROCESSES.test(file))).toEqual([])
  })

  test('what a screen loads later leaves the rest of it in sight meanwhile', () => {
    // Without these options `next/dynamic` brings no Suspense boundary: the nearest one is hidden, which may be the page.
    const calls = sources
      .filter((file) => /^(app|components)\//.test(file))
      .flatMap(
        (file) =>
          readFileSync(path.join(root, file), 'utf8').match(
            /\bdynamic\((?:[^()]|\([^()]*\)|\((?:[^()]|\([^()]*\))*\))*\)/g,
          ) ?? [],
      )
    expect(calls.length).toBeGreaterThan(20)
    expect(calls.filter((call) => !/loading:|ssr: false/.test(call))).toEqual([])
  })
})

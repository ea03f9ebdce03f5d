// Next's deployment adapter (`adapterPath` in next.config.ts): at the end of a build Next states its routes and the entry
// point of each. Those under /api are written down for the web server, which calls them itself (server/web/routes.mjs).
import { writeFileSync } from 'node:fs'
import path from 'node:path'

/** In the folder of the build. */
export const ROUTE_TABLE = 'api-routes.json'

/** @type {import('next').NextAdapter} */
const adapter = {
  name: 'greenroom',
  onBuildComplete({ outputs, routing, distDir }) {
    const files = new Map(
      outputs.appRoutes
        // Next lists each once more with the suffix by which it asks for the data of pages.
        .filter(({ pathname }) => pathname.startsWith('/api/') && !pathname.endsWith('.rsc'))
        .map(({ pathname, filePath }) => [pathname, path.relative(distDir, filePath)]),
    )
    // In the order in which they are to be tried: the more particular first.
    const dynamic = routing.dynamicRoutes
      .filter(({ source }) => files.has(source))
      .map(({ source, sourceRegex }) => ({ route: source, pattern: sourceRegex, file: files.get(source) }))
    const named = new Set(routing.dynamicRoutes.map(({ source }) => source))
    const fixed = [...files].filter(([pathname]) => !named.has(pathname))
    if (fixed.length + dynamic.length < files.size) throw new Error('A route under /api has no pattern.')
    writeFileSync(
      path.join(distDir, ROUTE_TABLE),
      JSON.stringify({ fixed: Object.fromEntries(fixed), dynamic }, null, 1),
    )
  },
}

export default adapter

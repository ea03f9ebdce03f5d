// Next's deployment adapter (`adapterPath` in next.config.mjs): at the end of a build Next states its routes and the entry
// point of each. Those under /api are written down for the web server, which calls them itself (server/web/routes.mjs), and
// the scripts of browsers get a hint.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'

/** In the folder of the build. */
export const ROUTE_TABLE = 'api-routes.json'

/**
 * As the first line of a script: Chromium 136 and newer compile all of its functions beside the thread of the page, while it comes
 * in, and keep them compiled (https://v8.dev/blog/explicit-compile-hints). Without it the code of each module is parsed a second time, when it is
 * first called, by the page itself: a quarter of what its thread does until the files of a batch can be pressed. Other browsers see a comment.
 */
export const COMPILE_HINT = '//# allFunctionsCalledOnLoad\n'

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
      .map(({ source, sourceRegex }) => ({
        route: source,
        // Next names each parameter with a prefix of its own.
        pattern: sourceRegex.replaceAll('(?<nxtP', '(?<'),
        file: files.get(source),
      }))
    const named = new Set(routing.dynamicRoutes.map(({ source }) => source))
    const fixed = [...files].filter(([pathname]) => !named.has(pathname))
    if (fixed.length + dynamic.length < files.size) throw new Error('A route under /api has no pattern.')
    writeFileSync(
      path.join(distDir, ROUTE_TABLE),
      JSON.stringify({ fixed: Object.fromEntries(fixed), dynamic }, null, 1),
    )
    const chunks = path.join(distDir, 'static', 'chunks')
    for (const name of readdirSync(chunks).filter((each) => each.endsWith('.js'))) {
      const file = path.join(chunks, name)
      writeFileSync(file, COMPILE_HINT + readFileSync(file, 'utf8'))
    }
  },
}

export default adapter

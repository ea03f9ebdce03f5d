// The path of every request under /api: directly to the entry point of its route, by the call that Next documents for
// hosting platforms (Adapters, "Invoking Entrypoints"), with the table that server/build/adapter.mjs wrote. It goes around
// the layers with which Next finds pages, rewrites and assets; docs/decisions/0056 has the measurements.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { ROUTE_TABLE } from '../build/adapter.mjs'

const require = createRequire(import.meta.url)

/**
 * The web server's request listener for a build.
 * @param {string} dist the folder of the build
 * @param {(req, res) => Promise<void>} renderPage Next's own listener, for everything that is not under /api
 * @param {(req, res, route, run) => Promise<void>} [serve] runs a request of that route, its parameters in braces
 */
export function routeRequests(dist, renderPage, serve = (_req, _res, _route, run) => run()) {
  const table = JSON.parse(readFileSync(path.join(dist, ROUTE_TABLE), 'utf8'))
  const entryPoint = (file, source) => {
    const route = source.replaceAll(/\[(?:\.\.\.)?(\w+)\]/g, '{$1}')
    let handler
    const run = (req, res) => {
      // Loaded at the first request: there are more than a hundred.
      handler ??= require(path.join(dist, file)).handler
      // A platform may pass the parameters of the path in the query. This one does not, so Next must not read them there.
      return handler(req, res, { requestMeta: { relativeProjectDir: '.', query: {} } })
    }
    return (req, res) => serve(req, res, route, () => run(req, res))
  }
  const fixed = new Map(Object.entries(table.fixed).map(([pathname, file]) => [pathname, entryPoint(file, pathname)]))
  const dynamic = table.dynamic.map(({ route, pattern, file }) => ({
    pattern: new RegExp(pattern),
    run: entryPoint(file, route),
  }))

  return async (req, res) => {
    const [pathname] = req.url.split('?', 1)
    const canonical = canonicalAddress(pathname)
    if (canonical !== pathname) {
      const location = canonical + req.url.slice(pathname.length)
      return res.writeHead(308, { Location: location }).end(location)
    }
    const run = fixed.get(decodeURIComponent(pathname)) ?? dynamic.find(({ pattern }) => pattern.test(pathname))?.run
    if (!run) return renderPage(req, res)
    try {
      await run(req, res)
    } catch (error) {
      console.error(error)
      if (res.headersSent) res.destroy()
      else res.writeHead(500).end()
    }
  }
}

/** As Next has them for pages: no slash twice, none at the end, and no `.` or `..`, encoded or not (WHATWG URL, 4.1). */
function canonicalAddress(pathname) {
  if (!/^\/api[\\/]/.test(pathname)) return pathname
  const once = pathname.replace(/[\\/]+/g, '/')
  const resolved = /\/(?:\.|%2e){1,2}(?:\/|$)/i.test(once) ? new URL(once, 'http://localhost').pathname : once
  return resolved.replace(/\/$/, '') || '/'
}

// The path of every request under /api, by the table that server/build/adapter.mjs wrote: directly to what its route exports
// (call-route.mjs), or, where that needs Next, to its entry point, by the call that Next documents for hosting platforms
// (Adapters, "Invoking Entrypoints"). docs/decisions/0056 and 0126 have the measurements.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { ROUTE_TABLE } from '../build/adapter.mjs'
import { callRoute, exportsOf, standaloneHandler } from './call-route.mjs'

const require = createRequire(import.meta.url)

/**
 * The web server's request listener for a build.
 * @param {string} dist the folder of the build
 * @param {(exchange) => Promise<void>} renderPage Next's own listener, for everything that is not under /api
 * @param {(exchange, route, run) => Promise<void>} [serve] runs a request of that route, its parameters in braces
 */
export function routeRequests(dist, renderPage, serve = (_exchange, _route, run) => run()) {
  const table = JSON.parse(readFileSync(path.join(dist, ROUTE_TABLE), 'utf8'))
  const entryPoint = (file, source) => {
    const route = source.replaceAll(/\[(?:\.\.\.)?(\w+)\]/g, '{$1}')
    let entry
    let exported
    const run = async (exchange, params) => {
      // Loaded at the first request: there are more than a hundred.
      entry ??= require(path.join(dist, file))
      exported ??= await exportsOf(entry)
      const { req, res } = exchange
      const handler = standaloneHandler(exported, req.method)
      if (handler) return callRoute(handler, exchange, params)
      // A platform may pass the parameters of the path in the query. This one does not, so Next must not read them there.
      return entry.handler(req, res, { requestMeta: { relativeProjectDir: '.', query: {} } })
    }
    return (exchange, params) => serve(exchange, route, () => run(exchange, params))
  }
  const fixed = new Map(Object.entries(table.fixed).map(([pathname, file]) => [pathname, entryPoint(file, pathname)]))
  const dynamic = table.dynamic.map(({ route, pattern, file }) => ({
    pattern: new RegExp(pattern),
    run: entryPoint(file, route),
  }))

  function find(pathname) {
    const run = fixed.get(decodeURIComponent(pathname))
    if (run) return { run, params: {} }
    for (const { pattern, run } of dynamic) {
      const named = pattern.exec(pathname)?.groups
      if (named) return { run, params: decoded(named) }
    }
  }

  return async (exchange) => {
    const { req, res } = exchange
    const [pathname] = req.url.split('?', 1)
    const canonical = canonicalAddress(pathname)
    if (canonical !== pathname) {
      const location = canonical + req.url.slice(pathname.length)
      return res.writeHead(308, { Location: location }).end(location)
    }
    const found = find(pathname)
    if (!found) return renderPage(exchange)
    try {
      await found.run(exchange, found.params)
    } catch (error) {
      console.error(error)
      if (res.headersSent) res.destroy()
      else res.writeHead(500).end()
    }
  }
}

/** Without those that may be left out, and are. */
const decoded = (params) =>
  Object.fromEntries(
    Object.entries(params)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => [name, decodeURIComponent(value)]),
  )

/** As Next has them for pages: no slash twice, none at the end, and no `.` or `..`, encoded or not (WHATWG URL, 4.1). */
function canonicalAddress(pathname) {
  if (!/^\/api[\\/]/.test(pathname)) return pathname
  const once = pathname.replace(/[\\/]+/g, '/')
  const resolved = /\/(?:\.|%2e){1,2}(?:\/|$)/i.test(once) ? new URL(once, 'http://localhost').pathname : once
  return resolved.replace(/\/$/, '') || '/'
}

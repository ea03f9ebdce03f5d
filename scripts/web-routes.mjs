// The road of a request under /api: straight to its route handler, by the call that Next offers to hosting platforms
// (Adapters, Invoking Entrypoints), and not through the layers with which Next finds pages, rewrites, middleware and
// assets, none of which an API path can be. They cost as much as a whole short answer does.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'

const require = createRequire(import.meta.url)

/** What needs no decoding and no redirect; everything else is Next's to interpret. */
const PLAIN = /^\/api(?:\/[\w-][\w.-]*)+(?=\?|$)/
/** Of next-auth, which answers for itself. */
const NOT_OURS = '/api/auth/'

/**
 * An address as it can be decoded: a percent sign that encodes nothing stands for itself. Next answers it with a plain 500;
 * like this it is a name nobody has given.
 */
export function decodable(url) {
  const end = url.indexOf('?')
  const pathname = end < 0 ? url : url.slice(0, end)
  try {
    decodeURIComponent(pathname)
    return url
  } catch {
    return pathname.replaceAll('%', '%25') + url.slice(pathname.length)
  }
}

/**
 * The web server's request listener for a built project.
 * @param {string} dist the folder of the build
 * @param {string} origin what relative addresses are relative to
 * @param {(req, res) => Promise<void>} viaNext Next's own listener
 */
export function apiRoutes(dist, origin, viaNext) {
  const read = (name) => JSON.parse(readFileSync(path.join(dist, name), 'utf8'))
  const files = read('server/app-paths-manifest.json')
  const { staticRoutes, dynamicRoutes } = read('routes-manifest.json')
  const ours = (routes) =>
    routes
      .map(({ page, regex }) => ({ page, regex: new RegExp(regex), file: files[`${page}/route`], handler: undefined }))
      .filter(({ file }) => file)
  const fixed = new Map(ours(staticRoutes).map((route) => [route.page, route]))
  // In the order in which Next tries them: the more particular first.
  const patterns = ours(dynamicRoutes)

  return (req, res) => {
    const pathname = PLAIN.exec(req.url)?.[0]
    if (!pathname || pathname.startsWith(NOT_OURS)) return viaNext(req, res)
    const route = fixed.get(pathname) ?? patterns.find(({ regex }) => regex.test(pathname))
    if (!route) return viaNext(req, res)
    if (!route.handler) {
      // The first goes by Next, which then has prepared what its routes share.
      res.once('finish', () => {
        route.handler ??= require(path.join(dist, 'server', route.file)).handler
      })
      return viaNext(req, res)
    }
    const requestMeta = { initURL: origin + req.url, initProtocol: 'http' }
    return route.handler(req, res, { requestMeta }).catch((error) => {
      console.error(error)
      if (res.headersSent) res.destroy()
      else res.writeHead(500).end()
    })
  }
}

// The call of a route without Next around it: docs/decisions/0126 has the reason.
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

/**
 * What the file of a route exports, by the entry point that Next built for it; nothing, should a release keep it elsewhere:
 * the entry point itself still serves the route.
 */
export async function exportsOf({ routeModule }) {
  if (!routeModule?.ensureUserland) return {}
  await routeModule.ensureUserland()
  return routeModule.userland ?? {}
}

/**
 * The exported function that responds to a method, where it can be called like this (`isStandalone`, lib/http/endpoint.ts).
 * Where a route has none of its own, GET responds to HEAD, and says what is allowed to OPTIONS.
 */
export function standaloneHandler(exported, method) {
  const handler = exported[method] ?? (['HEAD', 'OPTIONS'].includes(method) ? exported.GET : undefined)
  return handler?.isStandalone ? handler : undefined
}

/**
 * Calls a route and sends its response. The request has no body of its own: routes read the one of the exchange.
 * @param handler `(request, { params }) => Promise<Response>`
 * @param exchange the request and response of Node (lib/http/exchange.ts), in which the call runs
 * @param {Record<string, string>} params the parameters of the path, decoded
 */
export async function callRoute(handler, exchange, params) {
  const { req, res } = exchange
  exchange.isDirect = true
  const request = new Request(`http://localhost${req.url}`, { method: req.method, headers: new Headers(req.headers) })
  const response = await handler(request, { params })
  res.statusCode = response.status
  for (const [name, value] of response.headers) {
    // Each cookie is a header of its own; of others what the route says holds, not what was set before.
    if (name === 'set-cookie') res.appendHeader(name, value)
    else res.setHeader(name, value)
  }
  if (exchange.sendBody) exchange.sendBody()
  else if (response.body) await sendStream(response.body, exchange)
  else res.end()
}

/** Whatever becomes of the response, the stream is read to its end or cancelled. */
async function sendStream(body, { req, res }) {
  if (req.method === 'HEAD' || res.destroyed) {
    await body.cancel()
    return res.end()
  }
  try {
    await pipeline(Readable.fromWeb(body), res)
  } catch (error) {
    // The client has left, which cancelled it.
    if (error.code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error
  }
}

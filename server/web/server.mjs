// One web process: Next behind an HTTP server of our own. Plain JavaScript, because the TypeScript loader would stay in
// a long-lived process and cost it some 60 MB.
//
// Why not `next start`: (1) uploads read the socket itself, so a route needs Node's request; it finds it in the
// AsyncLocalStorage under Symbol.for('greenroom.exchange'). (2) Node ends every request after five minutes, which a
// large file on a slow line needs; here a body may take as long as it keeps coming. (3) Stopping lets responses finish.
// (4) Requests under /api go directly to their routes (routes.mjs).
import { AsyncLocalStorage } from 'node:async_hooks'
import cluster from 'node:cluster'
import { createServer } from 'node:http'
import { Server } from 'node:net'
import path from 'node:path'
import next from 'next'
import { register } from 'prom-client'
import { startTelemetry } from '../../lib/adapters/telemetry.mjs'
// Measures from the start on, before a route is loaded.
import '../../lib/http/process-metrics.mjs'
import { endNow } from '../workarounds/exit.mjs'
import { requestTarget } from '../workarounds/request-address.mjs'
import { takeForeignMethod } from '../workarounds/request-method.mjs'
import { dropBrokenRouterState } from '../workarounds/router-state.mjs'
import { pageHeaders } from './page-headers.mjs'
import { routeRequests } from './routes.mjs'

const SLOWEST_BODY = { bytes: 16 * 1024, perMs: 60_000 }
const STOP_GRACE_MS = 10_000
/** So long a stopping process still answers on connections that are kept alive, each answer ending its connection. */
const IDLE_GRACE_MS = 2_000
const CONNECTIONS = { requestTimeout: 0, headersTimeout: 20_000, keepAliveTimeout: 65_000 }

const dev = process.argv.includes('--dev')
const port = Number(process.env.PORT ?? 3000)
const setPageHeaders = pageHeaders(process.env, dev)
const exchanges = new AsyncLocalStorage()
globalThis[Symbol.for('greenroom.exchange')] = exchanges

/** Every request under way, and how much its connection had received when last checked. */
const underWay = new Map()
let stopping = false
let warnedOfProxy = false

let handle
const server = createServer(CONNECTIONS, (req, res) => {
  underWay.set(res, { req, bytesRead: req.socket.bytesRead, since: Date.now() })
  // Next, its compression and a stream piped into it listen for the end of one response, eleven at a time and more; they
  // go with it. Something that adds a listener for each chunk would still pass this.
  res.setMaxListeners(30)
  res.once('close', () => underWay.delete(res))
  if (stopping) res.setHeader('connection', 'close')
  warnOfProxy(req)
  const target = requestTarget(req.url)
  if (target === null) return res.writeHead(400).end()
  req.url = target
  setPageHeaders(req, res)
  dropBrokenRouterState(req.headers)
  // Next rewrites `req.url` on its way: the address that was asked for is kept.
  const exchange = { req, res, address: req.url, foreignMethod: takeForeignMethod(req) }
  exchanges.run(exchange, () => handle(exchange))
})
// An unknown expectation is left aside, as RFC 9110 (10.1.1) allows: Node would respond without saying why.
server.on('checkExpectation', (req, res) => server.emit('request', req, res))
// Nothing here speaks WebSocket except Next's development tools. In production Next is handed a server that never
// listens, so that a request to upgrade cannot reach its routing at all.
if (!dev) server.on('upgrade', (_, socket) => socket.destroy())
const upgradesFrom = dev ? server : createServer()

const telemetry = await startTelemetry({ service: 'greenroom-web', registry: register })
const app = next({ dev, dir: process.cwd(), port, hostname: 'localhost', httpServer: upgradesFrom })
await app.prepare()
const renderByNext = app.getRequestHandler()
const renderPage = ({ req, res }) => renderByNext(req, res)
handle = dev ? renderPage : routeRequests(path.resolve('.next'), renderPage, telemetry ? traced : undefined)

server.once('error', (error) => {
  console.error(error.code === 'EADDRINUSE' ? `Port ${port} is already in use.` : error.message)
  process.exit(1)
})
// For the supervisor; a process of several notifies the first of them by listening.
server.listen(port, () => cluster.isWorker || process.send?.({ ready: true }))
setInterval(endStalledBodies, 5_000).unref()

process.once('SIGTERM', stop)
process.once('SIGINT', stop)
if (cluster.isWorker) process.on('message', (message) => message?.stop && stop())

/** Behind a proxy that the settings do not name, all visitors have its address: one of them uses up the limits of all. */
function warnOfProxy({ headers }) {
  if (warnedOfProxy || process.env.TRUST_PROXY === 'true') return
  if (headers['x-forwarded-for'] === undefined && headers.forwarded === undefined) return
  warnedOfProxy = true
  console.warn(
    'A request came with X-Forwarded-For, which is ignored: if a proxy of yours sent it, set TRUST_PROXY=true. Until then all visitors share the limits of one address.',
  )
}

function traced({ req, res, foreignMethod }, route, run) {
  const method = foreignMethod ? '_OTHER' : req.method
  return telemetry.serve(req, res, { route, method }, run)
}

/** A body that brings less than 16 KiB in a minute is given up, so that silent clients cannot pile up. */
function endStalledBodies() {
  const now = Date.now()
  for (const watched of underWay.values()) {
    const { req, since, bytesRead } = watched
    if (req.complete || now - since < SLOWEST_BODY.perMs) continue
    if (req.socket.bytesRead - bytesRead < SLOWEST_BODY.bytes) req.socket.destroy()
    watched.bytesRead = req.socket.bytesRead
    watched.since = now
  }
}

/** No new requests; those under way may finish, except streams that by nature never do. */
async function stop() {
  if (dev) process.exit()
  if (stopping) return
  stopping = true
  // Not `close` of an HTTP server, which ends idle connections at once: a proxy may just be sending a request on one, and
  // does not repeat one that has a body.
  const closed = new Promise((resolve) => Server.prototype.close.call(server, resolve))
  for (const res of underWay.keys()) {
    if (String(res.getHeader('content-type')).startsWith('text/event-stream')) res.destroy()
  }
  const stoppedAt = performance.now()
  const idle = setInterval(() => {
    if (performance.now() - stoppedAt > IDLE_GRACE_MS) server.closeIdleConnections()
  }, 100)
  const forced = setTimeout(() => server.closeAllConnections(), STOP_GRACE_MS)
  await closed
  clearInterval(idle)
  clearTimeout(forced)
  await telemetry?.stop()
  // The lines the log has gathered are written meanwhile.
  setTimeout(endNow, 300)
}

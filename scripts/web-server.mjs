// One web process: Next behind an HTTP server of our own. Plain JavaScript, because the TypeScript loader would stay in
// a long-lived process and cost it some 60 MB.
//
// Why not `next start`: (1) uploads read the socket itself, so a route needs Node's request; it finds it in the
// AsyncLocalStorage under Symbol.for('greenroom.exchange'). (2) Node ends every request after five minutes, which a
// large file on a slow line needs; here a body may take as long as it keeps coming. (3) Stopping lets answers finish.
import { AsyncLocalStorage } from 'node:async_hooks'
import cluster from 'node:cluster'
import { createServer, ServerResponse } from 'node:http'
import path from 'node:path'
import next from 'next'
import { offerFigures } from './web-figures.mjs'
import { pageRules } from './web-headers.mjs'
import { apiRoutes, decodable } from './web-routes.mjs'

const SLOWEST_BODY = { bytes: 16 * 1024, perMs: 60_000 }
// What a route can export a handler for.
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']
const STOP_GRACE_MS = 10_000

const dev = process.argv.includes('--dev')
const port = Number(process.env.PORT ?? 3000)
const tellBrowser = pageRules(process.env, dev)
const exchanges = new AsyncLocalStorage()
globalThis[Symbol.for('greenroom.exchange')] = exchanges
dropAbortNoise()
offerFigures()

/** Every request under way, and how much its connection had brought when last looked at. */
const underWay = new Map()
let stopping = false
let warnedOfProxy = false

let handle
const server = createServer({ requestTimeout: 0, headersTimeout: 20_000, keepAliveTimeout: 65_000 }, (req, res) => {
  underWay.set(res, { req, bytesRead: req.socket.bytesRead, since: Date.now() })
  // Next, its compression and a stream piped into it listen for the end of one response, eleven at a time and more; they
  // go with it. Something that adds a listener for each chunk would still pass this.
  res.setMaxListeners(30)
  res.once('close', () => underWay.delete(res))
  if (stopping) res.setHeader('connection', 'close')
  res.flushHeaders = flushSoon
  warnOfProxy(req)
  tellBrowser(req, res)
  if (req.url.includes('%')) req.url = decodable(req.url)
  // Next rewrites `req.url` on its way: the address that was asked for is kept.
  const exchange = { req, res, address: req.url }
  if (!METHODS.includes(req.method)) {
    exchange.foreignMethod = req.method
    req.method = 'GET'
  }
  exchanges.run(exchange, () => handle(req, res))
})
// Nothing here speaks WebSocket except Next's development tools. In production Next is handed a server that never
// listens, so that a request to upgrade cannot reach its routing at all.
if (!dev) server.on('upgrade', (_, socket) => socket.destroy())
const upgradesFrom = dev ? server : createServer()

const app = next({ dev, dir: process.cwd(), port, hostname: 'localhost', httpServer: upgradesFrom })
await app.prepare()
const viaNext = app.getRequestHandler()
handle = dev ? viaNext : apiRoutes(path.resolve('.next'), `http://localhost:${port}`, viaNext)

server.once('error', (error) => {
  console.error(error.code === 'EADDRINUSE' ? `Port ${port} is already in use.` : error.message)
  process.exit(1)
})
// To the supervisor; a process of several tells the first of them by listening.
server.listen(port, () => cluster.isWorker || process.send?.({ ready: true }))
setInterval(endStalledBodies, 5_000).unref()

process.once('SIGTERM', stop)
process.once('SIGINT', stop)

/** Behind a proxy nobody told us of, all visitors have the proxy's address: one of them uses up the limits of all. */
function warnOfProxy({ headers }) {
  if (warnedOfProxy || process.env.TRUST_PROXY === 'true') return
  if (headers['x-forwarded-for'] === undefined && headers.forwarded === undefined) return
  warnedOfProxy = true
  console.warn(
    'A request came with X-Forwarded-For, which is ignored: if a proxy of yours sent it, set TRUST_PROXY=true. Until then all visitors share the limits of one address.',
  )
}

/** Next sends the head of every answer by itself; a moment later it travels with the body, in one packet. */
function flushSoon() {
  setImmediate(() => this.headersSent || ServerResponse.prototype.flushHeaders.call(this))
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
  if (dev) return end()
  stopping = true
  const closed = new Promise((resolve) => server.close(resolve))
  server.closeIdleConnections()
  for (const res of underWay.keys()) {
    if (String(res.getHeader('content-type')).startsWith('text/event-stream')) res.destroy()
  }
  const idle = setInterval(() => server.closeIdleConnections(), 100)
  const forced = setTimeout(() => server.closeAllConnections(), STOP_GRACE_MS)
  await closed
  clearInterval(idle)
  clearTimeout(forced)
  // The lines the log has gathered are written meanwhile.
  setTimeout(end, 300)
}

/** Ends for certain: on the way out of `process.exit` native parts wait for their threads, and were seen to wait for ever. */
function end() {
  process.kill(process.pid, 'SIGKILL')
}

/** Next reports a client that went away as an error with a stack; it is everyday life on a public upload page. */
function dropAbortNoise() {
  const report = console.error
  console.error = (...args) => {
    const aborted = args.some(
      (part) => part instanceof Error && part.code === 'ECONNRESET' && part.message === 'aborted',
    )
    if (!aborted) report(...args)
  }
}

import { AsyncLocalStorage } from 'node:async_hooks'
import { once } from 'node:events'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll } from 'vitest'
import type { Exchange } from '@/lib/http/exchange'

/** A server on a port of its own while the tests of a file run: each request is handled in its exchange, as the web server does. */
export function exchangeServer(
  handle: (req: http.IncomingMessage, res: http.ServerResponse, exchange: Exchange) => unknown,
) {
  const key = Symbol.for('greenroom.exchange')
  const exchanges = new AsyncLocalStorage<Exchange>()
  // As in server/web/server.mjs. With Node's own 5 s, a busy machine ends a connection while the next request is being sent on it.
  const server = http.createServer({ keepAliveTimeout: 65_000 }, (req, res) => {
    const exchange: Exchange = { req, res }
    exchanges.run(exchange, () => handle(req, res, exchange))
  })
  beforeAll(async () => {
    Object.assign(globalThis, { [key]: exchanges })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
  })
  afterAll(() => {
    Reflect.deleteProperty(globalThis, key)
    server.closeAllConnections()
    server.close()
  })
  return {
    get port() {
      return (server.address() as AddressInfo).port
    },
  }
}

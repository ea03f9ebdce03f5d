import net from 'node:net'
import type postgres from 'postgres'

/** What the driver asks of `socket`, an option that its types leave out. */
type Address = { host: string[]; port: number[]; path: string | false }
type Heard = { bytes: number; at: number }

/**
 * Ends connections on which nothing is answered. The driver limits the time to connect, and PostgreSQL the time of a
 * statement; between them, a server that is stopped, or a connection that a firewall has forgotten, is waited for until TCP
 * gives up, after a quarter of an hour. When a statement has waited for `limitMs`, every connection of the pool that has
 * received nothing for as long is closed: what waited on it fails with ETIMEDOUT, and the next statement connects anew.
 *
 * `limitMs`: more than the server's own limit for a statement.
 */
export function closeSilentConnections(limitMs: number) {
  const sockets = new Map<net.Socket, Heard>()
  const waiting = new Map<symbol, number>()
  const everyMs = limitMs / 10
  let next = 0
  let lookedAt = performance.now()

  function look() {
    const now = performance.now()
    // This process itself stood still: answers may lie unread.
    const stoodStill = now - lookedAt > 3 * everyMs
    lookedAt = now
    for (const [socket, heard] of sockets)
      if (stoodStill || socket.bytesRead !== heard.bytes) sockets.set(socket, { bytes: socket.bytesRead, at: now })
    const isLate = (since: number) => now - since > limitMs
    if (![...waiting.values()].some(isLate)) return
    for (const [socket, { at }] of sockets) if (isLate(at)) socket.destroy(noAnswer(limitMs))
  }
  setInterval(look, everyMs).unref()

  /** The driver's option `socket`: a connection to the next of the hosts. */
  function socket({ host, port, path }: Address): net.Socket {
    const at = next++ % host.length
    const address = path ? { path } : { host: host[at], port: port[at] ?? 5432 }
    const opened = net.connect(address as net.NetConnectOpts)
    sockets.set(opened, { bytes: 0, at: performance.now() })
    opened.once('close', () => sockets.delete(opened))
    // The name that a certificate is checked against.
    return Object.assign(opened, address)
  }

  /** Notes that a statement waits for its answer; to be called when that has come. */
  function wait(): () => void {
    const key = Symbol()
    waiting.set(key, performance.now())
    return () => void waiting.delete(key)
  }

  return { options: { socket } as postgres.Options<Record<string, never>>, wait }
}

const noAnswer = (ms: number) =>
  Object.assign(new Error(`PostgreSQL has not answered for ${ms / 1000} seconds.`), { code: 'ETIMEDOUT' })

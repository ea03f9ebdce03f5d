import { EventEmitter, once } from 'node:events'
import net from 'node:net'
import { sql } from 'drizzle-orm'
import postgres from 'postgres'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createDatabase, type Executor } from '@/db/client'
import { testDatabaseUrl } from '@/db/testing'
import { isUnavailable } from '@/lib/domain/kernel/database-errors'

/** Long enough for a healthy answer beside thirty busy processes. */
const LIMIT_MS = 5_000

/** Between the pool and PostgreSQL: passes everything on, or, like a server that was stopped, takes it and says nothing. */
let link: { url: string; stop: () => void; goOn: () => void; close: () => void }
const closing: (() => unknown)[] = []

beforeEach(async () => {
  const server = new URL(testDatabaseUrl)
  const sockets = new Set<net.Socket>()
  let isStopped = false
  const proxy = net
    .createServer((from) => {
      const to = net.connect(Number(server.port), server.hostname)
      for (const [socket, other] of [
        [from, to],
        [to, from],
      ] as const) {
        sockets.add(socket)
        socket.on('data', (bytes) => void (isStopped || other.write(bytes)))
        socket.on('error', () => {}).on('close', () => other.destroy())
      }
    })
    .listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  const url = new URL(testDatabaseUrl)
  url.host = `127.0.0.1:${(proxy.address() as net.AddressInfo).port}`
  link = {
    url: url.href,
    stop: () => {
      isStopped = true
    },
    goOn: () => {
      isStopped = false
    },
    close: () => {
      for (const socket of sockets) socket.destroy()
      proxy.close()
    },
  }
})
afterEach(async () => {
  link.close()
  for (const close of closing.splice(0)) await close()
})

const one = sql`select 1 as one`
const reasonOf = (work: PromiseLike<unknown>) =>
  work.then(
    () => 'answered',
    (error: unknown) => (isUnavailable(error) ? 'unavailable' : error),
  )

it('fails what waits for a database that says nothing, wherever it waits, and connects anew', async () => {
  const { db, sql: client } = createDatabase(link.url, { silenceMs: LIMIT_MS })
  closing.push(() => client.end({ timeout: 0 }))
  // The driver alone: once it gives up by itself, this workaround can go.
  const plain = postgres(link.url, { max: 1, connection: { statement_timeout: LIMIT_MS / 4 } })
  closing.push(() => plain.end({ timeout: 0 }))
  await plain`select 1`

  const events = new EventEmitter()
  const begun: Promise<unknown>[] = []
  const transaction = (name: string, work: (tx: Executor) => Promise<unknown>) => {
    begun.push(once(events, name))
    return db.transaction(async (tx) => {
      await tx.execute(one)
      const stopped = once(events, 'stopped')
      events.emit(name)
      await stopped
      await work(tx)
    })
  }
  const inside = [
    transaction('statement', (tx) => tx.execute(one)),
    transaction('commit', async () => {}),
    transaction('rollback', () => Promise.reject(new Error('the work failed'))),
  ].map(reasonOf)
  await Promise.all(begun)
  link.stop()
  events.emit('stopped')
  let hasPlainEnded = false
  void reasonOf(plain`select 1`).then(() => {
    hasPlainEnded = true
  })
  const outside = [db.execute(one), db.transaction((tx) => tx.execute(one))].map(reasonOf)

  expect(await Promise.all([...inside, ...outside])).toEqual(Array(5).fill('unavailable'))
  expect(hasPlainEnded).toBe(false)

  link.goOn()
  expect([...(await db.execute(one))]).toEqual([{ one: 1 }])
})

it('leaves alone a transaction in which nothing waits, and a statement that is answered bit by bit', async () => {
  const { db, sql: client } = createDatabase(link.url, { silenceMs: LIMIT_MS })
  const other = postgres(testDatabaseUrl, { max: 1 })
  closing.push(
    () => client.end({ timeout: 0 }),
    () => other.end({ timeout: 0 }),
  )
  const beyondLimit = (1.5 * LIMIT_MS) / 1000
  await db.transaction(async (tx) => {
    await tx.execute(one)
    await other`select pg_sleep(${beyondLimit})`
    await tx.execute(one)
  })
  const rows = await db.execute(
    sql`select pg_sleep(${beyondLimit / 10}), repeat('x', 100000) from generate_series(1, 10)`,
  )
  expect(rows).toHaveLength(10)
})

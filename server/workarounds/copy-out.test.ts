import net from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import postgres from 'postgres'
import { describe, expect, it } from 'vitest'
import { testDatabaseUrl, testSql } from '@/db/testing'
import { copyOut } from './copy-out'

const copyRows = (count: number) => `copy (select repeat('x', 1000) from generate_series(1, ${count})) to stdout`
const MANY = copyRows(20_000)

it.each(['a reader that lags', 'a reader that leaves'])('a connection goes on after %s', async (who) => {
  for (let round = 0; round < 3; round += 1)
    await testSql.begin(async (tx) => {
      let bytes = 0
      for await (const chunk of copyOut(await tx.unsafe(MANY).readable())) {
        bytes += chunk.length
        if (who === 'a reader that leaves') break
        if (bytes % 50 === 0) await delay(1)
      }
      if (who === 'a reader that lags') expect(bytes).toBe(20_000 * 1001)
      expect(await tx`select 1 as one`).toEqual([{ one: 1 }])
    })
})

/** The last message of the rows of a copy (protocol 3.0, CopyDone). */
const COPY_DONE = Buffer.from([0x63, 0, 0, 0, 4])

/** A connection on which, once asked to, all rows of a copy arrive at once, and the end of its statement after them. */
function gatheringConnection() {
  let socket = new net.Socket()
  let gathered: Buffer | null = null
  const open = ({ host, port }: { host: string[]; port: number[] }) => {
    socket = net.connect({ host: host[0], port: port[0] ?? 5432 })
    const { emit } = socket
    const pass = (...args: unknown[]): boolean => Reflect.apply(emit, socket, args)
    socket.emit = (event: string, ...args: unknown[]) => {
      if (event !== 'data' || gathered === null) return pass(event, ...args)
      gathered = Buffer.concat([gathered, args[0] as Buffer])
      const done = gathered.indexOf(COPY_DONE)
      if (done < 0) return true
      const [rows, rest] = [gathered.subarray(0, done + COPY_DONE.length), gathered.subarray(done + COPY_DONE.length)]
      gathered = null
      pass('data', rows)
      if (rest.length > 0) socket.unshift(rest)
      return true
    }
    return socket
  }
  // The types leave this option out.
  const options = { max: 1, socket: open } as postgres.Options<Record<string, never>>
  return {
    client: postgres(testDatabaseUrl, options),
    gather: () => {
      gathered = Buffer.alloc(0)
    },
    isPaused: () => socket.isPaused(),
  }
}

describe('on the connection of a copy that arrives at once', () => {
  it.each([
    ['copyOut goes on', copyOut, false],
    // Once it does, copyOut can go.
    ['the driver by itself waits for ever', (rows: AsyncIterable<Buffer>) => rows, true],
  ])('%s', async (_, read, waits) => {
    const { client, gather, isPaused } = gatheringConnection()
    await client`select 1`
    gather()
    let bytes = 0
    for await (const chunk of read(await client.unsafe(copyRows(40)).readable())) bytes += chunk.length
    expect(bytes).toBe(40 * 1001)
    await testSql`select 1`
    expect(isPaused()).toBe(waits)
    await client.end({ timeout: 0 })
  })
})

/** Once it does not, copyOut can go. */
it('the driver by itself refuses what follows a copy that was left', async () => {
  const client = postgres(testDatabaseUrl, { max: 1 })
  await client`select 1`
  for await (const _ of await client.unsafe(MANY).readable()) break
  await expect(client`select 1`.execute()).rejects.toMatchObject({ code: 'COPY_IN_PROGRESS' })
  await client.end({ timeout: 0 })
})

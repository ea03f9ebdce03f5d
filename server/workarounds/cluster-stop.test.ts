import { type ChildProcess, fork } from 'node:child_process'
import { on } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import http from 'node:http'
import net from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, expect, it } from 'vitest'

let folder: string
let primary: ChildProcess

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'greenroom-cluster-'))
})
afterEach(() => {
  primary.kill('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
})

/** A process that is busy, and the messages of the first process about it. */
async function startBusy(how: 'watched' | 'plain') {
  const goOn = path.join(folder, 'go-on')
  primary = fork(path.resolve('server/testing/cluster.mjs'), [goOn, how], { execArgv: [] })
  const messages = on(primary, 'message')
  const next = async () => ((await messages.next()).value as [unknown])[0]
  const { port } = (await next()) as { port: number }
  primary.send('block')
  expect(await next()).toBe('blocked')
  return { port, next, goOn: () => writeFileSync(goOn, '') }
}

it('what was dealt to a process before it was asked to stop is served', async () => {
  const { port, next, goOn } = await startBusy('watched')
  const response = new Promise<http.IncomingMessage>((resolve, reject) =>
    http.get({ port, agent: false }, resolve).on('error', reject),
  )
  expect(await next()).toBe('dealt')
  primary.send('stop')
  primary.send('ping')
  expect(await next()).toBe('pong')
  const late = net.connect({ port })
  const refused = await new Promise<NodeJS.ErrnoException>((resolve) => late.once('error', resolve))
  expect(refused.code).toBe('ECONNREFUSED')
  goOn()
  expect(await text(await response)).toBe('served')
  expect(await next()).toBe('closed')
})

/** Once Node closes it or serves it, the workaround can go. */
it('Node by itself keeps such a connection open and serves it nowhere', async () => {
  const { port, next, goOn } = await startBusy('plain')
  let heard = ''
  const client = net.connect({ port }, () => client.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n'))
  client.on('data', (bytes) => {
    heard += bytes
  })
  const closed = new Promise<string>((resolve) =>
    client.on('error', () => {}).once('close', () => resolve('by itself')),
  )
  expect(await next()).toBe('dealt')
  goOn()
  expect(await next()).toBe('closed')
  for (let turn = 0; turn < 20; turn += 1) {
    primary.send('ping')
    expect(await next()).toBe('pong')
  }
  const state = await Promise.race([closed, new Promise((resolve) => setImmediate(resolve, 'still open'))])
  expect([state, heard]).toEqual(['still open', ''])
})

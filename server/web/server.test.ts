import { type ChildProcess, execFileSync, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import http, { type IncomingMessage } from 'node:http'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freePort } from '@/server/embedded-database/port'

/** A small project, built by Next with the adapter, and served twice: by the web server and by `next start`. */
const fixture = path.resolve('server/testing/fixture')
const next = path.resolve('node_modules/next/dist/bin/next')
// Not what vitest has set in its own.
const env = { PATH: process.env.PATH, NODE_ENV: 'production' as const, NEXT_TELEMETRY_DISABLED: '1' }

const running: ChildProcess[] = []
let ours: number
let plain: number

beforeAll(async () => {
  execFileSync(process.execPath, [next, 'build'], { cwd: fixture, env, stdio: 'pipe' })
  ours = await freePort()
  const web = fork(path.resolve('server/web/main.mjs'), {
    cwd: fixture,
    env: { ...env, PORT: String(ours) },
    execArgv: [],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  running.push(web)
  expect(await Promise.race([once(web, 'message'), once(web, 'exit')])).toEqual(
    expect.arrayContaining([{ ready: true }]),
  )
  plain = await freePort()
  running.push(spawn(process.execPath, [next, 'start', '-p', String(plain)], { cwd: fixture, env, stdio: 'ignore' }))
  while (!(await fetch(`http://localhost:${plain}/api/things`).catch(() => null))) await delay(100)
})
afterAll(async () => {
  for (const child of running) {
    child.kill('SIGKILL')
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  }
})

/** What travels, on a connection of its own and with the address as it stands. */
async function ask(port: number, address: string, method = 'GET', headers = {}) {
  const request = http.request({ host: 'localhost', port, path: address, method, headers, agent: false }).end()
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  const chunks: Buffer[] = []
  for await (const chunk of response) chunks.push(chunk)
  return { status: response.statusCode, headers: response.headers, body: Buffer.concat(chunks).toString() }
}

describe('a request under /api', () => {
  it('takes the same path from the first on, also after Next has handled one', async () => {
    const thing = { thing_id: 'one', query: '?a=1', foreignMethod: null }
    const thingOf = async () => JSON.parse((await ask(ours, '/api/things/one?a=1&nxtPthing_id=another')).body)
    expect([await thingOf(), await thingOf()]).toEqual([thing, thing])
    expect((await ask(ours, '/nothing')).status).toBe(404)
    expect(await thingOf()).toEqual(thing)
  })

  it.each([
    ['/api//things?a=1', '/api/things?a=1'],
    ['/api/things/', '/api/things'],
    ['/api\\things//one/?a=/', '/api/things/one?a=/'],
    ['/api/things/%2e%2E', '/api'],
    ['/api/things/./one?a=..', '/api/things/one?a=..'],
    // Not to another host.
    ['/api/..//elsewhere', '/elsewhere'],
  ])('for %s is redirected', async (address, location) => {
    const { status, headers } = await ask(ours, address)
    expect([status, headers.location]).toEqual([308, location])
  })

  it.each([
    ['/api/thing%73', 'twelve bytes'],
    ['/api/things/a%2Fb', '"thing_id":"a/b"'],
    ['/api/things/%zz', '"thing_id":"%zz"'],
  ])('for %s is decoded', async (address, body) => {
    expect(await ask(ours, address)).toMatchObject({ status: 200, body: expect.stringContaining(body) })
  })

  it.each(['TRACE', 'PROPFIND'])('with the method %s reaches its route, which knows of it', async (method) => {
    expect(JSON.parse((await ask(ours, '/api/things/one', method)).body)).toMatchObject({ foreignMethod: method })
  })

  it('is handled by its route without Next, where that says that it can be', async () => {
    expect(await ask(ours, '/api/things')).toMatchObject({
      body: 'twelve bytes',
      headers: { 'content-length': '12', 'set-cookie': ['a=1', 'b=2'], 'x-content-type-options': 'nosniff' },
    })
    const { body, headers } = await ask(ours, '/api/things', 'HEAD')
    expect([body, headers['content-length']]).toEqual(['', '12'])
    // Next renames what it calls: a stack without it was not called by it.
    const direct = JSON.parse((await ask(ours, '/api/things/one/direct?a=1')).body)
    expect(direct).toEqual({ params: { thing_id: 'one' }, search: '?a=1', isByNext: false })
    const { body: byNext } = await ask(plain, '/api/things/one/direct?a=1')
    expect(JSON.parse(byNext)).toEqual({ ...direct, isByNext: true })
  })

  it('that fails outside its handler gets a 500, and the next one its response', async () => {
    expect((await ask(ours, '/api/things/one/direct?fail')).status).toBe(500)
    expect((await ask(ours, '/api/things/one/direct')).status).toBe(200)
  })

  it('without a route is left to Next', async () => {
    expect((await ask(ours, '/api/nothing')).status).toBe(404)
  })
})

it('an address that cannot be decoded names nothing', async () => {
  expect((await ask(ours, '/%zz')).status).toBe(404)
})

/** What the router of a browser gets, whose state cannot be read; Next first redirects it to an address of its own. */
async function askWithBrokenState(port: number) {
  const headers = { rsc: '1', 'next-router-state-tree': '%zz' }
  const { headers: redirect } = await ask(port, '/', 'GET', headers)
  return await ask(port, String(redirect.location), 'GET', headers)
}

it('a page is rendered although the state of the router cannot be read', async () => {
  expect(await askWithBrokenState(ours)).toMatchObject({ status: 200, body: expect.stringContaining('A page') })
})

/** Once Next can do one of these by itself, its test fails, and the file in server/workarounds can go. */
describe('Next by itself', () => {
  it('drops Content-Length (../web/call-route.mjs)', async () => {
    const { body, headers } = await ask(plain, '/api/things')
    expect([body, headers['content-length']]).toEqual(['twelve bytes', undefined])
  })

  it.each(['TRACE', 'PROPFIND'])('does not say what is allowed instead of %s (request-method.mjs)', async (method) => {
    const { headers } = await ask(plain, '/api/things', method)
    expect(headers.allow).toBeUndefined()
  })

  it('fails at an address that cannot be decoded (request-address.mjs)', async () => {
    expect((await ask(plain, '/api/things/%zz')).status).toBe(500)
  })

  it('fails at the state of a router that cannot be read (router-state.mjs)', async () => {
    expect((await askWithBrokenState(plain)).status).toBe(500)
  })
})

it('answers on connections that were kept alive while it stops, and ends them by that', async () => {
  const port = await freePort()
  const web = fork(path.resolve('server/web/main.mjs'), {
    cwd: fixture,
    env: { ...env, PORT: String(port) },
    execArgv: [],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  running.push(web)
  await once(web, 'message')
  const agents = Array.from({ length: 5 }, () => new http.Agent({ keepAlive: true, maxSockets: 1 }))
  const kept = async (agent: http.Agent) => {
    const request = http.request({ host: 'localhost', port, path: '/api/things', method: 'POST', agent }).end('{}')
    const [response] = (await once(request, 'response')) as [IncomingMessage]
    response.resume()
    await once(response, 'end')
    return { status: response.statusCode, connection: response.headers.connection, again: request.reusedSocket }
  }
  for (const agent of agents) expect(await kept(agent)).toMatchObject({ connection: 'keep-alive', again: false })
  const ended = once(web, 'exit')
  web.kill('SIGTERM')
  const answers = []
  for (const agent of agents) {
    await delay(60)
    answers.push(await kept(agent))
  }
  expect(answers.map(({ again }) => again)).toEqual(agents.map(() => true))
  expect(answers.at(-1)?.connection).toBe('close')
  expect(new Set(answers.map(({ status }) => status)).size).toBe(1)
  await ended
})

import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import http, { type IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { startS3Server } from '@/lib/adapters/blob-store/testing/s3-server'
import { type Cluster, clusterIn, startCluster } from '@/server/embedded-database/cluster'
import { freePort } from '@/server/embedded-database/port'
import { expect, test } from './support/test'
import { photo } from './support/workspace'

// Two web machines that share PostgreSQL and a bucket are restarted one after the other, while others ask and send.

const BUCKET = { bucket: 'rolling', accessKeyId: 'ROLLING', secretAccessKey: 'a secret of the stories' }
const CLIENTS = 4

type Machine = { port: number; child: ChildProcess }
type Sent = { body?: string | Buffer; headers?: Record<string, string> }

let folder: string
let bucket: Awaited<ReturnType<typeof startS3Server>>
let cluster: Cluster
let env: NodeJS.ProcessEnv
let authorization: string
const machines: Machine[] = []

test.describe.configure({ mode: 'serial' })
test.beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'greenroom-rolling-'))
  chmodSync(folder, 0o711)
  bucket = await startS3Server(BUCKET)
  cluster = await startCluster(clusterIn(folder))
  env = {
    PATH: process.env.PATH,
    NODE_ENV: 'production',
    NODE_NO_WARNINGS: '1',
    BASE_URL: 'http://localhost:3000',
    DATABASE_URL: cluster.url,
    DATA_DIR: path.join(folder, 'commands'),
    AUTH_SECRET: 'the secret of a story, the same on each machine',
    STORAGE: 's3',
    UPLOADS: 'server',
    S3_BUCKET: BUCKET.bucket,
    S3_ENDPOINT: bucket.endpoint,
    S3_ACCESS_KEY_ID: BUCKET.accessKeyId,
    S3_SECRET_ACCESS_KEY: BUCKET.secretAccessKey,
    WEB_PROCESSES: '2',
    RATE_LIMITS: 'off',
    LOG_LEVEL: 'error',
  }
  command('migrate')
  command('user', '--email', 'admin@example.test', '--name', 'Admin')
  authorization = `Bearer ${command('token', '--user', 'admin@example.test').trim().split('\n').at(-1)}`
  for (const name of ['first', 'second']) {
    const port = await freePort()
    machines.push({ port, child: await startWeb(port, name) })
  }
})
test.afterAll(async () => {
  await Promise.all(machines.map(({ child }) => ended(child, 'SIGKILL')))
  await cluster?.stop()
  await bucket?.stop()
  rmSync(folder, { recursive: true, force: true })
})

function command(name: string, ...args: string[]): string {
  return execFileSync(process.execPath, ['scripts/run.mjs', name, ...args], { env, encoding: 'utf8' })
}

/** `npm run web` with a data folder of its own, ready for requests. */
async function startWeb(port: number, name: string): Promise<ChildProcess> {
  const own = { ...env, PORT: String(port), DATA_DIR: path.join(folder, name) }
  const child = spawn(process.execPath, ['scripts/run.mjs', 'web'], {
    env: own,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  await expect
    .poll(async () => (await fetch(`http://localhost:${port}/api/health/ready`).catch(() => null))?.status, {
      timeout: 60_000,
    })
    .toBe(200)
  return child
}

async function ended(child: ChildProcess, signal: NodeJS.Signals) {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exit = once(child, 'exit')
  child.kill(signal)
  await exit
}

async function restart(machine: Machine, name: string) {
  await ended(machine.child, 'SIGTERM')
  expect(machine.child.exitCode).toBe(0)
  machine.child = await startWeb(machine.port, name)
}

/** A request whose body the caller sends, on a connection of its own. */
const open = (port: number, method: string, path: string, headers: Record<string, string | number> = {}) =>
  http.request({ host: 'localhost', port, method, path, agent: false, headers: { authorization, ...headers } })

async function responseTo(request: http.ClientRequest) {
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  return { status: response.statusCode ?? 0, headers: response.headers, body: await text(response) }
}

function ask(port: number, method: string, path: string, { body, headers }: Sent = {}) {
  const request = open(port, method, path, { ...(body && { 'content-length': Buffer.byteLength(body) }), ...headers })
  request.end(body)
  return responseTo(request)
}

/** A request that was sent before has come in once later ones are through at each of the web processes. */
async function isAccepted({ port }: Machine, path: string) {
  for (let turn = 0; turn < Number(env.WEB_PROCESSES) * 2; turn += 1)
    expect((await ask(port, 'GET', path)).status).toBe(200)
}

async function make(path: string, body: object): Promise<{ id: string }> {
  const sent = { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }
  const response = await ask(machines[0]?.port ?? 0, 'POST', path, sent)
  expect(response.status, response.body).toBe(201)
  return JSON.parse(response.body)
}

/** A batch for files of any name; its path. */
async function makeBatch(name: string): Promise<string> {
  const agency = await make('/api/agencies', { name, code: name.toUpperCase() })
  const category = await make('/api/media-categories', { name })
  const project = await make('/api/projects', { name, agency_id: agency.id, media_category_id: category.id })
  const batch = await make(`/api/projects/${project.id}/batches`, { name })
  return `/api/projects/${project.id}/batches/${batch.id}`
}

/** Whether nothing listens there any more. */
const refuses = (port: number) =>
  ask(port, 'GET', '/api/health/live').then(
    () => false,
    (error: NodeJS.ErrnoException) => error.code === 'ECONNREFUSED',
  )

/**
 * What the proxies of deploy/ do: each request goes to one of the machines in turn, to the other one when the connection is
 * refused, and a reading one also when it broke off. The keys let a client send a writing one again.
 */
function load(agencyId: string) {
  const failures: string[] = []
  const sent: string[] = []
  let reads = 0
  let repeated = 0
  let isOver = false
  async function through(turn: number, method: string, path: string, options?: Sent) {
    for (let attempt = 0; ; attempt += 1) {
      const machine = machines[(turn + attempt) % machines.length] as Machine
      try {
        return await ask(machine.port, method, path, options)
      } catch (error) {
        const { code } = error as NodeJS.ErrnoException
        const mayRepeat = code === 'ECONNREFUSED' || method === 'GET' || options?.headers?.['idempotency-key']
        if (!mayRepeat || attempt === 2) throw error
        if (code !== 'ECONNREFUSED') repeated += 1
      }
    }
  }
  async function client(number: number) {
    for (let turn = number; !isOver; turn += 1) {
      const isWrite = turn % 4 === 0
      const name = `Project ${number} ${turn}`
      const options = {
        body: JSON.stringify({ name, agency_id: agencyId }),
        headers: { 'content-type': 'application/json', 'idempotency-key': `key-${number}-${turn}` },
      }
      const response = await (isWrite
        ? through(turn, 'POST', '/api/projects', options)
        : through(turn, 'GET', '/api/projects?limit=10')
      ).catch((error: NodeJS.ErrnoException) => ({ status: 0, body: error.code ?? error.message }))
      if (response.status !== (isWrite ? 201 : 200)) failures.push(`${response.status} ${response.body.slice(0, 200)}`)
      if (isWrite) sent.push(name)
      else reads += 1
    }
  }
  const clients = Array.from({ length: CLIENTS }, (_, number) => client(number))
  return {
    failures,
    sent,
    done: () => sent.length + reads,
    async end() {
      isOver = true
      await Promise.all(clients)
      return { reads, repeated }
    },
  }
}

test('a rolling restart of two web machines under load fails no request, and makes nothing twice', async () => {
  const agency = await make('/api/agencies', { name: 'Under load', code: 'LOAD' })
  const running = load(agency.id)
  for (const [index, name] of ['first', 'second'].entries()) {
    const before = running.done()
    await expect.poll(running.done, { timeout: 60_000 }).toBeGreaterThan(before + 50)
    await restart(machines[index] as Machine, name)
  }
  const { reads, repeated } = await running.end()
  expect(running.failures).toEqual([])
  const all = await ask(machines[0]?.port ?? 0, 'GET', '/api/projects')
  const names = (JSON.parse(all.body).projects as { name: string }[]).map(({ name }) => name)
  expect(names.sort()).toEqual(running.sent.sort())
  test.info().annotations.push({
    type: 'load',
    description: `${reads} read, ${running.sent.length} written, ${repeated} sent again after a broken connection`,
  })
})

test('an upload under way when a machine stops is finished by it', async () => {
  const [machine, other] = machines as [Machine, Machine]
  const batch = await makeBatch('finish')
  const bytes = await photo(1600, 1200)
  const boundary = 'a-boundary-of-the-story'
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="photo.jpg"\r\nContent-Type: image/jpeg\r\n\r\n`
  const body = Buffer.concat([Buffer.from(head), bytes, Buffer.from(`\r\n--${boundary}--\r\n`)])
  const half = body.length >> 1
  const upload = open(machine.port, 'POST', `${batch}/files`, {
    'content-type': `multipart/form-data; boundary=${boundary}`,
    'content-length': body.length,
  })
  const response = responseTo(upload)
  await new Promise((sent) => upload.write(body.subarray(0, half), sent))
  await isAccepted(machine, batch)
  const exit = once(machine.child, 'exit')
  machine.child.kill('SIGTERM')
  await expect.poll(() => refuses(machine.port)).toBe(true)
  upload.end(body.subarray(half))
  const { status, body: said } = await response
  expect(status, said).toBe(201)
  await exit
  const { files } = JSON.parse((await ask(other.port, 'GET', `${batch}/files`)).body)
  expect(files).toMatchObject([{ name: 'photo.jpg', size: bytes.length }])
  machine.child = await startWeb(machine.port, 'first')
})

test('a resumable upload that a stopping machine cuts off goes on at the other', async () => {
  const [machine, other] = machines as [Machine, Machine]
  const batch = await makeBatch('resume')
  const bytes = await photo(1600, 1200)
  const tus = { 'tus-resumable': '1.0.0' }
  const created = await ask(machine.port, 'POST', `${batch}/tus`, {
    headers: {
      ...tus,
      'upload-length': String(bytes.length),
      'upload-metadata': `filename ${Buffer.from('photo.jpg').toString('base64')}`,
    },
  })
  expect(created.status, created.body).toBe(201)
  const { pathname } = new URL(String(created.headers.location), 'http://localhost')
  const chunk = { ...tus, 'content-type': 'application/offset+octet-stream' }
  // The client goes silent: within its time to stop, the machine cuts this off.
  const silent = open(machine.port, 'PATCH', pathname, {
    ...chunk,
    'upload-offset': 0,
    'content-length': bytes.length,
  })
  const cut = responseTo(silent).catch((error: NodeJS.ErrnoException) => error.code)
  await new Promise((sent) => silent.write(bytes.subarray(0, bytes.length >> 1), sent))
  await isAccepted(machine, batch)
  await ended(machine.child, 'SIGTERM')
  await cut
  const offset = async () => {
    const { status, headers } = await ask(other.port, 'HEAD', pathname, { headers: tus })
    return status === 200 ? Number(headers['upload-offset']) : null
  }
  await expect.poll(offset, { timeout: 120_000 }).not.toBeNull()
  const from = (await offset()) ?? 0
  const rest = await ask(other.port, 'PATCH', pathname, {
    body: bytes.subarray(from),
    headers: { ...chunk, 'upload-offset': String(from) },
  })
  expect([200, 201, 204], rest.body).toContain(rest.status)
  const { files } = JSON.parse((await ask(other.port, 'GET', `${batch}/files`)).body)
  expect(files).toMatchObject([{ name: 'photo.jpg', size: bytes.length }])
  machine.child = await startWeb(machine.port, 'first')
})

test('a client of live updates hears at the other machine what it missed', async () => {
  const [machine, other] = machines as [Machine, Machine]
  const batch = await makeBatch('live')
  const rename = async (port: number, name: string) => {
    const sent = { body: JSON.stringify({ name }), headers: { 'content-type': 'application/json' } }
    expect((await ask(port, 'PATCH', batch, sent)).status).toBe(200)
  }
  const listen = async (port: number, last?: string) => {
    const request = open(port, 'GET', '/api/live', last === undefined ? {} : { 'last-event-id': last })
    request.end()
    const [response] = (await once(request, 'response')) as [IncomingMessage]
    let heard = ''
    response.on('data', (data) => {
      heard += data
    })
    const closed = new Promise((resolve) => response.once('close', resolve).once('error', () => {}))
    await expect.poll(() => heard).toContain(': listening')
    return { heard: () => heard, closed, end: () => request.destroy() }
  }
  const first = await listen(machine.port)
  await rename(other.port, 'Before')
  await expect.poll(first.heard).toMatch(/id: \d+\ndata: .*batch.updated/)
  const last = [...first.heard().matchAll(/^id: (\d+)$/gm)].at(-1)?.[1]
  const exit = once(machine.child, 'exit')
  machine.child.kill('SIGTERM')
  await Promise.all([first.closed, exit])
  await rename(other.port, 'Meanwhile')
  const second = await listen(other.port, last)
  const isAfter = () =>
    [...second.heard().matchAll(/^id: (\d+)\ndata: .*batch\.updated/gm)].some(([, id]) => Number(id) > Number(last))
  await expect.poll(isAfter).toBe(true)
  second.end()
})

import { spawn, spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { identifyProcess, isRunning, type ProcessIdentity } from '@/server/embedded-database/process'
import { type Product, startProduct } from './support/product'
import { expect, test } from './support/test'

// What `npm start` promises to the person at the terminal. Each story has a Greenroom of its own; the demo workspace,
// which the other stories start with, would be most of what each start costs.
test.describe.configure({ mode: 'serial' })
const EMPTY = { DEMO: 'false' }

type Note = { supervisor: ProcessIdentity; children: ProcessIdentity[] }
const running = ({ dataDir }: Product): Note => JSON.parse(readFileSync(path.join(dataDir, 'running.json'), 'utf8'))
/** Whether a process lives that this one started; each of ours leads a group. */
const hasGroup = (pid: number) =>
  readdirSync('/proc').some((entry) => {
    if (!/^\d+$/.test(entry)) return false
    try {
      const stat = readFileSync(`/proc/${entry}/stat`, 'utf8')
      const [state, , group] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
      return Number(group) === pid && state !== 'Z'
    } catch {
      return false
    }
  })
const ready = async ({ url }: Product) => (await fetch(`${url}/api/health/ready`).catch(() => null))?.status

/** Starts again with the same settings plus `overrides`, expecting a refusal. */
function refusedStart(overrides: Record<string, string>) {
  const result = spawnSync(process.execPath, ['scripts/start.mjs'], {
    encoding: 'utf8',
    timeout: 60_000,
    env: { ...process.env, ...overrides },
  })
  return { code: result.status, says: result.stderr.trim(), shows: result.stdout }
}

test('a second start on the same data folder is refused in one sentence, and the first goes on', async () => {
  const product = await startProduct(EMPTY)
  try {
    const { code, says } = refusedStart({ DATA_DIR: product.dataDir, PORT: new URL(product.url).port })
    expect(code).toBe(1)
    expect(says).toMatch(/^Greenroom already runs on .*\(process \d+, http:\/\/localhost:\d+\)\. Stop it first/)
    expect(says.split('\n')).toHaveLength(1)
    expect(await ready(product)).toBe(200)
  } finally {
    await product.stop()
  }
})

test('a service behind a proxy that is not configured warns', async () => {
  const warnings = async (product: Product) => {
    const log = path.join(product.dataDir, 'logs', 'web.log')
    const before = readFileSync(log, 'utf8')
    expect(before).not.toContain('TRUST_PROXY')
    for (const header of ['X-Forwarded-For', 'Forwarded'])
      expect((await fetch(`${product.url}/api/health/live`, { headers: { [header]: 'for=192.0.2.1' } })).status).toBe(
        200,
      )
    // What comes after a request in the log was said after it.
    await fetch(`${product.url}/api/projects`, { headers: { 'X-Request-Id': 'the-last-one' } })
    await expect.poll(() => readFileSync(log, 'utf8')).toContain('the-last-one')
    return readFileSync(log, 'utf8')
      .split('\n')
      .filter((line) => line.includes('set TRUST_PROXY=true'))
      .map((line) => JSON.parse(line).level)
      .filter((level, index, all) => all.indexOf(level) === index)
  }
  const product = await startProduct(EMPTY)
  try {
    expect(await warnings(product)).toEqual([40])
  } finally {
    await product.stop()
  }
  const behindProxy = await startProduct({ ...EMPTY, TRUST_PROXY: 'true' })
  try {
    expect(await warnings(behindProxy)).toEqual([])
  } finally {
    await behindProxy.stop()
  }
})

test('a busy port and a broken variable are named in one sentence, without a stack', async ({ baseURL }) => {
  const port = new URL(baseURL ?? '').port
  const dataDir = path.resolve('test-results', 'busy-port')
  expect(refusedStart({ PORT: port, DATA_DIR: dataDir })).toMatchObject({
    code: 1,
    says: `Port ${port} is already used by another program. Stop that, or choose another: PORT=${Number(port) + 1} npm start`,
  })
  expect(refusedStart({ PORT: 'eighty' })).toMatchObject({
    code: 1,
    says: 'PORT is "eighty": expected a port from 1 to 65535.',
  })
})

test('stopping ends every process, the database with its files in order', async () => {
  const product = await startProduct(EMPTY)
  const { supervisor, children } = running(product)
  const stopped = new Promise((resolve) => {
    const poll = setInterval(() => {
      if (isRunning(supervisor)) return
      clearInterval(poll)
      resolve(null)
    }, 50)
  })
  process.kill(supervisor.pid, 'SIGINT')
  await stopped
  expect(children.filter(isRunning)).toEqual([])
  expect(children.filter(({ pid }) => hasGroup(pid))).toEqual([])
  expect(existsSync(path.join(product.dataDir, 'running.json'))).toBe(false)
  expect(existsSync(path.join(product.dataDir, 'database', 'postmaster.pid'))).toBe(false)
  await product.stop()
})

test('a killed web, worker or database process is back within seconds', async () => {
  const product = await startProduct(EMPTY)
  try {
    for (const { pid } of running(product).children) process.kill(pid, 'SIGKILL')
    const database = Number(
      readFileSync(path.join(product.dataDir, 'database', 'postmaster.pid'), 'utf8').split('\n')[0],
    )
    process.kill(database, 'SIGKILL')
    await expect.poll(() => identifyProcess(database)).toBeNull()
    await expect.poll(() => ready(product), { timeout: 30_000 }).toBe(200)
  } finally {
    await product.stop()
  }
})

test('after the supervisor was killed nothing blocks the next start', async () => {
  const first = await startProduct(EMPTY)
  const port = new URL(first.url).port
  const { supervisor, children } = running(first)
  process.kill(supervisor.pid, 'SIGKILL')
  await expect.poll(() => children.filter(isRunning), { timeout: 15_000 }).toEqual([])
  await expect.poll(() => children.filter(({ pid }) => hasGroup(pid)), { timeout: 15_000 }).toEqual([])
  // The database is the one part that lives on; the next start replaces it.
  const second = spawn(process.execPath, ['scripts/start.mjs'], {
    env: { ...process.env, PORT: port, DATA_DIR: first.dataDir, ...EMPTY },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let shown = ''
  second.stdout.on('data', (chunk) => {
    shown += chunk
  })
  try {
    await expect.poll(() => shown, { timeout: 40_000 }).toContain('Greenroom is ready.')
    expect(await ready(first)).toBe(200)
  } finally {
    second.kill('SIGTERM')
    await new Promise((resolve) => second.once('exit', resolve))
    await first.stop()
  }
})

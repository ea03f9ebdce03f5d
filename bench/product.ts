import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'

/** A running Greenroom to measure, and how to speak to it. */
export type Product = {
  url: string
  headers: Record<string, string>
  /** Of its own database, when it is one of ours. */
  databaseUrl?: string
  /** Waits until its worker has nothing left to do. */
  untilIdle: () => Promise<void>
  stop: () => Promise<void>
}

/**
 * The one at GREENROOM_URL, spoken to with GREENROOM_TOKEN (an administrator's), or else one of our own, started as
 * `npm start` does on an empty data folder, without limits on how often it may be asked.
 */
export async function openProduct(settings: Record<string, string> = {}): Promise<Product> {
  const { GREENROOM_URL: given, GREENROOM_TOKEN: token } = process.env
  if (given) {
    if (!token) throw new Error('GREENROOM_TOKEN is missing: make one with npm run token -- --user EMAIL.')
    return {
      url: given.replace(/\/$/, ''),
      headers: { Authorization: `Bearer ${token}` },
      untilIdle: () => untilIdle(given),
      stop: async () => {},
    }
  }
  const folder = mkdtempSync(path.join(tmpdir(), 'greenroom-bench-'))
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const env: NodeJS.ProcessEnv = {
    ...process.env,
    PORT: String(port),
    BASE_URL: url,
    DATA_DIR: folder,
    RATE_LIMITS: 'off',
    MAX_FILE_SIZE: '20GiB',
    ...settings,
  }
  const child = spawn(process.execPath, ['scripts/start.mjs'], { env, stdio: ['ignore', 'ignore', 'inherit'] })
  const stop = async () => {
    await ended(child)
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    await untilReady(url, child)
    const made = makeToken(env, 'admin@greenroom.test')
    await untilIdle(url)
    const databaseUrl = readFileSync(path.join(folder, 'database-url'), 'utf8').trim()
    return { url, headers: { Authorization: `Bearer ${made}` }, databaseUrl, untilIdle: () => untilIdle(url), stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** One of our own on a database and a data folder that stay. `tokenOf` makes a token of the user of that address. */
export async function startProduct(
  databaseUrl: string,
  folder: string,
  settings: Record<string, string> = {},
): Promise<Product & { pid: number; tokenOf: (email: string) => string }> {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const env: NodeJS.ProcessEnv = {
    ...process.env,
    PORT: String(port),
    BASE_URL: url,
    DATABASE_URL: databaseUrl,
    DATA_DIR: folder,
    RATE_LIMITS: 'off',
    ...settings,
  }
  const child = spawn(process.execPath, ['scripts/start.mjs'], { env, stdio: ['ignore', 'ignore', 'inherit'] })
  const tokenOf = (email: string) => makeToken(env, email)
  try {
    await untilReady(url, child)
    return {
      url,
      headers: { Authorization: `Bearer ${tokenOf('admin@greenroom.test')}` },
      databaseUrl,
      pid: child.pid ?? 0,
      tokenOf,
      untilIdle: () => untilIdle(url),
      stop: () => ended(child),
    }
  } catch (error) {
    await ended(child)
    throw error
  }
}

function makeToken(env: NodeJS.ProcessEnv, email: string): string {
  const args = ['--import', 'tsx', 'scripts/token.ts', '--user', email, '--name', 'bench']
  return execFileSync(process.execPath, args, { env, encoding: 'utf8' }).trim().split('\n').at(-1) ?? ''
}

/** The worker still draws the demo's images when the product is ready; nothing is measured beside that. */
async function untilIdle(url: string) {
  for (;;) {
    const metrics = await (await fetch(`${url}/api/metrics`)).text()
    if (!/^greenroom_jobs\{.*state="(waiting|running)"/m.test(metrics)) return
    await new Promise((resolve) => setTimeout(resolve, 500))
  }
}

/** A fresh batch that takes archives of any portable name and any size; its path below the address of the product. */
export async function openBatch(product: Product): Promise<string> {
  const make = async (path: string, body: object) => (await ask<{ id: string }>(product, 'POST', path, body)).id
  const name = `Bench ${new Date().toISOString()}`
  const agency = await make('/api/agencies', { name, code: `B${Date.now()}` })
  const category = await make('/api/media-categories', { name, max_file_size: null })
  const project = await make('/api/projects', { name, agency_id: agency, media_category_id: category })
  const batch = await make(`/api/projects/${project}/batches`, { name })
  return `/api/projects/${project}/batches/${batch}`
}

/** An operator, by id, whom batches can be assigned to; with a password it can sign in. */
export async function makeOperator(product: Product, email: string, password?: string): Promise<string> {
  const user = { name: 'Operator', email, role: 'operator', password }
  return (await ask<{ id: string }>(product, 'POST', '/api/users', user)).id
}

export async function ask<T>(product: Product, method: string, path: string, body?: unknown): Promise<T> {
  const response = await fetch(product.url + path, {
    method,
    headers: { ...product.headers, ...(body !== undefined && { 'Content-Type': 'application/json' }) },
    body: body === undefined ? undefined : JSON.stringify(body),
  })
  if (!response.ok) throw new Error(`${method} ${path} responded with ${response.status}: ${await response.text()}`)
  return (await response.json()) as T
}

async function untilReady(url: string, child: ChildProcess): Promise<void> {
  const deadline = Date.now() + 10 * 60_000
  for (;;) {
    if (child.exitCode !== null) throw new Error('Greenroom did not start.')
    if (Date.now() > deadline) throw new Error('Greenroom was not ready within ten minutes.')
    const response = await fetch(`${url}/api/health/ready`).catch(() => null)
    if (response?.ok) return
    await new Promise((done) => setTimeout(done, 250))
  }
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return
  const exit = once(child, 'exit')
  child.kill('SIGTERM')
  await exit
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  return typeof address === 'object' && address ? address.port : 0
}

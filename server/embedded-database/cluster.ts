import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import {
  chownSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import postgres from 'postgres'
import { type Binaries, findBinaries } from './binaries'
import { chooseOwner, type Owner } from './owner'
import { freePort } from './port'
import { clearPostmaster, readPostmaster, stopPostmaster } from './postmaster'
import { identifyProcess, type ProcessIdentity } from './process'

const USER = 'greenroom'
const DATABASE = 'greenroom'

export type ClusterOptions = {
  /** Where the cluster lies; created when missing. Its parent must be reachable for the database's user. */
  folder: string
  /** File that keeps the connection URL, password and port included, readable by us alone. */
  urlFile: string
  /** File that takes the server's own messages. */
  logFile: string
  /** Where the programs are copied to when they cannot be run where they are installed. */
  programs: string
  /** A throwaway cluster gives up durability for speed. Never for data anybody wants to keep. */
  throwaway?: boolean
}

/** For a cluster of a test, a story or a bench: everything of it in one folder, that its user may enter. */
export const clusterIn = (folder: string, { throwaway = true } = {}): ClusterOptions => ({
  folder: path.join(folder, 'database'),
  urlFile: path.join(folder, 'database-url'),
  logFile: path.join(folder, 'database.log'),
  // Only used below a folder the database's user cannot enter: the programs are then copied once, not once a run.
  programs: path.join(tmpdir(), `greenroom-programs-${process.getuid?.() ?? 0}`),
  throwaway,
})

export type Cluster = {
  url: string
  pid: number
  /** Settles when the server has ended, asked or not. */
  exited: Promise<void>
  /** Ends the server with a checkpoint. Safe to call twice. */
  stop(): Promise<void>
}

/**
 * Starts a PostgreSQL server on `folder`, making the cluster first when there is none: UTF-8, the built-in C.UTF-8
 * locale (the same order on every machine, whatever LANG says), checksums, passwords by SCRAM, loopback TCP only.
 * A server left behind by a killed run is stopped first; a stale pid file is removed.
 */
export async function startCluster(options: ClusterOptions): Promise<Cluster> {
  const owner = chooseOwner(options.folder)
  const binaries = findBinaries(owner, options.programs)
  await clearPostmaster(options.folder)
  const known = existsSync(path.join(options.folder, 'PG_VERSION'))
  const previous = known ? readUrl(options) : null
  const password = previous?.password ?? randomBytes(24).toString('base64url')
  const port = await freePort(previous?.port)
  if (known) checkVersion(options.folder)
  else await createCluster(options, owner, binaries, password)
  const url = `postgresql://${USER}:${password}@127.0.0.1:${port}/${DATABASE}`
  storeUrl(options.urlFile, url)
  const server = await launch(options, owner, binaries, port)
  try {
    await ensureDatabase(url)
  } catch (error) {
    await server.stop()
    throw error
  }
  return { url, ...server }
}

/** In the place of the old one at once: a full disk that cut it short would lose the password for good. */
function storeUrl(file: string, url: string) {
  if (existsSync(file) && readFileSync(file, 'utf8').trim() === url) return
  const draft = `${file}.${process.pid}`
  try {
    writeFileSync(draft, `${url}\n`, { mode: 0o600 })
    renameSync(draft, file)
  } finally {
    rmSync(draft, { force: true })
  }
}

function readUrl({ urlFile, folder }: ClusterOptions) {
  try {
    const url = new URL(readFileSync(urlFile, 'utf8').trim())
    return { password: url.password, port: Number(url.port) }
  } catch {
    throw new Error(
      `The embedded database in ${folder} needs its password, and ${urlFile}, which keeps it, cannot be read. ` +
        'Put that file back from a backup, or move the database folder away to begin with an empty one.',
    )
  }
}

/** A cluster of another major version cannot be opened; PostgreSQL would only say so in its log. */
function checkVersion(folder: string) {
  const found = readFileSync(path.join(folder, 'PG_VERSION'), 'utf8').trim()
  if (found !== '18') {
    throw new Error(`The database in ${folder} was made by PostgreSQL ${found}; this build brings PostgreSQL 18.`)
  }
}

async function createCluster(options: ClusterOptions, owner: Owner, binaries: Binaries, password: string) {
  // Made beside its final name and renamed, so that a run killed half-way leaves nothing that looks like a database.
  const unfinished = `${options.folder}.new`
  const passwordFile = `${options.folder}.password`
  rmSync(unfinished, { recursive: true, force: true })
  mkdirSync(unfinished, { recursive: true, mode: 0o700 })
  writeFileSync(passwordFile, `${password}\n`, { mode: 0o600 })
  if ('uid' in owner.ids) for (const path of [unfinished, passwordFile]) chownSync(path, owner.ids.uid, owner.ids.gid)
  try {
    await runInitdb(binaries, owner, [
      `--pgdata=${unfinished}`,
      `--username=${USER}`,
      `--pwfile=${passwordFile}`,
      '--auth=scram-sha-256',
      '--encoding=UTF8',
      '--locale-provider=builtin',
      '--builtin-locale=C.UTF-8',
      '--no-locale',
      '--data-checksums',
      ...(options.throwaway ? ['--no-sync'] : []),
    ])
  } finally {
    rmSync(passwordFile, { force: true })
  }
  // Whatever lies at the final name is no cluster (it has no PG_VERSION); an empty folder may be replaced, nothing else.
  renameSync(unfinished, options.folder)
}

function runInitdb(binaries: Binaries, owner: Owner, args: string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(binaries.initdb, args, {
      ...owner.ids,
      cwd: '/',
      env: environment(),
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk))
    child.once('error', reject)
    child.once('close', (code) => {
      if (code === 0) resolve()
      else reject(new Error(`The embedded database could not be created: ${lastLines(output)}`))
    })
  })
}

async function launch(options: ClusterOptions, owner: Owner, binaries: Binaries, port: number) {
  // After a kill -9 of the server, its own processes need a moment to notice; until then their shared memory blocks us.
  const deadline = Date.now() + 20_000
  for (;;) {
    const from = logSize(options.logFile)
    const child = spawnServer(options, owner, binaries, port)
    const exited = new Promise<void>((resolve) => child.once('close', () => resolve()))
    const identity = await ready(child, options.folder)
    if (identity) return { pid: identity.pid, exited, stop: () => stopPostmaster(identity) }
    await exited
    const said = readFileSync(options.logFile).subarray(from).toString()
    if (!said.includes('shared memory') || Date.now() > deadline) {
      throw new Error(`The embedded database did not start: ${lastLines(said)} (see ${options.logFile})`)
    }
    await delay(200)
  }
}

function spawnServer({ folder, logFile, throwaway }: ClusterOptions, owner: Owner, binaries: Binaries, port: number) {
  const settings = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    timezone: 'UTC',
    log_timezone: 'UTC',
    // Small machine, small tables: parallel plans only cost memory, and containers give them 64 MB of it.
    max_parallel_workers_per_gather: '0',
    ...(throwaway ? { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_wal_size: '512MB' } : {}),
  }
  const log = openSync(logFile, 'a', 0o600)
  try {
    return spawn(
      binaries.postgres,
      [
        '-D',
        folder,
        '-p',
        String(port),
        ...Object.entries(settings).flatMap(([key, value]) => ['-c', `${key}=${value}`]),
      ],
      // Its own session: Ctrl-C in the terminal must not reach it before those who still use it.
      { ...owner.ids, cwd: '/', env: environment(), detached: true, stdio: ['ignore', log, log] },
    )
  } finally {
    closeSync(log)
  }
}

/** Waits until the server says in its pid file that it takes connections; null when it ends instead. */
async function ready(child: ChildProcess, folder: string): Promise<ProcessIdentity | null> {
  let failure: Error | undefined
  child.once('error', (error) => {
    failure = error
  })
  while (child.exitCode === null && child.signalCode === null) {
    if (failure) throw failure
    const noted = readPostmaster(folder)
    if (noted && noted.pid === child.pid && noted.status === 'ready') return identifyProcess(noted.pid)
    await delay(20)
  }
  return null
}

async function ensureDatabase(url: string) {
  const maintenance = new URL(url)
  maintenance.pathname = '/postgres'
  const sql = postgres(maintenance.href, { max: 1, onnotice: () => {} })
  try {
    const [found] = await sql`select 1 from pg_database where datname = ${DATABASE}`
    if (!found) await sql.unsafe(`create database ${DATABASE}`)
  } finally {
    await sql.end({ timeout: 5 })
  }
}

/** PG* variables of the caller's shell would steer our server; its messages are read by us, so they are in English. */
function environment() {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('PG') && name !== 'DATABASE_URL')
  return { ...Object.fromEntries(inherited), NODE_ENV: process.env.NODE_ENV, LC_ALL: 'C', TZ: 'UTC' }
}

function logSize(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0
}

function lastLines(output: string): string {
  return output.trim().split('\n').slice(-3).join(' | ').trim() || 'it said nothing'
}

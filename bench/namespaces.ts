import { type ChildProcess, execFile, execFileSync, fork, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect, createServer, type Server } from 'node:net'
import { availableParallelism, tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import postgres from 'postgres'
import { type Cluster, clusterIn, startCluster } from '@/server/embedded-database/cluster'
import { freePort } from '@/server/embedded-database/port'
import { type CoreShare, coreShare } from './core-share'
import type { Product } from './product'
import type { Order } from './storage-server'

/**
 * Several machines on one: each in network and mount namespaces of its own, with an empty DATA_DIR and an empty /tmp,
 * everything else read-only. A machine reaches PostgreSQL and the bucket on the host, and no other machine.
 */

const BRIDGE = 'greenroom0'
const PREFIX = 'greenroom-bench-'
/** Of the block for benchmarks between networks (RFC 2544, appendix C.2.2). */
const NETWORK = '198.18.16'
const HOST = `${NETWORK}.1`
const DATABASE_PORT = 5432
const POOLER_PORT = 6432
const BUCKET_PORT = 9000
const WEB_PORT = 3000
const READY_MS = 120_000
/** A process that ends by itself is started again after so long. */
const RESTART_MS = 1_000
const ADMINISTRATOR = 'admin@bench.test'
/** Of the temporary folder of a machine, and of the disk of PostgreSQL where either is to run full. */
const MACHINE_DISK = '512m'
const DATABASE_DISK = '3g'
const FAKETIME = ['x86_64', 'aarch64'].map((arch) => `/usr/lib/${arch}-linux-gnu/faketime/libfaketime.so.1`)

/** Settings of every machine and command. */
type Settings = NodeJS.ProcessEnv
export type Kind = 'web' | 'worker'

/** Ends the program, and says why, where namespaces cannot be made, or what else it needs is missing. */
export function requireNamespaces({ services = false } = {}) {
  const tools = ['ip', 'taskset', 'mount', ...(services ? ['pgbouncer', 'nsenter', 'dd'] : [])]
  const missing = tools.filter((tool) => spawnSync(tool, ['-V']).error !== undefined)
  if (services && !FAKETIME.some((file) => existsSync(file))) missing.push('libfaketime')
  const reasons = [
    ...(process.platform === 'linux' ? [] : ['this is not Linux']),
    ...(process.getuid?.() === 0 ? [] : ['it is not run by root']),
    ...(missing.length > 0 ? [`missing: ${missing.join(', ')}`] : []),
    ...(process.cwd().startsWith('/tmp/') ? ['the program lies below /tmp, which each machine has of its own'] : []),
  ]
  if (reasons.length === 0) return
  console.error(
    `Cannot run here: it needs Linux, root, iproute2 (ip) and util-linux (mount, taskset)${services ? ', pgbouncer and libfaketime' : ''}; ${reasons.join('; ')}.`,
  )
  process.exit(2)
}

const ip = (...args: string[]) => execFileSync('ip', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })

/** Builds the product if need be: the machines may not write to it. */
export function build() {
  execFileSync(process.execPath, ['--import', 'tsx', 'scripts/build.ts'], { stdio: ['ignore', 'ignore', 'inherit'] })
}

/** The processes of a namespace. */
const processesIn = (namespace: string) => ip('netns', 'pids', namespace).trim().split('\n').filter(Boolean).map(Number)

/** Of several processes that were listed, one may have ended since. */
function signalOne(pid: number, signal: NodeJS.Signals) {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

/** What a killed run left. @throws when a run still goes on */
function clear() {
  const left = ip('netns', 'list')
    .split('\n')
    .map((line) => line.split(' ')[0] ?? '')
    .filter((name) => name.startsWith(PREFIX))
  const busy = left.filter((name) => processesIn(name).length > 0)
  if (busy.length > 0)
    throw new Error(
      `Processes run in ${busy.join(', ')}: another bench, or one that was killed. End them (ip netns pids NAME).`,
    )
  for (const name of left) ip('netns', 'delete', name)
  // The kernel removes the devices of a namespace some time after it.
  for (const [, device] of ip('-brief', 'link').matchAll(/^(grbench\d+)@/gm))
    spawnSync('ip', ['link', 'delete', device as string])
  if (spawnSync('ip', ['link', 'show', BRIDGE]).status === 0) ip('link', 'delete', BRIDGE)
}

/** Runs a program in a fresh mount namespace, which `ip netns exec` has made: $1... is the program. */
const ALONE = `set -e
mount --make-rprivate /
for folder in /tmp /var/tmp /dev/shm; do mount -t tmpfs -o mode=1777,size=${MACHINE_DISK} tmpfs $folder; done
mount -o remount,bind,ro /
exec "$@"`

export class Machine {
  private child: ChildProcess | null = null
  private isReady = false
  readonly name: string
  readonly address: string
  private readonly device: string
  private readonly namespace: string

  constructor(
    readonly kind: Kind,
    number: number,
    private readonly settings: Settings,
    /** The core that all its processes are held to; null for any. */
    private readonly core: number | null,
    /** Where its clock is read from, as libfaketime wants it; null for the clock of the host. */
    private readonly clock: string | null,
    /** What it may use of its core; null for all of it. */
    private readonly share: CoreShare | null,
  ) {
    this.name = `${kind} ${number}`
    this.address = `${NETWORK}.${number}`
    this.device = `grbench${number}`
    this.namespace = `${PREFIX}${number}`
    ip('netns', 'add', this.namespace)
    ip('link', 'add', this.device, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', this.namespace)
    ip('link', 'set', this.device, 'master', BRIDGE, 'up')
    // From machine to machine nothing passes.
    ip('link', 'set', this.device, 'type', 'bridge_slave', 'isolated', 'on')
    ip('-n', this.namespace, 'address', 'add', `${this.address}/24`, 'dev', 'eth0')
    for (const device of ['lo', 'eth0']) ip('-n', this.namespace, 'link', 'set', device, 'up')
  }

  get url() {
    return `http://${this.address}:${WEB_PORT}`
  }

  start() {
    const node = [process.execPath, 'scripts/run.mjs', this.kind]
    const program = this.clock === null ? node : ['env', ...this.clockSettings(this.clock), ...node]
    const pinned = this.core === null ? program : ['taskset', '-c', String(this.core), ...program]
    const alone = ['ip', 'netns', 'exec', this.namespace, 'sh', '-c', ALONE, 'sh', ...pinned]
    const [command = '', ...given] = this.share
      ? ['sh', '-c', 'echo $$ > "$0" && exec "$@"', this.share.processes, ...alone]
      : alone
    this.child = spawn(command, given, {
      env: { ...this.settings, PORT: String(WEB_PORT), DATA_DIR: '/tmp/data' },
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    const own = this.child
    // As systemd or Kubernetes would.
    own.once('exit', () => setTimeout(() => this.child === own && this.isReady && this.start(), RESTART_MS))
  }

  private clockSettings(file: string) {
    const library = FAKETIME.find((each) => existsSync(each))
    const fixed = ['FAKETIME_NO_CACHE=1', 'FAKETIME_DONT_FAKE_MONOTONIC=1']
    return [`LD_PRELOAD=${library}`, `FAKETIME_TIMESTAMP_FILE=${file}`, ...fixed]
  }

  /** Its clock is from now on so many seconds ahead of the host's; negative, behind. */
  setClock(seconds: number) {
    if (this.clock) writeFileSync(this.clock, `${seconds < 0 ? '' : '+'}${seconds}`)
  }

  /** Takes every byte of its temporary folder, or gives it back. */
  fill(isFull: boolean) {
    const [pid] = processesIn(this.namespace)
    if (pid === undefined) return
    const work = isFull ? 'cat /dev/zero > /tmp/full 2>/dev/null || true' : 'rm -f /tmp/full'
    execFileSync('nsenter', ['--mount', '--target', String(pid), 'sh', '-c', work])
  }

  /** @throws when the first start ends instead of getting ready */
  async untilReady() {
    const deadline = Date.now() + READY_MS
    while (this.kind === 'web') {
      if (!this.isReady && this.child?.exitCode !== null) throw new Error(`${this.name} did not start.`)
      if (Date.now() > deadline) throw new Error(`${this.name} was not ready within ${READY_MS / 1000} s.`)
      const response = await fetch(`${this.url}/api/health/ready`, { signal: AbortSignal.timeout(5_000) }).catch(
        () => null,
      )
      if (response?.ok) break
      await new Promise((done) => setTimeout(done, 200))
    }
    this.isReady = true
  }

  signal(signal: NodeJS.Signals) {
    for (const pid of processesIn(this.namespace)) signalOne(pid, signal)
  }

  link(state: 'up' | 'down') {
    ip('link', 'set', this.device, state)
  }

  async stop(signal: NodeJS.Signals = 'SIGTERM') {
    const child = this.child
    this.child = null
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const exit = once(child, 'exit')
    if (signal === 'SIGKILL') this.signal(signal)
    else child.kill(signal)
    await exit
  }

  async remove() {
    await this.stop()
    this.signal('SIGKILL')
    ip('netns', 'delete', this.namespace)
    await this.share?.remove()
  }
}

export type Site = Awaited<ReturnType<typeof openSite>>

/**
 * PostgreSQL, a bucket, web machines and workers, with an administrator. Everything is empty, and goes with `close`. With
 * `services`, PgBouncer lies between, the disk of PostgreSQL can run full, and each machine has a clock of its own. `checksAlone`:
 * nothing is measured before it is checked. `share`: of a core, for each worker.
 */
export async function openSite(given: {
  webs: number
  workers: number
  slots: number
  services?: boolean
  checksAlone?: boolean
  share?: number | undefined
}) {
  const { webs, workers, slots, services = false, checksAlone = false, share } = given
  clear()
  ip('link', 'add', BRIDGE, 'type', 'bridge')
  ip('address', 'add', `${HOST}/24`, 'dev', BRIDGE)
  ip('link', 'set', BRIDGE, 'up')
  const folder = mkdtempSync(path.join(tmpdir(), 'greenroom-bench-'))
  chmodSync(folder, 0o711)
  const closing: (() => unknown)[] = [
    () => rmSync(folder, { recursive: true, force: true }),
    () => ip('link', 'delete', BRIDGE),
  ]
  const close = async () => {
    for (const step of closing.reverse()) await step()
    closing.length = 0
  }
  try {
    if (services) {
      execFileSync('mount', ['-t', 'tmpfs', '-o', `mode=0711,size=${DATABASE_DISK}`, 'tmpfs', folder])
      closing.push(() => execFileSync('umount', [folder]))
    }
    const open = (): Promise<Cluster> => startCluster(clusterIn(folder, { throwaway: false }))
    let cluster = await open()
    closing.push(() => cluster.stop())
    const passage = await passTo(Number(new URL(cluster.url).port), DATABASE_PORT)
    closing.push(() => void passage.close())
    const storage = fork(fileURLToPath(new URL('storage-server.ts', import.meta.url)), [], {
      execArgv: ['--import', 'tsx'],
    })
    closing.push(() => storage.disconnect())
    const [endpoint] = (await once(storage, 'message')) as [string]
    const bucketPassage = await passTo(Number(new URL(endpoint).port), BUCKET_PORT)
    closing.push(() => void bucketPassage.close())
    const sql = postgres(cluster.url, { max: 2, onnotice: () => {} })
    closing.push(() => sql.end({ timeout: 5 }))
    const pooler = services ? await openPooler(folder, cluster, sql) : null
    if (pooler) closing.push(() => pooler.stop())
    const database = new URL(cluster.url)
    database.host = `${HOST}:${DATABASE_PORT}`
    const pooled = new URL(database)
    pooled.port = String(POOLER_PORT)
    const settings: Settings = {
      PATH: process.env.PATH ?? '',
      NODE_ENV: 'production',
      NODE_NO_WARNINGS: '1',
      AUTH_SECRET: 'the secret of a bench, the same on each machine',
      BASE_URL: `http://${NETWORK}.11:${WEB_PORT}`,
      DATABASE_URL: pooler ? pooled.href : database.href,
      ...(pooler && { DATABASE_DIRECT_URL: database.href }),
      DATA_DIR: path.join(folder, 'commands'),
      STORAGE: 's3',
      UPLOADS: 'server',
      S3_BUCKET: 'bench',
      S3_ENDPOINT: `http://${HOST}:${BUCKET_PORT}`,
      S3_ACCESS_KEY_ID: 'BENCH',
      S3_SECRET_ACCESS_KEY: 'secret',
      WORKER_CONCURRENCY: String(slots),
      WEB_PROCESSES: '1',
      RATE_LIMITS: 'off',
      MEASURE_AHEAD: checksAlone ? 'off' : 'on',
      LOG_LEVEL: 'error',
    }
    await command(settings, 'migrate')
    const headers = await makeAdministrator(settings)
    const machines: Machine[] = []
    closing.push(() => Promise.all(machines.map((machine) => machine.remove())))
    // Not below /tmp, which each machine has of its own.
    const clocks = services ? mkdtempSync('/run/greenroom-bench-') : null
    if (clocks) closing.push(() => rmSync(clocks, { recursive: true }))
    const add = (kind: Kind, number: number, core: number | null) => {
      const clock = clocks && path.join(clocks, String(number))
      const part = core === null || share === undefined ? null : coreShare(`${PREFIX}${number}`, share)
      const machine = new Machine(kind, number, settings, core, clock, part)
      machine.setClock(0)
      machines.push(machine)
    }
    for (let number = 0; number < webs; number++) add('web', 11 + number, null)
    for (let number = 0; number < workers; number++) add('worker', 51 + number, number % availableParallelism())
    for (const machine of machines) machine.start()
    await Promise.all(machines.map((machine) => machine.untilReady()))
    await untilWorking(sql, workers * slots)
    return {
      machines,
      sql,
      products: machines.filter(({ kind }) => kind === 'web').map(({ url }) => productAt(url, headers, sql)),
      /** Runs one of our commands beside the machines; what it says. @throws when it fails */
      command: (name: string, ...args: string[]) => command(settings, name, ...args),
      async restartDatabase() {
        await cluster.stop()
        cluster = await open()
      },
      /** Takes every byte of the disk of PostgreSQL, or gives it back; PostgreSQL is started again where it had to end. */
      async fillDatabase(isFull: boolean) {
        const file = path.join(folder, 'full')
        // Until nothing goes in any more: how much is free changes meanwhile.
        if (isFull) return void spawnSync('dd', ['if=/dev/zero', `of=${file}`, 'bs=1M'])
        rmSync(file)
        const isAlive = await sql`select 1`.then(
          () => true,
          () => false,
        )
        if (!isAlive) cluster = await open()
      },
      async restartPooler() {
        await pooler?.restart()
      },
      /** What the bucket does from now on. */
      storage: (order: Order) => void storage.send(order),
      /** Stops every process of PostgreSQL where it is, as a frozen virtual machine would. */
      signalDatabase(signal: 'SIGSTOP' | 'SIGCONT') {
        const children = readFileSync(`/proc/${cluster.pid}/task/${cluster.pid}/children`, 'utf8')
        for (const pid of [cluster.pid, ...children.trim().split(' ').filter(Boolean).map(Number)])
          signalOne(pid, signal)
      },
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

/** PgBouncer in transaction mode, as docs/deploying.md sets it up. */
async function openPooler(folder: string, cluster: Cluster, sql: postgres.Sql) {
  const { username, password, hostname, port, pathname } = new URL(cluster.url)
  for (const [name, limit] of [
    ['statement_timeout', '30s'],
    ['lock_timeout', '10s'],
  ])
    await sql.unsafe(`alter role ${username} set ${name} = '${limit}'`)
  const ini = path.join(folder, 'pgbouncer.ini')
  writeFileSync(path.join(folder, 'users'), `"${username}" "${decodeURIComponent(password)}"\n`)
  writeFileSync(
    ini,
    `[databases]
${pathname.slice(1)} = host=${hostname} port=${port}
[pgbouncer]
listen_addr = ${HOST}
listen_port = ${POOLER_PORT}
unix_socket_dir =
auth_type = scram-sha-256
auth_file = ${path.join(folder, 'users')}
pool_mode = transaction
default_pool_size = 20
max_client_conn = 500
`,
  )
  let child: ChildProcess
  const start = () => {
    // It does not run as root.
    child = spawn('pgbouncer', ['-u', 'nobody', ini], { stdio: 'ignore' })
  }
  const stop = async () => {
    const ended = once(child, 'exit')
    child.kill('SIGKILL')
    await ended
  }
  start()
  return {
    stop,
    async restart() {
      await stop()
      await new Promise((done) => setTimeout(done, 2_000))
      start()
    },
  }
}

/** The whole of Greenroom as `npm start` has it: its own PostgreSQL, the disk, both cores. */
export async function openOneMachine(slots: number) {
  const folder = mkdtempSync(path.join(tmpdir(), 'greenroom-bench-'))
  chmodSync(folder, 0o711)
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const settings: Settings = {
    PATH: process.env.PATH ?? '',
    NODE_ENV: 'production',
    NODE_NO_WARNINGS: '1',
    PORT: String(port),
    DATA_DIR: path.join(folder, 'data'),
    WORKER_CONCURRENCY: String(slots),
    DEMO: 'false',
    RATE_LIMITS: 'off',
    MEASURE_AHEAD: 'off',
  }
  const child = spawn(process.execPath, ['scripts/start.mjs'], {
    env: settings,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const close = async () => {
    if (child.exitCode === null) {
      const exit = once(child, 'exit')
      child.kill('SIGTERM')
      await exit
    }
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    for (;;) {
      if (child.exitCode !== null) throw new Error('Greenroom did not start.')
      const response = await fetch(`${url}/api/health/ready`).catch(() => null)
      if (response?.ok) break
      await new Promise((done) => setTimeout(done, 200))
    }
    const headers = await makeAdministrator(settings)
    const databaseUrl = readFileSync(path.join(settings.DATA_DIR ?? '', 'database-url'), 'utf8').trim()
    const sql = postgres(databaseUrl, { max: 2, onnotice: () => {} })
    const closeAll = () => sql.end({ timeout: 5 }).then(close)
    return { sql, products: [productAt(url, headers, sql)], close: closeAll }
  } catch (error) {
    await close()
    throw error
  }
}

/** Without blocking: what it sends to PostgreSQL passes through this process. @throws with its output when it fails */
async function command(settings: Settings, name: string, ...args: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, ['scripts/run.mjs', name, ...args], { env: settings })
  return stdout
}

async function makeAdministrator(settings: Settings): Promise<Record<string, string>> {
  await command(settings, 'user', '--email', ADMINISTRATOR, '--name', 'Administrator')
  const token = (await command(settings, 'token', '--user', ADMINISTRATOR)).trim().split('\n').at(-1)
  return { Authorization: `Bearer ${token}` }
}

const productAt = (url: string, headers: Record<string, string>, sql: postgres.Sql): Product => ({
  url,
  headers,
  untilIdle: () => untilIdle(sql),
  stop: async () => {},
})

async function untilIdle(sql: postgres.Sql) {
  for (;;) {
    const [left] =
      await sql`select count(*)::int as count from graphile_worker.jobs where attempts < max_attempts and run_at <= now() + interval '1 minute'`
    if (left?.count === 0) return
    await new Promise((done) => setTimeout(done, 200))
  }
}

async function untilWorking(sql: postgres.Sql, slots: number) {
  const deadline = Date.now() + READY_MS
  for (;;) {
    const [alive] = await sql`select count(*)::int as count from workers where not is_background`
    if (alive?.count >= slots) return
    if (Date.now() > deadline) throw new Error('The workers gave no sign of life.')
    await new Promise((done) => setTimeout(done, 200))
  }
}

/** PostgreSQL and the bucket listen at the loopback address of the host; the machines reach them at that of the bridge. */
async function passTo(port: number, at: number): Promise<Server> {
  const server = createServer((from) => {
    const to = connect(port, '127.0.0.1')
    from.pipe(to).pipe(from)
    from.on('error', () => to.destroy()).on('close', () => to.destroy())
    to.on('error', () => from.destroy()).on('close', () => from.destroy())
  }).listen(at, HOST)
  await once(server, 'listening')
  return server
}

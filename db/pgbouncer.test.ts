import '@/lib/http/testing'
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { sql } from 'drizzle-orm'
import postgres from 'postgres'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { database } from '@/db/client'
import { testDatabaseUrl, testSql } from '@/db/testing'
import { makeBatch, makeProject, makeUser } from '@/fixtures/factories'
import { updateBatch } from '@/lib/domain/batches/commands'
import { EVENT_CHANNEL } from '@/lib/domain/kernel/events'
import { inTransaction } from '@/lib/domain/kernel/operation'
import { as } from '@/lib/domain/testing'
import { parseEnvironment } from '@/lib/env'
import { startWorker } from '@/lib/jobs/worker'
import { newContext } from '@/lib/service'
import { freePort } from '@/server/embedded-database/port'
import { openServer } from '@/server/supervisor/database'

const PROGRAM = ['pgbouncer', '/usr/sbin/pgbouncer'].find((name) => spawnSync(name, ['--version']).status === 0)

describe.skipIf(!PROGRAM)('behind PgBouncer in transaction mode (skipped without it: apt install pgbouncer)', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'greenroom-pgbouncer-'))
  let pgbouncer: ChildProcess
  let pooledUrl: string

  beforeAll(async () => {
    const server = new URL(testDatabaseUrl)
    const port = await freePort()
    const name = server.pathname.slice(1)
    pooledUrl = `postgresql://${server.username}:${server.password}@127.0.0.1:${port}/${name}`
    const ini = path.join(folder, 'pgbouncer.ini')
    writeFileSync(path.join(folder, 'users'), `"${server.username}" "${decodeURIComponent(server.password)}"\n`)
    // Fewer connections than clients, so that one client's transactions do run on several of them.
    writeFileSync(
      ini,
      `[databases]
${name} = host=${server.hostname} port=${server.port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = scram-sha-256
auth_file = ${path.join(folder, 'users')}
pool_mode = transaction
default_pool_size = 3
max_client_conn = 100
`,
    )
    chmodSync(folder, 0o755)
    // It does not run as root.
    const user = process.getuid?.() === 0 ? ['-u', 'nobody'] : []
    pgbouncer = spawn(PROGRAM as string, [...user, ini], { stdio: 'ignore' })
    const probe = postgres(pooledUrl, { max: 1, prepare: false })
    await vi.waitFor(() => probe`select 1`, { timeout: 60_000, interval: 50 })
    await probe.end()
    // Before the product opens its pool.
    Object.assign(process.env, { DATABASE_URL: pooledUrl, DATABASE_DIRECT_URL: testDatabaseUrl })
  })
  afterAll(async () => {
    const ended = once(pgbouncer, 'exit')
    pgbouncer.kill('SIGKILL')
    await ended
    rmSync(folder, { recursive: true })
  })

  const open = () => openServer(parseEnvironment(process.env))
  const reconnect = async () => {
    await testSql`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and application_name = 'greenroom'`
  }

  it('a start is refused while statements could run for ever, and says how the role gets its limits', async () => {
    await expect(open()).rejects.toThrow(/no limits of time.*ALTER ROLE greenroom SET statement_timeout = '30s'/s)
    const name = new URL(testDatabaseUrl).pathname.slice(1)
    await testSql.unsafe(`alter database ${name} set statement_timeout = '30s'`)
    await testSql.unsafe(`alter database ${name} set lock_timeout = '10s'`)
    // The pooler's connections are of before.
    await testSql`select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`.catch(
      () => {},
    )
    await expect
      .poll(() =>
        open().then(
          () => true,
          (error) => String(error),
        ),
      )
      .toBe(true)
  })

  it('statements with parameters, transactions and their locks run on whatever connection comes', async () => {
    const { db } = database()
    const backends = new Set<number>()
    await Promise.all(
      Array.from({ length: 300 }, async (_, number) => {
        const [row] = await db.execute<{ pid: number; number: number; zone: string }>(
          sql`select pg_backend_pid() as pid, ${number}::int as number, current_setting('TimeZone') as zone`,
        )
        expect(row).toMatchObject({ number, zone: 'UTC' })
        backends.add(row?.pid ?? 0)
      }),
    )
    expect(backends.size).toBeGreaterThan(1)
    const ann = await makeUser({ role: 'coordinator' })
    const project = await makeProject({ members: [ann] })
    const batch = await makeBatch({ projectId: project.id })
    const where = { project_id: project.id, batch_id: batch.id }
    await Promise.all([1, 2, 3, 4, 5, 6].map((n) => updateBatch.execute(as(ann), where, { name: `Name ${n}` })))
    const locks = await testSql`select * from pg_locks where locktype = 'advisory'
      and database = (select oid from pg_database where datname = current_database())`
    expect([...locks]).toEqual([])
  })

  it('live updates are heard', async () => {
    const heard: string[] = []
    const { unlisten } = await database().listener.listen(EVENT_CHANNEL, (text) => heard.push(text))
    const ann = await makeUser({ role: 'coordinator' })
    const project = await makeProject({ members: [ann] })
    const batch = await makeBatch({ projectId: project.id })
    await updateBatch.execute(as(ann), { project_id: project.id, batch_id: batch.id }, { name: 'Heard' })
    await expect.poll(() => heard.some((text) => text.includes(batch.id))).toBe(true)
    await unlisten()
  })

  it('jobs are enqueued through it, and a worker hears of them beside it', async () => {
    const worker = await startWorker()
    try {
      const ctx = newContext({ actor: { type: 'system', name: 'A test' } })
      await inTransaction(ctx, (tx) => tx.enqueue('sweep', {}, { key: 'sweep of a test' }))
      const left = () => testSql`select id from graphile_worker.jobs where key = 'sweep of a test'`
      await expect.poll(async () => [...(await left())]).toEqual([])
      const listening = await testSql`
        select pid from pg_stat_activity where datname = current_database() and query like 'LISTEN "jobs:insert"%'`
      expect(listening.length).toBeGreaterThan(0)
    } finally {
      await worker.stop()
    }
  })

  it('a backup is taken beside it, and doctor examines through it', async () => {
    const place = mkdtempSync(path.join(tmpdir(), 'greenroom-pgbouncer-backup-'))
    try {
      const script = (name: string, ...args: string[]) =>
        spawnSync(process.execPath, ['--import', 'tsx', `scripts/${name}.ts`, ...args], { encoding: 'utf8' })
      await makeBatch()
      const taken = script('backup', '--to', place)
      expect([taken.status, taken.stderr]).toEqual([0, ''])
      expect(taken.stdout).toMatch(/holds the backup .*: everything up to/)
      const checked = script('restore', '--from', place, '--check')
      expect([checked.status, checked.stderr]).toEqual([0, ''])
      const { checks } = JSON.parse(script('doctor', '--json').stdout) as {
        checks: { check: string; status: string }[]
      }
      const found = checks.filter(({ check }) =>
        ['database', 'migrations', 'clock', 'counters', 'audit'].includes(check),
      )
      expect(found.map(({ status }) => status)).toEqual(found.map(() => 'ok'))
      expect(found).toHaveLength(5)
    } finally {
      rmSync(place, { recursive: true })
    }
  })

  it('a connection that the pooler loses is replaced at the next request', async () => {
    await reconnect()
    const again = () => database().db.execute<{ one: number }>(sql`select ${1}::int as one`)
    await expect
      .poll(() =>
        again().then(
          (rows) => [...rows],
          () => [],
        ),
      )
      .toEqual([{ one: 1 }])
  })
})

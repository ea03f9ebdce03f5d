import { type ChildProcess, spawn } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import postgres from 'postgres'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Cluster } from './cluster'
import { startEmbeddedDatabase } from './embedded-database'
import { findPostmaster } from './postmaster'
import { identifyProcess, isRunning } from './process'

let parent: string
let dataDir: string
const started: Cluster[] = []
const strangers: ChildProcess[] = []

beforeEach(() => {
  parent = mkdtempSync(path.join(tmpdir(), 'greenroom-embedded-'))
  chmodSync(parent, 0o755)
  dataDir = path.join(parent, 'data')
})
afterEach(async () => {
  for (const cluster of started.splice(0)) await cluster.stop()
  for (const child of strangers.splice(0)) child.kill('SIGKILL')
  const pointer = path.join(dataDir, 'database-location')
  if (existsSync(pointer)) rmSync(readFileSync(pointer, 'utf8').trim(), { recursive: true, force: true })
  rmSync(parent, { recursive: true, force: true })
})

async function start() {
  const cluster = await startEmbeddedDatabase(dataDir)
  started.push(cluster)
  return cluster
}

async function query<T>(cluster: Cluster, text: string): Promise<T[]> {
  const sql = postgres(cluster.url, { max: 1 })
  try {
    return await sql.unsafe<T[] & object[]>(text)
  } finally {
    await sql.end()
  }
}

/** The folder below which the cluster lies: inside the data folder, or elsewhere when root runs below a closed one. */
function clusterFolder(): string {
  const pointer = path.join(dataDir, 'database-location')
  return existsSync(pointer) ? readFileSync(pointer, 'utf8').trim() : path.join(dataDir, 'database')
}

describe('the embedded database', () => {
  it('keeps its rows, its password and its port over a stop and a start', async () => {
    const first = await start()
    await query(first, 'create table kept (n int); insert into kept values (1), (2)')
    await first.stop()
    expect(existsSync(path.join(clusterFolder(), 'postmaster.pid'))).toBe(false)
    const second = await start()
    expect(second.url).toBe(first.url)
    expect(await query(second, 'select n from kept order by n')).toEqual([{ n: 1 }, { n: 2 }])
  })

  it('listens on loopback only and asks for the password', async () => {
    const cluster = await start()
    expect(await query(cluster, 'show listen_addresses')).toEqual([{ listen_addresses: '127.0.0.1' }])
    expect(await query(cluster, 'show unix_socket_directories')).toEqual([{ unix_socket_directories: '' }])
    const stranger = new URL(cluster.url)
    stranger.password = 'guess'
    await expect(query({ ...cluster, url: stranger.href }, 'select 1')).rejects.toThrow(
      /password authentication failed/,
    )
  })

  it('works below a folder that no other user may enter, also for root', async () => {
    chmodSync(parent, 0o700)
    const cluster = await start()
    await query(cluster, 'create table kept (n int)')
    await cluster.stop()
    expect(await query(await start(), 'select n from kept')).toEqual([])
    expect(statSync(parent).mode & 0o777).toBe(0o700)
  })

  it('keeps the address with its password readable for us alone', async () => {
    await start()
    expect(statSync(path.join(dataDir, 'database-url')).mode & 0o777).toBe(0o600)
  })

  it('starts again after its server was killed, with what was committed', async () => {
    const first = await start()
    await query(first, 'create table kept (n int); insert into kept values (7)')
    process.kill(first.pid, 'SIGKILL')
    await first.exited
    expect(existsSync(path.join(clusterFolder(), 'postmaster.pid'))).toBe(true)
    expect(await query(await start(), 'select n from kept')).toEqual([{ n: 7 }])
  })

  it('replaces a server that outlived the run which started it', async () => {
    const orphan = await start()
    const identity = identifyProcess(orphan.pid)
    const next = await start()
    expect(next.pid).not.toBe(orphan.pid)
    expect(identity && isRunning(identity)).toBe(false)
    expect(await query(next, 'select 1 as one')).toEqual([{ one: 1 }])
  })

  it('is not blocked by a pid file whose number was given to another program', async () => {
    const first = await start()
    process.kill(first.pid, 'SIGKILL')
    await first.exited
    const { uid, gid } = statSync(clusterFolder())
    // The same user, so that PostgreSQL by itself would take the stranger for a running server.
    const ids = process.getuid?.() === 0 ? { uid, gid } : {}
    const stranger = spawn('sleep', ['60'], { ...ids, cwd: '/', stdio: 'ignore' })
    strangers.push(stranger)
    const pidFile = path.join(clusterFolder(), 'postmaster.pid')
    writeFileSync(pidFile, readFileSync(pidFile, 'utf8').replace(/^\d+/, String(stranger.pid)))
    expect(findPostmaster(clusterFolder())).toBeNull()
    expect(await query(await start(), 'select 1 as one')).toEqual([{ one: 1 }])
    expect(stranger.exitCode).toBeNull()
  })

  it('moves to another port when its own was taken meanwhile', async () => {
    const first = await start()
    await first.stop()
    const { port } = new URL(first.url)
    const taken = spawn(process.execPath, [
      '-e',
      `require('net').createServer().listen(${port},'127.0.0.1',()=>console.log(1))`,
    ])
    strangers.push(taken)
    await new Promise((resolve) => taken.stdout.once('data', resolve))
    const second = await start()
    expect(new URL(second.url).port).not.toBe(port)
    expect(await query(second, 'select 1 as one')).toEqual([{ one: 1 }])
  })

  it('begins anew where its creation was cut short', async () => {
    mkdirSync(path.join(dataDir, 'database.new', 'base'), { recursive: true })
    writeFileSync(path.join(dataDir, 'database-url'), 'postgresql://greenroom:lost@127.0.0.1:5555/greenroom\n')
    expect(await query(await start(), 'select 1 as one')).toEqual([{ one: 1 }])
  })

  it('says what is missing when the file with its password is gone', async () => {
    await (await start()).stop()
    rmSync(path.join(dataDir, 'database-url'))
    await expect(start()).rejects.toThrow(/needs its password, and .*database-url/)
  })

  it('never begins an empty database where the old one has disappeared from its noted place', async () => {
    await (await start()).stop()
    writeFileSync(path.join(dataDir, 'database-location'), path.join(parent, 'elsewhere'))
    await expect(start()).rejects.toThrow(/is no longer there/)
    rmSync(path.join(dataDir, 'database-location'))
  })
})

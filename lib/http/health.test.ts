import { AsyncLocalStorage } from 'node:async_hooks'
import { randomUUID } from 'node:crypto'
import { renameSync, rmSync, writeFileSync } from 'node:fs'
import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import * as liveRoute from '@/app/api/health/live/route'
import * as readyRoute from '@/app/api/health/ready/route'
import * as metricsRoute from '@/app/api/metrics/route'
import { database } from '@/db/client'
import { workers } from '@/db/schema/operations'
import { emptyTables, testSql } from '@/db/testing'
import { makeBatch, makeFile, makeResult, makeToken, makeUser } from '@/fixtures/factories'
import { StorageUnavailable } from '@/lib/domain/kernel/blob-store'
import * as sandbox from '@/lib/sandbox/limits'
import { newContext } from '@/lib/service'
import type { Exchange } from './exchange'
import { send } from './testing'

beforeEach(emptyTables)

const beat = (secondsAgo: number) => {
  const at = new Date(Date.now() - secondsAgo * 1000)
  return database().db.insert(workers).values({ id: randomUUID(), heartbeatAt: at, startedAt: at })
}
const ready = () => send(readyRoute.GET, 'GET', '/api/health/ready')

describe('the service', () => {
  it('is alive as long as it responds, whatever else is missing', async () => {
    const response = await send(liveRoute.GET, 'GET', '/api/health/live')
    expect([response.status, await response.json()]).toEqual([200, { status: 'ok' }])
  })

  it('is ready when database, storage and a worker are', async () => {
    await beat(2)
    const response = await ready()
    expect([response.status, await response.json()]).toEqual([
      200,
      {
        status: 'ok',
        checks: { database: 'ok', storage: 'ok', worker: 'ok', uploads: 'server', sandbox: expect.any(String) },
      },
    ])
  })

  it('says which limits of the sandbox this machine does not give, and is ready all the same', async () => {
    await beat(2)
    const limits = vi.spyOn(sandbox, 'sandboxLimits')
    const limit = { how: 'needs Linux', isInForce: false } as const
    limits.mockReturnValueOnce([
      { ...limit, name: 'network', what: 'isolation from the network' },
      { ...limit, name: 'watch', what: 'a watch', isInForce: true },
      { ...limit, name: 'user', what: 'a user of its own' },
    ])
    const sandboxOf = async () => (await (await ready()).json()).checks.sandbox
    expect(await sandboxOf()).toBe('without isolation from the network; a user of its own')
    limits.mockReturnValueOnce([{ ...limit, name: 'network', what: 'isolation from the network', isInForce: true }])
    expect(await sandboxOf()).toBe('ok')
    limits.mockRestore()
  })

  it('is not ready without a worker that shows signs of life', async () => {
    await beat(40)
    const response = await ready()
    expect(response.status).toBe(503)
    expect(response.headers.get('retry-after')).toBe('5')
    const problem = await response.json()
    expect(problem.code).toBe('unavailable')
    expect(problem.errors.map(({ path }: { path: string }) => path)).toEqual(['worker'])
  })

  it('is not ready when the storage is full, says so, and is ready again when there is room', async () => {
    await beat(2)
    const { blobs } = newContext({ actor: { type: 'system', name: 'A test' } }).ports
    const full = vi
      .spyOn(blobs, 'prove')
      .mockRejectedValueOnce(new StorageUnavailable('full', 'The file storage is full; free some space on its disk.'))
    const response = await ready()
    expect(response.status).toBe(503)
    const problem = await response.json()
    expect(problem.errors).toEqual([
      { path: 'storage', code: 'unavailable', message: 'it is full; free some space on its disk' },
    ])
    full.mockRestore()
    expect((await ready()).status).toBe(200)
  })

  it('is not ready when nothing can be stored, and says no path', async () => {
    await beat(2)
    const blobs = path.join(process.env.DATA_DIR ?? '', 'blobs')
    await ready()
    renameSync(blobs, `${blobs}.aside`)
    // A file where folders belong stops every user, root included.
    writeFileSync(blobs, '')
    const response = await ready()
    rmSync(blobs)
    renameSync(`${blobs}.aside`, blobs)
    expect(response.status).toBe(503)
    const text = await response.text()
    expect(JSON.parse(text).errors.map((error: { path: string }) => error.path)).toEqual(['storage'])
    expect(text).not.toContain(blobs)
  })
})

describe('the metrics', () => {
  const storage = Symbol.for('greenroom.exchange')
  const connections = new AsyncLocalStorage()
  beforeEach(() => {
    Object.assign(globalThis, { [storage]: connections })
  })
  afterEach(() => {
    Reflect.deleteProperty(globalThis, storage)
  })
  const read = async (remoteAddress: string, sent: { token?: string; headers?: Record<string, string> } = {}) => {
    const req = new IncomingMessage(Object.defineProperty(new Socket(), 'remoteAddress', { value: remoteAddress }))
    let text = ''
    const res = Object.assign(new ServerResponse(req), {
      end: (body: string) => {
        text = body
      },
    })
    const exchange: Exchange = { req, res, isDirect: true }
    const head = (await connections.run(exchange, () =>
      send(metricsRoute.GET, 'GET', '/api/metrics', sent),
    )) as Response
    exchange.sendBody?.()
    return new Response(text, head)
  }

  it('are for this machine, and for clients with a token', async () => {
    const { token } = await makeToken(await makeUser({ role: 'viewer' }), { scope: 'read' })
    for (const address of ['127.0.0.1', '127.8.8.8', '::1', '::ffff:127.0.0.1']) {
      expect((await read(address)).status).toBe(200)
    }
    expect((await read('203.0.113.9')).status).toBe(401)
    expect((await read('::ffff:10.0.0.1')).status).toBe(401)
    expect((await read('203.0.113.9', { token })).status).toBe(200)
    expect((await send(metricsRoute.GET, 'GET', '/api/metrics')).status).toBe(401)
  })

  it('are not for strangers whom a proxy on this machine brings', async () => {
    const from = (address: string) => read('127.0.0.1', { headers: { 'x-forwarded-for': address } })
    expect((await from('203.0.113.9')).status).toBe(401)
    expect((await from('127.0.0.1, 203.0.113.9')).status).toBe(401)
    expect((await from('203.0.113.9, 127.0.0.1')).status).toBe(401)
    expect((await from('::1')).status).toBe(200)
  })

  it('count requests, files, refusals, results, jobs and workers, as Prometheus reads them', async () => {
    const batch = await makeBatch()
    await makeResult(await makeFile(batch), { summary: 'fail' })
    await makeResult(await makeFile(batch), { status: 'queued', summary: null, completedAt: null })
    await testSql`select graphile_worker.add_job('check_file', '{}', run_at => now() - interval '90 seconds')`
    await testSql`select graphile_worker.add_job('sweep', '{}', run_at => now() + interval '1 hour')`
    await beat(1)
    await send(liveRoute.GET, 'GET', '/api/health/live')
    const response = await read('127.0.0.1')
    expect(response.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/)
    const text = await response.text()
    for (const line of [
      'greenroom_files{source="user"} 2',
      'greenroom_uploads_rejected_total 0',
      'greenroom_pre_qc_results{status="completed",summary="fail"} 1',
      'greenroom_pre_qc_results{status="queued",summary="none"} 1',
      'greenroom_jobs{task="check_file",state="waiting"} 1',
      'greenroom_jobs{task="sweep",state="scheduled"} 1',
      'greenroom_workers 1',
    ]) {
      expect(text.split('\n')).toContain(line)
    }
    expect(text).toMatch(/^greenroom_disk_bytes\{kind="free"\} \d+$/m)
    expect(text).toMatch(/^greenroom_disk_bytes\{kind="reserved"\} [1-9]\d*$/m)
    for (const { name, isInForce } of sandbox.sandboxLimits())
      expect(text.split('\n')).toContain(`greenroom_sandbox_limit{limit="${name}"} ${isInForce ? 1 : 0}`)
    expect(text).toMatch(/greenroom_http_requests_total\{method="GET",status="200"\} \d+/)
    expect(Number(/^greenroom_oldest_waiting_job_seconds (\S+)$/m.exec(text)?.[1])).toBeGreaterThanOrEqual(90)
    expect(Number(/^process_resident_memory_bytes (\d+)$/m.exec(text)?.[1])).toBeGreaterThan(10_000_000)
    for (const line of text.trim().split('\n')) {
      expect(line).toMatch(/^(# (HELP|TYPE) \w+ .+|\w+(\{\w+="[^"]*"(,\w+="[^"]*")*\})? [\d.e+-]+)$/)
    }
  })
})

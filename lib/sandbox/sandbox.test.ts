import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { sandboxLimits } from './limits'
import { ProcessPool } from './pool'
import { SandboxedProcess } from './process'
import { MISBEHAVING } from './testing'
import type { MisbehavingJobs } from './testing/misbehaving'

const PLENTY = { cpuMs: 60_000, wallMs: 600_000 }
let folder: string
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'sandbox-test-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

const started: SandboxedProcess<MisbehavingJobs, string>[] = []
function start(options = {}) {
  const process = new SandboxedProcess<MisbehavingJobs, string>({ ...MISBEHAVING, ...options })
  started.push(process)
  return process
}
afterEach(() => {
  for (const process of started.splice(0)) process.kill()
})

/** A limit is tested where this machine gives it. */
const given = (name: string) => sandboxLimits().some((limit) => limit.name === name && limit.isInForce)

/** A dead process whose parent has not heard of it still has an entry. */
const isRunning = (pid: number) =>
  existsSync(`/proc/${pid}`) && !/^State:\tZ/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))

describe('a sandboxed process', () => {
  it('does one job after the other, receives notes and reports on the way', async () => {
    const process = start()
    const reported: number[] = []
    process.note('noted ')
    const options = { ...PLENTY, onProgress: (count: number) => reported.push(count) }
    expect(await process.run('echo', { text: 'first' }, options)).toEqual({ end: 'completed', result: 'noted first' })
    process.note('again ')
    expect(await process.run('echo', { text: '2' }, options)).toEqual({ end: 'completed', result: 'noted again 2' })
    expect(reported).toEqual([1, 2])
  })

  it('returns more than a pipe holds', async () => {
    const end = await start().run('echo', { text: '0123456789', times: 300_000 }, PLENTY)
    expect(end).toMatchObject({ end: 'completed' })
    expect((end as { result: string }).result).toHaveLength(3_000_000)
  })

  it('that fails says why in a line that does not say where the file lies, and goes on', async () => {
    const process = start()
    const end = await process.run('fail', { path: `${folder}/secret name.png` }, PLENTY)
    expect(end).toEqual({ end: 'failed', why: 'the file is no file of ours' })
    expect(await process.run('echo', { text: 'here' }, PLENTY)).toMatchObject({ result: 'here' })
  })

  it('knows nothing of the settings', async () => {
    vi.stubEnv('AUTH_SECRET', 'x'.repeat(32))
    vi.stubEnv('DATABASE_URL', 'postgresql://somewhere')
    const end = await start().run('surroundings', { file: path.join(folder, 'none') }, PLENTY)
    vi.unstubAllEnvs()
    const allowed = /^(PATH|LANG|TMPDIR|NODE_ENV|UV_THREADPOOL_SIZE|MALLOC_\w+)$/
    if (end.end !== 'completed') throw new Error(end.why)
    expect(end.result.environment.filter((name) => !allowed.test(name))).toEqual([])
  })

  it.runIf(given('network'))('reaches no host, not even this machine', async () => {
    const server = createServer().listen(0, '127.0.0.1')
    const { port } = await new Promise<{ port: number }>((resolve) =>
      server.once('listening', () => resolve(server.address() as { port: number })),
    )
    expect(await start().run('connect', { port }, PLENTY)).toMatchObject({
      result: expect.not.stringMatching('connected'),
    })
    server.close()
  })

  it.runIf(given('resources'))('is held to limits by the system', async () => {
    const end = await start().run('surroundings', { file: path.join(folder, 'none') }, PLENTY)
    if (end.end !== 'completed') throw new Error(end.why)
    const limit = (name: string) => new RegExp(`^${name} +(\\S+) +(\\S+)`, 'm').exec(end.result.limits)?.slice(1)
    expect(limit('Max cpu time')).toEqual(['3600', '3600'])
    expect(limit('Max file size')).toEqual(['67108864', '67108864'])
    expect(limit('Max open files')).toEqual(['256', '256'])
    expect(limit('Max data size')).toEqual(['4294967296', '4294967296'])
    expect(limit('Max core file size')).toEqual(['0', '0'])
  })

  it.runIf(given('resources'))('gets no more memory than the system lets it have, touched or not', async () => {
    const process = start()
    const end = await process.run('reserve', { bytes: 5 * 2 ** 30 }, PLENTY)
    expect(end).toEqual({ end: 'failed', why: 'Array buffer allocation failed' })
    expect(await process.run('reserve', { bytes: 2 ** 30 }, PLENTY)).toEqual({ end: 'completed', result: 2 ** 30 })
  })

  it.runIf(given('user'))('reads what only we may read, as a user who may not change it', async () => {
    const file = path.join(folder, 'ours')
    writeFileSync(file, 'as it was', { mode: 0o600 })
    const end = await start().run('surroundings', { file }, PLENTY)
    expect(end).toMatchObject({ result: { uid: 65534, read: 'done', write: 'EACCES' } })
    expect(readFileSync(file, 'utf8')).toBe('as it was')
  })

  it('that crashes has crashed by itself', async () => {
    for (const signal of ['SIGSEGV', 'SIGABRT', 'SIGILL'] as const)
      expect(await start().run('crash', { signal }, PLENTY)).toMatchObject({ end: 'crashed' })
    expect(await start().run('exit', { code: 3, says: 'first\nno more' }, PLENTY)).toEqual({
      end: 'crashed',
      why: 'the program ended without a result (no more)',
    })
  })

  it('that is ended from outside was killed, which says nothing about its file', async () => {
    for (const signal of ['SIGKILL', 'SIGTERM', 'SIGXCPU'] as const)
      expect(await start().run('crash', { signal }, PLENTY)).toEqual({
        end: 'killed',
        why: `the program was ended by ${signal}`,
      })
  })

  it('that is killed between two jobs is found dead at the next', async () => {
    const process = start()
    await process.run('echo', { text: '' }, PLENTY)
    process.kill()
    expect(process.isAlive).toBe(false)
    expect(await process.run('echo', { text: '' }, PLENTY)).toMatchObject({
      end: expect.not.stringMatching('completed'),
    })
  })

  it('that computes without end is out of processor time', async () => {
    expect(await start().run('spin', null, { ...PLENTY, cpuMs: 300 })).toEqual({
      end: 'out_of_time',
      why: 'the program took more than 0.3 s of processor time',
    })
  })

  it('may have its limit set while it works', async () => {
    let cpuMs = Number.POSITIVE_INFINITY
    const ended = start().run('spin', null, { ...PLENTY, cpuMs: () => cpuMs })
    cpuMs = 100
    expect(await ended).toMatchObject({ end: 'out_of_time' })
  })

  it('that waits without end is out of time by the clock, and hangs before that', async () => {
    expect(await start().run('wait', null, { ...PLENTY, wallMs: 300 })).toEqual({
      end: 'out_of_time',
      why: 'the program took more than 0.3 s',
    })
    const process = start()
    await process.run('echo', { text: '' }, PLENTY)
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    try {
      const ended = process.run('wait', null, PLENTY)
      vi.advanceTimersByTime(6 * 60_000)
      expect(await ended).toEqual({ end: 'hung', why: 'the program stopped responding' })
    } finally {
      vi.useRealTimers()
    }
  })

  it('that eats memory is out of it, on the heap of V8 or beside it', async () => {
    expect(await start().run('eat', null, PLENTY)).toEqual({
      end: 'out_of_memory',
      why: 'the program took more than 512 MB of memory',
    })
    expect(await start({ nodeOptions: ['--max-old-space-size=32'] }).run('eatHeap', null, PLENTY)).toEqual({
      end: 'out_of_memory',
      why: 'the program got no memory',
    })
  })

  it('whose result never ends is ended, and one that only complains without end runs out of time', async () => {
    expect(await start().run('flood', { descriptor: 3 }, PLENTY)).toEqual({
      end: 'flooded',
      why: 'the program gave a result without end',
    })
    expect(await start().run('flood', { descriptor: 2 }, { ...PLENTY, cpuMs: 500 })).toMatchObject({
      end: 'out_of_time',
    })
  })

  it.each([
    ['no JSON', 'nonsense'],
    ['JSON that is no message', '[1]'],
    ['a message of no known type', '{"type":"obey"}'],
    ['a result without one', '{"type":"result"}'],
    ['ready twice', '{"type":"ready"}'],
  ])('that sends %s is ended', async (_what, line) => {
    const process = start()
    expect(await process.run('say', { lines: [line] }, PLENTY)).toEqual({
      end: 'malformed',
      why: 'the program gave a result that is none',
    })
    expect(process.isAlive).toBe(false)
  })

  it('cannot send the result of a job it has not got yet', async () => {
    const process = start()
    await process.run('sayLater', { line: '{"type":"result","result":"forged"}' }, PLENTY)
    await expect.poll(() => process.isAlive).toBe(false)
    expect(await process.run('echo', { text: 'true' }, PLENTY)).not.toMatchObject({ result: 'forged' })
  })

  it('is stopped on demand, before it begins and while it works', async () => {
    expect(await start().run('wait', null, { ...PLENTY, signal: AbortSignal.abort() })).toMatchObject({
      end: 'stopped',
    })
    const stop = new AbortController()
    const process = start()
    const ended = process.run('wait', null, { ...PLENTY, signal: stop.signal })
    stop.abort()
    expect(await ended).toMatchObject({ end: 'stopped' })
    expect(process.isAlive).toBe(false)
  })

  it('that cannot be started says so', async () => {
    const program = { ...MISBEHAVING.program, source: 'lib/sandbox/testing/there-is-none.ts' }
    expect(await start({ program }).run('wait', null, PLENTY)).toEqual({
      end: 'unable',
      why: expect.stringMatching(/^the program could not start: /),
    })
  })

  it('takes with it what it has started', async () => {
    let pid = 0
    const onProgress = (started: number) => {
      pid = started
    }
    expect(await start().run('outlive', null, { ...PLENTY, onProgress })).toMatchObject({ end: 'killed' })
    expect(pid).toBeGreaterThan(0)
    await expect.poll(() => isRunning(pid)).toBe(false)
  })

  it.each(given('parent') ? ['wait', 'spin'] : ['wait'])('that is at work (%s) dies with its parent', async (job) => {
    const parent = spawn(process.execPath, ['--import', 'tsx', 'lib/sandbox/testing/parent.ts', job])
    const pid = await new Promise<number>((resolve) => parent.stdout.once('data', (text) => resolve(Number(text))))
    expect(isRunning(pid)).toBe(true)
    parent.kill('SIGKILL')
    await expect.poll(() => isRunning(pid)).toBe(false)
  })
})

describe('a pool of sandboxed processes', () => {
  const pools: ProcessPool<MisbehavingJobs>[] = []
  function pool(options = {}) {
    const made = new ProcessPool<MisbehavingJobs>({ ...MISBEHAVING, parallel: 2, jobsEach: 3, ...options })
    pools.push(made)
    return made
  }
  afterEach(() => {
    for (const each of pools.splice(0)) each.close()
  })

  it('does more jobs than it has processes, each in turn', async () => {
    const each = pool()
    const ends = Array.from({ length: 7 }, (_, index) => each.run('echo', { text: String(index) }, PLENTY))
    expect(each.waiting).toBe(5)
    const results = (await Promise.all(ends)).map((end) => end.end === 'completed' && end.result)
    expect(results).toEqual(['0', '1', '2', '3', '4', '5', '6'])
    expect(each.waiting).toBe(0)
  })

  it('replaces a process after a round, and after every end that is none of its own', async () => {
    const each = pool({ parallel: 1 })
    const pidOf = () =>
      each.use(async (process) => {
        await process.run('echo', { text: '' }, PLENTY)
        return process.pid
      })
    const first = await pidOf()
    expect([await pidOf(), await pidOf()]).toEqual([first, first])
    const second = await pidOf()
    expect(second).not.toBe(first)
    await each.run('spin', null, { ...PLENTY, cpuMs: 50 })
    const third = await pidOf()
    expect(third).not.toBe(second)
    await each.run('fail', { path: 'x' }, PLENTY)
    expect(await pidOf()).toBe(third)
  })

  it('goes on with the next in line when a job dies', async () => {
    const each = pool({ parallel: 1 })
    const ends = await Promise.all([
      each.run('crash', { signal: 'SIGSEGV' }, PLENTY),
      each.run('say', { lines: ['nonsense'] }, PLENTY),
      each.run('echo', { text: 'alive' }, PLENTY),
    ])
    expect(ends.map(({ end }) => end)).toEqual(['crashed', 'malformed', 'completed'])
  })

  it('does a job once more that ended a process which had done others, in a fresh one', async () => {
    const each = pool({ parallel: 1 })
    await each.run('echo', { text: '' }, PLENTY)
    expect(await each.run('crashAfterOthers', null, PLENTY)).toEqual({ end: 'completed', result: 'fresh' })
    await each.run('echo', { text: '' }, PLENTY)
    expect(await each.run('crash', { signal: 'SIGSEGV' }, PLENTY)).toMatchObject({ end: 'crashed' })
  })

  it('has one wait for a job that is announced, for a minute from the last time it was', async () => {
    const each = pool({ jobsEach: 1 })
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      each.prepare()
      const started = childProcesses()
      vi.advanceTimersByTime(40_000)
      each.prepare()
      vi.advanceTimersByTime(40_000)
      const process = each.take()
      expect(started).toContain(process.pid)
      expect(await process.run('echo', { text: 'here' }, PLENTY)).toEqual({ end: 'completed', result: 'here' })
      each.giveBack(process)
      each.prepare()
      const idle = childProcesses()
      vi.advanceTimersByTime(60_000)
      const next = each.take()
      expect(idle).not.toContain(next.pid)
      next.kill()
    } finally {
      vi.useRealTimers()
    }
  })

  it('starts one ahead, and ends those without work after a minute', async () => {
    const each = pool({ startsAhead: true, jobsEach: 1 })
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      const process = each.take()
      await process.run('echo', { text: '' }, PLENTY)
      each.giveBack(process)
      expect(process.isAlive).toBe(false)
      const next = each.take()
      each.giveBack(next)
      const spare = each.take()
      await spare.run('echo', { text: '' }, PLENTY)
      expect(spare.isAlive).toBe(true)
      spare.kill()
      const last = each.take()
      await last.run('echo', { text: '' }, PLENTY)
      vi.advanceTimersByTime(60_000)
      expect(last.isAlive).toBe(true)
      last.kill()
    } finally {
      vi.useRealTimers()
    }
  })
})

/** proc(5): of every thread of this process. */
function childProcesses(): number[] {
  return readdirSync('/proc/self/task').flatMap((thread) =>
    readFileSync(`/proc/self/task/${thread}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
  )
}

import { type ChildProcess, spawn } from 'node:child_process'
import { afterEach, expect, it } from 'vitest'
import { type Overuse, type UsageLimits, usageOf, watchUsage } from './usage'

const started: ChildProcess[] = []
afterEach(() => {
  for (const child of started.splice(0)) child.kill('SIGKILL')
})

function passed(command: string, limits: Partial<UsageLimits>): Promise<Overuse> {
  const child = spawn('sh', ['-c', command], { stdio: 'ignore' })
  started.push(child)
  const plenty = { cpuMs: () => 3_600_000, wallMs: 3_600_000, idleMs: 3_600_000, residentBytes: 2 ** 40 }
  return new Promise((resolve) => watchUsage(child.pid ?? 0, { ...plenty, ...limits }, resolve))
}
const BUSY = 'while :; do :; done'
const WAITING = 'exec sleep 600'

it('counts processor time: one that works is out of it', async () => {
  expect(await passed(BUSY, { cpuMs: () => 100 })).toBe('processor_time')
})

it('does not count waiting: one that waits is never out of processor time, and hangs only when it has waited for very long', async () => {
  expect(await passed(WAITING, { cpuMs: () => 100, idleMs: 1_000 })).toBe('hung')
})

it('a process that works does not hang', async () => {
  expect(await passed(BUSY, { cpuMs: () => 1_500, idleMs: 1_000 })).toBe('processor_time')
})

it('sees memory', async () => {
  expect(await passed(WAITING, { residentBytes: 1 })).toBe('memory')
})

it('uses the clock as a last resort, whatever the process does', async () => {
  expect(await passed(WAITING, { wallMs: 200 })).toBe('wall_clock')
  expect(await passed(BUSY, { wallMs: 200 })).toBe('wall_clock')
})

it('knows nothing of a process that is gone', () => {
  expect(usageOf(2 ** 22 - 1)).toBeNull()
})

import { type ChildProcess, spawn } from 'node:child_process'
import { afterEach, expect, it } from 'vitest'
import { type Overuse, type UseLimits, watchUse } from './process-use'

const started: ChildProcess[] = []
afterEach(() => {
  for (const child of started.splice(0)) child.kill('SIGKILL')
})

function passed(command: string, limits: UseLimits): Promise<Overuse> {
  const child = spawn('sh', ['-c', command], { stdio: 'ignore' })
  started.push(child)
  return new Promise((resolve) => watchUse(child.pid, limits, resolve))
}
const plenty = { cpuMs: 3_600_000, idleMs: 3_600_000, maxBytes: 2 ** 40 }

it('counts processor time: one that works is out of time', async () => {
  expect(await passed('while :; do :; done', { ...plenty, cpuMs: 100 })).toBe('out_of_time')
})

it('does not count waiting: one that waits is never out of time, and hangs only when it has waited for very long', async () => {
  expect(await passed('exec sleep 600', { ...plenty, cpuMs: 100, idleMs: 1_000 })).toBe('hung')
})

it('a process that works does not hang', async () => {
  expect(await passed('while :; do :; done', { ...plenty, cpuMs: 1_500, idleMs: 1_000 })).toBe('out_of_time')
})

it('sees memory', async () => {
  expect(await passed('exec sleep 600', { ...plenty, maxBytes: 1 })).toBe('out_of_memory')
})

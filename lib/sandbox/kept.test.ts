import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { KeptProcesses } from './kept'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function one(served = 1) {
  return {
    served,
    isAlive: true,
    kill() {
      this.isAlive = false
    },
  }
}
const keeper = () => new KeptProcesses<ReturnType<typeof one>>({ jobsEach: 3, keptMs: 5_000, most: 2 })

it('gives a process to the owner it has worked for, and to no other', () => {
  const kept = keeper()
  const process = one()
  kept.keep('agency a', process)
  expect(kept.take('agency b')).toBeUndefined()
  expect(kept.take('agency a')).toBe(process)
  expect(kept.take('agency a')).toBeUndefined()
})

it('ends a process that has done its jobs, or for which no next job comes', () => {
  const kept = keeper()
  const [used, waits] = [one(3), one()]
  kept.keep('agency a', used)
  expect(used.isAlive).toBe(false)
  kept.keep('agency a', waits)
  vi.advanceTimersByTime(4_999)
  expect(waits.isAlive).toBe(true)
  vi.advanceTimersByTime(1)
  expect(waits.isAlive).toBe(false)
  expect(kept.take('agency a')).toBeUndefined()
})

it('does not end one that works by the time it had waited before', () => {
  const kept = keeper()
  const process = one()
  kept.keep('agency a', process)
  kept.take('agency a')
  vi.advanceTimersByTime(60_000)
  expect(process.isAlive).toBe(true)
})

it('gives none that has died meanwhile', () => {
  const kept = keeper()
  const [older, newer] = [one(), one()]
  kept.keep('agency a', older)
  kept.keep('agency a', newer)
  newer.kill()
  expect(kept.take('agency a')).toBe(older)
})

it('keeps few: the one that waits longest makes room, and all end when it is closed', () => {
  const kept = keeper()
  const all = [one(), one(), one()]
  for (const [number, process] of all.entries()) kept.keep(`agency ${number}`, process)
  expect(all.map(({ isAlive }) => isAlive)).toEqual([false, true, true])
  kept.close()
  expect(all.map(({ isAlive }) => isAlive)).toEqual([false, false, false])
})

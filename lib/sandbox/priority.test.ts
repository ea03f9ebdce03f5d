import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { getPriority, setPriority } from 'node:os'
import { afterEach, expect, it } from 'vitest'
import { stepBack } from './priority'

const started: ChildProcess[] = []
afterEach(() => {
  for (const child of started.splice(0)) child.kill('SIGKILL')
})

function start(detached: boolean): number {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { detached, stdio: 'ignore' })
  started.push(child)
  return child.pid ?? 0
}

/** Tests may themselves run at a low priority, from which only root comes back. */
const nice = Math.max(10, getPriority())

const sessionOf = (pid: number) => `/proc/${pid}/autogroup`

it('a process steps back, and with it the session that it leads', () => {
  const pid = start(true)
  stepBack(pid, 10)
  expect(getPriority(pid)).toBe(nice)
  if (existsSync(sessionOf(pid))) expect(readFileSync(sessionOf(pid), 'utf8')).toMatch(new RegExp(`nice ${nice}$`, 'm'))
})

it('a process in the session of others leaves that where it is', () => {
  const pid = start(false)
  const before = existsSync(sessionOf(pid)) && readFileSync(sessionOf(pid), 'utf8')
  stepBack(pid, 10)
  expect(getPriority(pid)).toBe(nice)
  expect(existsSync(sessionOf(pid)) && readFileSync(sessionOf(pid), 'utf8')).toBe(before)
})

it('a process that stands further back stays there', () => {
  const pid = start(true)
  setPriority(pid, 19)
  stepBack(pid, 10)
  expect(getPriority(pid)).toBe(19)
})

it('who is gone is not missed', () => {
  expect(() => stepBack(2 ** 22 - 1, 10)).not.toThrow()
})

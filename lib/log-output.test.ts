import { execFileSync } from 'node:child_process'
import { closeSync, constants, mkdtempSync, openSync, readFileSync, readSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { LogOutput } from './log-output'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'log-output-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

function pipe() {
  const path = join(folder, 'pipe')
  execFileSync('mkfifo', [path])
  const reader = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  const writer = openSync(path, constants.O_WRONLY | constants.O_NONBLOCK)
  return { path, reader, writer }
}

it('writes what has gathered, in order, when there is enough of it or when it is asked to', () => {
  const path = join(folder, 'log')
  const output = new LogOutput(openSync(path, 'w'))
  output.write('one\n')
  expect(readFileSync(path, 'utf8')).toBe('')
  output.write(`${'x'.repeat(8 * 1024)}\n`)
  output.write('two Ž\n')
  output.flush()
  expect(readFileSync(path, 'utf8')).toBe(`one\n${'x'.repeat(8 * 1024)}\ntwo Ž\n`)
})

it('goes on when its reader is gone', () => {
  const { reader, writer } = pipe()
  closeSync(reader)
  const output = new LogOutput(writer)
  output.write('to no one\n')
  output.flush()
  for (let i = 0; i < 2_000; i += 1) output.write(`${'x'.repeat(4 * 1024)}\n`)
  closeSync(writer)
})

it('keeps what a full pipe does not take, and loses no line of it', () => {
  const { reader, writer } = pipe()
  const output = new LogOutput(writer)
  const lines = Array.from({ length: 3_000 }, (_, index) => `${index} ${'y'.repeat(100)}\n`)
  for (const line of lines) output.write(line)
  let read = ''
  const buffer = Buffer.alloc(64 * 1024)
  while (read.length < lines.join('').length) {
    read += buffer.toString('utf8', 0, readSync(reader, buffer))
    output.flush()
  }
  expect(read).toBe(lines.join(''))
  closeSync(writer)
  closeSync(reader)
})

it('gathers no more than 4 MiB while the disk is full, and does not fail', () => {
  const full = openSync('/dev/full', 'w')
  const output = new LogOutput(full)
  const before = process.memoryUsage().arrayBuffers
  for (let i = 0; i < 20_000; i += 1) output.write(`${'z'.repeat(1024)}\n`)
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(64 * 1024 * 1024)
  closeSync(full)
})

import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { LogFile } from './log-file'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'greenroom-log-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

describe('a log file', () => {
  it('holds every line in its order, over restarts', () => {
    const file = path.join(folder, 'web.log')
    for (const part of [['one', 'two'], ['three']]) {
      const log = new LogFile(file)
      for (const line of part) log.append(line)
      log.flush()
    }
    expect(readFileSync(file, 'utf8')).toBe('one\ntwo\nthree\n')
  })

  it('begins anew when it has grown large, and keeps the one before', () => {
    const file = path.join(folder, 'web.log')
    const log = new LogFile(file)
    const megabyte = 'x'.repeat(1024 * 1024)
    for (let i = 0; i < 45; i++) {
      log.append(megabyte)
      log.flush()
    }
    expect(statSync(file).size).toBeLessThan(21 * 1024 * 1024)
    expect(statSync(`${file}.1`).size).toBeLessThan(22 * 1024 * 1024)
  })
})

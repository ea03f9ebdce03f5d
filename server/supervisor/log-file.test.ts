import { appendFileSync, mkdtempSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs'
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

  it('outlives a full disk: says so once, loses nothing it can keep, and goes on when there is room', () => {
    const file = path.join(folder, 'web.log')
    let isFull = false
    const trouble: (string | null)[] = []
    const append = ((...given: Parameters<typeof appendFileSync>) => {
      if (!isFull) return appendFileSync(...given)
      // As a disk that fills up does it: a part of the line is still written.
      appendFileSync(given[0], String(given[1]).slice(0, 3))
      throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' })
    }) as typeof appendFileSync
    const log = new LogFile(file, (code) => trouble.push(code), { appendFileSync: append, renameSync })
    log.append('one')
    log.flush()
    isFull = true
    log.append('two')
    expect(() => log.flush()).not.toThrow()
    log.append('three')
    log.flush()
    isFull = false
    log.flush()
    expect(trouble).toEqual(['ENOSPC', null])
    const lines = readFileSync(file, 'utf8').split('\n')
    expect(lines[0]).toBe('one')
    expect(lines.slice(-3)).toEqual(['two', 'three', ''])
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

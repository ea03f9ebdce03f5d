import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import sharp from 'sharp'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { closeInspector, inspectFile } from './inspect'

/** How the readers end that are started next; then come real ones. */
const ends = vi.hoisted(() => [] as string[])

vi.mock('@/lib/sandbox/launch', async (original) => {
  const real = await original<typeof import('@/lib/sandbox/launch')>()
  return {
    ...real,
    launch: (...given: Parameters<typeof real.launch>) => {
      const end = ends.shift()
      if (end === undefined) return real.launch(...given)
      const source = `
        require('node:fs').writeSync(3, '{"type":"ready"}\\n')
        process.stdin.once('data', () => { ${end} })`
      return spawn(process.execPath, ['-e', source], { detached: true, stdio: ['pipe', 'ignore', 'pipe', 'pipe'] })
    },
  }
})

const folder = mkdtempSync(path.join(tmpdir(), 'greenroom-reader-ends-'))
const file = path.join(folder, 'a.png')
beforeAll(async () => {
  writeFileSync(
    file,
    await sharp({ create: { width: 8, height: 8, channels: 3, background: '#123' } })
      .png()
      .toBuffer(),
  )
})
afterEach(() => {
  ends.length = 0
  closeInspector()
})
afterAll(() => rmSync(folder, { recursive: true }))

const KILLED = `process.kill(process.pid, 'SIGKILL')`
const STOPPED = `process.kill(process.pid, 'SIGTERM')`
const CRASHED = `process.kill(process.pid, 'SIGSEGV')`
const STARVED = `process.stderr.write('FATAL ERROR: JavaScript heap out of memory', () => process.abort())`
const UNABLE = `require('node:fs').writeSync(3, '{"type":"failed","why":"ENOMEM"}\\n')`

test.each([
  ['is killed', KILLED],
  ['is stopped from outside', STOPPED],
  ['gets no memory', STARVED],
  ['cannot go on', UNABLE],
  ['crashes', CRASHED],
])('a file whose reader %s once is read again, and found intact', async (_how, end) => {
  ends.push(end)
  expect(await inspectFile(file, { extension: 'png' })).toMatchObject({ violations: [], complete: true })
})

test.each([
  ['is killed', [KILLED, KILLED]],
  ['gets no memory', [STARVED, STARVED]],
  ['cannot go on', [UNABLE, UNABLE]],
  ['crashes, and the next is killed', [CRASHED, KILLED]],
  ['is killed, and the next crashes', [KILLED, CRASHED]],
])('a file whose reader %s is not accused: the service is unavailable', async (_how, all) => {
  ends.push(...all)
  await expect(inspectFile(file, { extension: 'png' })).rejects.toMatchObject({
    code: 'unavailable',
    facts: { retryAfter: expect.any(Number) },
  })
})

test('a file on which its decoder crashes twice by itself is refused: nothing passes unread', async () => {
  ends.push(CRASHED, CRASHED)
  expect(await inspectFile(file, { extension: 'png' })).toMatchObject({
    violations: [{ rule: 'integrity', code: 'corrupt' }],
    complete: false,
  })
})

test('want of memory, handles or room within the reader is no damage of the file', async () => {
  for (const code of ['ENOMEM', 'EMFILE', 'EIO']) {
    const shortage = Object.assign(new Error(code), { code })
    vi.doMock('../formats/image/png', () => ({ examinePng: () => Promise.reject(shortage) }))
    vi.resetModules()
    const { examine } = await import('../formats/examine')
    await expect(examine(file, { extension: 'png', decodeUntil: Number.POSITIVE_INFINITY })).rejects.toThrow(code)
    vi.doUnmock('../formats/image/png')
  }
})

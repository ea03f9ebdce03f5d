import { createHash } from 'node:crypto'
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, afterEach, expect, test, vi } from 'vitest'
import { wav } from '@/fixtures/audio'
import { writeMedia } from '@/fixtures/video'
import { closeInspector, followArrival, inspectFile } from './inspect'

const folder = mkdtempSync(path.join(tmpdir(), 'greenroom-media-ahead-'))
afterEach(() => vi.useRealTimers())
afterAll(() => {
  closeInspector()
  rmSync(folder, { recursive: true })
})

const MB = 1024 * 1024
const hashOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

/** What no encoder makes small, with two seconds of sound. */
function video(name: string, options?: Record<string, string>): Buffer {
  const file = path.join(folder, name)
  const paint = (frame: number, x: number, y: number) =>
    40 + ((((x * 2_654_435_761) ^ (y * 40_503) ^ (frame * 97 + x * y * 31)) >>> 3) % 160)
  writeMedia(file, {
    video: { width: 640, height: 360, frames: 75, paint, options: { qp: '4' } },
    audio: [{ codec: name.endsWith('mp4') ? 'aac' : 'pcm', seconds: 3 }],
    ...(options && { options }),
  })
  return readFileSync(file)
}

const fastStart = video('fast.mp4', { movflags: '+faststart' })
const sound = wav(100, (time) => 0.2 * Math.sin(2 * Math.PI * 440 * time))

let count = 0
/** A file that is still coming in: it grows, and the inspector hears of it. */
function arrival(extension: string, { measures = true } = {}) {
  const file = path.join(folder, `${++count}.${extension}`)
  writeFileSync(file, '')
  let upTo = 0
  return {
    file,
    bring(bytes: Buffer) {
      for (let at = 0; at < bytes.length; at += 2 * MB) {
        const piece = bytes.subarray(at, at + 2 * MB)
        appendFileSync(file, piece)
        upTo += piece.length
        followArrival(file, extension, upTo, { measures })
      }
    },
    // However busy the machine is.
    inspect: (sha256: string) => inspectFile(file, { extension, sha256, timeoutMs: 600_000 }),
  }
}

async function arrive(bytes: Buffer, extension: string, options?: { measures: boolean }) {
  const arriving = arrival(extension, options)
  arriving.bring(bytes)
  return arriving.inspect(hashOf(bytes))
}

async function inFull(bytes: Buffer, extension: string) {
  const file = path.join(folder, `whole-${++count}.${extension}`)
  writeFileSync(file, bytes)
  return inspectFile(file, { extension, deep: true })
}

test.each([
  ['mp4', fastStart],
  ['wav', sound],
  ['mkv', video('video.mkv')],
])(
  'a file that begins with how it is read (%s) is measured while it comes in, as it would be afterwards',
  async (extension, bytes) => {
    const found = await arrive(bytes, extension)
    expect(found).toMatchObject({ violations: [], complete: true })
    expect(found.measures).toBeDefined()
    expect(found).toEqual(await inFull(bytes, extension))
  },
)

test('one whose index comes last is examined when it is there, as before', async () => {
  const bytes = video('slow.mp4')
  const found = await arrive(bytes, 'mp4')
  expect(found).toMatchObject({ violations: [], complete: true, media: { fastStart: false } })
  expect(found.measures).toBeUndefined()
})

test('nothing is measured ahead where that is switched off', async () => {
  expect((await arrive(sound, 'wav', { measures: false })).measures).toBeUndefined()
})

test('damage is found, and nothing is measured of it', async () => {
  const bytes = Buffer.from(fastStart)
  bytes.fill(0xff, 12 * MB, 12 * MB + 4096)
  const found = await arrive(bytes, 'mp4')
  expect(found.violations).toMatchObject([{ rule: 'integrity', code: 'corrupt' }])
  expect(found.measures).toBeUndefined()
})

test('what was measured of other bytes than those of the upload is not taken', async () => {
  const arriving = arrival('wav')
  arriving.bring(sound)
  const found = await arriving.inspect(hashOf(sound.subarray(1)))
  expect(found).toMatchObject({ violations: [], complete: true })
  expect(found.measures).toBeUndefined()
})

test('an upload that stands still makes room for another, and is not begun again', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const paused = arrival('wav')
  paused.bring(sound.subarray(0, 17 * MB))
  vi.advanceTimersByTime(60_000)
  vi.useRealTimers()
  const next = arrival('wav')
  next.bring(sound)
  paused.bring(sound.subarray(17 * MB))
  expect((await next.inspect(hashOf(sound))).measures).toBeDefined()
  expect((await paused.inspect(hashOf(sound))).measures).toBeUndefined()
})

test('of two at once one is measured ahead', async () => {
  const [first, second] = [arrival('wav'), arrival('wav')]
  first.bring(sound)
  second.bring(sound)
  const found = await Promise.all([first.inspect(hashOf(sound)), second.inspect(hashOf(sound))])
  expect(found.map(({ measures }) => measures !== undefined)).toEqual([true, false])
})

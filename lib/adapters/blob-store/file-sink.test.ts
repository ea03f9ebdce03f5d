import { statSync } from 'node:fs'
import { mkdtemp, open, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { FileSink } from './file-sink'

const PIECE_BYTES = 128 * 1024

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'file-sink-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

// 16 pieces fill its queue to the brim: the last one is accepted while half of the queue still waits for the disk.
const ways = [
  { inOrder: true, isFlushed: true },
  { inOrder: false, isFlushed: true },
  { inOrder: false, isFlushed: false },
]
it.each(ways.flatMap((way) => [1, 15, 16, 17, 40].map((pieces) => ({ ...way, pieces }))))(
  'has written every byte when it finishes ($pieces pieces, in order: $inOrder, flushed: $isFlushed)',
  async ({ inOrder, isFlushed, pieces }) => {
    const path = join(folder, 'file')
    const bytes = Buffer.concat(Array.from({ length: pieces }, (_, index) => Buffer.alloc(PIECE_BYTES, index + 1)))
    let flushed: Promise<void> | undefined
    let announced = 0
    const sink = new FileSink(await open(path, 'w'), 0, {
      inOrder,
      assertRoom: null,
      onWritten: (upTo) => {
        announced = upTo
      },
      onFinalFlush: isFlushed
        ? (promise) => {
            flushed = promise
          }
        : null,
    })
    for (let at = 0; at < bytes.length; at += PIECE_BYTES) sink.write(bytes.subarray(at, at + PIECE_BYTES))
    const atFinish = await new Promise<number>((resolve, reject) => {
      sink.on('error', reject).on('finish', () => resolve(statSync(path).size))
      sink.end()
    })
    expect(atFinish).toBe(bytes.length)
    expect(announced).toBe(bytes.length)
    expect(flushed !== undefined).toBe(isFlushed)
    await flushed
    expect((await readFile(path)).equals(bytes)).toBe(true)
  },
)

it('stops where others have taken the room meanwhile', async () => {
  const file = await open(join(folder, 'file'), 'w')
  let asked = 0
  const assertRoom = async () => {
    asked += 1
    if (asked > 1) throw new Error('no room')
  }
  const sink = new FileSink(file, 0, { inOrder: false, assertRoom, onFinalFlush: null })
  const pieces = Array.from({ length: 512 }, () => Buffer.alloc(PIECE_BYTES))
  await expect(pipeline(pieces, sink)).rejects.toThrow('no room')
  expect(asked).toBeGreaterThan(1)
  expect(statSync(join(folder, 'file')).size).toBeLessThan(512 * PIECE_BYTES)
})

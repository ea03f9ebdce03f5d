import { randomBytes } from 'node:crypto'
import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { crc32, deflateRawSync } from 'node:zlib'
import { afterAll, expect, test } from 'vitest'
import { type ZipFile, zip } from '@/fixtures/zip'
import { type Unpacked, ZipAhead } from '../formats/archive/zip-ahead'
import type { ZipEntry } from '../formats/archive/zip-directory'
import { closeInspector, followArrival, inspectFile } from './inspect'

const folder = mkdtempSync(path.join(tmpdir(), 'greenroom-arriving-'))
afterAll(() => {
  closeInspector()
  rmSync(folder, { recursive: true })
})

const MB = 1024 * 1024
const noise = randomBytes(20 * MB)
const drawing = Buffer.concat(Array.from({ length: 40 }, () => noise.subarray(0, MB / 2)))

/** An archive and where the data of its entries begins. */
function archive(files: readonly ZipFile[]) {
  const bytes = zip(files)
  return { bytes, starts: files.map(([name]) => bytes.indexOf(name) + name.length) }
}

const video = ['video.mov', noise, 'store'] as const
const layers = ['layers.psd', drawing, 'deflate'] as const
const second = ['second.mov', noise.subarray(5), 'store'] as const
const last = ['last.wav', noise.subarray(MB, 12 * MB), 'store'] as const

/** Sends a file as an upload does: it grows, and the inspector hears of it. */
async function arrive(bytes: Buffer) {
  const file = path.join(folder, `${randomBytes(4).toString('hex')}.zip`)
  writeFileSync(file, '')
  for (let at = 0; at < bytes.length; at += 5 * MB) {
    const piece = bytes.subarray(at, at + 5 * MB)
    appendFileSync(file, piece)
    followArrival(file, 'zip', at + piece.length)
  }
  return inspectFile(file, { extension: 'zip' })
}

const MANY = [video, layers, second, last]

test('an archive read while it came in is reported as one read at once', async () => {
  const { bytes } = archive(MANY)
  const found = await arrive(bytes)
  expect(found).toMatchObject({ mediaType: 'application/zip', violations: [], complete: true })
  const whole = path.join(folder, 'whole.zip')
  writeFileSync(whole, bytes)
  expect(await inspectFile(whole, { extension: 'zip' })).toEqual(found)
})

test.each([0, 1, 2, 3])('damage in entry %i is found, wherever the reader was when it came', async (index) => {
  const { bytes, starts } = archive(MANY)
  const at = (starts[index] ?? 0) + 8 * 1024
  bytes.writeUInt8(bytes.readUInt8(at) ^ 0x40, at)
  expect((await arrive(bytes)).violations).toMatchObject([{ rule: 'integrity', code: 'corrupt' }])
})

test('an archive whose end is missing is found cut', async () => {
  const { bytes } = archive(MANY)
  expect((await arrive(bytes.subarray(0, -60))).violations).toMatchObject([{ code: 'truncated' }])
})

test('the large entries are unpacked before the directory has come, the ones that state no size are not', async () => {
  const follow = async (bytes: Buffer) => {
    const ahead = new ZipAhead()
    await ahead.follow({
      bytes: async (offset, length) =>
        offset + length <= bytes.length ? bytes.subarray(offset, offset + length) : null,
    })
    return (dataStart: number, [, bytes, method]: typeof video | typeof layers): Unpacked | undefined => {
      const compressedSize = method === 'deflate' ? deflateRawSync(bytes).length : bytes.length
      return ahead.find({ method: method === 'deflate' ? 8 : 0, dataStart, compressedSize } as ZipEntry)
    }
  }
  const { bytes, starts } = archive([video, layers])
  const [videoAt = 0, layersAt = 0] = starts
  const find = await follow(bytes.subarray(0, -100))
  expect(find(videoAt, video)).toEqual({ size: noise.length, sum: crc32(noise) })
  expect(find(layersAt, layers)).toEqual({ size: drawing.length, sum: crc32(drawing) })

  bytes.writeUInt16LE(8, 6) // the sizes follow the data: APPNOTE.TXT 4.4.4, bit 3
  expect((await follow(bytes))(videoAt, video)).toBeUndefined()
})

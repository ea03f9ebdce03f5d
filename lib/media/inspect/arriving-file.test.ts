import { randomBytes } from 'node:crypto'
import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { crc32, deflateRawSync } from 'node:zlib'
import { afterAll, expect, test } from 'vitest'
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

type Packed = { name: string; bytes: Buffer; deflate?: boolean }

/** An archive (APPNOTE.TXT 6.3.10) and where the data of its entries begins. */
function archive(entries: Packed[]) {
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  const starts: number[] = []
  let offset = 0
  for (const { name, bytes, deflate } of entries) {
    const data = deflate ? deflateRawSync(bytes) : bytes
    const common = Buffer.alloc(26)
    common.writeUInt16LE(20, 0)
    common.writeUInt16LE(deflate ? 8 : 0, 4)
    common.writeUInt32LE(0x5a210000, 6)
    common.writeUInt32LE(crc32(bytes), 10)
    common.writeUInt32LE(data.length, 14)
    common.writeUInt32LE(bytes.length, 18)
    common.writeUInt16LE(name.length, 22)
    const central = Buffer.alloc(14)
    central.writeUInt32LE(offset, 10)
    directory.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\x00', 'latin1'), common, central, Buffer.from(name)]))
    const local = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), common, Buffer.from(name)])
    starts.push(offset + local.length)
    parts.push(local, data)
    offset += local.length + data.length
  }
  const list = Buffer.concat(directory)
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 0, 'latin1')
  end.writeUInt16LE(entries.length, 8)
  end.writeUInt16LE(entries.length, 10)
  end.writeUInt32LE(list.length, 12)
  end.writeUInt32LE(offset, 16)
  return { bytes: Buffer.concat([...parts, list, end]), starts }
}

const film = { name: 'film.mov', bytes: noise }
const layers = { name: 'layers.psd', bytes: drawing, deflate: true }
const last = { name: 'last.wav', bytes: noise.subarray(MB, 12 * MB) }

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

const MANY = [film, layers, { ...film, name: 'second.mov', bytes: noise.subarray(5) }, last]

test('an archive read while it came in is told of as one read at once', async () => {
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

test('the large entries are unpacked before the directory has come, the ones that tell no size are not', async () => {
  const follow = async (bytes: Buffer) => {
    const ahead = new ZipAhead()
    await ahead.follow({
      bytes: async (offset, length) =>
        offset + length <= bytes.length ? bytes.subarray(offset, offset + length) : null,
    })
    return (dataStart: number, packed: Packed): Unpacked | undefined => {
      const compressedSize = packed.deflate ? deflateRawSync(packed.bytes).length : packed.bytes.length
      return ahead.find({ method: packed.deflate ? 8 : 0, dataStart, compressedSize } as ZipEntry)
    }
  }
  const { bytes, starts } = archive([film, layers])
  const [filmAt = 0, layersAt = 0] = starts
  const find = await follow(bytes.subarray(0, -100))
  expect(find(filmAt, film)).toEqual({ size: film.bytes.length, sum: crc32(film.bytes) })
  expect(find(layersAt, layers)).toEqual({ size: layers.bytes.length, sum: crc32(layers.bytes) })

  bytes.writeUInt16LE(8, 6) // the sizes follow the data: APPNOTE.TXT 4.4.4, bit 3
  expect((await follow(bytes))(filmAt, film)).toBeUndefined()
})

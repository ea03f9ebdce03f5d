import { randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'

const BLOCK_BYTES = 4 * 1024 * 1024
const ENTRY_BYTES = 512 * 1024 * 1024
const WIDE = 0xffffffff

/** A ZIP archive that is sent piece by piece, so that its size does not matter. */
export type Archive = { name: string; size: number; pieces: () => Iterable<Buffer> }

type Entry = { path: string; size: number; crc: number; offset: number }

const block = randomBytes(BLOCK_BYTES)
const sums = new Map<number, number>()

/**
 * A valid ZIP of about `bytes` bytes, stored and not packed (APPNOTE.TXT 6.3.10, ZIP64 where it takes that), whose
 * content differs from every other one: the same file twice would be refused as a duplicate.
 */
export function archiveOf(bytes: number): Archive {
  const serial = randomBytes(16)
  const name = `bench-${serial.toString('hex')}.zip`
  const entries: Entry[] = []
  let offset = 0
  const add = (path: string, size: number, crc: number) => {
    const entry = { path, size, crc, offset }
    entries.push(entry)
    offset += localHeader(entry).length + size
  }
  add('serial.bin', serial.length, crc32(serial))
  for (let left = bytes; left > 0; left -= ENTRY_BYTES) {
    const size = Math.min(left, ENTRY_BYTES)
    add(`part-${String(entries.length).padStart(3, '0')}.bin`, size, sumOf(size))
  }
  const directory = directoryOf(entries, offset)
  return {
    name,
    size: offset + directory.length,
    *pieces() {
      for (const entry of entries) {
        yield localHeader(entry)
        if (entry.path === 'serial.bin') yield serial
        else yield* blocksOf(entry.size)
      }
      yield directory
    },
  }
}

function* blocksOf(size: number): Iterable<Buffer> {
  for (let left = size; left > 0; left -= BLOCK_BYTES) yield left >= BLOCK_BYTES ? block : block.subarray(0, left)
}

function sumOf(size: number): number {
  let sum = sums.get(size)
  if (sum === undefined) {
    sum = 0
    for (const piece of blocksOf(size)) sum = crc32(piece, sum)
    sums.set(size, sum)
  }
  return sum
}

function localHeader({ path, size, crc }: Entry): Buffer {
  const header = Buffer.alloc(30)
  header.writeUInt32LE(0x04034b50, 0)
  header.writeUInt16LE(20, 4)
  header.writeUInt32LE(0x00210000, 10) // 1980-01-01 00:00
  header.writeUInt32LE(crc, 14)
  header.writeUInt32LE(size, 18)
  header.writeUInt32LE(size, 22)
  header.writeUInt16LE(path.length, 26)
  return Buffer.concat([header, Buffer.from(path)])
}

function directoryOf(entries: Entry[], start: number): Buffer {
  const records = Buffer.concat(entries.map(directoryRecord))
  const isWide = start >= WIDE
  const wideEnd = Buffer.alloc(isWide ? 56 : 0)
  const locator = Buffer.alloc(isWide ? 20 : 0)
  if (isWide) {
    wideEnd.writeUInt32LE(0x06064b50, 0)
    wideEnd.writeBigUInt64LE(44n, 4)
    wideEnd.writeUInt16LE(45, 12)
    wideEnd.writeUInt16LE(45, 14)
    wideEnd.writeBigUInt64LE(BigInt(entries.length), 24)
    wideEnd.writeBigUInt64LE(BigInt(entries.length), 32)
    wideEnd.writeBigUInt64LE(BigInt(records.length), 40)
    wideEnd.writeBigUInt64LE(BigInt(start), 48)
    locator.writeUInt32LE(0x07064b50, 0)
    locator.writeBigUInt64LE(BigInt(start + records.length), 8)
    locator.writeUInt32LE(1, 16)
  }
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(entries.length, 8)
  end.writeUInt16LE(entries.length, 10)
  end.writeUInt32LE(records.length, 12)
  end.writeUInt32LE(Math.min(start, WIDE), 16)
  return Buffer.concat([records, wideEnd, locator, end])
}

function directoryRecord({ path, size, crc, offset }: Entry): Buffer {
  const extra = Buffer.alloc(offset >= WIDE ? 12 : 0)
  if (extra.length > 0) {
    extra.writeUInt16LE(1, 0)
    extra.writeUInt16LE(8, 2)
    extra.writeBigUInt64LE(BigInt(offset), 4)
  }
  const record = Buffer.alloc(46)
  record.writeUInt32LE(0x02014b50, 0)
  record.writeUInt16LE(45, 4)
  record.writeUInt16LE(offset >= WIDE ? 45 : 20, 6)
  record.writeUInt32LE(0x00210000, 12)
  record.writeUInt32LE(crc, 16)
  record.writeUInt32LE(size, 20)
  record.writeUInt32LE(size, 24)
  record.writeUInt16LE(path.length, 28)
  record.writeUInt16LE(extra.length, 30)
  record.writeUInt32LE(Math.min(offset, WIDE), 42)
  return Buffer.concat([record, Buffer.from(path), extra])
}

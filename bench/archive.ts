import { randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { localHeader, type ZipEntry, zipDirectory } from '@/fixtures/zip'

const BLOCK_BYTES = 4 * 1024 * 1024
const ENTRY_BYTES = 512 * 1024 * 1024

/** A ZIP archive that is sent piece by piece, so that its size does not matter. */
export type Archive = { name: string; size: number; pieces: () => Iterable<Buffer> }

const block = randomBytes(BLOCK_BYTES)
const sums = new Map<number, number>()

/**
 * A valid ZIP of about `bytes` bytes, stored and not packed, whose content differs from every other one: the same file
 * twice would be refused as a duplicate.
 */
export function archiveOf(bytes: number): Archive {
  const serial = randomBytes(16)
  const name = `bench-${serial.toString('hex')}.zip`
  const entries: ZipEntry[] = []
  let offset = 0
  const add = (name: string, size: number, crc: number) => {
    const entry = { name, method: 'store' as const, crc, packedBytes: size, bytes: size, offset }
    entries.push(entry)
    offset += localHeader(entry).length + size
  }
  add('serial.bin', serial.length, crc32(serial))
  for (let left = bytes; left > 0; left -= ENTRY_BYTES) {
    const size = Math.min(left, ENTRY_BYTES)
    add(`part-${String(entries.length).padStart(3, '0')}.bin`, size, sumOf(size))
  }
  const directory = zipDirectory(entries, offset)
  return {
    name,
    size: offset + directory.length,
    *pieces() {
      for (const entry of entries) {
        yield localHeader(entry)
        if (entry.name === 'serial.bin') yield serial
        else yield* blocksOf(entry.bytes)
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

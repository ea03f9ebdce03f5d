import type { ByteSource } from '../byte-source'
import { bomb, corrupt, printable, truncated } from '../defect'

const MAX_ENTRIES = 50_000
const MAX_DIRECTORY_BYTES = 64 * 1024 * 1024
const END_MARK = 0x06054b50
const WIDE_LOCATOR = 0x07064b50
const WIDE_END = 0x06064b50
const CENTRAL_MARK = 0x02014b50
export const LOCAL_MARK = 0x04034b50
const FLAG_ENCRYPTED = 1
const FLAG_DESCRIPTOR = 8
const FLAG_STRONG_ENCRYPTION = 0x40
const FLAG_UTF8 = 0x800

export const STORED = 0
export const DEFLATED = 8

export type ZipEntry = {
  path: string
  /** The name in the entry's own header; it has to be the same. */
  localPath: string
  method: number
  crc: number
  compressedSize: number
  size: number
  isEncrypted: boolean
  mode: number
  /** Offsets in the file, with data before the archive taken into account. */
  start: number
  dataStart: number
}

type End = { at: number; count: number; size: number; offset: number }

/** Reads the central directory and compares each entry with its local header. Throws a Defect where they disagree. */
export function readDirectory(source: ByteSource): { entries: ZipEntry[] } {
  const end = findEnd(source)
  if (end.count > MAX_ENTRIES) throw bomb(`${end.count} entries, where at most ${MAX_ENTRIES} are taken`)
  if (end.size > MAX_DIRECTORY_BYTES) throw bomb(`its directory alone has ${end.size} bytes`)
  const directoryStart = end.at - end.size
  // Self-extracting archives put a program before the archive: every offset then lies that much further on.
  const shift = directoryStart - end.offset
  if (directoryStart < 0 || shift < 0)
    throw corrupt(`its directory of ${end.size} bytes at byte ${end.offset} does not fit into the file`)
  const entries: ZipEntry[] = []
  let at = directoryStart
  for (let index = 0; index < end.count; index += 1) {
    if (at + 46 > end.at) throw corrupt(`its directory ends after ${index} of ${end.count} entries`)
    const { entry, next } = readCentral(source, at, shift)
    if (next > end.at) throw corrupt(`entry ${index + 1} of its directory reaches past the end of the directory`)
    readLocal(source, entry, directoryStart)
    entries.push(entry)
    at = next
  }
  if (at !== end.at && !isSignature(source, at))
    throw corrupt(`its directory holds more than the ${end.count} entries it declares`)
  return { entries }
}

/** A digital signature may close the directory (section 4.3.13). */
function isSignature(source: ByteSource, at: number): boolean {
  return source.upTo(at, 4).toString('latin1') === 'PK\x05\x05'
}

function findEnd(source: ByteSource): End {
  const length = Math.min(source.size, 65_557)
  const tail = Buffer.from(source.bytes(source.size - length, length))
  for (let at = length - 22; at >= 0; at -= 1) {
    if (tail.readUInt32LE(at) !== END_MARK) continue
    // Padding may follow the record, other data may not: it would be a second file hidden in this one.
    const after = at + 22 + tail.readUInt16LE(at + 20)
    if (after > length || tail.subarray(after).some((byte) => byte !== 0 && byte !== 0x0a && byte !== 0x0d)) continue
    const place = source.size - length + at
    if (tail.readUInt16LE(at + 4) !== tail.readUInt16LE(at + 6))
      throw corrupt('it is one part of an archive in several volumes')
    const onDisk = tail.readUInt16LE(at + 8)
    const end = {
      at: place,
      count: tail.readUInt16LE(at + 10),
      size: tail.readUInt32LE(at + 12),
      offset: tail.readUInt32LE(at + 16),
    }
    if (onDisk !== end.count) throw corrupt(`it declares ${onDisk} entries and ${end.count} entries`)
    return readWideEnd(source, end)
  }
  throw truncated('the directory at its end is missing')
}

/** ZIP64: a second, wider end record before the first (sections 4.3.14, 4.3.15). */
function readWideEnd(source: ByteSource, end: End): End {
  if (end.at < 20) return end
  const locator = Buffer.from(source.bytes(end.at - 20, 20))
  if (locator.readUInt32LE(0) !== WIDE_LOCATOR) return end
  const stated = Number(locator.readBigUInt64LE(8))
  // The record lies right before its locator when data stands before the archive.
  const place = [stated, end.at - 20 - 56].find(
    (at) => at >= 0 && at + 56 <= source.size && source.bytes(at, 4).readUInt32LE(0) === WIDE_END,
  )
  if (place === undefined) throw corrupt('its ZIP64 record cannot be found')
  const record = source.bytes(place, 56)
  return {
    at: place,
    count: Number(record.readBigUInt64LE(32)),
    size: Number(record.readBigUInt64LE(40)),
    offset: Number(record.readBigUInt64LE(48)),
  }
}

function readCentral(source: ByteSource, at: number, shift: number): { entry: ZipEntry; next: number } {
  const head = Buffer.from(source.bytes(at, 46, 'its directory'))
  if (head.readUInt32LE(0) !== CENTRAL_MARK) throw corrupt(`no entry of its directory begins at byte ${at}`)
  const [nameLength, extraLength, commentLength] = [head.readUInt16LE(28), head.readUInt16LE(30), head.readUInt16LE(32)]
  const rest = Buffer.from(source.bytes(at + 46, nameLength + extraLength, 'its directory'))
  const flags = head.readUInt16LE(8)
  const wide = readWideExtra(rest.subarray(nameLength))
  const take = (value: number) => {
    if (value !== 0xffffffff) return value
    const next = wide.shift()
    if (next === undefined) throw corrupt('a ZIP64 entry does not give its sizes')
    return next
  }
  const size = take(head.readUInt32LE(24))
  const compressedSize = take(head.readUInt32LE(20))
  const offset = take(head.readUInt32LE(42))
  const attributes = head.readUInt32LE(38)
  return {
    entry: {
      path: decodeName(rest.subarray(0, nameLength), flags),
      localPath: '',
      method: head.readUInt16LE(10),
      crc: head.readUInt32LE(16),
      compressedSize,
      size,
      isEncrypted: (flags & (FLAG_ENCRYPTED | FLAG_STRONG_ENCRYPTION)) !== 0,
      mode: attributes >>> 16,
      start: offset + shift,
      dataStart: 0,
    },
    next: at + 46 + nameLength + extraLength + commentLength,
  }
}

/** The 64-bit values of extra field 1, in their order. Throws a Defect when the fields do not add up. */
function readWideExtra(extra: Buffer): number[] {
  let at = 0
  while (at + 4 <= extra.length) {
    const id = extra.readUInt16LE(at)
    const length = extra.readUInt16LE(at + 2)
    if (at + 4 + length > extra.length) throw corrupt('an extra field of its directory is longer than its entry')
    if (id === 1) {
      const values: number[] = []
      for (let value = at + 4; value + 8 <= at + 4 + length; value += 8)
        values.push(Number(extra.readBigUInt64LE(value)))
      return values
    }
    at += 4 + length
  }
  return []
}

function readLocal(source: ByteSource, entry: ZipEntry, directoryStart: number): void {
  const name = printable(entry.path)
  if (entry.start + 30 > directoryStart)
    throw corrupt(`“${name}” is said to begin at byte ${entry.start}, outside the archive`)
  const head = Buffer.from(source.bytes(entry.start, 30))
  if (head.readUInt32LE(0) !== LOCAL_MARK) throw corrupt(`“${name}” does not begin at byte ${entry.start}`)
  const flags = head.readUInt16LE(6)
  const [nameLength, extraLength] = [head.readUInt16LE(26), head.readUInt16LE(28)]
  entry.dataStart = entry.start + 30 + nameLength + extraLength
  if (entry.dataStart + entry.compressedSize > directoryStart)
    throw truncated(`the data of “${name}” reaches into the directory`)
  entry.localPath = decodeName(source.bytes(entry.start + 30, nameLength), flags)
  if (head.readUInt16LE(8) !== entry.method)
    throw corrupt(`“${name}” is packed by method ${entry.method} or ${head.readUInt16LE(8)}: its two headers disagree`)
  if (Buffer.compare(nameBytes(entry.path), nameBytes(entry.localPath)) !== 0)
    throw corrupt(`“${name}” is called “${printable(entry.localPath)}” in its own header`)
  entry.isEncrypted ||= (flags & FLAG_ENCRYPTED) !== 0
  if ((flags & FLAG_DESCRIPTOR) !== 0) return
  const [crc, compressedSize, size] = [head.readUInt32LE(14), head.readUInt32LE(18), head.readUInt32LE(22)]
  const isWide = compressedSize === 0xffffffff || size === 0xffffffff
  if (crc !== entry.crc || (!isWide && (compressedSize !== entry.compressedSize || size !== entry.size))) {
    throw corrupt(`the size or checksum of “${name}” differs between its two headers`)
  }
}

/** What an entry's own header of 30 bytes tells of it; null when it leaves its sizes to be told later, or hides them. */
export function readOwnHeader(head: Buffer, start: number) {
  const flags = head.readUInt16LE(6)
  const [compressedSize, size] = [head.readUInt32LE(18), head.readUInt32LE(22)]
  const isWide = compressedSize === 0xffffffff || size === 0xffffffff
  if (isWide || (flags & (FLAG_ENCRYPTED | FLAG_DESCRIPTOR | FLAG_STRONG_ENCRYPTION)) !== 0) return null
  const dataStart = start + 30 + head.readUInt16LE(26) + head.readUInt16LE(28)
  return { method: head.readUInt16LE(8), dataStart, compressedSize, size }
}

/** Slashes are compared alike: some Windows writers turn them in one header only. */
function nameBytes(name: string): Buffer {
  return Buffer.from(name.replaceAll('\\', '/'))
}

function decodeName(bytes: Buffer, flags: number): string {
  return (flags & FLAG_UTF8) !== 0 ? bytes.toString('utf8') : bytes.toString('latin1')
}

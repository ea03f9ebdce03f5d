import { type ExtraField, getFileNameLowLevel, parseExtraFields } from 'yauzl'
import type { ByteSource } from '../byte-source'
import { bomb, corrupt, printable, truncated } from '../defect'
import { FLAGS, LOCAL_MARK } from './zip-header'

const MAX_ENTRIES = 50_000
const MAX_DIRECTORY_BYTES = 64 * 1024 * 1024
const END_MARK = 0x06054b50
const WIDE_LOCATOR = 0x07064b50
const WIDE_END = 0x06064b50
const CENTRAL_MARK = 0x02014b50
const WIDE_EXTRA = 1

export type ZipEntry = {
  path: string
  /** The name as it is written in the directory, and in the entry's own header; they have to be the same. */
  writtenPath: string
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
  const directory = Buffer.from(source.bytes(directoryStart, end.size))
  const entries: ZipEntry[] = []
  let at = 0
  for (let index = 0; index < end.count; index += 1) {
    if (at + 46 > end.size) throw corrupt(`its directory ends after ${index} of ${end.count} entries`)
    if (directory.readUInt32LE(at) !== CENTRAL_MARK)
      throw corrupt(`no entry of its directory begins at byte ${directoryStart + at}`)
    const length = 46 + directory.readUInt16LE(at + 28) + directory.readUInt16LE(at + 30)
    const next = at + length + directory.readUInt16LE(at + 32)
    if (next > end.size) throw corrupt(`entry ${index + 1} of its directory reaches past the end of the directory`)
    entries.push(readCentral(directory.subarray(at, at + length), shift))
    at = next
  }
  // A digital signature may close the directory (section 4.3.13).
  if (at !== end.size && directory.toString('latin1', at, at + 4) !== 'PK\x05\x05')
    throw corrupt(`its directory holds more than the ${end.count} entries it declares`)
  for (const entry of entries) readLocal(source, entry, directoryStart)
  return { entries }
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

/** Reads an entry of the directory up to its comment. Throws a Defect where it contradicts itself. */
function readCentral(head: Buffer, shift: number): ZipEntry {
  const flags = head.readUInt16LE(8)
  const name = head.subarray(46, 46 + head.readUInt16LE(28))
  const extra = readExtraFields(head.subarray(46 + name.length))
  const wide = extra.find(({ id }) => id === WIDE_EXTRA)?.data ?? Buffer.alloc(0)
  let wideAt = 0
  const take = (value: number) => {
    if (value !== 0xffffffff) return value
    if (wideAt + 8 > wide.length) throw corrupt('a ZIP64 entry does not give its sizes')
    wideAt += 8
    return Number(wide.readBigUInt64LE(wideAt - 8))
  }
  const size = take(head.readUInt32LE(24))
  const compressedSize = take(head.readUInt32LE(20))
  const offset = take(head.readUInt32LE(42))
  return {
    // As yauzl names it, by which its parts are shown and run.
    path: getFileNameLowLevel(flags, name, extra, false),
    writtenPath: decodeName(name, flags),
    localPath: '',
    method: head.readUInt16LE(10),
    crc: head.readUInt32LE(16),
    compressedSize,
    size,
    isEncrypted: (flags & (FLAGS.encrypted | FLAGS.stronglyEncrypted)) !== 0,
    mode: head.readUInt32LE(38) >>> 16,
    start: offset + shift,
    dataStart: 0,
  }
}

function readExtraFields(bytes: Buffer): ExtraField[] {
  try {
    return parseExtraFields(bytes)
  } catch {
    throw corrupt('an extra field of its directory is longer than its entry')
  }
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
  if (nameKey(entry.writtenPath) !== nameKey(entry.localPath))
    throw corrupt(`“${name}” is called “${printable(entry.localPath)}” in its own header`)
  entry.isEncrypted ||= (flags & FLAGS.encrypted) !== 0
  if ((flags & FLAGS.sizesFollow) !== 0) return
  const [crc, compressedSize, size] = [head.readUInt32LE(14), head.readUInt32LE(18), head.readUInt32LE(22)]
  const isWide = compressedSize === 0xffffffff || size === 0xffffffff
  if (crc !== entry.crc || (!isWide && (compressedSize !== entry.compressedSize || size !== entry.size))) {
    throw corrupt(`the size or checksum of “${name}” differs between its two headers`)
  }
}

/** Slashes are compared alike: some Windows writers turn them in one header only. */
function nameKey(name: string): string {
  return name.replaceAll('\\', '/')
}

function decodeName(bytes: Buffer, flags: number): string {
  return (flags & FLAGS.utf8) !== 0 ? bytes.toString('utf8') : bytes.toString('latin1')
}

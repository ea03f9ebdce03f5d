import { readDirectory, type ZipEntry } from '../formats/archive/zip-directory'
import { ByteSource } from '../formats/byte-source'
import { Output } from './output'

/**
 * Packs an archive again from what it holds (APPNOTE.TXT 6.3.10): entries are left out or moved, the others are copied as
 * they are compressed. Directories are not entries of their own any more.
 */
export function repack(
  from: string,
  into: string,
  drop: readonly string[],
  move: readonly { from: string; to: string }[],
): void {
  const source = new ByteSource(from)
  try {
    const to = new Map(move.map((each) => [each.from, each.to]))
    const left = new Set(drop)
    const kept = readDirectory(source).entries.filter(({ path }) => !path.endsWith('/') && !left.has(path))
    const names = kept.map(({ path }) => to.get(path) ?? path)
    if (new Set(names).size !== names.length) throw new Error('two entries would have one name')
    if (source.size >= 0xffffffff || kept.length >= 0xffff)
      throw new Error('archives of more than 4 GiB are not packed again')
    const output = new Output(into)
    try {
      const records = kept.map((entry, index) => {
        const record = { entry, name: names[index] ?? entry.path, at: output.position, stamp: stampOf(source, entry) }
        const fields = fieldsOf(record)
        output.write(Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), fields, Buffer.from(record.name)]))
        output.copy(source, entry.dataStart, entry.dataStart + entry.compressedSize)
        return { ...record, fields }
      })
      const start = output.position
      for (const { entry, name, at, fields } of records) {
        const place = Buffer.alloc(14)
        place.writeUInt32LE((entry.mode << 16) >>> 0, 6)
        place.writeUInt32LE(at, 10)
        const made = Buffer.from([20, entry.mode ? 3 : 0])
        output.write(Buffer.concat([Buffer.from('PK\x01\x02', 'latin1'), made, fields, place, Buffer.from(name)]))
      }
      const end = Buffer.alloc(22)
      end.writeUInt32LE(0x06054b50, 0)
      end.writeUInt16LE(records.length, 8)
      end.writeUInt16LE(records.length, 10)
      end.writeUInt32LE(output.position - start, 12)
      end.writeUInt32LE(start, 16)
      output.write(end)
    } finally {
      output.close()
    }
  } finally {
    source.close()
  }
}

/** When the entry was last changed, as its own header says it. */
const stampOf = (source: ByteSource, { start }: ZipEntry) => source.bytes(start + 10, 4).readUInt32LE(0)

/** The fields that both headers of an entry hold. */
function fieldsOf({ entry, name, stamp }: { entry: ZipEntry; name: string; stamp: number }): Buffer {
  const fields = Buffer.alloc(26)
  fields.writeUInt16LE(20, 0)
  fields.writeUInt16LE(0x0800, 2)
  fields.writeUInt16LE(entry.method, 4)
  fields.writeUInt32LE(stamp, 6)
  fields.writeUInt32LE(entry.crc, 10)
  fields.writeUInt32LE(entry.compressedSize, 14)
  fields.writeUInt32LE(entry.size, 18)
  fields.writeUInt16LE(Buffer.byteLength(name), 22)
  return fields
}

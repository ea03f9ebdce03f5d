import type { ByteSource } from '../byte-source'
import { corrupt, printable, truncated } from '../defect'

/** A box of the ISO base media file format (ISO/IEC 14496-12, 4.2): `offset` and `length` are those of its content. */
export type Box = { type: string; offset: number; length: number; start: number }

/** The boxes between `start` and `end`. Throws `truncated` when one declares more than is there. */
export function readBoxes(source: ByteSource, start: number, end: number, isTop = false): Box[] {
  const boxes: Box[] = []
  let at = start
  while (at + 8 <= end) {
    const head = source.bytes(at, 8)
    const type = head.toString('latin1', 4, 8)
    let size = head.readUInt32BE(0)
    let header = 8
    // QuickTime closes a list of atoms with a zero; padding at the end of the file looks the same.
    if (size === 0 && (head.readUInt32BE(4) === 0 || !isTop)) return boxes
    if (size === 1) {
      const large = source.bytes(at + 8, 8, 'a box').readBigUInt64BE(0)
      if (large > BigInt(Number.MAX_SAFE_INTEGER))
        throw corrupt(`the “${printable(type)}” box at byte ${at} declares an impossible size`)
      size = Number(large)
      header = 16
    } else if (size === 0) {
      size = end - at
    }
    if (size < header) throw corrupt(`the “${printable(type)}” box at byte ${at} declares ${size} bytes`)
    if (!/^[\x20-\x7e\xa9\x00-\x1f][\x20-\x7e\x00-\x1f]{3}$/.test(type))
      throw corrupt(`“${printable(type)}” at byte ${at + 4} is not the name of a box`)
    if (at + size > end) {
      throw truncated(`the “${printable(type)}” box at byte ${at} declares ${size} bytes, ${end - at} are there`)
    }
    boxes.push({ type, offset: at + header, length: size - header, start: at })
    at += size
    if (boxes.length > 1_000_000) throw corrupt('more than a million boxes')
  }
  return boxes
}

/** The boxes inside a box; `skip` bytes of its own fields stand before them. */
export function readChildren(source: ByteSource, box: Box, skip = 0): Box[] {
  return readBoxes(source, box.offset + skip, box.offset + box.length)
}

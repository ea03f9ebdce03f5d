import { GPS_INFO } from '../formats/image/exif'

/**
 * Takes a place out of EXIF and XMP by blanking it where it stands: lengths and offsets stay, and with them every other
 * byte of the file.
 */

/** Blanks the GPS directories of a TIFF structure (CIPA DC-008, 4.6.6), in place; whether there were any. */
export function blankGps(tiff: Buffer): boolean {
  if (tiff.length < 8) return false
  const isLittle = tiff[0] === 0x49
  const u16 = (at: number) => (isLittle ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at))
  const u32 = (at: number) => (isLittle ? tiff.readUInt32LE(at) : tiff.readUInt32BE(at))
  const put16 = (value: number, at: number) =>
    isLittle ? tiff.writeUInt16LE(value, at) : tiff.writeUInt16BE(value, at)
  let found = false
  const seen = new Set<number>()
  for (let directory = u32(4); directory !== 0 && !seen.has(directory); ) {
    seen.add(directory)
    let count = u16(directory)
    for (let index = 0; index < count; ) {
      const entry = directory + 2 + index * 12
      if (u16(entry) !== GPS_INFO) {
        index += 1
        continue
      }
      found = true
      blankDirectory(u32(entry + 8))
      // The entries after it, and where the next directory lies, move up.
      const end = directory + 2 + count * 12 + 4
      tiff.copyWithin(entry, entry + 12, end)
      tiff.fill(0, end - 12, end)
      count -= 1
      put16(count, directory)
    }
    directory = u32(directory + 2 + count * 12)
  }
  return found

  function blankDirectory(at: number): void {
    const count = u16(at)
    for (let index = 0; index < count; index += 1) {
      const entry = at + 2 + index * 12
      const bytes = (SIZES[u16(entry + 2)] ?? 1) * u32(entry + 4)
      const place = u32(entry + 8)
      if (bytes > 4 && place + bytes <= tiff.length) tiff.fill(0, place, place + bytes)
    }
    tiff.fill(0, at, at + 2 + count * 12 + 4)
  }
}

/** Bytes of a value of each type (TIFF 6.0, section 2). */
const SIZES: Readonly<Record<number, number>> = {
  1: 1,
  2: 1,
  3: 2,
  4: 4,
  5: 8,
  6: 1,
  7: 1,
  8: 2,
  9: 4,
  10: 8,
  11: 4,
  12: 8,
}

const XMP_PLACES = [
  /\s[\w-]+:GPS\w*\s*=\s*(?:"[^"]*"|'[^']*')/g,
  /<([\w-]+:GPS\w*)(?:\s[^>]*)?>[\s\S]*?<\/\1\s*>/g,
  /<[\w-]+:GPS\w*(?:\s[^>]*)?\/>/g,
]

/** The same XMP packet with every GPS property blanked; of the same length. */
export function blankXmp(packet: Buffer): Buffer {
  // Latin 1 keeps every byte for what it is: names of properties are ASCII.
  let text = packet.toString('latin1')
  for (const place of XMP_PLACES) text = text.replace(place, (found) => ' '.repeat(found.length))
  return Buffer.from(text, 'latin1')
}

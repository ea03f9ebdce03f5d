/** An entry's own header (APPNOTE.TXT 4.3.7), without what only the whole archive needs: it is read while one comes in. */
export const LOCAL_MARK = 0x04034b50
export const STORED = 0
export const DEFLATED = 8
/** Bits of the general purpose flag (4.4.4). */
export const FLAGS = { encrypted: 1, sizesFollow: 8, stronglyEncrypted: 0x40, utf8: 0x800 }

/** What an entry's own header of 30 bytes says of it; null when it leaves its sizes to be stated later, or hides them. */
export function readOwnHeader(head: Buffer, start: number) {
  const flags = head.readUInt16LE(6)
  const [compressedSize, size] = [head.readUInt32LE(18), head.readUInt32LE(22)]
  const isWide = compressedSize === 0xffffffff || size === 0xffffffff
  if (isWide || (flags & (FLAGS.encrypted | FLAGS.sizesFollow | FLAGS.stronglyEncrypted)) !== 0) return null
  const dataStart = start + 30 + head.readUInt16LE(26) + head.readUInt16LE(28)
  return { method: head.readUInt16LE(8), dataStart, compressedSize, size }
}

/** What the service wants to know of an EXIF block (CIPA DC-008): a TIFF structure inside the picture. */
export type ExifFacts = { orientation: number; hasGps: boolean }

const ORIENTATION = 0x0112
const GPS_INFO = 0x8825

/** Reads an EXIF block with or without its `Exif\0\0` mark. A damaged block tells nothing and harms nothing. */
export function readExif(block: Buffer | undefined): ExifFacts {
  const facts: ExifFacts = { orientation: 1, hasGps: false }
  if (!block) return facts
  const tiff = block.toString('latin1', 0, 4) === 'Exif' ? block.subarray(6) : block
  if (tiff.length < 8) return facts
  const isLittle = tiff[0] === 0x49
  const u16 = (at: number) => (isLittle ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at))
  const u32 = (at: number) => (isLittle ? tiff.readUInt32LE(at) : tiff.readUInt32BE(at))
  try {
    const directory = u32(4)
    const count = u16(directory)
    for (let index = 0; index < count; index += 1) {
      const entry = directory + 2 + index * 12
      const tag = u16(entry)
      if (tag === ORIENTATION) {
        const value = u16(entry + 8)
        if (value >= 1 && value <= 8) facts.orientation = value
      }
      // An empty GPS directory is common from cameras with the receiver off: only entries past the version count.
      if (tag === GPS_INFO) facts.hasGps = u16(u32(entry + 8)) > 1
    }
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
  }
  return facts
}

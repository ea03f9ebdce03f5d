/** What the service wants to know of an EXIF block (CIPA DC-008): a TIFF structure inside the image. */
export type ExifFacts = { orientation: number; hasGps: boolean; density: Density | null }

/** Pixels per inch, and what the file's own unit cannot say any finer. */
export type Density = { densityDpi: number; densityRoundingDpi: number }

const CM_PER_INCH = 2.54

/** From pixels per inch, or per centimetre: a whole number of those may have been rounded by half of one. */
export function densityOf(value: number, isMetric: boolean): Density {
  if (!isMetric) return { densityDpi: value, densityRoundingDpi: 0 }
  return { densityDpi: value * CM_PER_INCH, densityRoundingDpi: Number.isInteger(value) ? CM_PER_INCH / 2 : 0 }
}

const ORIENTATION = 0x0112
const [X_RESOLUTION, Y_RESOLUTION, RESOLUTION_UNIT] = [0x011a, 0x011b, 0x0128]
export const GPS_INFO = 0x8825
/** GPSLatitude, GPSLongitude, GPSDestLatitude, GPSDestLongitude: what states a place. */
export const GPS_POSITION: ReadonlySet<number> = new Set([0x02, 0x04, 0x14, 0x16])

/** Does an XMP packet say where the image was taken (exif:GPSLatitude and its like, as attribute or element)? */
export function hasPositionInXmp(packet: Buffer | undefined): boolean {
  return /\bGPS(?:Dest)?L(?:at|ong)itude\s*(?:=\s*["']\s*[^"'\s]|>\s*[^<\s])/.test(packet?.toString('utf8') ?? '')
}

/** Reads an EXIF block with or without its `Exif\0\0` mark. A damaged block states nothing and harms nothing. */
export function readExif(block: Buffer | undefined): ExifFacts {
  const facts: ExifFacts = { orientation: 1, hasGps: false, density: null }
  if (!block) return facts
  const tiff = block.toString('latin1', 0, 4) === 'Exif' ? block.subarray(6) : block
  if (tiff.length < 8) return facts
  const isLittle = tiff[0] === 0x49
  const u16 = (at: number) => (isLittle ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at))
  const u32 = (at: number) => (isLittle ? tiff.readUInt32LE(at) : tiff.readUInt32BE(at))
  try {
    const directory = u32(4)
    const count = u16(directory)
    const resolutions: number[] = []
    let unit = 2
    for (let index = 0; index < count; index += 1) {
      const entry = directory + 2 + index * 12
      const tag = u16(entry)
      if (tag === ORIENTATION) {
        const value = u16(entry + 8)
        if (value >= 1 && value <= 8) facts.orientation = value
      }
      if (tag === X_RESOLUTION || tag === Y_RESOLUTION) {
        const place = u32(entry + 8)
        resolutions.push(u32(place) / u32(place + 4))
      }
      if (tag === RESOLUTION_UNIT) unit = u16(entry + 8)
      // Cameras with the receiver off write a GPS directory with its version, or the date of the last fix.
      if (tag === GPS_INFO) {
        const position = u32(entry + 8)
        for (let at = 0; at < u16(position); at += 1) {
          if (GPS_POSITION.has(u16(position + 2 + at * 12))) facts.hasGps = true
        }
      }
    }
    const lowest = Math.min(...resolutions)
    if (unit >= 2 && resolutions.length > 0 && lowest > 0 && Number.isFinite(lowest))
      facts.density = densityOf(lowest, unit === 3)
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
  }
  return facts
}

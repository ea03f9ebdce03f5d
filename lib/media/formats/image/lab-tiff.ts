import type { Raster } from '../../measure/pixels'

/**
 * TIFF images in Lab (TIFF 6.0, section 23; Adobe's TIFF Technical Notes for ICCLab), which libvips reads in part only. The
 * samples are had by calling them RGB, and converted here.
 */

const PHOTOMETRIC = 262
const RGB = 2
const CIE_LAB = 8
const LAB: ReadonlySet<number> = new Set([8, 9, 10])
const MOST_DIRECTORIES = 100

/** The whole file with every Lab page called RGB, and what the first page is; null where that is not Lab. */
export function asRgb(whole: Buffer): { bytes: Buffer; photometric: number } | null {
  const isLittle = whole[0] === 0x49
  const u16 = (at: number) => (isLittle ? whole.readUInt16LE(at) : whole.readUInt16BE(at))
  const u32 = (at: number) => (isLittle ? whole.readUInt32LE(at) : whole.readUInt32BE(at))
  try {
    if (u16(2) !== 42) return null
    const places: number[] = []
    let first: number | null = null
    let directory = u32(4)
    for (let page = 0; directory !== 0 && page < MOST_DIRECTORIES; page++) {
      const count = u16(directory)
      for (let index = 0; index < count; index++) {
        const entry = directory + 2 + index * 12
        if (u16(entry) !== PHOTOMETRIC) continue
        if (page === 0) first = u16(entry + 8)
        if (LAB.has(u16(entry + 8))) places.push(entry + 8)
      }
      const link = directory + 2 + count * 12
      directory = link + 4 <= whole.length ? u32(link) : 0
    }
    if (first === null || !LAB.has(first)) return null
    const bytes = Buffer.from(whole)
    for (const at of places) isLittle ? bytes.writeUInt16LE(RGB, at) : bytes.writeUInt16BE(RGB, at)
    return { bytes, photometric: first }
  } catch (error) {
    if (error instanceof RangeError) return null
    throw error
  }
}

type Samples = { data: Buffer; width: number; height: number; channels: number; depth: 'uchar' | 'ushort' }

/** sRGB from the samples of a Lab page: CIELab keeps a and b as signed numbers, ICCLab counts them from the middle. */
export function fromLab({ data, width, height, channels, depth }: Samples, photometric: number): Raster {
  const isDeep = depth === 'ushort'
  const samples = isDeep ? new Uint16Array(data.buffer, data.byteOffset, data.length / 2) : data
  const isSigned = photometric === CIE_LAB
  const lightest = isDeep ? (isSigned ? 65_535 : 65_280) : 255
  const unit = isDeep ? 256 : 1
  const half = 128 * unit
  const axis = (value: number) => (isSigned ? (value >= half ? value - 2 * half : value) : value - half) / unit
  const rgb = new Uint8Array(width * height * 3)
  for (let pixel = 0; pixel < width * height; pixel++) {
    const at = pixel * channels
    const lightness = ((samples[at] as number) / lightest) * 100
    write(rgb, pixel * 3, lightness, axis(samples[at + 1] as number), axis(samples[at + 2] as number))
  }
  return { data: rgb, width, height, channels: 3, scale: 1 }
}

/** CIE 15 from L*a*b* (D50) to XYZ, brought to D65 (Bradford) as linear sRGB (IEC 61966-2-1). */
function write(rgb: Uint8Array, at: number, lightness: number, a: number, b: number): void {
  const fy = (lightness + 16) / 116
  const back = (value: number) => (value > 6 / 29 ? value ** 3 : (value - 4 / 29) * 3 * (6 / 29) ** 2)
  const [x, y, z] = [0.9642 * back(fy + a / 500), back(fy), 0.8249 * back(fy - b / 200)]
  rgb[at] = gamma(3.1339 * x - 1.6169 * y - 0.4906 * z)
  rgb[at + 1] = gamma(-0.9788 * x + 1.9161 * y + 0.0335 * z)
  rgb[at + 2] = gamma(0.0719 * x - 0.229 * y + 1.4052 * z)
}

function gamma(linear: number): number {
  const value = linear <= 0.003_130_8 ? 12.92 * linear : 1.055 * linear ** (1 / 2.4) - 0.055
  return Math.round(255 * Math.min(1, Math.max(0, value)))
}

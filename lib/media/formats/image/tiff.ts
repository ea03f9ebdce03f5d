import type { ByteSource } from '../byte-source'
import { bomb, corrupt, Defect, truncated } from '../defect'
import type { Examination, Examined } from '../format'
import { type Density, densityOf, GPS_INFO, GPS_POSITION } from './exif'
import { asRgb } from './lab-tiff'
import { decodePage, imageFacts, limitPixels, RASTER_ENGINE, readMetadata, readOpacity } from './raster'

const MAX_DIRECTORIES = 5000
/** Bytes of one value of each field type (TIFF 6.0, section 2; BigTIFF adds 16, 17, 18). */
const TYPE_BYTES: Readonly<Record<number, number>> = {
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
  13: 4,
  16: 8,
  17: 8,
  18: 8,
}
const PHOTOMETRIC = ['grey', 'grey', 'srgb', 'indexed', 'bitmap', 'cmyk', 'srgb', undefined, 'lab', 'lab', 'lab']
const COMPRESSION: Readonly<Record<number, string>> = {
  1: 'none',
  2: 'ccitt',
  3: 'group 3',
  4: 'group 4',
  5: 'lzw',
  6: 'old jpeg',
  7: 'jpeg',
  8: 'deflate',
  32773: 'packbits',
  32946: 'deflate',
  34925: 'lzma',
  50000: 'zstd',
  50001: 'webp',
}

type Field = { type: number; count: number; valueOffset: number }
type Directory = Map<number, Field>

/** TIFF 6.0 and BigTIFF: every directory, every strip and tile inside the file, every page decoded. */
export async function examineTiff(source: ByteSource, { storeImage }: Examination): Promise<Examined> {
  const reader = new TiffReader(source)
  const directories = reader.directories()
  const first = directories[0]
  if (!first) throw corrupt('it holds no image')
  let pixels = 0
  for (const directory of directories) pixels += reader.validate(directory)
  const photometric = reader.number(first, 262) ?? 0
  const isLab = PHOTOMETRIC[photometric] === 'lab'
  // Lab is converted as a whole.
  limitPixels(reader.number(first, 256) ?? 0, reader.number(first, 257) ?? 0, 1, isLab ? 0 : source.size)
  if (pixels > 2_000_000_000) throw bomb(`its pages hold ${Math.round(pixels / 1e6)} megapixels`)
  const compression = reader.number(first, 259) ?? 1
  const lab = isLab ? asRgb(source.whole()) : null
  const input = lab?.bytes ?? source.path
  const metadata = await readMetadata(input)
  const pages = metadata.pages ?? 1
  for (let page = 0; page < pages; page += 1) await decodePage(input, page, lab ? undefined : storeImage)
  return {
    media: {
      ...imageFacts('tiff', metadata),
      pages: directories.length,
      isOpaque: await readOpacity(input, metadata),
      ...reader.density(first),
      colourSpace:
        imageFacts('tiff', metadata).colourSpace === 'rgb'
          ? 'rgb'
          : (PHOTOMETRIC[photometric] ?? metadata.space ?? null),
      bitDepth: reader.number(first, 258) ?? 1,
      compression: COMPRESSION[compression] ?? `method ${compression}`,
      // The EXIF block that libvips hands over of a TIFF is not the file's own directory, where its place stands.
      hasGps: imageFacts('tiff', metadata).hasGps || directories.some((directory) => reader.hasPosition(directory)),
    },
    engine: RASTER_ENGINE,
  }
}

class TiffReader {
  private readonly isLittle: boolean
  private readonly isBig: boolean

  constructor(private readonly source: ByteSource) {
    const head = source.bytes(0, 8, 'the header')
    this.isLittle = head[0] === 0x49
    this.isBig = this.u16(2) === 43
  }

  /** The chain of directories; each begins a page. */
  directories(): Directory[] {
    const found: Directory[] = []
    const seen = new Set<number>()
    let at = this.isBig ? this.u64(8) : this.u32(4)
    while (at !== 0) {
      if (seen.has(at)) throw corrupt('its list of pages runs in a circle')
      if (seen.size >= MAX_DIRECTORIES) throw bomb(`more than ${MAX_DIRECTORIES} pages`)
      seen.add(at)
      const { directory, next } = this.directory(at)
      found.push(directory)
      at = next
    }
    return found
  }

  /** The first value of a whole-number field; undefined when the field is absent. */
  number(directory: Directory, tag: number): number | undefined {
    const field = directory.get(tag)
    return field && field.count > 0 ? this.value(field, 0) : undefined
  }

  /** Pixels per inch by XResolution, YResolution and ResolutionUnit; nothing where the page states none. */
  density(directory: Directory): Density | undefined {
    const unit = this.number(directory, 296) ?? 2
    const [x, y] = [this.rational(directory, 282), this.rational(directory, 283)]
    if (unit < 2 || x === undefined || y === undefined) return undefined
    return densityOf(Math.min(x, y), unit === 3)
  }

  private rational(directory: Directory, tag: number): number | undefined {
    const field = directory.get(tag)
    if (field?.type !== 5 || field.count < 1) return undefined
    const [over, under] = [this.u32(field.valueOffset), this.u32(field.valueOffset + 4)]
    return over > 0 && under > 0 ? over / under : undefined
  }

  /** Whether a page says where it was taken (CIPA DC-008, 4.6.6). A damaged directory of it states nothing. */
  hasPosition(directory: Directory): boolean {
    const at = this.number(directory, GPS_INFO)
    if (!at) return false
    try {
      const position = this.directory(at).directory
      return [...GPS_POSITION].some((tag) => position.has(tag))
    } catch (error) {
      if (error instanceof Defect) return false
      throw error
    }
  }

  /** Strips and tiles must lie inside the file and be as many as the size needs. Gives the pixels of the page. */
  validate(directory: Directory): number {
    const width = this.number(directory, 256)
    const height = this.number(directory, 257)
    if (!width || !height) throw corrupt('a page has no width or height')
    const isTiled = directory.has(322) && directory.has(324)
    const offsets = directory.get(isTiled ? 324 : 273)
    const counts = directory.get(isTiled ? 325 : 279)
    // Old-style JPEG keeps its data elsewhere; the decoder validates it alone.
    if (!offsets) {
      if (this.number(directory, 259) === 6) return width * height
      throw corrupt('a page has no image data')
    }
    const planes = this.number(directory, 284) === 2 ? (this.number(directory, 277) ?? 1) : 1
    const rows = Math.min(this.number(directory, 278) || height, height)
    const tileWidth = this.number(directory, 322) || width
    const tileHeight = this.number(directory, 323) || height
    const needed =
      planes * (isTiled ? Math.ceil(width / tileWidth) * Math.ceil(height / tileHeight) : Math.ceil(height / rows))
    if (offsets.count < needed)
      throw corrupt(`a page has ${offsets.count} of the ${needed} strips or tiles that its size needs`)
    for (let index = 0; index < needed; index += 1) {
      const offset = this.value(offsets, index)
      const length = counts && index < counts.count ? this.value(counts, index) : 0
      if (offset > this.source.size || offset + length > this.source.size) {
        throw truncated(
          `image data at byte ${offset} with ${length} bytes lies outside the file of ${this.source.size}`,
        )
      }
    }
    return width * height
  }

  private directory(at: number): { directory: Directory; next: number } {
    const entries = this.isBig ? this.u64(at) : this.u16(at)
    const [start, step] = this.isBig ? [at + 8, 20] : [at + 2, 12]
    if (entries === 0 || entries > 65_535) throw corrupt(`the directory at byte ${at} declares ${entries} fields`)
    const directory: Directory = new Map()
    for (let index = 0; index < entries; index += 1) {
      const entry = start + index * step
      const tag = this.u16(entry)
      const type = this.u16(entry + 2)
      const count = this.isBig ? this.u64(entry + 4) : this.u32(entry + 4)
      const inline = entry + (this.isBig ? 12 : 8)
      const bytes = (TYPE_BYTES[type] ?? 0) * count
      const isInline = bytes <= (this.isBig ? 8 : 4)
      const valueOffset = isInline ? inline : this.isBig ? this.u64(inline) : this.u32(inline)
      // A private field that points nowhere is common and harmless; one that describes the image is not.
      if (valueOffset + bytes > this.source.size) {
        if (tag >= 254 && tag < 700)
          throw truncated(`field ${tag} of the directory at byte ${at} lies outside the file`)
        continue
      }
      if (!directory.has(tag)) directory.set(tag, { type, count, valueOffset })
    }
    const end = start + entries * step
    // Some writers end the file without the closing link of the last directory.
    if (end + (this.isBig ? 8 : 4) > this.source.size) {
      if (end > this.source.size) throw truncated(`the directory at byte ${at} is cut`)
      return { directory, next: 0 }
    }
    return { directory, next: this.isBig ? this.u64(end) : this.u32(end) }
  }

  private value(field: Field, index: number): number {
    const size = TYPE_BYTES[field.type] ?? 1
    const at = field.valueOffset + index * size
    if (size === 1) return this.source.bytes(at, 1).readUInt8(0)
    if (size === 2) return this.u16(at)
    if (size === 4) return this.u32(at)
    if (field.type === 16 || field.type === 18) return this.u64(at)
    throw new Defect(
      'corrupt',
      `The file is damaged: a field of type ${field.type} stands where a whole number belongs.`,
    )
  }

  private u16(at: number): number {
    const bytes = this.source.bytes(at, 2, 'a directory')
    return this.isLittle ? bytes.readUInt16LE(0) : bytes.readUInt16BE(0)
  }

  private u32(at: number): number {
    const bytes = this.source.bytes(at, 4, 'a directory')
    return this.isLittle ? bytes.readUInt32LE(0) : bytes.readUInt32BE(0)
  }

  private u64(at: number): number {
    const bytes = this.source.bytes(at, 8, 'a directory')
    const value = this.isLittle ? bytes.readBigUInt64LE(0) : bytes.readBigUInt64BE(0)
    return value > BigInt(Number.MAX_SAFE_INTEGER) ? Number.MAX_SAFE_INTEGER : Number(value)
  }
}

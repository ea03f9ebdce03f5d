import type { ImageFacts } from '../../facts'
import type { ByteSource } from '../byte-source'
import { corrupt, truncated } from '../defect'
import type { Examined } from '../format'
import { inflateWhole } from '../inflate'
import { hasPositionInXmp, readExif } from './exif'
import { readProfile } from './icc'
import { limitPixels } from './raster'

const COLOUR_MODES = [
  'bitmap',
  'grey',
  'indexed',
  'rgb',
  'cmyk',
  undefined,
  undefined,
  'multichannel',
  'duotone',
  'lab',
]
const RESOLUTION_INFO = 1005
const ICC_PROFILE = 1039
const EXIF_DATA = 1058
const XMP_METADATA = 1060

type Header = { isLarge: boolean; channels: number; width: number; height: number; depth: number; mode: number }

/** PSD and PSB: Adobe Photoshop File Formats Specification (2019). Every section, and the merged image to its end. */
export async function examinePsd(source: ByteSource): Promise<Examined> {
  const header = readHeader(source)
  const colours = section(source, 26, 4, 'the colour table')
  const resources = section(source, colours.end, 4, 'the resources')
  const layers = section(source, resources.end, header.isLarge ? 8 : 4, 'the layers')
  const facts = baseFacts(header)
  readResources(source, resources, facts)
  readLayers(source, header, layers.start, layers.end, facts)
  await validateMergedImage(source, header, layers.end, facts)
  return { media: facts, engine: 'Greenroom PSD reader' }
}

/** What of a PSD bears on its colours: the bytes of its profile, and whether its merged image has transparency. */
export function readPsdHead(source: ByteSource): { profile: Buffer | null; hasAlpha: boolean } {
  const header = readHeader(source)
  const colours = section(source, 26, 4, 'the colour table')
  const resources = section(source, colours.end, 4, 'the resources')
  const layers = section(source, resources.end, header.isLarge ? 8 : 4, 'the layers')
  const facts = baseFacts(header)
  readLayers(source, header, layers.start, layers.end, facts)
  const profile = [...resourcesIn(source, resources)].find(({ id }) => id === ICC_PROFILE)
  return {
    profile: profile ? Buffer.from(source.bytes(profile.data, profile.size)) : null,
    hasAlpha: facts.hasAlpha === true,
  }
}

function readHeader(source: ByteSource): Header {
  const head = source.bytes(0, 26, 'the header')
  const version = head.readUInt16BE(4)
  if (version !== 1 && version !== 2) throw corrupt(`version ${version} of the format does not exist`)
  const [channels, height, width, depth, mode] = [
    head.readUInt16BE(12),
    head.readUInt32BE(14),
    head.readUInt32BE(18),
    head.readUInt16BE(22),
    head.readUInt16BE(24),
  ]
  const longest = version === 2 ? 300_000 : 30_000
  if (channels < 1 || channels > 56) throw corrupt(`it declares ${channels} channels (1 to 56)`)
  if (width < 1 || height < 1 || width > longest || height > longest)
    throw corrupt(`it declares ${width} × ${height} pixels`)
  if (![1, 8, 16, 32].includes(depth)) throw corrupt(`it declares ${depth} bits per channel (1, 8, 16 or 32)`)
  if (COLOUR_MODES[mode] === undefined) throw corrupt(`colour mode ${mode} does not exist`)
  limitPixels(width, height)
  return { isLarge: version === 2, channels, width, height, depth, mode }
}

function section(source: ByteSource, at: number, width: 4 | 8, what: string): { start: number; end: number } {
  const bytes = source.bytes(at, width, what)
  const length = width === 8 ? Number(bytes.readBigUInt64BE(0)) : bytes.readUInt32BE(0)
  const start = at + width
  if (start + length > source.size) throw truncated(`${what} have ${length} bytes, ${source.size - start} are there`)
  return { start, end: start + length }
}

function baseFacts(header: Header): ImageFacts {
  return {
    kind: 'image',
    format: 'psd',
    width: header.width,
    height: header.height,
    colourSpace: COLOUR_MODES[header.mode] ?? null,
    hasProfile: false,
    profileName: null,
    profileColourSpace: null,
    bitDepth: header.depth,
    channels: header.channels,
    hasAlpha: false,
    isOpaque: null,
    densityDpi: null,
    orientation: 1,
    frames: 1,
    pages: 1,
    loopCount: null,
    frameDelaysMs: [],
    durationSeconds: null,
    hasGps: false,
    hasExif: false,
    hasXmp: false,
    progressive: false,
    jpegQuality: null,
    chromaSubsampling: null,
    layers: 0,
    compression: null,
  }
}

function* resourcesIn(source: ByteSource, { start, end }: { start: number; end: number }) {
  let at = start
  while (at + 12 <= end) {
    const mark = source.bytes(at, 4).toString('latin1')
    if (!/^(8BIM|MeSa|AgHg|PHUT|DCSR)$/.test(mark)) throw corrupt(`no resource begins at byte ${at}`)
    const id = source.bytes(at + 4, 2).readUInt16BE(0)
    const name = source.bytes(at + 6, 1).readUInt8(0)
    const sizeAt = at + 6 + ((name + 2) & ~1)
    const size = source.bytes(sizeAt, 4, 'a resource').readUInt32BE(0)
    const data = sizeAt + 4
    if (data + size > end) throw corrupt(`resource ${id} at byte ${at} is longer than its section`)
    yield { id, data, size }
    at = data + size + (size % 2)
  }
}

function readResources(source: ByteSource, section: { start: number; end: number }, facts: ImageFacts): void {
  for (const { id, data, size } of resourcesIn(source, section)) {
    if (id === RESOLUTION_INFO && size >= 4) facts.densityDpi = source.bytes(data, 4).readUInt32BE(0) / 65_536
    if (id === ICC_PROFILE) {
      const profile = readProfile(Buffer.from(source.bytes(data, size)))
      Object.assign(facts, {
        hasProfile: true,
        profileName: profile.name,
        profileColourSpace: profile.colourSpace,
        profileGamut: profile.gamut,
      })
    }
    if (id === EXIF_DATA) {
      const { orientation, hasGps } = readExif(Buffer.from(source.bytes(data, size)))
      Object.assign(facts, { hasExif: true, orientation, hasGps: hasGps || facts.hasGps })
    }
    if (id === XMP_METADATA) {
      facts.hasXmp = true
      if (hasPositionInXmp(Buffer.from(source.bytes(data, size)))) facts.hasGps = true
    }
  }
}

/** The layer records and the lengths of their channels have to fit into the section. */
function readLayers(source: ByteSource, header: Header, start: number, end: number, facts: ImageFacts): void {
  const width = header.isLarge ? 8 : 4
  if (end - start < width + 2) return
  const bytes = source.bytes(start, width)
  const length = header.isLarge ? Number(bytes.readBigUInt64BE(0)) : bytes.readUInt32BE(0)
  if (length === 0) return
  const limit = start + width + length
  if (limit > end) throw corrupt(`its layers have ${length} bytes and their section ${end - start}`)
  const count = source.bytes(start + width, 2).readInt16BE(0)
  // A negative count says that the first extra channel is the transparency of the merged image.
  if (count < 0) facts.hasAlpha = true
  let at = start + width + 2
  let data = 0
  for (let index = 0; index < Math.abs(count); index += 1) {
    const channels = source.bytes(at + 16, 2, 'a layer').readUInt16BE(0)
    if (channels > 56) throw corrupt(`layer ${index + 1} declares ${channels} channels`)
    at += 18
    for (let channel = 0; channel < channels; channel += 1, at += 2 + width) {
      const size = source.bytes(at + 2, width, 'a layer')
      data += header.isLarge ? Number(size.readBigUInt64BE(0)) : size.readUInt32BE(0)
    }
    const mark = source.bytes(at, 4, 'a layer').toString('latin1')
    if (mark !== '8BIM') throw corrupt(`layer ${index + 1} has no blend mode at byte ${at}`)
    at += 16 + source.bytes(at + 12, 4, 'a layer').readUInt32BE(0)
    if (at > limit) throw corrupt(`layer ${index + 1} reaches past its section`)
  }
  if (at + data > limit) throw corrupt(`the pixels of its layers have ${data} bytes, ${limit - at} are there`)
  facts.layers = Math.abs(count)
}

const COMPRESSION = ['none', 'packbits', 'deflate', 'deflate']

async function validateMergedImage(
  source: ByteSource,
  header: Header,
  start: number,
  facts: ImageFacts,
): Promise<void> {
  const method = source.bytes(start, 2, 'the merged image').readUInt16BE(0)
  const rowBytes = Math.ceil((header.width * header.depth) / 8)
  const rows = header.height * header.channels
  facts.compression = COMPRESSION[method] ?? null
  const colourChannels =
    { grey: 1, duotone: 1, indexed: 1, bitmap: 1, rgb: 3, lab: 3, cmyk: 4 }[facts.colourSpace ?? ''] ?? header.channels
  facts.hasAlpha ||= header.channels === colourChannels + 1
  const data = start + 2
  if (method === 0) {
    const needed = rows * rowBytes
    if (source.size - data < needed) throw truncated(`the merged image has ${source.size - data} of ${needed} bytes`)
  } else if (method === 1) {
    validatePackBits(source, header, data, rows, rowBytes)
  } else if (method === 2 || method === 3) {
    const whole = await inflateWhole(source.bytes(data, source.size - data), { limit: rows * rowBytes + 1 })
    if (whole.length < rows * rowBytes)
      throw truncated(`the merged image has ${whole.length} of ${rows * rowBytes} bytes`)
  } else {
    throw corrupt(`the merged image is packed by an unknown method ${method}`)
  }
}

/** The row lengths stand before the rows; each row has to unpack to exactly its width (TIFF 6.0, section 9). */
function validatePackBits(source: ByteSource, header: Header, data: number, rows: number, rowBytes: number): void {
  const width = header.isLarge ? 4 : 2
  const lengths = Buffer.from(source.bytes(data, rows * width, 'the merged image'))
  let at = data + rows * width
  for (let row = 0; row < rows; row += 1) {
    const length = header.isLarge ? lengths.readUInt32BE(row * 4) : lengths.readUInt16BE(row * 2)
    const packed = source.bytes(at, length, 'the merged image')
    let produced = 0
    for (let index = 0; index < length; ) {
      const control = packed[index] as number
      if (control === 128) {
        index += 1
      } else if (control > 128) {
        produced += 257 - control
        index += 2
      } else {
        produced += control + 1
        index += control + 2
      }
      if (index > length) throw corrupt(`row ${(row % header.height) + 1} of the merged image stops in the middle`)
    }
    if (produced < rowBytes)
      throw corrupt(`row ${(row % header.height) + 1} of the merged image gives ${produced} of ${rowBytes} bytes`)
    at += length
  }
}

import type { ImageFacts } from '../../facts'
import type { ByteSource } from '../byte-source'
import { corrupt, truncated } from '../defect'
import type { Examination, Examined } from '../format'
import { type Box, readBoxes, readChildren } from '../video/iso-boxes'
import { hasPositionInXmp, readExif } from './exif'
import { decodePage, imageFacts, limitPixels, RASTER_ENGINE, readMetadata, readOpacity } from './raster'

/** The property that says to a decoder how an item is coded (ISO/IEC 23008-12, 23000-22; AV1-AVIF 1.1). */
const CONFIGURATION: Readonly<Record<string, string>> = { av01: 'av1C', hvc1: 'hvcC', lhv1: 'lhvC', avc1: 'avcC' }

type Item = {
  id: number
  type: string
  properties: string[]
  extents: { offset: number; length: number }[]
  inData: boolean
}

/** HEIF: AVIF and HEIC. The tree of boxes, every item inside the file and described, then the images decoded. */
export async function examineHeif(source: ByteSource, examination: Examination): Promise<Examined> {
  const boxes = readBoxes(source, 0, source.size, true)
  const meta = boxes.find((box) => box.type === 'meta')
  const isSequence = boxes.some((box) => box.type === 'moov')
  if (!meta && !isSequence) throw corrupt('it has no description of its images (meta box)')
  const items = meta ? readItems(source, meta) : []
  for (const item of items) validateItem(source, item)
  const isHevc = items.some((item) => item.type === 'hvc1') || (items.length === 0 && isSequence)
  const size = meta ? largestSize(source, meta) : undefined
  if (size) limitPixels(size.width, size.height)
  if (isHevc) return examineHevc(source, examination, { size, boxes, items, meta })
  const metadata = await readMetadata(source.path)
  limitPixels(metadata.width, metadata.pageHeight ?? metadata.height, metadata.pages ?? 1)
  for (let page = 0; page < (metadata.pages ?? 1); page += 1)
    await decodePage(source.path, page, examination.storeImage)
  return {
    media: { ...imageFacts('avif', metadata), isOpaque: await readOpacity(source.path, metadata) },
    engine: RASTER_ENGINE,
  }
}

type HeifStructure = {
  size: { width: number; height: number } | undefined
  boxes: Box[]
  items: Item[]
  meta: Box | undefined
}

/** libvips comes without HEVC; FFmpeg decodes it, tile by tile. */
async function examineHevc(
  source: ByteSource,
  examination: Examination,
  { size, boxes, items, meta }: HeifStructure,
): Promise<Examined> {
  const { decodeMedia, MEDIA_ENGINE } = await import('../../decode/media-decoder')
  const report = decodeMedia(source.path, 'mov', Math.max(examination.decodeUntil, performance.now() + 8000))
  try {
    const image = report.streams.find((stream) => stream.kind === 'video')
    if (!image) throw corrupt('it holds no image')
    const { codecpar } = image.stream
    const media: ImageFacts = {
      kind: 'image',
      format: 'heic',
      width: size?.width ?? codecpar.width,
      height: size?.height ?? codecpar.height,
      colourSpace: null,
      hasProfile: false,
      profileName: null,
      profileColourSpace: null,
      bitDepth: codecpar.bitsPerRawSample || 8,
      channels: 3,
      hasAlpha: false,
      isOpaque: null,
      densityDpi: null,
      orientation: meta ? readTurn(source, meta) : 1,
      frames: boxes.some((box) => box.type === 'moov') ? image.frames : 1,
      pages: 1,
      loopCount: null,
      frameDelaysMs: [],
      durationSeconds: null,
      ...readNotes(source, items),
      progressive: false,
      jpegQuality: null,
      chromaSubsampling: null,
      layers: null,
      compression: 'hevc',
    }
    return { media, engine: MEDIA_ENGINE }
  } finally {
    report.format.closeInputSync()
  }
}

/** More than a packet of metadata ever has. */
const MAX_NOTE_BYTES = 4 * 1024 * 1024

/** EXIF and XMP lie in items of their own (ISO/IEC 23008-12, annex A; 23000-22, 7). */
function readNotes(source: ByteSource, items: Item[]): Pick<ImageFacts, 'hasExif' | 'hasXmp' | 'hasGps'> {
  const notes = { hasExif: false, hasXmp: false, hasGps: false }
  for (const { type, extents, inData } of items) {
    const length = extents.reduce((sum, extent) => sum + extent.length, 0)
    if ((type !== 'Exif' && type !== 'mime') || inData || length < 8 || length > MAX_NOTE_BYTES) continue
    const bytes = Buffer.concat(extents.map((extent) => Buffer.from(source.bytes(extent.offset, extent.length))))
    if (type === 'Exif') {
      notes.hasExif = true
      // The block begins where its first four bytes say, counted from behind them.
      if (readExif(bytes.subarray(4 + bytes.readUInt32BE(0))).hasGps) notes.hasGps = true
    } else if (bytes.includes('adobe:ns:meta')) {
      notes.hasXmp = true
      if (hasPositionInXmp(bytes)) notes.hasGps = true
    }
  }
  return notes
}

/** How the image is turned for display (irot: quarters against the clock), as EXIF counts it. */
function readTurn(source: ByteSource, meta: Box): number {
  const holder = readChildren(source, meta, 4).find((box) => box.type === 'iprp')
  const container = holder && readChildren(source, holder).find((box) => box.type === 'ipco')
  const turn = container && readChildren(source, container).find((box) => box.type === 'irot')
  return turn && turn.length > 0 ? ([1, 8, 3, 6][source.bytes(turn.offset, 1).readUInt8(0) & 3] ?? 1) : 1
}

function readItems(source: ByteSource, meta: Box): Item[] {
  const boxes = readChildren(source, meta, 4)
  const information = boxes.find((box) => box.type === 'iinf')
  const locations = boxes.find((box) => box.type === 'iloc')
  const primary = boxes.find((box) => box.type === 'pitm')
  if (!information || !locations || !primary)
    throw corrupt('the description of its images is not complete (iinf, iloc, pitm)')
  const properties = readProperties(source, boxes)
  const places = readLocations(source, locations)
  const items = readTypes(source, information).map(({ id, type }) => {
    const place = places.get(id)
    return {
      id,
      type,
      properties: properties.get(id) ?? [],
      extents: place?.extents ?? [],
      inData: place?.method === 1,
    }
  })
  const wide = source.bytes(primary.offset, 1).readUInt8(0) > 0
  const primaryId = wide
    ? source.bytes(primary.offset + 4, 4).readUInt32BE(0)
    : source.bytes(primary.offset + 4, 2).readUInt16BE(0)
  if (!items.some((item) => item.id === primaryId)) throw corrupt(`its main image, item ${primaryId}, is not described`)
  return items
}

function readTypes(source: ByteSource, information: Box): { id: number; type: string }[] {
  const version = source.bytes(information.offset, 1).readUInt8(0)
  return readChildren(source, information, version === 0 ? 6 : 8)
    .filter((box) => box.type === 'infe')
    .map((box) => {
      const entry = source.bytes(box.offset, 1).readUInt8(0)
      if (entry < 2) return { id: source.bytes(box.offset + 4, 2).readUInt16BE(0), type: '' }
      const width = entry === 2 ? 2 : 4
      const id = source.bytes(box.offset + 4, width).readUIntBE(0, width)
      return { id, type: source.bytes(box.offset + 6 + width, 4).toString('latin1') }
    })
}

/** Item location box (ISO/IEC 14496-12, 8.11.3). */
function readLocations(
  source: ByteSource,
  box: Box,
): Map<number, { method: number; extents: { offset: number; length: number }[] }> {
  const places = new Map<number, { method: number; extents: { offset: number; length: number }[] }>()
  const version = source.bytes(box.offset, 1).readUInt8(0)
  let at = box.offset + 4
  const number = (width: number) => {
    if (at + width > box.offset + box.length) throw corrupt('the table of its images is cut short')
    const bytes = source.bytes(at, width)
    at += width
    return width === 0 ? 0 : width === 8 ? Number(bytes.readBigUInt64BE(0)) : bytes.readUIntBE(0, width)
  }
  const sizes = number(2)
  const [offsetSize, lengthSize, baseSize, indexSize] = [
    (sizes >> 12) & 15,
    (sizes >> 8) & 15,
    (sizes >> 4) & 15,
    version > 0 ? sizes & 15 : 0,
  ]
  const count = number(version < 2 ? 2 : 4)
  for (let index = 0; index < count; index += 1) {
    const id = number(version < 2 ? 2 : 4)
    const method = version > 0 ? number(2) & 15 : 0
    number(2)
    const base = number(baseSize)
    const extents = Array.from({ length: number(2) }, () => {
      number(indexSize)
      const offset = base + number(offsetSize)
      return { offset, length: number(lengthSize) }
    })
    places.set(id, { method, extents })
  }
  return places
}

/** The types of the properties each item is associated with (ISO/IEC 23008-12, 9.3). */
function readProperties(source: ByteSource, boxes: Box[]): Map<number, string[]> {
  const found = new Map<number, string[]>()
  const holder = boxes.find((box) => box.type === 'iprp')
  if (!holder) return found
  const parts = readChildren(source, holder)
  const container = parts.find((box) => box.type === 'ipco')
  const all = container ? readChildren(source, container).map((box) => box.type) : []
  for (const association of parts.filter((box) => box.type === 'ipma')) {
    const version = source.bytes(association.offset, 1).readUInt8(0)
    const isWide = (source.bytes(association.offset + 3, 1).readUInt8(0) & 1) === 1
    const count = source.bytes(association.offset + 4, 4).readUInt32BE(0)
    let at = association.offset + 8
    const idWidth = version < 1 ? 2 : 4
    for (let index = 0; index < count; index += 1) {
      const id = source.bytes(at, idWidth, 'a property').readUIntBE(0, idWidth)
      const associations = source.bytes(at + idWidth, 1, 'a property').readUInt8(0)
      at += idWidth + 1
      for (let each = 0; each < associations; each += 1) {
        const property = isWide ? source.bytes(at, 2).readUInt16BE(0) & 0x7fff : source.bytes(at, 1).readUInt8(0) & 0x7f
        at += isWide ? 2 : 1
        const type = all[property - 1]
        if (property > 0 && type === undefined)
          throw corrupt(`item ${id} refers to property ${property} of ${all.length}`)
        if (type !== undefined) found.set(id, [...(found.get(id) ?? []), type])
      }
      if (at > association.offset + association.length) throw corrupt('the table of its properties is cut short')
    }
  }
  return found
}

function validateItem(source: ByteSource, item: Item): void {
  const configuration = CONFIGURATION[item.type]
  if (configuration === undefined) return
  if (!item.properties.includes(configuration))
    throw corrupt(`image ${item.id} does not say how it is coded (${configuration})`)
  if (!item.properties.includes('ispe')) throw corrupt(`image ${item.id} does not state its size (ispe)`)
  if (item.extents.length === 0) throw corrupt(`image ${item.id} has no data`)
  if (item.inData) return
  for (const { offset, length } of item.extents) {
    if (offset + length > source.size)
      throw truncated(`image ${item.id} ends at byte ${offset + length} of ${source.size}`)
  }
}

function largestSize(source: ByteSource, meta: Box): { width: number; height: number } | undefined {
  const holder = readChildren(source, meta, 4).find((box) => box.type === 'iprp')
  const container = holder && readChildren(source, holder).find((box) => box.type === 'ipco')
  if (!container) return undefined
  const sizes = readChildren(source, container)
    .filter((box) => box.type === 'ispe')
    .map((box) => {
      const bytes = source.bytes(box.offset + 4, 8, 'a size')
      return { width: bytes.readUInt32BE(0), height: bytes.readUInt32BE(4) }
    })
  return sizes.sort((a, b) => b.width * b.height - a.width * a.height)[0]
}

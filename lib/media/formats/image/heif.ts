import type { ImageFacts } from '../../facts'
import type { ByteSource } from '../byte-source'
import { corrupt, truncated } from '../defect'
import type { Examination, Examined } from '../format'
import { type Box, readBoxes, readChildren } from '../video/iso-boxes'
import { hasPositionInXmp, readExif } from './exif'
import { readGrid } from './heif-grid'
import { type Description, type Item, readDescription } from './heif-items'
import { decodePage, imageFacts, limitPixels, RASTER_ENGINE, readMetadata, readOpacity } from './raster'

/** The property that says to a decoder how an item is coded (ISO/IEC 23008-12, 23000-22; AV1-AVIF 1.1). */
const CONFIGURATION: Readonly<Record<string, string>> = { av01: 'av1C', hvc1: 'hvcC', lhv1: 'lhvC', avc1: 'avcC' }

/** HEIF: AVIF and HEIC. The tree of boxes, every item inside the file and described, then the images decoded. */
export async function examineHeif(source: ByteSource, examination: Examination): Promise<Examined> {
  const boxes = readBoxes(source, 0, source.size, true)
  const meta = boxes.find((box) => box.type === 'meta')
  const isSequence = boxes.some((box) => box.type === 'moov')
  if (!meta && !isSequence) throw corrupt('it has no description of its images (meta box)')
  const description = readDescription(source, meta)
  const items = description?.items ?? []
  for (const item of items) validateItem(source, item)
  const isHevc = items.some((item) => item.type === 'hvc1') || (items.length === 0 && isSequence)
  const grid = description && readGrid(source, description)
  const size = grid ?? (description ? largestSize(source, description) : undefined)
  if (size) limitPixels(size.width, size.height)
  if (isHevc) return examineHevc(source, examination, { size, boxes, description, parts: grid?.tiles.length ?? 0 })
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
  description: Description | null
  /** Images of which the main one is put together. */
  parts: number
}

/** libvips comes without HEVC; FFmpeg decodes it, tile by tile. */
async function examineHevc(
  source: ByteSource,
  examination: Examination,
  { size, boxes, description, parts }: HeifStructure,
): Promise<Examined> {
  const { decodeMedia, MEDIA_ENGINE } = await import('../../decode/media-decoder')
  const until = Math.max(examination.decodeUntil, performance.now() + 8000)
  const report = decodeMedia(source.path, 'mov', until, undefined, false, parts)
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
      orientation: description?.orientation ?? 1,
      frames: boxes.some((box) => box.type === 'moov') ? image.frames : 1,
      pages: 1,
      loopCount: null,
      frameDelaysMs: [],
      durationSeconds: null,
      ...readNotes(source, description?.items ?? []),
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

function validateItem(source: ByteSource, item: Item): void {
  const configuration = CONFIGURATION[item.type]
  if (configuration === undefined) return
  const has = (type: string) => item.properties.some((property) => property.type === type)
  if (!has(configuration)) throw corrupt(`image ${item.id} does not say how it is coded (${configuration})`)
  if (!has('ispe')) throw corrupt(`image ${item.id} does not state its size (ispe)`)
  if (item.extents.length === 0) throw corrupt(`image ${item.id} has no data`)
  if (item.inData) return
  for (const { offset, length } of item.extents) {
    if (offset + length > source.size)
      throw truncated(`image ${item.id} ends at byte ${offset + length} of ${source.size}`)
  }
}

function largestSize(source: ByteSource, { boxes }: Description): { width: number; height: number } | undefined {
  const holder = boxes.find((box) => box.type === 'iprp')
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

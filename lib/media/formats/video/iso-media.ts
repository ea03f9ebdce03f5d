import { decodeMedia, MEDIA_ENGINE } from '../../decode/media-decoder'
import { mediaFacts } from '../../decode/stream-facts'
import type { ByteSource } from '../byte-source'
import { corrupt, truncated } from '../defect'
import type { Examination, Examined } from '../format'
import { type Box, readBoxes, readChildren } from './iso-boxes'
import { readIsoTimecode } from './iso-timecode'

/** Boxes that hold nothing but boxes. */
const CONTAINERS = new Set(['moov', 'trak', 'mdia', 'minf', 'stbl', 'edts', 'mvex', 'moof', 'traf', 'mfra', 'dinf'])

/** MP4, M4A and QuickTime: ISO/IEC 14496-12 and the QuickTime File Format Specification. */
export function examineIsoMedia(source: ByteSource, examination: Examination): Examined {
  const boxes = readBoxes(source, 0, source.size, true)
  const movie = boxes.find((box) => box.type === 'moov')
  const data = boxes.find((box) => box.type === 'mdat')
  if (!movie) throw truncated('the index of the media (moov) is missing')
  const isFragmented = boxes.some((box) => box.type === 'moof')
  if (!data && !isFragmented) throw truncated('the media itself (mdat) is missing')
  for (const box of boxes) if (CONTAINERS.has(box.type)) validateTree(source, box, 0)
  for (const track of readChildren(source, movie).filter((box) => box.type === 'trak')) validateSamples(source, track)
  const major = boxes[0]?.type === 'ftyp' ? source.bytes(boxes[0].offset, 4).toString('latin1') : 'qt  '
  const isQuickTime = major === 'qt  '
  const report = decodeMedia(
    source.path,
    'mov',
    examination.decodeUntil,
    examination.meter,
    examination.keyFramesOnly,
    0,
    examination.done,
  )
  try {
    const media = mediaFacts(report, {
      container: isQuickTime ? 'mov' : 'mp4',
      fileSize: source.size,
      fastStart: data === undefined || movie.start < data.start,
      fragmented: isFragmented,
    })
    const mediaType = media.kind === 'audio' ? 'audio/mp4' : isQuickTime ? 'video/quicktime' : 'video/mp4'
    const stated = media.kind === 'video' ? { ...media, timecodeJumps: readIsoTimecode(source, movie) } : media
    return { media: stated, mediaType, complete: report.complete, engine: MEDIA_ENGINE }
  } finally {
    report.format.closeInputSync()
  }
}

function validateTree(source: ByteSource, box: Box, depth: number): void {
  if (depth > 12) throw corrupt('its boxes lie too deep in one another')
  for (const child of readChildren(source, box)) if (CONTAINERS.has(child.type)) validateTree(source, child, depth + 1)
}

/** Every chunk of samples has to begin inside the file. */
function validateSamples(source: ByteSource, track: Box): void {
  const path = ['mdia', 'minf', 'stbl']
  let box: Box | undefined = track
  for (const type of path) box = box && readChildren(source, box).find((child) => child.type === type)
  if (!box) return
  const tables = readChildren(source, box)
  const offsets = tables.find((child) => child.type === 'stco' || child.type === 'co64')
  if (!offsets || offsets.length < 8) return
  const width = offsets.type === 'co64' ? 8 : 4
  const count = source.bytes(offsets.offset + 4, 4).readUInt32BE(0)
  if (8 + count * width > offsets.length) throw corrupt('the table of its chunks is cut short')
  for (let index = 0; index < count; index += 1) {
    const bytes = source.bytes(offsets.offset + 8 + index * width, width)
    const offset = width === 8 ? Number(bytes.readBigUInt64BE(0)) : bytes.readUInt32BE(0)
    if (offset >= source.size) throw truncated(`a chunk of media begins at byte ${offset} of a file of ${source.size}`)
  }
}

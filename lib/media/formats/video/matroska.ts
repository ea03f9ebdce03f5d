import { decodeMedia, MEDIA_ENGINE } from '../../decode/media-decoder'
import { mediaFacts } from '../../decode/stream-facts'
import type { ByteSource } from '../byte-source'
import { corrupt, truncated } from '../defect'
import type { Examination, Examined } from '../format'

const EBML = 0x1a45dfa3
const SEGMENT = 0x18538067
const CLUSTER = 0x1f43b675
const CUES = 0x1c53bb6b
const VOID = 0xec
const CRC = 0xbf
/** What may stand directly in a segment: SeekHead, Info, Tracks, Cues, Attachments, Chapters, Tags, Cluster. */
const LEVEL_1 = new Set([
  0x114d9b74,
  0x1549a966,
  0x1654ae6b,
  CUES,
  0x1941a469,
  0x1043a770,
  0x1254c367,
  CLUSTER,
  VOID,
  CRC,
])

type Element = { id: number; offset: number; length: number | undefined }

/** Matroska and WebM: RFC 8794 (EBML) and RFC 9559. */
export function examineMatroska(source: ByteSource, examination: Examination): Examined {
  const header = readElement(source, 0)
  if (header.id !== EBML || header.length === undefined) throw corrupt('its header is not one of Matroska')
  const segment = readElement(source, header.offset + header.length)
  if (segment.id !== SEGMENT) throw corrupt('it has no segment after the header')
  const end = segment.length === undefined ? source.size : segment.offset + segment.length
  if (end > source.size)
    throw truncated(`the segment declares ${segment.length} bytes, ${source.size - segment.offset} are there`)
  const order = readOrder(source, segment.offset, end)
  const report = decodeMedia(
    source.path,
    'matroska,webm',
    examination.decodeUntil,
    examination.meter,
    examination.keyFramesOnly,
    0,
    examination.done,
  )
  try {
    const isWebm = source.upTo(0, Math.min(source.size, 64)).includes('webm')
    const cues = order.indexOf(CUES)
    const clusters = order.indexOf(CLUSTER)
    const media = mediaFacts(report, {
      container: isWebm ? 'webm' : 'matroska',
      fileSize: source.size,
      fastStart: cues >= 0 && clusters >= 0 && cues < clusters,
      fragmented: false,
    })
    return { media, complete: report.complete, engine: MEDIA_ENGINE }
  } finally {
    report.format.closeInputSync()
  }
}

/** The elements of the segment in their order. Live recordings leave sizes open; the decoder then validates alone. */
function readOrder(source: ByteSource, start: number, end: number): number[] {
  const order: number[] = []
  let at = start
  while (at < end) {
    const element = readElement(source, at)
    if (!LEVEL_1.has(element.id)) throw corrupt(`an unknown element 0x${element.id.toString(16)} stands at byte ${at}`)
    order.push(element.id)
    if (element.length === undefined) return order
    if (element.offset + element.length > end) {
      throw truncated(`the element at byte ${at} declares ${element.length} bytes, ${end - element.offset} are there`)
    }
    at = element.offset + element.length
    if (order.length > 5_000_000) throw corrupt('more than five million elements')
  }
  if (!order.includes(CLUSTER)) throw truncated('the media itself (clusters) is missing')
  return order
}

function readElement(source: ByteSource, at: number): Element {
  const first = source.bytes(at, 1, 'an element').readUInt8(0)
  const idLength = Math.clz32(first) - 23
  if (idLength > 4) throw corrupt(`no element begins at byte ${at}`)
  const id = source.bytes(at, idLength, 'an element').readUIntBE(0, idLength)
  const mark = source.bytes(at + idLength, 1, 'an element').readUInt8(0)
  const sizeLength = Math.clz32(mark) - 23
  if (sizeLength > 8) throw corrupt(`the element at byte ${at} has no size`)
  const bytes = source.bytes(at + idLength, sizeLength, 'an element')
  let length = mark & (0xff >> sizeLength)
  let isOpen = length === 0xff >> sizeLength
  for (const byte of bytes.subarray(1)) {
    length = length * 256 + byte
    isOpen &&= byte === 0xff
  }
  return { id, offset: at + idLength + sizeLength, length: isOpen ? undefined : length }
}

import { decodeMedia, MEDIA_ENGINE } from '../../decode/media-decoder'
import { mediaFacts } from '../../decode/stream-facts'
import type { ByteSource } from '../byte-source'
import { corrupt, truncated } from '../defect'
import type { Examination, Examined } from '../format'

const PAGE_HEADER_BYTES = 27
const FIRST_OF_STREAM = 2
const LAST_OF_STREAM = 4
/** An ID3v1 tag, which some programs put behind any audio. */
const ID3V1_BYTES = 128

/**
 * Ogg (RFC 3533): audio by Vorbis, Opus, FLAC or Speex, video by Theora. Every page is compared with its checksum, and the
 * pages of a stream have to follow one another. A stream may lack its closing mark, as recordings of live streams do.
 */
export function examineOgg(source: ByteSource, examination: Examination): Examined {
  validatePages(source)
  const report = decodeMedia(source.path, 'ogg', examination.decodeUntil, examination.meter, examination.keyFramesOnly)
  try {
    const media = mediaFacts(report, { container: 'ogg', fileSize: source.size, fastStart: true, fragmented: false })
    const mediaType = media.kind === 'audio' ? 'audio/ogg' : 'video/ogg'
    return { media, mediaType, complete: report.complete, engine: MEDIA_ENGINE }
  } finally {
    report.format.closeInputSync()
  }
}

function validatePages(source: ByteSource): void {
  /** The number of the next page, by the serial number of its stream; null after its last. */
  const next = new Map<number, number | null>()
  let at = 0
  while (at < source.size) {
    const head = source.upTo(at, PAGE_HEADER_BYTES)
    if (head.toString('latin1', 0, 4) !== 'OggS') {
      if (at > 0 && isTail(source, at)) return
      throw at > 0 && source.size - at < 4
        ? truncated(`a page is cut at byte ${at}`)
        : corrupt(`no page begins at byte ${at}`)
    }
    if (head.length < PAGE_HEADER_BYTES) throw truncated(`a page is cut at byte ${at}`)
    if (head.readUInt8(4) !== 0) throw corrupt(`the page at byte ${at} has the unknown version ${head.readUInt8(4)}`)
    const [flags, serial, number] = [head.readUInt8(5), head.readUInt32LE(14), head.readUInt32LE(18)]
    const stated = head.readUInt32LE(22)
    const segments = head.readUInt8(26)
    const table = source.upTo(at + PAGE_HEADER_BYTES, segments)
    const length = PAGE_HEADER_BYTES + segments + table.reduce((sum, each) => sum + each, 0)
    if (at + length > source.size)
      throw truncated(`the page at byte ${at} has ${length} bytes, ${source.size - at} are there`)
    const page = Buffer.from(source.bytes(at, length))
    page.writeUInt32LE(0, 22)
    if (checksum(page) !== stated) throw corrupt(`the checksum of the page at byte ${at} does not match its content`)
    const expected = next.get(serial)
    // A file may hold several streams one after the other (section 4), which may even share a number.
    const begins = (flags & FIRST_OF_STREAM) !== 0
    if (!begins && expected === undefined)
      throw corrupt(`the page at byte ${at} belongs to a stream that did not begin`)
    if (!begins && expected !== null && expected !== undefined && number !== expected)
      throw corrupt(`page ${expected} of a stream is missing before byte ${at}`)
    next.set(serial, (flags & LAST_OF_STREAM) === 0 ? (number + 1) >>> 0 : null)
    at += length
  }
}

/** What may follow the last page: zeros, line ends, or a tag. */
function isTail(source: ByteSource, at: number): boolean {
  const rest = source.size - at
  if (rest > 64 * 1024) return false
  const tail = source.upTo(at, rest)
  if (rest === ID3V1_BYTES && tail.toString('latin1', 0, 3) === 'TAG') return true
  return tail.every((byte) => byte === 0 || byte === 0x0a || byte === 0x0d)
}

/** CRC-32 by 0x04c11db7, neither reflected nor inverted (RFC 3533, section 6). */
const TABLE = Uint32Array.from({ length: 256 }, (_, index) => {
  let value = index << 24
  for (let bit = 0; bit < 8; bit += 1) value = value & 0x80000000 ? (value << 1) ^ 0x04c11db7 : value << 1
  return value >>> 0
})

function checksum(page: Uint8Array): number {
  let sum = 0
  for (const byte of page) sum = ((sum << 8) ^ (TABLE[((sum >>> 24) ^ byte) & 0xff] as number)) >>> 0
  return sum
}

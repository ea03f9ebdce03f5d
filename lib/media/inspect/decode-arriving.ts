import { readSync } from 'node:fs'
import { BYTES } from '@/lib/sandbox/protocol'
import type { DecodeDone } from '../decode/decode-done'
import { decodeArriving } from '../decode/media-decoder'
import { ByteSource } from '../formats/byte-source'
import { sniff } from '../formats/sniff'
import { MediaMeter, MOST_TRACKS } from './media-meter'

/** Those that say in front how they are to be read, by the demuxer of each. */
const FROM_THE_START: Readonly<Record<string, string>> = {
  'video/mp4': 'mov',
  'video/quicktime': 'mov',
  'audio/mp4': 'mov',
  'audio/wav': 'wav',
  'application/mxf': 'mxf',
  'video/webm': 'matroska,webm',
  'video/x-matroska': 'matroska,webm',
}

/** In the reader: decodes and measures a file while the rest of it is coming in. */
export function decodeFromStart(path: string): DecodeDone | null {
  const demuxer = demuxerFor(path)
  if (!demuxer) return null
  const meter = new MediaMeter()
  const streams = decodeArriving(BYTES, demuxer, meter)
  readOn()
  const count = (wanted: string) => streams.filter(({ kind, isCover }) => kind === wanted && !isCover).length
  // Which of several is measured would depend on the order in which they come.
  if (count('video') > 1 || count('audio') > MOST_TRACKS) return null
  return { demuxer, streams, measures: meter.finish(), places: meter.places() }
}

/** What follows the last packet is for the reader of the whole file; who sends it waits for it to be taken. */
function readOn(): void {
  const block = Buffer.allocUnsafe(256 * 1024)
  while (readSync(BYTES, block) > 0);
}

/** By the bytes that are there; null for what cannot be read from its beginning on. */
function demuxerFor(path: string): string | null {
  const source = new ByteSource(path)
  try {
    const demuxer = FROM_THE_START[sniff(source).mediaType ?? ''] ?? null
    return demuxer === 'mov' && !isIndexFirst(source) ? null : demuxer
  } finally {
    source.close()
  }
}

/** Whether the index of an MP4 stands before its media (ISO/IEC 14496-12, 8.2.1). */
function isIndexFirst(source: ByteSource): boolean {
  for (let at = 0; at + 16 <= source.size; ) {
    const head = source.bytes(at, 16)
    const type = head.toString('latin1', 4, 8)
    if (type === 'moov') return true
    const short = head.readUInt32BE(0)
    const size = short === 1 ? Number(head.readBigUInt64BE(8)) : short
    if (type === 'mdat' || size < 8) return false
    at += size
  }
  return false
}

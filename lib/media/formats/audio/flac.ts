import { decodeMedia, MEDIA_ENGINE } from '../../decode/media-decoder'
import { mediaFacts } from '../../decode/stream-facts'
import type { ByteSource } from '../byte-source'
import { corrupt, truncated } from '../defect'
import type { Examination, Examined } from '../format'
import { syncSafe } from '../sniff'

/** FLAC: RFC 9639. The decoder checks the CRC of every frame; the number of samples is checked here. */
export function examineFlac(source: ByteSource, examination: Examination): Examined {
  let start = 0
  while (source.upTo(start, 3).toString('latin1') === 'ID3') start += 10 + syncSafe(source.bytes(start, 10))
  const samples = readMetadata(source, start)
  const report = decodeMedia(source.path, 'flac', examination.decodeUntil, examination.meter, examination.keyFramesOnly)
  try {
    const media = mediaFacts(report, { container: 'flac', fileSize: source.size, fastStart: true, fragmented: false })
    const decoded = media.kind === 'audio' ? (media.audio[0]?.sampleCount ?? 0) : 0
    if (report.complete && samples > 0 && decoded < samples)
      throw truncated(`${decoded} of ${samples} samples are there`)
    if (report.complete && samples > 0 && decoded > samples)
      throw corrupt(`it declares ${samples} samples and holds ${decoded}`)
    return { media, complete: report.complete, engine: MEDIA_ENGINE }
  } finally {
    report.format.closeInputSync()
  }
}

/** Walks the metadata blocks (section 8). Gives the number of samples, 0 when the file does not state it. */
function readMetadata(source: ByteSource, start: number): number {
  let at = start + 4
  let samples = 0
  for (let isLast = false, count = 0; !isLast; count += 1) {
    const head = source.bytes(at, 4, 'a metadata block')
    isLast = (head.readUInt8(0) & 0x80) !== 0
    const type = head.readUInt8(0) & 0x7f
    const length = head.readUIntBE(1, 3)
    if (type === 127) throw corrupt(`an invalid metadata block stands at byte ${at}`)
    if ((count === 0) !== (type === 0)) throw corrupt('it does not begin with the description of its stream')
    const block = source.bytes(at + 4, length, 'a metadata block')
    if (type === 0) {
      if (length !== 34) throw corrupt(`the description of its stream has ${length} instead of 34 bytes`)
      samples = (block.readUInt8(13) & 0x0f) * 2 ** 32 + block.readUInt32BE(14)
    }
    at += 4 + length
  }
  if (at >= source.size) throw truncated('it has no audio after its metadata')
  return samples
}

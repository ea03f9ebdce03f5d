import { decodeMedia, MEDIA_ENGINE } from '../../decode/media-decoder'
import { mediaFacts } from '../../decode/stream-facts'
import type { ByteSource } from '../byte-source'
import { corrupt, truncated } from '../defect'
import type { Examination, Examined } from '../format'
import { syncSafe } from '../sniff'

/** AAC in ADTS frames: ISO/IEC 14496-3, 1.A.3. */
export function examineAdts(source: ByteSource, examination: Examination): Examined {
  let at = 0
  while (source.upTo(at, 3).toString('latin1') === 'ID3') at += 10 + syncSafe(source.bytes(at, 10))
  while (at < source.size) {
    const tail = source.upTo(at, 3).toString('latin1')
    if (tail === 'TAG' || tail === 'APE') break
    const head = source.bytes(at, 7, 'a frame')
    if (head.readUInt8(0) !== 0xff || (head.readUInt8(1) & 0xf6) !== 0xf0)
      throw corrupt(`no frame begins at byte ${at}`)
    const length = ((head.readUInt8(3) & 3) << 11) | (head.readUInt8(4) << 3) | (head.readUInt8(5) >> 5)
    if (length < 7) throw corrupt(`the frame at byte ${at} declares ${length} bytes`)
    if (at + length > source.size)
      throw truncated(`the frame at byte ${at} has ${length} bytes, ${source.size - at} are there`)
    at += length
  }
  const report = decodeMedia(source.path, 'aac', examination.decodeUntil, examination.meter, examination.keyFramesOnly)
  try {
    return {
      media: mediaFacts(report, { container: 'adts', fileSize: source.size, fastStart: true, fragmented: false }),
      complete: report.complete,
      engine: MEDIA_ENGINE,
    }
  } finally {
    report.format.closeInputSync()
  }
}

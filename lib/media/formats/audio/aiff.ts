import { decodeMedia, MEDIA_ENGINE } from '../../decode/media-decoder'
import { mediaFacts } from '../../decode/stream-facts'
import type { ByteSource } from '../byte-source'
import { corrupt, truncated } from '../defect'
import type { Examination, Examined } from '../format'
import { readChunks } from '../riff'

/** AIFF and AIFF-C: Audio Interchange File Format 1.3 (Apple 1989). */
export function examineAiff(source: ByteSource, examination: Examination): Examined {
  const end = 8 + source.bytes(0, 12, 'the header').readUInt32BE(4)
  if (end > source.size + 1) throw truncated(`the header declares ${end} bytes, ${source.size} are there`)
  const chunks = readChunks(source, 12, Math.min(end, source.size), { isBigEndian: true, limit: source.size })
  const common = chunks.find((chunk) => chunk.id === 'COMM')
  if (!common || common.length < 18) throw corrupt('it does not say how its audio is coded (COMM chunk)')
  const frames = source.bytes(common.offset + 2, 4).readUInt32BE(0)
  const samples = chunks.find((chunk) => chunk.id === 'SSND')
  if (!samples && frames > 0) throw truncated('it has no audio (SSND chunk)')
  const report = decodeMedia(source.path, 'aiff', examination.decodeUntil, examination.meter, examination.keyFramesOnly)
  try {
    return {
      media: mediaFacts(report, { container: 'aiff', fileSize: source.size, fastStart: true, fragmented: false }),
      complete: report.complete,
      engine: MEDIA_ENGINE,
    }
  } finally {
    report.format.closeInputSync()
  }
}

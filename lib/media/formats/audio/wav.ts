import { decodeMedia, MEDIA_ENGINE } from '../../decode/media-decoder'
import { mediaFacts } from '../../decode/stream-facts'
import type { ByteSource } from '../byte-source'
import { corrupt, truncated } from '../defect'
import type { Examination, Examined } from '../format'
import { readChunks } from '../riff'

/** WAV (RIFF/WAVE, and RIFX with the other byte order; Microsoft 1991) and its 64-bit form RF64/BW64 (EBU Tech 3306, ITU-R BS.2088). */
export function examineWav(source: ByteSource, examination: Examination): Examined {
  const head = source.bytes(0, 12, 'the header')
  const form = head.toString('latin1', 0, 4)
  const isBigEndian = form === 'RIFX'
  const isWide = form === 'RF64' || form === 'BW64'
  const declared = isBigEndian ? head.readUInt32BE(4) : head.readUInt32LE(4)
  const wide = isWide ? readWideSizes(source) : undefined
  // Recorders that stream write 0 or 0xFFFFFFFF; then the file's own length counts.
  const isOpen = !isWide && (declared === 0 || declared === 0xffffffff)
  const end = wide ? 8 + wide.riff : isOpen ? source.size : 8 + declared
  if (end > source.size + 1) throw truncated(`the header declares ${end} bytes, ${source.size} are there`)
  const last = Math.min(end, source.size)
  // Editors that add chunks forget to count them: the data may go on to the end of the file itself.
  const chunks = readChunks(source, 12, last, {
    isBigEndian,
    limit: source.size,
    lengthOf: (id, length) =>
      id === 'data' && wide ? wide.data : id === 'data' && isOpen && length >= last ? 0 : length,
  })
  const format = chunks.find((chunk) => chunk.id === 'fmt ')
  const data = chunks.find((chunk) => chunk.id === 'data')
  if (!format || format.length < 14) throw corrupt('it does not say how its audio is coded (fmt chunk)')
  if (!data) throw truncated('it has no audio (data chunk)')
  const report = decodeMedia(
    source.path,
    'wav',
    examination.decodeUntil,
    examination.meter,
    examination.keyFramesOnly,
    0,
    examination.done,
  )
  try {
    return {
      media: mediaFacts(report, { container: 'wav', fileSize: source.size, fastStart: true, fragmented: false }),
      complete: report.complete,
      engine: MEDIA_ENGINE,
    }
  } finally {
    report.format.closeInputSync()
  }
}

function readWideSizes(source: ByteSource): { riff: number; data: number } {
  const sizes = source.bytes(12, 36, 'the ds64 chunk')
  if (sizes.toString('latin1', 0, 4) !== 'ds64')
    throw corrupt('a 64-bit WAV begins with a ds64 chunk, and this one does not')
  return { riff: Number(sizes.readBigUInt64LE(8)), data: Number(sizes.readBigUInt64LE(16)) }
}

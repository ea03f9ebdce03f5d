import { decodeMedia, MEDIA_ENGINE } from '../../decode/media-decoder'
import { mediaFacts } from '../../decode/stream-facts'
import type { ByteSource } from '../byte-source'
import { corrupt, truncated } from '../defect'
import type { Examination, Examined } from '../format'
import { syncSafe } from '../sniff'

/** Kilobits per second of layer III by index (ISO/IEC 11172-3, 2.4.2.3; ISO/IEC 13818-3 for the lower rates). */
const RATES_V1 = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320]
const RATES_V2 = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160]
const SAMPLE_RATES = [44_100, 48_000, 32_000]

type FrameHeader = { length: number; rate: number; version: number; sampleRate: number }

/** MP3: MPEG-1/2/2.5 layer III between the tags of ID3v1, ID3v2, APEv2 and Lyrics3. */
export function examineMp3(source: ByteSource, examination: Examination): Examined {
  const rates = walkFrames(source, skipTags(source))
  const report = decodeMedia(source.path, 'mp3', examination.decodeUntil, examination.meter, examination.keyFramesOnly)
  try {
    const media = mediaFacts(report, { container: 'mp3', fileSize: source.size, fastStart: true, fragmented: false })
    return {
      media: media.kind === 'audio' ? { ...media, variableBitrate: rates.size > 1 } : media,
      complete: report.complete,
      engine: MEDIA_ENGINE,
    }
  } finally {
    report.format.closeInputSync()
  }
}

/** The offset after the tags at the beginning. */
function skipTags(source: ByteSource): number {
  let at = 0
  for (;;) {
    const mark = source.upTo(at, 10)
    if (mark.toString('latin1', 0, 3) === 'ID3' && mark.length === 10) {
      const end = at + 10 + syncSafe(mark) + ((mark.readUInt8(5) & 0x10) === 0 ? 0 : 10)
      if (end > source.size)
        throw truncated(`the tag at byte ${at} declares ${end - at} bytes, ${source.size - at} are there`)
      at = end
    } else if (mark.toString('latin1', 0, 8) === 'APETAGEX') {
      at += 32 + source.bytes(at + 12, 4, 'a tag').readUInt32LE(0)
    } else {
      break
    }
  }
  // Writers leave zeros between the tag and the first frame.
  while (at < source.size && source.bytes(at, 1).readUInt8(0) === 0) at += 1
  return at
}

/** Frame follows frame without a gap; the set of bit rates met on the way. */
function walkFrames(source: ByteSource, start: number): Set<number> {
  const rates = new Set<number>()
  let at = start
  let count = 0
  while (at < source.size) {
    const header = readFrameHeader(source, at)
    if (!header) {
      if (isTrailer(source, at)) break
      if (count === 0) throw corrupt(`no MP3 frame begins at byte ${at}`)
      throw corrupt(`frame ${count + 1} does not begin at byte ${at}, where the one before ends`)
    }
    if (at + header.length > source.size) {
      throw truncated(`the last frame at byte ${at} has ${header.length} bytes, ${source.size - at} are there`)
    }
    if (count > 0) rates.add(header.rate)
    at += header.length
    count += 1
  }
  if (count === 0) throw truncated('it has tags but no audio')
  return rates
}

/** Tags and padding at the end: ID3v1, APEv2, Lyrics3, ID3v2 appended, zeros. */
function isTrailer(source: ByteSource, at: number): boolean {
  const rest = source.upTo(at, 64).toString('latin1')
  if (/^(TAG|APETAGEX|LYRICSBEGIN|ID3|3DI)/.test(rest)) return true
  for (const piece of source.pieces(at, source.size)) {
    const other = piece.findIndex((byte) => byte !== 0)
    if (other >= 0) return /^(TAG|APETAGEX|LYRICSBEGIN)/.test(piece.toString('latin1', other, other + 12))
  }
  return true
}

function readFrameHeader(source: ByteSource, at: number): FrameHeader | undefined {
  const bytes = source.upTo(at, 4)
  if (bytes.length < 4) return undefined
  const header = bytes.readUInt32BE(0)
  if (header >>> 21 !== 0x7ff) return undefined
  const version = (header >>> 19) & 3
  const layer = (header >>> 17) & 3
  const rateIndex = (header >>> 12) & 15
  const sampleIndex = (header >>> 10) & 3
  if (version === 1 || layer !== 1 || rateIndex === 0 || rateIndex === 15 || sampleIndex === 3) return undefined
  const isFirst = version === 3
  const rate = (isFirst ? RATES_V1 : RATES_V2)[rateIndex] ?? 0
  const sampleRate = (SAMPLE_RATES[sampleIndex] ?? 44_100) / (isFirst ? 1 : version === 2 ? 2 : 4)
  const padding = (header >>> 9) & 1
  return { length: Math.floor(((isFirst ? 144_000 : 72_000) * rate) / sampleRate) + padding, rate, version, sampleRate }
}

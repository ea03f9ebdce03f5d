import {
  AV_PKT_DATA_CONTENT_LIGHT_LEVEL,
  AV_PKT_DATA_DISPLAYMATRIX,
  AV_PKT_DATA_DOVI_CONF,
  AV_PKT_DATA_MASTERING_DISPLAY_METADATA,
} from 'node-av/constants'
import { avChannelLayoutDescribe, avGetPixFmtName } from 'node-av/lib'
import type { AudioFacts, AudioStreamFacts, DynamicRange, Ratio, VideoFacts } from '../facts'
import { corrupt } from '../formats/defect'
import { hasPositionInXmp } from '../formats/image/exif'
import type { MediaReport } from './media-decoder'
import type { StreamReport } from './stream-report'

/** Code points of ITU-T H.273, by FFmpeg's names. */
const PRIMARIES: Readonly<Record<number, string>> = {
  1: 'bt709',
  4: 'bt470m',
  5: 'bt470bg',
  6: 'smpte170m',
  7: 'smpte240m',
  8: 'film',
  9: 'bt2020',
  10: 'smpte428',
  11: 'smpte431',
  12: 'smpte432',
  22: 'ebu3213',
}
const TRANSFERS: Readonly<Record<number, string>> = {
  1: 'bt709',
  4: 'gamma22',
  5: 'gamma28',
  6: 'smpte170m',
  7: 'smpte240m',
  8: 'linear',
  11: 'iec61966-2-4',
  13: 'iec61966-2-1',
  14: 'bt2020-10',
  15: 'bt2020-12',
  16: 'smpte2084',
  17: 'smpte428',
  18: 'arib-std-b67',
}
const MATRICES: Readonly<Record<number, string>> = {
  0: 'rgb',
  1: 'bt709',
  4: 'fcc',
  5: 'bt470bg',
  6: 'smpte170m',
  7: 'smpte240m',
  8: 'ycgco',
  9: 'bt2020nc',
  10: 'bt2020c',
  14: 'ictcp',
}

/** What the container's own reader adds to the facts of the streams. */
export type ContainerFacts = { container: string; fileSize: number; fastStart: boolean; fragmented: boolean }

/** The facts of a file with video, or of one with audio only. */
export function mediaFacts(report: MediaReport, container: ContainerFacts): VideoFacts | AudioFacts {
  const video = report.streams.find((stream) => stream.kind === 'video' && !stream.isCover)
  const audio = report.streams.filter((stream) => stream.kind === 'audio').map(audioStreamFacts)
  if (video) return videoFacts(report, video, audio, container)
  if (audio.length === 0) throw corrupt('it holds neither video nor audio')
  return audioFacts(report, audio, container)
}

function audioFacts(report: MediaReport, audio: AudioStreamFacts[], container: ContainerFacts): AudioFacts {
  const durationSeconds = Math.max(...audio.map((stream) => stream.durationSeconds))
  const tags = { ...report.format.metadata?.getAll(), ...report.streams[0]?.stream.metadata?.getAll() }
  const tag = (name: string) =>
    Object.entries(tags)
      .find(([key]) => key.toLowerCase() === name)?.[1]
      ?.slice(0, 300) ?? null
  return {
    kind: 'audio',
    container: container.container,
    durationSeconds,
    bitrate: durationSeconds > 0 ? Math.round((container.fileSize * 8) / durationSeconds) : 0,
    variableBitrate: null,
    audio,
    hasCoverArt: report.streams.some((stream) => stream.isCover),
    hasPosition: hasPosition(report),
    tags: { title: tag('title'), artist: tag('artist'), album: tag('album') },
  }
}

function videoFacts(
  report: MediaReport,
  video: StreamReport,
  audio: AudioStreamFacts[],
  container: ContainerFacts,
): VideoFacts {
  const { codecpar } = video.stream
  const { width, height } = codecpar
  const sampleAspectRatio = sampleAspect(video)
  const displayWidth = Math.round((width * sampleAspectRatio.numerator) / sampleAspectRatio.denominator)
  const rotation = rotationOf(video)
  const isTurned = rotation === 90 || rotation === 270
  const frameRate = frameRateOf(video)
  const videoDurationSeconds = spanOf(video)
  const durationSeconds = round(Math.max(videoDurationSeconds, ...audio.map((stream) => stream.durationSeconds)))
  const pixelFormat = avGetPixFmtName(codecpar.format as Parameters<typeof avGetPixFmtName>[0])
  const frames = report.complete ? video.frames : video.packets
  return {
    kind: 'video',
    container: container.container,
    width,
    height,
    displayWidth: isTurned ? height : displayWidth,
    displayHeight: isTurned ? displayWidth : height,
    codec: video.codecName,
    profile: video.decoder?.profiles?.find((profile) => profile.profile === codecpar.profile)?.name ?? null,
    level: codecpar.level >= 0 ? codecpar.level : null,
    pixelFormat,
    bitDepth: codecpar.bitsPerRawSample || Number(/p?(9|10|12|14|16)(le|be)$/.exec(pixelFormat ?? '')?.[1] ?? 8),
    sampleAspectRatio,
    displayAspectRatio: reduce(displayWidth, height),
    rotation,
    durationSeconds,
    videoDurationSeconds,
    frameCount: frames,
    frameRate,
    bitrate: durationSeconds > 0 ? Math.round((container.fileSize * 8) / durationSeconds) : 0,
    videoBitrate: videoDurationSeconds > 0 ? Math.round((video.bytes * 8) / videoDurationSeconds) : null,
    scanType: video.frames === 0 ? 'unknown' : video.interlacedFrames > 0 ? 'interlaced' : 'progressive',
    fieldOrder:
      video.interlacedFrames === 0 ? null : video.topFieldFirstFrames * 2 >= video.interlacedFrames ? 'tff' : 'bff',
    colour: {
      primaries: PRIMARIES[codecpar.colorPrimaries] ?? null,
      transfer: TRANSFERS[codecpar.colorTrc] ?? null,
      matrix: MATRICES[codecpar.colorSpace] ?? null,
      range: codecpar.colorRange === 1 ? 'limited' : codecpar.colorRange === 2 ? 'full' : null,
    },
    fastStart: container.fastStart,
    fragmented: container.fragmented,
    audio,
    subtitleStreams: report.streams.filter((stream) => stream.kind === 'subtitle').length,
    dataStreams: report.streams.filter((stream) => stream.kind === 'data').length,
    timecode: timecodeOf(report),
    hasPosition: hasPosition(report),
    ...(report.complete && { closedCaptions: video.captions.finish() }),
    captionTracks: report.streams
      .filter(({ kind, packets }) => kind === 'subtitle' && packets > 0)
      .map(({ codecName }) => codecName),
    dynamicRange: dynamicRangeOf(video),
    groups: video.groups.finish(),
    tracks: report.streams.map((stream) => ({
      kind: stream.isCover ? 'cover' : stream.kind,
      codec: stream.kind === 'data' ? (tagOf(stream) ?? stream.codecName) : stream.codecName,
      packets: stream.packets,
    })),
  }
}

/** The four letters by which a container names what a track holds; null where it has none, or others than letters. */
function tagOf({ stream }: StreamReport): string | null {
  const tag = stream.codecpar.codecTagString ?? ''
  return /^[\w -]{4}$/.test(tag) ? tag.trim() : null
}

/** By the structures of FFmpeg 8: AVMasteringDisplayMetadata, AVContentLightMetadata, AVDOVIDecoderConfigurationRecord. */
function dynamicRangeOf(video: StreamReport): DynamicRange {
  const { codecpar } = video.stream
  const display = video.masteringDisplay ?? codecpar.getCodedSideData(AV_PKT_DATA_MASTERING_DISPLAY_METADATA)
  const light = video.contentLight ?? codecpar.getCodedSideData(AV_PKT_DATA_CONTENT_LIGHT_LEVEL)
  const dolby = codecpar.getCodedSideData(AV_PKT_DATA_DOVI_CONF)
  const rational = (at: number) => (display ? display.readInt32LE(at) / (display.readInt32LE(at + 4) || 1) : 0)
  // Nought: not known (CTA-861.3).
  const cll = light && light.length >= 8 ? light.readUInt32LE(0) : 0
  // Three primaries and a white point of two fractions each, then the least and the greatest luminance, then which are there.
  const hasLuminance = display !== null && display.length >= 88 && display.readInt32LE(84) !== 0
  return {
    masteringDisplay: hasLuminance ? { minNits: rational(64), maxNits: rational(72) } : null,
    contentLight: cll && light ? { maxCll: cll, maxFall: light.readUInt32LE(4) } : null,
    dolbyVision: dolby && dolby.length >= 4 ? { profile: dolby[2] as number, level: dolby[3] as number } : null,
  }
}

function audioStreamFacts(report: StreamReport): AudioStreamFacts {
  const { codecpar } = report.stream
  const samples = report.samples
  const durationSeconds = samples > 0 && codecpar.sampleRate > 0 ? round(samples / codecpar.sampleRate) : spanOf(report)
  const isLossless = /^(pcm_|flac|alac|wavpack|tta|ape|mlp|truehd)/.test(report.codecName)
  return {
    codec: report.codecName,
    profile: report.decoder?.profiles?.find((profile) => profile.profile === codecpar.profile)?.name ?? null,
    sampleRate: codecpar.sampleRate,
    channels: codecpar.channels,
    channelLayout: avChannelLayoutDescribe(codecpar.channelLayout),
    bitDepth: isLossless ? codecpar.bitsPerRawSample || codecpar.bitsPerCodedSample || null : null,
    durationSeconds,
    bitrate: durationSeconds > 0 ? Math.round((report.bytes * 8) / durationSeconds) : null,
    sampleCount: samples,
    language: report.stream.metadata?.get('language') ?? null,
  }
}

function spanOf(report: StreamReport): number {
  const span = report.lastTime - report.firstTime
  return Number.isFinite(span) && span > 0 ? round(span) : 0
}

function sampleAspect(video: StreamReport): Ratio {
  for (const ratio of [video.stream.sampleAspectRatio, video.stream.codecpar.sampleAspectRatio]) {
    if (ratio.num > 0 && ratio.den > 0) return { numerator: ratio.num, denominator: ratio.den }
  }
  return { numerator: 1, denominator: 1 }
}

/** The frame rate by the packets' own times: constant when no step differs from the mean by more than a clock tick. */
function frameRateOf(video: StreamReport): VideoFacts['frameRate'] {
  const { num, den } = video.stream.rFrameRate
  const nominal = num > 0 && den > 0 ? round(num / den) : null
  const times = Float64Array.from(video.times).sort()
  const [first, last] = [times[0], times.at(-1)]
  if (first === undefined || last === undefined || times.length < 2 || last <= first) {
    return { average: nominal ?? 0, nominal, constant: true }
  }
  const mean = (last - first) / (times.length - 1)
  const { tick } = video
  const tolerance = Math.max(tick * 1.01, 0.000_001)
  let constant = true
  for (let index = 0; index < times.length && constant; index += 1) {
    constant = Math.abs((times[index] as number) - first - index * mean) <= tolerance + mean * 0.01
  }
  // A container that counts in milliseconds cannot say 29.97 any better: what lies within a tick of the nominal is it.
  const isNominal = nominal !== null && Math.abs((times.length - 1) / nominal - (last - first)) <= tick * 1.01
  return { average: constant && isNominal ? nominal : round(1 / mean), nominal, constant }
}

/** The turn in the display matrix: 16.16 numbers a, b of the first row give its angle (ISO 14496-12, 6.2.2). */
function rotationOf(video: StreamReport): number {
  const matrix = video.stream.codecpar.getCodedSideData(AV_PKT_DATA_DISPLAYMATRIX)
  if (!matrix || matrix.length < 36) return 0
  const [a, b] = [matrix.readInt32LE(0), matrix.readInt32LE(4)]
  const degrees = (Math.atan2(b, a) * 180) / Math.PI
  return (((Math.round(degrees / 90) * 90) % 360) + 360) % 360
}

/**
 * Names under which containers keep a place: ©xyz and com.apple.quicktime.location.ISO6709 of QuickTime, loci of 3GPP, the
 * tags of Matroska, and XMP.
 */
const POSITION_TAG =
  /^(?:com\.apple\.quicktime\.)?(?:recording_)?location(?:[._-](?:iso6709|eng|[a-z]{3}))?$|^gps(?:latitude|longitude|coordinates|position)$/i
/** Streams of cameras that hold a place for every moment: GoPro's GPMF, the Camera Motion Metadata of Google. */
const POSITION_STREAM = /^(?:gpmd|camm)$/i

function hasPosition(report: MediaReport): boolean {
  const all = [report.format.metadata, ...report.streams.map(({ stream }) => stream.metadata)]
  return (
    all.some((tags) =>
      Object.entries(tags?.getAll() ?? {}).some(
        ([name, value]) =>
          (POSITION_TAG.test(name) && /\d/.test(value)) ||
          (name === 'xmp' && hasPositionInXmp(Buffer.from(value, 'utf8'))),
      ),
    ) || report.streams.some(({ stream }) => POSITION_STREAM.test(stream.codecpar.codecTagString ?? ''))
  )
}

function timecodeOf(report: MediaReport): string | null {
  const found = [report.format.metadata, ...report.streams.map((stream) => stream.stream.metadata)]
  return found.map((tags) => tags?.get('timecode')).find((timecode) => timecode) ?? null
}

function reduce(numerator: number, denominator: number): Ratio {
  const divisor = (a: number, b: number): number => (b === 0 ? a : divisor(b, a % b))
  const by = divisor(numerator, denominator) || 1
  return { numerator: numerator / by, denominator: denominator / by }
}

/** Microseconds are finer than any clock in these files. */
function round(value: number): number {
  return Math.round(value * 1e6) / 1e6
}

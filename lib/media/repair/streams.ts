import '../decode/promise-with-resolvers'
import { createHash } from 'node:crypto'
import {
  AV_CODEC_FLAG_GLOBAL_HEADER,
  AV_LOG_QUIET,
  AV_OPT_SEARCH_CHILDREN,
  AV_OPT_TYPE_STRING,
  AVERROR_EAGAIN,
  AVERROR_EOF,
  AVMEDIA_TYPE_AUDIO,
  AVMEDIA_TYPE_VIDEO,
} from 'node-av/constants'
import {
  avChannelLayoutDescribe,
  avGetCodecName,
  avGetSampleFmtName,
  Codec,
  CodecContext,
  Dictionary,
  FFmpegError,
  Filter,
  type FilterContext,
  FilterGraph,
  FormatContext,
  Frame,
  InputFormat,
  Log,
  Packet,
  Rational,
  type Stream,
} from 'node-av/lib'

/** Video and audio by their streams: each is copied packet by packet, or decoded, changed and coded again the same way. */

const DEMUXERS: Readonly<Record<string, string>> = {
  'video/mp4': 'mov',
  'video/quicktime': 'mov',
  'audio/mp4': 'mov',
  'video/webm': 'matroska',
  'video/x-matroska': 'matroska',
  'audio/wav': 'wav',
  'audio/aiff': 'aiff',
  'audio/mpeg': 'mp3',
  'audio/flac': 'flac',
  'audio/aac': 'aac',
  'audio/ogg': 'ogg',
  'video/ogg': 'ogg',
}
const MUXERS: Readonly<Record<string, string>> = {
  'video/mp4': 'mp4',
  'video/quicktime': 'mov',
  'audio/mp4': 'ipod',
  'video/webm': 'webm',
  'video/x-matroska': 'matroska',
  'audio/wav': 'wav',
  'audio/aiff': 'aiff',
  'audio/mpeg': 'mp3',
  'audio/flac': 'flac',
}
const ENCODERS: Readonly<Record<string, string>> = { mp3: 'libmp3lame' }

/** What a coding with a bit rate is given, at least. */
const LEAST_BIT_RATE = 128_000n

function open(path: string, mediaType: string): FormatContext {
  Log.setLevel(AV_LOG_QUIET)
  const demuxer = DEMUXERS[mediaType]
  const input = demuxer ? InputFormat.findInputFormat(demuxer) : null
  if (!demuxer || !input) throw new Error(`streams of ${mediaType} are not read here`)
  const format = new FormatContext()
  const options = Dictionary.fromObject({ protocol_whitelist: 'file', format_whitelist: demuxer })
  ok(format.openInputSync(`file:${path}`, input, options))
  ok(format.findStreamInfoSync())
  return format
}

/** A stream by what it holds: SHA-256 over its packets, one after the other, without what the container adds. */
export type StreamHash = { name: string; sha256: string }

export function hashStreams(path: string, mediaType: string): StreamHash[] {
  const format = open(path, mediaType)
  const packet = new Packet()
  packet.alloc()
  try {
    const hashes = format.streams.map((stream) => ({ name: nameOf(stream), hash: createHash('sha256') }))
    for (;;) {
      const result = format.readFrameSync(packet)
      if (result === AVERROR_EOF) break
      ok(result)
      const { data } = packet
      if (data) hashes[packet.streamIndex]?.hash.update(data)
      packet.unref()
    }
    return hashes.map(({ name, hash }) => ({ name, sha256: hash.digest('hex') }))
  } finally {
    packet.free()
    format.closeInputSync()
  }
}

function nameOf({ index, codecpar: { codecType, codecId, codecTagString } }: Stream): string {
  if (codecTagString === 'tmcd') return `${index + 1}: timecode`
  const kind = codecType === AVMEDIA_TYPE_VIDEO ? 'video' : codecType === AVMEDIA_TYPE_AUDIO ? 'audio' : 'data'
  return `${index + 1}: ${kind}, ${avGetCodecName(codecId) ?? 'unknown'}`
}

type Channel = { take(packet: Packet | null): void; close(): void }

/**
 * Writes the same streams into another container of the type `as`, or into one of the same; audio tracks named in `gains` are
 * decoded, made louder or quieter by so many decibels, and coded again. Throws where a stream would be lost.
 */
export function rewrite(
  from: string,
  into: string,
  types: { mediaType: string; as: string },
  { gains = new Map(), indexFirst = false }: { gains?: ReadonlyMap<number, number>; indexFirst?: boolean } = {},
): void {
  const muxer = MUXERS[types.as]
  if (!muxer) throw new Error(`${types.as} is not written here`)
  const input = open(from, types.mediaType)
  const output = new FormatContext()
  const packet = new Packet()
  packet.alloc()
  try {
    ok(output.allocOutputContext2(null, muxer, into))
    output.metadata = input.metadata
    let track = -1
    const isMoved = types.mediaType !== types.as
    const channels = input.streams.map((stream) => {
      if (stream.codecpar.codecType === AVMEDIA_TYPE_AUDIO) track += 1
      const gain = stream.codecpar.codecType === AVMEDIA_TYPE_AUDIO ? gains.get(track) : undefined
      return gain === undefined ? copying(output, stream, isMoved) : recoding(output, stream, gain)
    })
    if (indexFirst && /^(mp4|mov|ipod)$/.test(muxer))
      ok(output.setOption('movflags', '+faststart', AV_OPT_TYPE_STRING, AV_OPT_SEARCH_CHILDREN))
    ok(output.openOutputSync())
    ok(output.writeHeaderSync())
    for (;;) {
      const result = input.readFrameSync(packet)
      if (result === AVERROR_EOF) break
      ok(result)
      channels[packet.streamIndex]?.take(packet)
      packet.unref()
    }
    for (const channel of channels) channel.take(null)
    ok(output.writeTrailerSync())
    for (const channel of channels) channel.close()
    output.closeOutputSync()
  } finally {
    packet.free()
    output.freeContext()
    input.closeInputSync()
  }
}

function newStream(output: FormatContext, from: Stream): Stream {
  const stream = output.newStream(null)
  stream.metadata = from.metadata
  stream.disposition = from.disposition
  stream.sampleAspectRatio = from.sampleAspectRatio
  stream.avgFrameRate = from.avgFrameRate
  return stream
}

function copying(output: FormatContext, from: Stream, isMoved: boolean): Channel {
  const stream = newStream(output, from)
  ok(from.codecpar.copy(stream.codecpar))
  // A tag of one container says nothing in another.
  if (isMoved) stream.codecpar.codecTag = 0
  stream.timeBase = from.timeBase
  const { timeBase } = from
  const copy = new Packet()
  copy.alloc()
  return {
    take(packet) {
      if (!packet) return
      ok(copy.ref(packet))
      copy.rescaleTs(timeBase, stream.timeBase)
      copy.streamIndex = stream.index
      copy.pos = -1n
      ok(output.interleavedWriteFrameSync(copy))
    },
    close: () => copy.free(),
  }
}

function recoding(output: FormatContext, from: Stream, gainDb: number): Channel {
  const { codecpar } = from
  const name = avGetCodecName(codecpar.codecId) ?? 'unknown'
  const decoder = openDecoder(from)
  const encoder = openEncoder(from, decoder, name)
  const stream = newStream(output, from)
  ok(stream.codecpar.fromContext(encoder))
  stream.timeBase = encoder.timeBase
  const format = avGetSampleFmtName(encoder.sampleFormat)
  const layout = avChannelLayoutDescribe(codecpar.channelLayout)
  const graph = new FilterGraph()
  graph.alloc()
  const source = filter(
    graph,
    'abuffer',
    `time_base=${from.timeBase.num}/${from.timeBase.den}:sample_rate=${codecpar.sampleRate}:sample_fmt=${avGetSampleFmtName(decoder.sampleFormat)}:channel_layout=${layout}`,
  )
  const volume = filter(graph, 'volume', `volume=${gainDb}dB:precision=double`)
  // Samples between two steps are decided by noise, so that quiet passages keep their shape (AES17 dither).
  const shape = filter(graph, 'aresample', `out_sample_fmt=${format}:dither_method=triangular`)
  const cut = encoder.frameSize > 0 ? filter(graph, 'asetnsamples', `n=${encoder.frameSize}:p=0`) : null
  const sink = filter(graph, 'abuffersink')
  for (const [one, next] of pairs([source, volume, shape, ...(cut ? [cut] : []), sink])) ok(one.link(0, next, 0))
  ok(graph.configSync())
  const frame = new Frame()
  frame.alloc()
  const packet = new Packet()
  packet.alloc()
  const write = () => {
    while (received(encoder.receivePacketSync(packet))) {
      packet.rescaleTs(encoder.timeBase, stream.timeBase)
      packet.streamIndex = stream.index
      ok(output.interleavedWriteFrameSync(packet))
    }
  }
  const encode = () => {
    while (received(sink.buffersinkGetFrameSync(frame))) {
      ok(encoder.sendFrameSync(frame))
      frame.unref()
      write()
    }
  }
  return {
    take(coded) {
      ok(decoder.sendPacketSync(coded))
      while (received(decoder.receiveFrameSync(frame))) {
        ok(source.buffersrcAddFrameSync(frame))
        frame.unref()
        encode()
      }
      if (coded) return
      ok(source.buffersrcAddFrameSync(null))
      encode()
      ok(encoder.sendFrameSync(null))
      write()
    },
    close() {
      frame.free()
      packet.free()
      graph.free()
      encoder.freeContext()
      decoder.freeContext()
    },
  }
}

function openDecoder({ codecpar, timeBase }: Stream): CodecContext {
  const codec = Codec.findDecoder(codecpar.codecId)
  if (!codec) throw new Error('its audio cannot be decoded')
  const context = new CodecContext()
  context.allocContext3(codec)
  ok(codecpar.toContext(context))
  context.pktTimebase = timeBase
  context.threadCount = 1
  ok(context.open2Sync(codec))
  return context
}

function openEncoder({ codecpar }: Stream, decoder: CodecContext, name: string): CodecContext {
  const codec = Codec.findEncoderByName((ENCODERS[name] ?? name) as Parameters<typeof Codec.findEncoderByName>[0])
  if (!codec) throw new Error(`audio in ${name} cannot be coded again`)
  const context = new CodecContext()
  context.allocContext3(codec)
  context.threadCount = 1
  context.sampleRate = codecpar.sampleRate
  context.channelLayout = codecpar.channelLayout
  const formats = codec.sampleFormats
  context.sampleFormat =
    formats && !formats.includes(decoder.sampleFormat) ? (formats[0] ?? decoder.sampleFormat) : decoder.sampleFormat
  context.timeBase = new Rational(1, codecpar.sampleRate)
  // A second coding costs less of what the first left the more bits it has.
  if (/^(aac|mp3)$/.test(name)) {
    const [rate, most] = [codecpar.bitRate, name === 'mp3' ? 320_000n : 512_000n]
    const wanted = rate > LEAST_BIT_RATE ? (rate * 5n) / 4n : LEAST_BIT_RATE
    context.bitRate = wanted < most ? wanted : most
  }
  if (codecpar.bitsPerRawSample > 0) context.bitsPerRawSample = codecpar.bitsPerRawSample
  context.setFlags(AV_CODEC_FLAG_GLOBAL_HEADER)
  ok(context.open2Sync(codec))
  return context
}

function filter(graph: FilterGraph, name: string, args?: string): FilterContext {
  const found = Filter.getByName(name)
  const made = found && graph.createFilter(found, name, args ?? null)
  if (!made) throw new Error(`this build of FFmpeg has no filter “${name}”`)
  return made
}

const pairs = <T>(list: readonly T[]): [T, T][] => list.slice(1).map((next, index) => [list[index] as T, next])

function received(result: number): boolean {
  if (result === AVERROR_EAGAIN || result === AVERROR_EOF) return false
  ok(result)
  return true
}

function ok(result: number): void {
  if (result < 0) throw new FFmpegError(result)
}

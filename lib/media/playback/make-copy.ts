import '../decode/promise-with-resolvers'
import {
  AV_CODEC_FLAG_GLOBAL_HEADER,
  AV_OPT_SEARCH_CHILDREN,
  AV_OPT_TYPE_STRING,
  AV_SAMPLE_FMT_FLTP,
  AVERROR_EAGAIN,
  AVERROR_EOF,
  AVMEDIA_TYPE_VIDEO,
  FF_ENCODER_AAC,
  FF_ENCODER_LIBX264,
} from 'node-av/constants'
import { Codec, CodecContext, FormatContext, Frame, Packet, Rational, type Stream } from 'node-av/lib'
import type { ChannelPair, CopyFacts } from '@/lib/domain/playback/port'
import { AudioCurve } from '@/lib/loudness'
import { openDecoder, openFormat } from '../decode/video'
import { floatSamples } from '../previews/waveform'
import { AUDIO_RATE, AudioFilter } from './audio-filter'
import { type Heard, mixOf, pairsOf } from './channels'
import { ok, received } from './ffmpeg'
import { PieceWriter } from './piece-writer'
import { type CopierJobs, type FileToCopy, LOUDNESS_POINTS, MOST_PAIRS, PEAKS, pathOfPair } from './protocol'
import { VideoFilter } from './video-filter'

/** What the person hears of a reason ends with where it happened. */
const at = (seconds: number) => (Number.isFinite(seconds) ? ` at ${Math.max(0, seconds).toFixed(2)} s` : '')

const AUDIO_BIT_RATE = 160_000n
const REPORT_MS = 500
/** A shorter video is copied about as soon as a piece of it. */
const LEAST_SECONDS_IN_PIECES = 6

/** A stream being coded anew: takes its packets, and null after the last. */
type Track = { take(packet: Packet | null, streamIndex: number): void; seconds(): number; close(): void }

/**
 * Codes a file anew as H.264 in 4:2:0 with 8 bits and AAC in stereo, in an MP4 whose index comes first; a video meanwhile
 * piece by piece, too; and where the original has more than two channels, each two of them in a file of their own. Frames keep
 * their times. Runs in the sandboxed child; throws where a frame or sample cannot be decoded.
 */
export function makeCopy(
  { path, into, pieces: piecesInto, pairs: pairsInto, mediaType, kind }: FileToCopy,
  report: (progress: CopierJobs['copy']['progress']) => void,
): CopyFacts & { pairs: ChannelPair[] } {
  const input = openFormat(path, mediaType)
  const output = new FormatContext()
  const total = Number(input.duration) / 1e6
  const pieces =
    piecesInto && kind === 'video' && total >= LEAST_SECONDS_IN_PIECES
      ? new PieceWriter(piecesInto, (piece) => report({ piece, whole: total }))
      : null
  const packet = new Packet()
  packet.alloc()
  const tracks: Track[] = []
  const pairs: Pair[] = []
  const curve = new AudioCurve(AUDIO_RATE, 2)
  try {
    ok(output.allocOutputContext2(null, kind === 'video' ? 'mp4' : 'ipod', into), 'the copy cannot be begun')
    const video = kind === 'video' ? videoTrack(input, output, pieces) : null
    // What is seen first has the time 0, and so has what is heard with it.
    const start = video ? video.startSeconds : startOf(input)
    const mix = mixOf(input)
    const audio = mix && audioTrack(mix, output, pieces, start, (heard) => curve.add(floatSamples(heard)))
    if (video) tracks.push(video)
    if (audio) tracks.push(audio)
    if (tracks.length === 0) throw new Error('there is no audio that could be decoded')
    ok(output.setOption('movflags', '+faststart', AV_OPT_TYPE_STRING, AV_OPT_SEARCH_CHILDREN), 'the copy')
    ok(output.openOutputSync(), 'the copy cannot be written')
    ok(output.writeHeaderSync(), 'the copy cannot be written')
    pieces?.begin()
    for (const channels of pairsOf(input).slice(0, MOST_PAIRS)) {
      const pair = openPair(channels, pathOfPair(pairsInto, pairs.length), start)
      pairs.push(pair)
      tracks.push(pair)
    }
    let reported = performance.now()
    for (;;) {
      const read = input.readFrameSync(packet)
      if (read === AVERROR_EOF) break
      ok(read, `a packet cannot be read${at(tracks[0]?.seconds() ?? 0)}`)
      for (const track of tracks) track.take(packet, packet.streamIndex)
      packet.unref()
      if (total > 0 && performance.now() - reported > REPORT_MS) {
        reported = performance.now()
        report(Math.min(99, Math.floor((100 * (tracks[0]?.seconds() ?? 0)) / total)))
      }
    }
    for (const track of tracks) track.take(null, -1)
    pieces?.end(video?.seconds() ?? 0)
    ok(output.writeTrailerSync(), 'the copy cannot be written')
    output.closeOutputSync()
    for (const pair of pairs) pair.end()
    if (video && video.facts().frames === 0) throw new Error('the video gives no frame')
    const durationSeconds = Math.max(video?.seconds() ?? 0, audio?.seconds() ?? 0)
    const shown = video?.facts() ?? {
      width: null,
      height: null,
      frameRate: null,
      frames: null,
      dynamicRange: 'sdr' as const,
      isDeinterlaced: false,
    }
    return {
      codec: kind === 'video' ? 'h264' : 'aac',
      ...shown,
      durationSeconds,
      hasAudio: audio !== null,
      peaks: curve.peaks(PEAKS),
      loudness: curve.loudness(LOUDNESS_POINTS),
      pairs: pairs.map(({ channels }) => ({ channels })),
    }
  } finally {
    packet.free()
    for (const track of tracks) track.close()
    pieces?.free()
    output.freeContext()
    input.closeInputSync()
  }
}

const startOf = (input: FormatContext) => (isTime(input.startTime) ? Number(input.startTime) / 1e6 : 0)

/** AV_NOPTS_VALUE is the least 64-bit number. */
const isTime = (timestamp: bigint) => timestamp > -(2n ** 62n)

const secondsOf = (time: bigint, { num, den }: { num: number; den: number }) => (Number(time) * num) / den

/** Of the clock of the stream where its frames keep to it, as averages count a last frame that has no length. */
function rateOf({ avgFrameRate, rFrameRate }: Stream): Rational {
  const [average, nominal] = [avgFrameRate, rFrameRate].map(({ num, den }) => (num > 0 && den > 0 ? num / den : 0))
  if (nominal && (!average || Math.abs(nominal / average - 1) < 0.05) && nominal <= 240) return rFrameRate
  return average && average <= 240 ? avgFrameRate : new Rational(25, 1)
}

function videoTrack(input: FormatContext, output: FormatContext, pieces: PieceWriter | null) {
  const index = input.findBestStream(AVMEDIA_TYPE_VIDEO)
  const stream = index >= 0 ? input.streams[index] : undefined
  const decoder = openDecoder(stream, 'video')
  const from = stream as Stream
  const { timeBase } = from
  const rate = rateOf(from)
  const frameRate = rate.num / rate.den
  const filter = new VideoFilter(from)
  const encoder = new CodecContext()
  const codec = codecOf(FF_ENCODER_LIBX264)
  encoder.allocContext3(codec)
  Object.assign(encoder, { width: filter.width, height: filter.height, pixelFormat: filter.format, timeBase })
  encoder.framerate = rate
  // A second between key frames, so that every place is found quickly.
  encoder.gopSize = Math.max(1, Math.round(frameRate))
  // Without them the first frame has the time 0 in every player, also in one that reads no edit list.
  encoder.maxBFrames = 0
  encoder.threadCount = 2
  encoder.sampleAspectRatio = new Rational(1, 1)
  filter.tag(encoder)
  encoder.setFlags(AV_CODEC_FLAG_GLOBAL_HEADER)
  for (const [name, value] of Object.entries({ preset: 'veryfast', crf: '21', profile: 'high' }))
    ok(encoder.setOption(name, value, AV_OPT_TYPE_STRING, AV_OPT_SEARCH_CHILDREN), 'the encoder cannot be set up')
  ok(encoder.open2Sync(codec), 'the encoder cannot be opened')
  const write = writerOf(output, encoder, pieces)
  write.stream.avgFrameRate = encoder.framerate
  const frame = new Frame()
  frame.alloc()
  const first = isTime(from.startTime) ? from.startTime : 0n
  let frames = 0
  let last = -1n
  let end = 0
  const encode = (shown: Frame) => {
    // Two frames of one time, or one before the first, are none that a player could show.
    if (shown.pts <= last) return
    last = shown.pts
    frames += 1
    const length = shown.duration > 0n ? secondsOf(shown.duration, timeBase) : 1 / frameRate
    end = secondsOf(shown.pts, timeBase) + length
    ok(encoder.sendFrameSync(shown), `a frame cannot be coded${at(end)}`)
    write.all()
  }
  const drain = () => {
    while (received(decoder.receiveFrameSync(frame), `a frame cannot be decoded${at(end)}`)) {
      const time = frame.bestEffortTimestamp
      frame.pts = (isTime(time) ? time : first + last + 1n) - first
      filter.take(frame, encode)
      frame.unref()
    }
  }
  return {
    startSeconds: secondsOf(first, timeBase),
    take(packet: Packet | null, streamIndex: number) {
      if (packet && streamIndex !== index) return
      // An empty packet says that the frame before stands on, and decoders take none.
      if (packet?.size === 0) return
      send(decoder, packet, drain, `the video cannot be decoded${at(end)}`)
      if (packet) return
      filter.take(null, encode)
      ok(encoder.sendFrameSync(null), 'the last frames cannot be coded')
      write.all()
    },
    seconds: () => end,
    facts: () => ({
      width: filter.width,
      height: filter.height,
      frameRate,
      frames,
      dynamicRange: filter.dynamicRange,
      isDeinterlaced: filter.isDeinterlaced,
    }),
    close() {
      frame.free()
      filter.free()
      write.free()
      encoder.freeContext()
      decoder.freeContext()
    },
  }
}

type Pair = Track & ChannelPair & { end(): void }

/** A file of its own with two channels of the original. */
function openPair({ channels, ...heard }: ReturnType<typeof pairsOf>[number], into: string, start: number): Pair {
  const output = new FormatContext()
  ok(output.allocOutputContext2(null, 'ipod', into), 'the channels cannot be begun')
  const track = audioTrack(heard, output, null, start)
  ok(output.setOption('movflags', '+faststart', AV_OPT_TYPE_STRING, AV_OPT_SEARCH_CHILDREN), 'the channels')
  ok(output.openOutputSync(), 'the channels cannot be written')
  ok(output.writeHeaderSync(), 'the channels cannot be written')
  return {
    ...track,
    channels,
    end() {
      ok(output.writeTrailerSync(), 'the channels cannot be written')
      output.closeOutputSync()
    },
    close() {
      track.close()
      output.freeContext()
    },
  }
}

/** @param hears each frame of two channels before it is coded */
function audioTrack(
  { streams, choice }: Heard,
  output: FormatContext,
  pieces: PieceWriter | null,
  start: number,
  hears?: (heard: Frame) => void,
): Track {
  const sources = streams.map((stream) => ({ stream, decoder: openDecoder(stream, 'audio') }))
  const encoder = new CodecContext()
  const codec = codecOf(FF_ENCODER_AAC)
  encoder.allocContext3(codec)
  const filter = new AudioFilter(sources, start, choice)
  encoder.sampleRate = AUDIO_RATE
  encoder.sampleFormat = AV_SAMPLE_FMT_FLTP
  encoder.channelLayout = AudioFilter.layout
  encoder.timeBase = new Rational(1, AUDIO_RATE)
  encoder.bitRate = AUDIO_BIT_RATE
  encoder.threadCount = 1
  encoder.setFlags(AV_CODEC_FLAG_GLOBAL_HEADER)
  ok(encoder.open2Sync(codec), 'the encoder of audio cannot be opened')
  const write = writerOf(output, encoder, pieces)
  const frame = new Frame()
  frame.alloc()
  let end = 0
  const encode = (heard: Frame) => {
    end = secondsOf(heard.pts + BigInt(heard.nbSamples), encoder.timeBase)
    hears?.(heard)
    ok(encoder.sendFrameSync(heard), `audio cannot be coded${at(end)}`)
    write.all()
  }
  return {
    take(packet, streamIndex) {
      for (const [index, { stream, decoder }] of sources.entries()) {
        if (packet && streamIndex !== stream.index) continue
        const drain = () => {
          while (received(decoder.receiveFrameSync(frame), `the audio cannot be decoded${at(end)}`)) {
            filter.take(index, frame, encode)
            frame.unref()
          }
        }
        send(decoder, packet, drain, `the audio cannot be decoded${at(end)}`)
        if (!packet) filter.take(index, null, encode)
      }
      if (packet) return
      ok(encoder.sendFrameSync(null), 'the last samples cannot be coded')
      write.all()
    },
    seconds: () => end,
    close() {
      frame.free()
      filter.free()
      write.free()
      encoder.freeContext()
      for (const { decoder } of sources) decoder.freeContext()
    },
  }
}

function codecOf(name: Parameters<typeof Codec.findEncoderByName>[0]): Codec {
  const codec = Codec.findEncoderByName(name)
  if (!codec) throw new Error(`this build of FFmpeg has no encoder “${name}”`)
  return codec
}

/** A stream of the copy, and what writes to it, and to its pieces, all that its encoder has ready. */
function writerOf(output: FormatContext, encoder: CodecContext, pieces: PieceWriter | null) {
  pieces?.add(encoder)
  const stream = output.newStream(null)
  ok(stream.codecpar.fromContext(encoder), 'the copy cannot be begun')
  stream.timeBase = encoder.timeBase
  const packet = new Packet()
  packet.alloc()
  return {
    stream,
    all() {
      while (received(encoder.receivePacketSync(packet), 'a frame cannot be coded')) {
        pieces?.write(packet, encoder)
        packet.rescaleTs(encoder.timeBase, stream.timeBase)
        packet.streamIndex = stream.index
        ok(output.interleavedWriteFrameSync(packet), 'the copy cannot be written')
      }
    },
    free: () => packet.free(),
  }
}

function send(decoder: CodecContext, packet: Packet | null, drain: () => void, what: string): void {
  for (;;) {
    const sent = decoder.sendPacketSync(packet)
    drain()
    if (sent === AVERROR_EAGAIN) continue
    if (sent !== AVERROR_EOF) ok(sent, what)
    return
  }
}

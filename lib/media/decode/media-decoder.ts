import './promise-with-resolvers'
import {
  AV_DISPOSITION_ATTACHED_PIC,
  AV_DISPOSITION_TIMED_THUMBNAILS,
  AV_FRAME_DATA_A53_CC,
  AV_FRAME_DATA_CONTENT_LIGHT_LEVEL,
  AV_FRAME_DATA_MASTERING_DISPLAY_METADATA,
  AV_FRAME_FLAG_INTERLACED,
  AV_FRAME_FLAG_TOP_FIELD_FIRST,
  AV_LOG_ERROR,
  AV_PKT_FLAG_CORRUPT,
  AV_PKT_FLAG_KEY,
  AVERROR_EAGAIN,
  AVERROR_EOF,
  AVMEDIA_TYPE_AUDIO,
  AVMEDIA_TYPE_DATA,
  AVMEDIA_TYPE_SUBTITLE,
  AVMEDIA_TYPE_VIDEO,
} from 'node-av/constants'
import {
  avGetCodecName,
  Codec,
  CodecContext,
  Dictionary,
  FFmpegError,
  FormatContext,
  Frame,
  getFFmpegInfo,
  InputFormat,
  Log,
  Packet,
  type Stream,
} from 'node-av/lib'
import { corrupt, Defect, encrypted } from '../formats/defect'
import { ClosedCaptionReader } from './closed-captions'
import { type DoneAhead, isOfTheseStreams, PacketList, type StreamDone, takeStreams } from './decode-done'
import { GroupMeter } from './groups'
import type { StreamReport } from './stream-report'

export const MEDIA_ENGINE = `FFmpeg ${getFFmpegInfo().version}`

/** Inspects every frame while it is decoded. */
export type FrameMeter = { take(report: StreamReport, frame: Frame): void }

/** Decoded frames of one size cost memory by the reference frame: larger frames are no video. */
const MAX_VIDEO_PIXELS = 16_384 * 16_384
/** No decoder may go on producing after this many frames out of one packet. */
const MAX_STREAMS = 64

export type MediaReport = { format: FormatContext; streams: StreamReport[]; complete: boolean; messages: string[] }

/**
 * Reads a media file with the one demuxer its content calls for: first every packet, then every packet decoded until
 * `decodeUntil` (`performance.now()`). Only the file itself can be opened: no other protocol, no reference to another file.
 *
 * Throws a Defect when a packet is damaged, a decoder complains, or a stream of video or audio yields nothing.
 * The caller closes the report's format.
 */
export function decodeMedia(
  path: string,
  demuxer: string,
  decodeUntil: number,
  meter?: FrameMeter,
  keyFramesOnly = false,
  /** Streams that are the parts of one image, beside all others. */
  parts = 0,
  /** What was decoded while it came in: taken where its packets are those of the file. */
  done?: DoneAhead,
): MediaReport {
  const messages = listen()
  const walk = open(path, demuxer, messages)
  let streams: StreamReport[]
  try {
    streams = walk.streams.map(describeStream)
    if (streams.length > MAX_STREAMS + parts) throw corrupt(`it declares ${streams.length} streams`)
    const lists = done && streams.map(() => new PacketList())
    walkPackets(walk, streams, messages, lists)
    if (done && lists && isOfTheseStreams(done.decoded, demuxer, streams, lists)) {
      // Whether it can be decoded at all is said as ever.
      for (const report of streams) openDecoder(report, messages)?.freeContext()
      takeStreams(done.decoded, streams)
      done.onTaken(streams)
      return { format: walk, streams, complete: true, messages }
    }
  } catch (error) {
    walk.closeInputSync()
    throw error
  }
  walk.closeInputSync()
  const format = open(path, demuxer, messages)
  try {
    // The streams of the first reading were freed with it: only their reports live on.
    const again = format.streams
    for (const [index, report] of streams.entries()) {
      const stream = again[index]
      if (!stream) throw corrupt('a second reading finds fewer streams')
      report.stream = stream
    }
    if (keyFramesOnly) {
      decodeKeyFrames(format, streams, messages, meter)
      return { format, streams, complete: false, messages }
    }
    const complete = decodePackets(format, streams, decodeUntil, messages, meter)
    return { format, streams, complete, messages }
  } catch (error) {
    format.closeInputSync()
    throw error
  }
}

/**
 * Decodes what comes through a descriptor, in one reading, while its file is still coming in. Waits for bytes for as long as
 * the other end is open.
 *
 * Throws as `decodeMedia` does; what it returns is of the file only if its packets are (decode-done.ts).
 */
export function decodeArriving(descriptor: number, demuxer: string, meter: FrameMeter): StreamDone[] {
  const messages = listen()
  const format = open(descriptor, demuxer, messages)
  try {
    const streams = format.streams.map(describeStream)
    if (streams.length > MAX_STREAMS) throw corrupt(`it declares ${streams.length} streams`)
    const lists = streams.map(() => new PacketList())
    for (const report of streams) announceTimes(report, format)
    decodePackets(format, streams, Number.POSITIVE_INFINITY, messages, meter, lists)
    return streams.map((report, index) => ({
      kind: report.kind,
      codecName: report.codecName,
      isCover: report.isCover,
      packets: lists[index]?.finish() ?? '',
      firstTime: report.firstTime,
      frames: report.frames,
      samples: report.samples,
      interlacedFrames: report.interlacedFrames,
      topFieldFirstFrames: report.topFieldFirstFrames,
      captions: report.captions.finish(),
      masteringDisplay: report.masteringDisplay?.toString('base64') ?? null,
      contentLight: report.contentLight?.toString('base64') ?? null,
    }))
  } finally {
    format.closeInputSync()
  }
}

/** Where a stream begins and ends by its header: its packets, which say it, are not there yet. */
function announceTimes(report: StreamReport, format: FormatContext): void {
  const { startTime, duration } = report.stream
  if (isTime(startTime)) report.firstTime = Number(startTime) * report.tick
  // Microseconds (AV_TIME_BASE).
  const seconds = isTime(duration) && duration > 0n ? Number(duration) * report.tick : Number(format.duration) / 1e6
  report.lastTime = report.firstTime + seconds
}

/** What FFmpeg has to say of what is wrong. */
function listen(): string[] {
  const messages: string[] = []
  Log.setCallback(
    (level, message) => {
      if (level <= AV_LOG_ERROR && messages.length < 20) messages.push(message.trim())
    },
    { maxLevel: AV_LOG_ERROR },
  )
  return messages
}

/** `from`: a path, or a descriptor from which a file comes. */
function open(from: string | number, demuxer: string, messages: string[]): FormatContext {
  const format = new FormatContext()
  const isPath = typeof from === 'string'
  const options = Dictionary.fromObject({
    protocol_whitelist: isPath ? 'file' : 'pipe',
    format_whitelist: demuxer,
    err_detect: 'crccheck',
    ...(demuxer === 'mov' ? { enable_drefs: '0', use_absolute_path: '0', export_xmp: '1' } : {}),
  })
  const input = InputFormat.findInputFormat(demuxer)
  if (!input) throw new Error(`This build of FFmpeg has no demuxer “${demuxer}”.`)
  const url = isPath ? `file:${from}` : `pipe:${from}`
  check(format.openInputSync(url, input, options), 'the container cannot be read', messages)
  check(format.findStreamInfoSync(), 'the streams cannot be read', messages)
  return format
}

function describeStream(stream: Stream): StreamReport {
  const { codecType, codecId } = stream.codecpar
  const { num, den } = stream.timeBase
  const kinds = new Map([
    [AVMEDIA_TYPE_VIDEO, 'video'],
    [AVMEDIA_TYPE_AUDIO, 'audio'],
    [AVMEDIA_TYPE_SUBTITLE, 'subtitle'],
    [AVMEDIA_TYPE_DATA, 'data'],
  ] as const)
  const cover = AV_DISPOSITION_ATTACHED_PIC | AV_DISPOSITION_TIMED_THUMBNAILS
  return {
    stream,
    index: stream.index,
    tick: num / den,
    kind: kinds.get(codecType) ?? 'data',
    isCover: (stream.disposition & cover) !== 0,
    codecName: avGetCodecName(codecId) ?? 'unknown',
    packets: 0,
    bytes: 0,
    times: [],
    firstTime: Number.POSITIVE_INFINITY,
    lastTime: Number.NEGATIVE_INFINITY,
    frames: 0,
    samples: 0,
    interlacedFrames: 0,
    topFieldFirstFrames: 0,
    decoder: null,
    captions: new ClosedCaptionReader(),
    groups: new GroupMeter(),
    masteringDisplay: null,
    contentLight: null,
  }
}

function walkPackets(
  format: FormatContext,
  streams: StreamReport[],
  messages: string[],
  lists?: readonly PacketList[],
): void {
  const packet = new Packet()
  packet.alloc()
  try {
    for (;;) {
      const result = format.readFrameSync(packet)
      if (result === AVERROR_EOF) return
      check(result, 'a packet cannot be read', messages)
      const report = streams[packet.streamIndex]
      if (report) {
        if ((packet.flags & AV_PKT_FLAG_CORRUPT) !== 0) throw corrupt(reason('a packet is marked as damaged', messages))
        const time = Number(packet.pts) * report.tick
        const end = time + Number(packet.duration) * report.tick
        report.packets += 1
        report.bytes += packet.size
        lists?.[packet.streamIndex]?.add(packet)
        if (report.kind === 'video')
          report.groups.take(
            (packet.flags & AV_PKT_FLAG_KEY) !== 0,
            isTime(packet.pts) ? time : Number.NaN,
            Number(packet.duration) * report.tick,
          )
        if (isTime(packet.pts)) {
          if (report.kind === 'video') report.times.push(time)
          report.firstTime = Math.min(report.firstTime, time)
          report.lastTime = Math.max(report.lastTime, end)
        }
      }
      packet.unref()
    }
  } finally {
    packet.free()
  }
}

/** AV_NOPTS_VALUE is the least 64-bit number. */
function isTime(timestamp: bigint): boolean {
  return timestamp > -(2n ** 62n)
}

function decodePackets(
  format: FormatContext,
  streams: StreamReport[],
  decodeUntil: number,
  messages: string[],
  meter?: FrameMeter,
  /** For the one reading of what is still coming in: what a walk would have said before. */
  lists?: readonly PacketList[],
): boolean {
  const decoders = new Map<number, { context: CodecContext; report: StreamReport }>()
  const packet = new Packet()
  packet.alloc()
  const frame = new Frame()
  frame.alloc()
  try {
    for (const report of streams) {
      const context = openDecoder(report, messages)
      if (context) decoders.set(report.index, { context, report })
    }
    for (let count = 0; ; count += 1) {
      if (count % 16 === 0 && performance.now() > decodeUntil) return false
      const result = format.readFrameSync(packet)
      if (result === AVERROR_EOF) break
      check(result, 'a packet cannot be read', messages)
      const decoder = decoders.get(packet.streamIndex)
      const list = lists?.[packet.streamIndex]
      if (list) {
        if ((packet.flags & AV_PKT_FLAG_CORRUPT) !== 0) throw corrupt(reason('a packet is marked as damaged', messages))
        list.add(packet)
      }
      if (decoder) {
        send(decoder, packet, frame, messages, meter)
      }
      packet.unref()
    }
    for (const decoder of decoders.values()) {
      send(decoder, null, frame, messages, meter)
      const { report } = decoder
      if (report.frames === 0 && !report.isCover) {
        throw report.packets === 0
          ? corrupt(`its ${report.kind} stream holds nothing`)
          : corrupt(reason(`its ${report.kind} stream (${report.codecName}) gives nothing`, messages))
      }
    }
    return true
  } finally {
    frame.free()
    packet.free()
    for (const { context } of decoders.values()) context.freeContext()
  }
}

/** Seconds between the key frames that are decoded: where every frame is one, some are enough. */
const KEY_FRAME_STEP = 2

/**
 * Decodes key frames of the video, each by itself, and no audio. Says nothing about damage: a key frame torn out of
 * its order may refer to what was left out.
 */
function decodeKeyFrames(format: FormatContext, streams: StreamReport[], messages: string[], meter?: FrameMeter): void {
  const report = streams.find(({ kind, isCover }) => kind === 'video' && !isCover)
  // Decoders of audio report its profile; and an unknown coding is reported now as well.
  const decoders = streams.map((each) => ({ context: openDecoder(each, messages), report: each }))
  const decoder = decoders.find((each) => each.report === report)
  const context = decoder?.context
  const packet = new Packet()
  packet.alloc()
  const frame = new Frame()
  frame.alloc()
  const drain = (report: StreamReport) => {
    while ((context?.receiveFrameSync(frame) ?? -1) >= 0) {
      note(report, frame)
      meter?.take(report, frame)
      frame.unref()
    }
  }
  try {
    if (!context || !report) return
    let next = Number.NEGATIVE_INFINITY
    for (;;) {
      const result = format.readFrameSync(packet)
      if (result === AVERROR_EOF) break
      check(result, 'a packet cannot be read', messages)
      const time = Number(packet.dts) * report.tick
      if (packet.streamIndex === report.index && (packet.flags & AV_PKT_FLAG_KEY) !== 0 && time >= next) {
        next = time + KEY_FRAME_STEP
        context.sendPacketSync(packet)
        drain(report)
      }
      packet.unref()
    }
    context.sendPacketSync(null)
    drain(report)
  } finally {
    frame.free()
    packet.free()
    for (const each of decoders) each.context?.freeContext()
  }
}

/**
 * A constant bit rate is kept by zero bytes after the last slice (ISO/IEC 13818-2, 5.2.3), which `bitstream` takes for an
 * error; anything but zeros there is one either way.
 */
const ZERO_STUFFING: ReadonlySet<string> = new Set(['mpeg1video', 'mpeg2video'])

function openDecoder(report: StreamReport, messages: string[]): CodecContext | undefined {
  if (report.kind !== 'video' && report.kind !== 'audio') return undefined
  const { codecpar } = report.stream
  if (/^(encv|enca|drmi|drms)$/i.test(codecpar.codecTagString ?? ''))
    throw encrypted('The media is protected against copying')
  if (report.kind === 'video' && codecpar.width * codecpar.height > MAX_VIDEO_PIXELS) {
    throw new Defect(
      'decompression_bomb',
      `A video of ${codecpar.width} × ${codecpar.height} pixels is larger than any that is delivered.`,
    )
  }
  const decoder = Codec.findDecoder(codecpar.codecId)
  if (!decoder) {
    if (report.isCover) return undefined
    throw new Defect(
      'unsupported_type',
      `The ${report.kind} is coded as “${report.codecName}”, which cannot be decoded here. Export it with H.264, H.265, ProRes, VP9 or AV1 and with AAC or PCM audio.`,
    )
  }
  report.decoder = decoder
  const context = new CodecContext()
  context.allocContext3(decoder)
  check(context.parametersToContext(codecpar), `the ${report.kind} stream cannot be set up`, messages)
  context.pktTimebase = report.stream.timeBase
  context.threadCount = 2
  // “explode” makes a decoder report what it would otherwise paint over. Options are set one by one: a dictionary handed
  // to `open2Sync` is freed twice by node-av 6.1.1, and the process dies of it later.
  const strictness = `crccheck+buffer+explode${ZERO_STUFFING.has(report.codecName) ? '' : '+bitstream'}`
  check(context.setOption('err_detect', strictness), 'the decoder cannot be made strict', [])
  check(context.setOption('max_pixels', String(MAX_VIDEO_PIXELS)), 'the decoder cannot be limited', [])
  check(context.open2Sync(decoder, null), `the ${report.kind} stream (${report.codecName}) cannot be decoded`, messages)
  return context
}

function send(
  decoder: { context: CodecContext; report: StreamReport },
  packet: Packet | null,
  frame: Frame,
  messages: string[],
  meter?: FrameMeter,
): void {
  // An empty packet says that the frame before stands on (Theora), and decoders take none.
  if (packet?.size === 0) return
  const { context, report } = decoder
  const what = () => `the ${report.kind} (${report.codecName}) cannot be decoded ${position(packet, report)}`
  for (;;) {
    const sent = context.sendPacketSync(packet)
    receive(decoder, frame, messages, what, meter)
    if (sent === AVERROR_EAGAIN) continue
    if (sent !== AVERROR_EOF) check(sent, what(), messages)
    return
  }
}

function position(packet: Packet | null, report: StreamReport): string {
  if (!packet || !isTime(packet.pts)) return 'to its end'
  return `at ${(Number(packet.pts) * report.tick).toFixed(2)} s`
}

function receive(
  decoder: { context: CodecContext; report: StreamReport },
  frame: Frame,
  messages: string[],
  what: () => string,
  meter?: FrameMeter,
): void {
  const { context, report } = decoder
  for (;;) {
    const received = context.receiveFrameSync(frame)
    if (received === AVERROR_EAGAIN || received === AVERROR_EOF) return
    check(received, what(), messages)
    if (frame.decodeErrorFlags !== 0) throw corrupt(reason(what(), messages))
    note(report, frame)
    meter?.take(report, frame)
    frame.unref()
  }
}

function note(report: StreamReport, frame: Frame): void {
  report.frames += 1
  if (report.kind === 'audio') {
    report.samples += frame.nbSamples
    return
  }
  const captions = frame.getSideData(AV_FRAME_DATA_A53_CC)
  if (captions) report.captions.take(captions, Number(frame.bestEffortTimestamp) * report.tick - report.firstTime)
  if (report.frames === 1) {
    report.masteringDisplay = copyOf(frame.getSideData(AV_FRAME_DATA_MASTERING_DISPLAY_METADATA))
    report.contentLight = copyOf(frame.getSideData(AV_FRAME_DATA_CONTENT_LIGHT_LEVEL))
  }
  if ((frame.flags & AV_FRAME_FLAG_INTERLACED) !== 0) {
    report.interlacedFrames += 1
    if ((frame.flags & AV_FRAME_FLAG_TOP_FIELD_FIRST) !== 0) report.topFieldFirstFrames += 1
  }
}

/** The frame's own memory goes with it. */
const copyOf = (data: Buffer | null) => data && Buffer.from(data)

function check(result: number, what: string, messages: string[]): void {
  if (result >= 0) return
  const text = new FFmpegError(result).message
  throw corrupt(reason(what, messages.length > 0 ? messages : [text]))
}

function reason(what: string, messages: string[]): string {
  const last = messages.at(-1)?.replace(/\s+/g, ' ').slice(0, 160)
  return last ? `${what} (${last})` : what
}

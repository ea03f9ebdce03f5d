import { readFileSync, writeFileSync } from 'node:fs'
import {
  AV_CHANNEL_LAYOUT_MONO,
  AV_CHANNEL_LAYOUT_STEREO,
  AV_CODEC_FLAG_GLOBAL_HEADER,
  AV_FRAME_FLAG_INTERLACED,
  AV_FRAME_FLAG_TOP_FIELD_FIRST,
  AV_LOG_QUIET,
  AV_OPT_SEARCH_CHILDREN,
  AV_OPT_TYPE_STRING,
  AV_PIX_FMT_UYVY422,
  AV_PIX_FMT_YUV420P,
  AV_PIX_FMT_YUV422P10LE,
  AV_PIX_FMT_YUV444P,
  AV_SAMPLE_FMT_FLTP,
  AV_SAMPLE_FMT_S16,
  AVERROR_EAGAIN,
  AVERROR_EOF,
  FF_ENCODER_AAC,
  FF_ENCODER_LIBMP3LAME,
  FF_ENCODER_LIBVPX_VP9,
  FF_ENCODER_LIBX264,
  FF_ENCODER_LIBX265,
  FF_ENCODER_MPEG4,
  FF_ENCODER_PCM_S16LE,
  FF_ENCODER_PRORES_KS,
  FF_ENCODER_RAWVIDEO,
} from 'node-av/constants'
import { Codec, CodecContext, FFmpegError, FormatContext, Frame, Log, Packet, Rational } from 'node-av/lib'
import type { Sample } from './bytes'

/** Films and coded sounds of every sort, by the encoders and writers of FFmpeg, of pictures and samples computed here. */

const VIDEO_ENCODERS = {
  h264: FF_ENCODER_LIBX264,
  hevc: FF_ENCODER_LIBX265,
  vp9: FF_ENCODER_LIBVPX_VP9,
  prores: FF_ENCODER_PRORES_KS,
  mpeg4: FF_ENCODER_MPEG4,
  raw: FF_ENCODER_RAWVIDEO,
} as const
const AUDIO_ENCODERS = {
  aac: { name: FF_ENCODER_AAC, isPlanar: true, frame: 1024 },
  mp3: { name: FF_ENCODER_LIBMP3LAME, isPlanar: true, frame: 1152 },
  pcm: { name: FF_ENCODER_PCM_S16LE, isPlanar: false, frame: 960 },
} as const
/** Format, columns and rows of luma to one of chroma, bytes of a sample. */
const PIXEL_FORMATS = {
  yuv420p: { format: AV_PIX_FMT_YUV420P, across: 2, down: 2, bytes: 1 },
  yuv444p: { format: AV_PIX_FMT_YUV444P, across: 1, down: 1, bytes: 1 },
  yuv422p10: { format: AV_PIX_FMT_YUV422P10LE, across: 2, down: 1, bytes: 2 },
} as const

export type Painter = (frame: number, x: number, y: number) => number | readonly [luma: number, u: number, v: number]

export type VideoTrack = {
  codec?: keyof typeof VIDEO_ENCODERS
  width?: number
  height?: number
  frames: number
  /** Frames per second as a fraction; 25 when absent. */
  rate?: readonly [number, number]
  /** When each frame comes, in ticks of 1/90,000 s, where they do not come evenly. */
  times?: readonly number[]
  pixels?: keyof typeof PIXEL_FORMATS
  /** Two fields a frame. */
  fields?: 'top first' | 'bottom first'
  /** Of one pixel. */
  aspect?: readonly [number, number]
  /** Settings of the encoder itself, e.g. `x264-params`. */
  options?: Readonly<Record<string, string>>
  paint?: Painter
}
export type AudioTrack = {
  codec?: keyof typeof AUDIO_ENCODERS
  seconds: number
  rate?: number
  channels?: 1 | 2
  bitRate?: number
  sample?: Sample
}

/** A scene that moves and never repeats: bars of several widths that drift, with a grain of two levels. */
export const scene = (frame: number, x: number, y: number) =>
  90 + ((x * 3 + frame * 7) % 97) * 0.8 + ((y * 5 + frame * 3) % 61) * 0.6 + ((x * 31 + y * 17 + frame * 13) % 5)

const tone: Sample = (time, channel) => 0.2 * Math.sin(2 * Math.PI * (440 + 110 * channel) * time)

export function writeMedia(
  file: string,
  tracks: { video?: VideoTrack; audio?: readonly AudioTrack[]; options?: Readonly<Record<string, string>> },
): void {
  Log.setLevel(AV_LOG_QUIET)
  const format = new FormatContext()
  ok(format.allocOutputContext2(null, null, file))
  const { video, audio = [], options } = tracks
  const streams = [...(video ? [videoStream(format, video)] : []), ...audio.map((track) => audioStream(format, track))]
  setOptions(format, options)
  ok(format.openOutputSync())
  ok(format.writeHeaderSync())
  // In step, so that no writer waits for the one that is behind.
  for (let open = streams.length; open > 0; ) {
    const next = streams.filter((each) => !each.isDone()).sort((a, b) => a.seconds() - b.seconds())[0]
    if (!next) break
    next.step()
    open = streams.filter((each) => !each.isDone()).length
  }
  for (const each of streams) each.finish()
  ok(format.writeTrailerSync())
  for (const each of streams) each.close()
  format.closeOutputSync()
  format.freeContext()
}

function videoStream(format: FormatContext, track: VideoTrack) {
  const { codec = 'h264', width = 320, height = 180, frames, rate = [25, 1], times, paint = scene } = track
  const pixels = codec === 'raw' ? null : PIXEL_FORMATS[track.pixels ?? 'yuv420p']
  const timeBase = times ? new Rational(1, 90_000) : new Rational(rate[1], rate[0])
  const encoder = encoderOf(format, VIDEO_ENCODERS[codec], track.options, (context) => {
    context.width = width
    context.height = height
    context.pixelFormat = pixels?.format ?? AV_PIX_FMT_UYVY422
    context.timeBase = timeBase
    context.framerate = new Rational(...rate)
    if (track.aspect) context.sampleAspectRatio = new Rational(...track.aspect)
  })
  let index = 0
  return {
    isDone: () => index >= frames,
    seconds: () => (times ? (times[index] ?? 0) / 90_000 : (index * rate[1]) / rate[0]),
    step: () => {
      const at = index
      const picture = Frame.fromVideoBuffer(
        pixels
          ? planar(width, height, pixels, (x, y) => paint(at, x, y))
          : packed(width, height, (x, y) => paint(at, x, y)),
        { width, height, format: pixels?.format ?? AV_PIX_FMT_UYVY422, timeBase },
      )
      if (track.fields) picture.setFlags(AV_FRAME_FLAG_INTERLACED)
      if (track.fields === 'top first') picture.setFlags(AV_FRAME_FLAG_TOP_FIELD_FIRST)
      picture.pts = BigInt(times?.[at] ?? at)
      encoder.send(picture)
      index += 1
    },
    finish: () => encoder.send(null),
    close: encoder.close,
  }
}

function audioStream(format: FormatContext, track: AudioTrack) {
  const { codec = 'aac', seconds, rate = 48_000, channels = 2, bitRate = 128_000, sample = tone } = track
  const { name, isPlanar, frame } = AUDIO_ENCODERS[codec]
  const layout = channels === 1 ? AV_CHANNEL_LAYOUT_MONO : AV_CHANNEL_LAYOUT_STEREO
  const timeBase = new Rational(1, rate)
  const encoder = encoderOf(format, name, undefined, (context) => {
    context.sampleRate = rate
    context.sampleFormat = isPlanar ? AV_SAMPLE_FMT_FLTP : AV_SAMPLE_FMT_S16
    context.channelLayout = layout
    context.timeBase = timeBase
    context.bitRate = BigInt(bitRate)
  })
  const total = Math.round(seconds * rate)
  let done = 0
  return {
    isDone: () => done >= total,
    seconds: () => done / rate,
    step: () => {
      const count = Math.min(frame, total - done)
      const buffer = Buffer.alloc(count * channels * (isPlanar ? 4 : 2))
      for (let at = 0; at < count; at++) {
        for (let channel = 0; channel < channels; channel++) {
          const value = sample((done + at) / rate, channel)
          if (isPlanar) buffer.writeFloatLE(value, (channel * count + at) * 4)
          else
            buffer.writeInt16LE(
              Math.max(-32_768, Math.min(32_767, Math.round(value * 32_768))),
              (at * channels + channel) * 2,
            )
        }
      }
      const heard = Frame.fromAudioBuffer(buffer, {
        nbSamples: count,
        format: isPlanar ? AV_SAMPLE_FMT_FLTP : AV_SAMPLE_FMT_S16,
        sampleRate: rate,
        channelLayout: layout,
        timeBase,
      })
      heard.pts = BigInt(done)
      encoder.send(heard)
      done += count
    },
    finish: () => encoder.send(null),
    close: encoder.close,
  }
}

function encoderOf(
  format: FormatContext,
  name: Parameters<typeof Codec.findEncoderByName>[0],
  options: Readonly<Record<string, string>> | undefined,
  set: (context: CodecContext) => void,
) {
  const codec = Codec.findEncoderByName(name)
  if (!codec) throw new Error(`This build of FFmpeg has no ${name}.`)
  const context = new CodecContext()
  context.allocContext3(codec)
  set(context)
  context.setFlags(AV_CODEC_FLAG_GLOBAL_HEADER)
  // One thread and no log of its own: the same bytes every time, and silence.
  context.threadCount = 1
  if (name === FF_ENCODER_LIBX265) setOptions(context, { 'x265-params': 'log-level=none' })
  setOptions(context, options)
  ok(context.open2Sync(codec))
  const stream = format.newStream(null)
  ok(stream.codecpar.fromContext(context))
  stream.timeBase = context.timeBase
  stream.sampleAspectRatio = context.sampleAspectRatio
  const packet = new Packet()
  packet.alloc()
  const send = (frame: Frame | null) => {
    ok(context.sendFrameSync(frame))
    frame?.free()
    for (;;) {
      const received = context.receivePacketSync(packet)
      if (received === AVERROR_EAGAIN || received === AVERROR_EOF) return
      ok(received)
      packet.rescaleTs(context.timeBase, stream.timeBase)
      packet.streamIndex = stream.index
      ok(format.interleavedWriteFrameSync(packet))
    }
  }
  const close = () => {
    packet.free()
    context.freeContext()
  }
  return { send, close }
}

/** Those of the encoder or writer itself, which lie below the general ones. */
function setOptions(on: CodecContext | FormatContext, options: Readonly<Record<string, string>> = {}): void {
  for (const [name, value] of Object.entries(options)) {
    ok(on.setOption(name, value, AV_OPT_TYPE_STRING, AV_OPT_SEARCH_CHILDREN))
  }
}

type Paint = (x: number, y: number) => ReturnType<Painter>

function planar(
  width: number,
  height: number,
  pixels: (typeof PIXEL_FORMATS)[keyof typeof PIXEL_FORMATS],
  paint: Paint,
) {
  const { across, down, bytes } = pixels
  const chroma = (width / across) * (height / down)
  const picture = Buffer.alloc((width * height + 2 * chroma) * bytes)
  const put = (at: number, value: number) => {
    if (bytes === 1) picture[at] = value
    else picture.writeUInt16LE(Math.round(value * 4), at * 2)
  }
  for (let at = width * height; at < picture.length / bytes; at++) put(at, 128)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const colour = paint(x, y)
      put(y * width + x, typeof colour === 'number' ? colour : colour[0])
      if (typeof colour === 'number' || x % across !== 0 || y % down !== 0) continue
      const at = width * height + (y / down) * (width / across) + x / across
      put(at, colour[1])
      put(at + chroma, colour[2])
    }
  }
  return picture
}

/** U Y V Y: two bytes a pixel, always. */
function packed(width: number, height: number, paint: Paint): Buffer {
  const picture = Buffer.alloc(width * height * 2, 128)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const colour = paint(x, y)
      picture[(y * width + x) * 2 + 1] = typeof colour === 'number' ? colour : colour[0]
    }
  }
  return picture
}

/** Turns the picture a quarter with the clock: the matrix of the track's header (ISO/IEC 14496-12, 8.3.2). */
export function turn(file: string): void {
  const bytes = readFileSync(file)
  const header = bytes.indexOf('tkhd', 0, 'latin1')
  for (const [index, value] of [0, 0x10000, 0, -0x10000, 0, 0, 0, 0, 0x40000000].entries()) {
    bytes.writeInt32BE(value, header + 4 + 40 + index * 4)
  }
  writeFileSync(file, bytes)
}

function ok(result: number): void {
  if (result < 0) throw new FFmpegError(result)
}

import {
  AV_CHANNEL_LAYOUT_STEREO,
  AV_CODEC_FLAG_GLOBAL_HEADER,
  AV_LOG_QUIET,
  AV_PIX_FMT_YUV420P,
  AV_SAMPLE_FMT_FLTP,
  AVERROR_EAGAIN,
  AVERROR_EOF,
  FF_ENCODER_AAC,
  FF_ENCODER_LIBX264,
} from 'node-av/constants'
import { Codec, CodecContext, FFmpegError, FormatContext, Frame, Log, Packet, Rational } from 'node-av/lib'

type Painter = (frame: number, x: number, y: number) => number | readonly [luma: number, u: number, v: number]
const RATE = 48_000
const AAC_FRAME = 1024

/**
 * Writes an H.264 film for tests: `paint` gives the luma of a pixel of a frame, 16..235, or luma and both chroma.
 * `sound`: a stereo track in AAC, by seconds and channel, -1..1.
 */
export function writeFilm(
  path: string,
  film: {
    width: number
    height: number
    frames: number
    framesPerSecond: number
    sound?: (time: number, channel: number) => number
  },
  paint: Painter,
): void {
  Log.setLevel(AV_LOG_QUIET)
  const format = new FormatContext()
  ok(format.allocOutputContext2(null, null, path))
  const pictures = addStream(format, FF_ENCODER_LIBX264, (context) => {
    context.width = film.width
    context.height = film.height
    context.pixelFormat = AV_PIX_FMT_YUV420P
    context.timeBase = new Rational(1, film.framesPerSecond)
    context.framerate = new Rational(film.framesPerSecond, 1)
  })
  const { sound } = film
  const track =
    sound &&
    addStream(format, FF_ENCODER_AAC, (context) => {
      context.sampleRate = RATE
      context.sampleFormat = AV_SAMPLE_FMT_FLTP
      context.channelLayout = AV_CHANNEL_LAYOUT_STEREO
      context.timeBase = new Rational(1, RATE)
      context.bitRate = 160_000n
    })
  ok(format.openOutputSync())
  ok(format.writeHeaderSync())
  let samples = 0
  for (let index = 0; index < film.frames; index++) {
    const picture = Frame.fromVideoBuffer(
      paintFrame(film, (x, y) => paint(index, x, y)),
      {
        width: film.width,
        height: film.height,
        format: AV_PIX_FMT_YUV420P,
        timeBase: pictures.context.timeBase,
      },
    )
    picture.pts = BigInt(index)
    pictures.send(picture)
    const until = ((index + 1) / film.framesPerSecond) * RATE
    for (; sound && track && samples + AAC_FRAME <= until; samples += AAC_FRAME) {
      const buffer = Buffer.alloc(AAC_FRAME * 2 * 4)
      for (let at = 0; at < AAC_FRAME * 2; at++) {
        buffer.writeFloatLE(sound((samples + (at % AAC_FRAME)) / RATE, Math.floor(at / AAC_FRAME)), at * 4)
      }
      const heard = Frame.fromAudioBuffer(buffer, {
        nbSamples: AAC_FRAME,
        format: AV_SAMPLE_FMT_FLTP,
        sampleRate: RATE,
        channelLayout: AV_CHANNEL_LAYOUT_STEREO,
        timeBase: track.context.timeBase,
      })
      heard.pts = BigInt(samples)
      track.send(heard)
    }
  }
  for (const each of [pictures, track]) each?.send(null)
  ok(format.writeTrailerSync())
  for (const each of [pictures, track]) each?.context.freeContext()
  format.closeOutputSync()
}

/** An encoder whose packets go into the file as they come. */
function addStream(
  format: FormatContext,
  name: Parameters<typeof Codec.findEncoderByName>[0],
  set: (context: CodecContext) => void,
) {
  const codec = Codec.findEncoderByName(name)
  if (!codec) throw new Error(`This build of FFmpeg has no ${name}.`)
  const context = new CodecContext()
  context.allocContext3(codec)
  set(context)
  context.setFlags(AV_CODEC_FLAG_GLOBAL_HEADER)
  ok(context.open2Sync(codec))
  const stream = format.newStream(null)
  ok(stream.codecpar.fromContext(context))
  stream.timeBase = context.timeBase
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
  return { context, send }
}

/** Planar YUV 4:2:0; the chroma of a square of four is that of its first pixel. */
function paintFrame(
  { width, height }: { width: number; height: number },
  paint: (x: number, y: number) => ReturnType<Painter>,
) {
  const picture = Buffer.alloc((width * height * 3) / 2, 128)
  const half = width / 2
  const chroma = width * height
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const colour = paint(x, y)
      if (typeof colour === 'number') picture[y * width + x] = colour
      else {
        picture[y * width + x] = colour[0]
        if (x % 2 === 0 && y % 2 === 0) {
          const at = chroma + (y / 2) * half + x / 2
          picture[at] = colour[1]
          picture[at + half * (height / 2)] = colour[2]
        }
      }
    }
  }
  return picture
}

function ok(result: number): void {
  if (result < 0) throw new FFmpegError(result)
}

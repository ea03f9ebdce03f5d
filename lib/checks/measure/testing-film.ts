import {
  AV_CODEC_FLAG_GLOBAL_HEADER,
  AV_LOG_QUIET,
  AV_PIX_FMT_YUV420P,
  AVERROR_EAGAIN,
  AVERROR_EOF,
  FF_ENCODER_LIBX264,
} from 'node-av/constants'
import { Codec, CodecContext, FFmpegError, FormatContext, Frame, Log, Packet, Rational } from 'node-av/lib'

/** Writes an H.264 film for tests: `paint` gives the luma of a pixel of a frame, 16..235; there is no colour. */
export function writeFilm(
  path: string,
  film: { width: number; height: number; frames: number; framesPerSecond: number },
  paint: (frame: number, x: number, y: number) => number,
): void {
  Log.setLevel(AV_LOG_QUIET)
  const format = new FormatContext()
  ok(format.allocOutputContext2(null, null, path))
  const codec = Codec.findEncoderByName(FF_ENCODER_LIBX264)
  if (!codec) throw new Error('This build of FFmpeg has no libx264.')
  const context = new CodecContext()
  context.allocContext3(codec)
  context.width = film.width
  context.height = film.height
  context.pixelFormat = AV_PIX_FMT_YUV420P
  context.timeBase = new Rational(1, film.framesPerSecond)
  context.framerate = new Rational(film.framesPerSecond, 1)
  context.setFlags(AV_CODEC_FLAG_GLOBAL_HEADER)
  ok(context.open2Sync(codec))
  const stream = format.newStream(null)
  ok(stream.codecpar.fromContext(context))
  stream.timeBase = context.timeBase
  ok(format.openOutputSync())
  ok(format.writeHeaderSync())
  const packet = new Packet()
  packet.alloc()
  const drain = () => {
    for (;;) {
      const received = context.receivePacketSync(packet)
      if (received === AVERROR_EAGAIN || received === AVERROR_EOF) return
      ok(received)
      packet.rescaleTs(context.timeBase, stream.timeBase)
      packet.streamIndex = stream.index
      ok(format.interleavedWriteFrameSync(packet))
    }
  }
  for (let index = 0; index < film.frames; index++) {
    const frame = Frame.fromVideoBuffer(
      paintFrame(film, (x, y) => paint(index, x, y)),
      {
        width: film.width,
        height: film.height,
        format: AV_PIX_FMT_YUV420P,
        timeBase: context.timeBase,
      },
    )
    frame.pts = BigInt(index)
    ok(context.sendFrameSync(frame))
    frame.free()
    drain()
  }
  ok(context.sendFrameSync(null))
  drain()
  ok(format.writeTrailerSync())
  packet.free()
  context.freeContext()
  format.closeOutputSync()
}

/** Planar YUV 4:2:0 with grey chroma. */
function paintFrame({ width, height }: { width: number; height: number }, luma: (x: number, y: number) => number) {
  const picture = Buffer.alloc((width * height * 3) / 2, 128)
  for (let y = 0; y < height; y++) for (let x = 0; x < width; x++) picture[y * width + x] = luma(x, y)
  return picture
}

function ok(result: number): void {
  if (result < 0) throw new FFmpegError(result)
}

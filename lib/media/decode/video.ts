import {
  AV_LOG_QUIET,
  AV_PIX_FMT_RGB24,
  AV_PKT_DATA_DISPLAYMATRIX,
  AVERROR_EAGAIN,
  AVERROR_EOF,
  AVMEDIA_TYPE_AUDIO,
  AVMEDIA_TYPE_VIDEO,
  AVSEEK_FLAG_BACKWARD,
  SWS_AREA,
} from 'node-av/constants'
import {
  Codec,
  CodecContext,
  Dictionary,
  FormatContext,
  Frame,
  InputFormat,
  Log,
  Packet,
  SoftwareScaleContext,
  type Stream,
} from 'node-av/lib'
import sharp from 'sharp'
import { measurePixels, type Raster } from '../measure/pixels'
import { check } from './convert-frame'

/** Demuxers by media type: the file is opened as what it is, and as nothing else. */
const DEMUXERS: Readonly<Record<string, string>> = {
  'video/mp4': 'mov',
  'video/quicktime': 'mov',
  'video/webm': 'matroska,webm',
  'video/x-matroska': 'matroska,webm',
  'application/mxf': 'mxf',
  'audio/wav': 'wav',
  'audio/mpeg': 'mp3',
  'audio/flac': 'flac',
  'audio/aiff': 'aiff',
  'audio/aac': 'aac',
  'audio/ogg': 'ogg',
  'video/ogg': 'ogg',
  'audio/mp4': 'mov',
  'image/vnd.adobe.photoshop': 'psd_pipe',
  'image/heic': 'mov',
}

/** Longest side of an image taken from a video: the size of a preview. */
export const LONGEST_SIDE = 1600
/** A frame with less spread than this is black, white or a fade: one further in says more. */
export const REPRESENTATIVE_DEVIATION = 0.04
/** Where such a frame is taken, as shares of the length. */
export const REPRESENTATIVE_PLACES = [0.1, 0.35, 0.6] as const

// What FFmpeg finds odd about a stranger's file is not news for the log of the service.
Log.setLevel(AV_LOG_QUIET)

type Opened = { format: FormatContext; stream: Stream; context: CodecContext }

/** Opens a file as what it is. Only the file itself can be reached. Close its input after use. */
export function openFormat(path: string, mediaType: string): FormatContext {
  const name = DEMUXERS[mediaType]
  const input = name ? InputFormat.findInputFormat(name.split(',')[0] ?? name) : null
  if (!name || !input) throw new Error(`${mediaType} has no frames that could be read`)
  const format = new FormatContext()
  const options = Dictionary.fromObject({
    protocol_whitelist: 'file',
    format_whitelist: name,
    ...(name === 'mov' ? { enable_drefs: '0', use_absolute_path: '0' } : {}),
  })
  check(format.openInputSync(`file:${path}`, input, options), 'the file cannot be opened')
  try {
    check(format.findStreamInfoSync(), 'the streams cannot be read')
    return format
  } catch (error) {
    format.closeInputSync()
    throw error
  }
}

/** Opens the decoder of a stream. Free it after use. */
export function openDecoder(stream: Stream | undefined, kind: 'video' | 'audio'): CodecContext {
  const decoder = stream && Codec.findDecoder(stream.codecpar.codecId)
  if (!decoder) throw new Error(`there is no ${kind} that could be decoded`)
  const context = new CodecContext()
  context.allocContext3(decoder)
  check(context.parametersToContext(stream.codecpar), 'the decoder cannot be set up')
  context.pktTimebase = stream.timeBase
  context.threadCount = 2
  check(context.open2Sync(decoder), 'the decoder cannot be opened')
  return context
}

/** Opens the first stream of video or audio and its decoder. Only the file itself can be reached. Close it after use. */
export function openStream(path: string, mediaType: string, kind: 'video' | 'audio'): Opened {
  const format = openFormat(path, mediaType)
  try {
    const index = format.findBestStream(kind === 'video' ? AVMEDIA_TYPE_VIDEO : AVMEDIA_TYPE_AUDIO)
    const stream = index >= 0 ? format.streams[index] : undefined
    const context = openDecoder(stream, kind)
    return { format, stream: stream as Stream, context }
  } catch (error) {
    format.closeInputSync()
    throw error
  }
}

export function closeStream({ format, context }: Opened): void {
  context.freeContext()
  format.closeInputSync()
}

/** Hands every decoded frame of the stream to `take`, until that returns true or the stream ends. */
export function eachFrame({ format, stream, context }: Opened, take: (frame: Frame) => boolean): void {
  const packet = new Packet()
  packet.alloc()
  const frame = new Frame()
  frame.alloc()
  const drain = (): boolean => {
    for (;;) {
      const received = context.receiveFrameSync(frame)
      if (received === AVERROR_EAGAIN || received === AVERROR_EOF) return false
      check(received, 'a frame cannot be decoded')
      const done = take(frame)
      frame.unref()
      if (done) return true
    }
  }
  try {
    for (;;) {
      const read = format.readFrameSync(packet)
      if (read === AVERROR_EOF) break
      check(read, 'a packet cannot be read')
      if (packet.streamIndex === stream.index) {
        check(context.sendPacketSync(packet), 'a packet cannot be decoded')
        if (drain()) return
      }
      packet.unref()
    }
    context.sendPacketSync(null)
    drain()
  } finally {
    frame.free()
    packet.free()
  }
}

/** A frame, and by how many degrees it is turned clockwise for display, after its sides are exchanged where it is mirrored. */
export type RotatedFrame = { raster: Raster; rotation: number; isMirrored?: boolean }

/** The same of an orientation as EXIF counts it. */
export function turnOf(orientation: number): Omit<RotatedFrame, 'raster'> {
  const quarters = [
    [1, 2],
    [6, 7],
    [3, 4],
    [8, 5],
  ].findIndex((ofTurn) => ofTurn.includes(orientation))
  return { rotation: Math.max(0, quarters) * 90, isMirrored: [2, 4, 5, 7].includes(orientation) }
}

/**
 * A frame that shows what the video is: the one at a tenth of its length, or, where that is blank, one further in.
 * Sample aspect ratio applied, reduced to 1600 px, not yet turned.
 */
export function posterFrame(path: string, mediaType: string): RotatedFrame {
  const durationSeconds = lengthOf(path, mediaType)
  let first: RotatedFrame | undefined
  for (const share of REPRESENTATIVE_PLACES) {
    const found = frameAt(path, mediaType, durationSeconds * share)
    first ??= found
    if (measurePixels(found.raster).deviation >= REPRESENTATIVE_DEVIATION) return found
  }
  if (!first) throw new Error('the video has no frame')
  return first
}

/** Seconds by the container; 0 where it does not say. */
export function lengthOf(path: string, mediaType: string): number {
  const opened = openStream(path, mediaType, 'video')
  try {
    return Math.max(0, Number(opened.format.duration) / 1e6)
  } finally {
    closeStream(opened)
  }
}

/** The frame shown at a time, in seconds; the last one where the video ends before. */
export function frameAt(path: string, mediaType: string, second: number): RotatedFrame {
  const opened = openStream(path, mediaType, 'video')
  const latest = new Frame()
  latest.alloc()
  try {
    const { num, den } = opened.stream.timeBase
    const target = BigInt(Math.round((second * den) / num))
    if (second > 0) opened.format.seekFrameSync(opened.stream.index, target, AVSEEK_FLAG_BACKWARD)
    let found = false
    eachFrame(opened, (frame) => {
      latest.unref()
      check(latest.ref(frame), 'a frame cannot be kept')
      found = true
      return second <= 0 || frame.bestEffortTimestamp >= target
    })
    if (!found) throw new Error('the video has no frame at that time')
    return { raster: toRaster(latest, opened.stream), rotation: rotationOf(opened.stream) }
  } finally {
    latest.free()
    closeStream(opened)
  }
}

/** A frame as people see it. */
export async function upright({ raster, rotation, isMirrored = false }: RotatedFrame): Promise<Raster> {
  if (rotation === 0 && !isMirrored) return raster
  const { width, height, channels } = raster
  const { data, info } = await sharp(raster.data, { raw: { width, height, channels } })
    // Mirrored before it is turned, in whichever order it is asked for.
    .flop(isMirrored)
    .rotate(rotation)
    .raw()
    .toBuffer({ resolveWithObject: true })
  return { ...raster, data, width: info.width, height: info.height }
}

/** Clockwise degrees by the display matrix (ISO/IEC 14496-12, tkhd): a b u c d v x y w, 16.16 fixed point. */
export function rotationOf(stream: Stream): number {
  const matrix = stream.codecpar.getCodedSideData(AV_PKT_DATA_DISPLAYMATRIX)
  if (!matrix || matrix.length < 36) return 0
  const degrees = (Math.atan2(matrix.readInt32LE(4), matrix.readInt32LE(0)) * 180) / Math.PI
  return (((Math.round(degrees / 90) * 90) % 360) + 360) % 360
}

/** Width of a sample by its height. */
export function stretchOf(stream: Stream): number {
  const { num, den } = stream.sampleAspectRatio.num > 0 ? stream.sampleAspectRatio : stream.codecpar.sampleAspectRatio
  return num > 0 && den > 0 ? num / den : 1
}

/** RGB of a decoded frame: sample aspect ratio applied, reduced to 1600 px, not turned. */
export function toRaster(frame: Frame, stream: Stream): Raster {
  const seenWidth = frame.width * stretchOf(stream)
  const scale = Math.min(1, LONGEST_SIDE / Math.max(seenWidth, frame.height))
  const width = Math.max(1, Math.round(seenWidth * scale))
  const height = Math.max(1, Math.round(frame.height * scale))
  const scaled = new Frame()
  scaled.alloc()
  const scaler = new SoftwareScaleContext()
  try {
    scaled.width = width
    scaled.height = height
    scaled.format = AV_PIX_FMT_RGB24
    check(scaled.getBuffer(1), 'there is no memory for the frame')
    scaler.getContext(
      frame.width,
      frame.height,
      frame.format as Parameters<SoftwareScaleContext['getContext']>[2],
      width,
      height,
      AV_PIX_FMT_RGB24,
      SWS_AREA,
    )
    check(scaler.scaleFrameSync(scaled, frame), 'the frame cannot be converted')
    return { data: packed(scaled, width, height), width, height, channels: 3, scale }
  } finally {
    scaler.freeContext()
    scaled.free()
  }
}

/** Rows without the padding a decoder may put after them; a copy, as the frame's memory goes with it. */
function packed(frame: Frame, width: number, height: number): Uint8Array {
  const plane = frame.data?.[0]
  const stride = frame.linesize[0]
  if (!plane || stride === undefined) throw new Error('the frame is empty')
  const row = width * 3
  const data = new Uint8Array(row * height)
  for (let y = 0; y < height; y++) data.set(plane.subarray(y * stride, y * stride + row), y * row)
  return data
}

import {
  AV_FRAME_FLAG_INTERLACED,
  AV_PIX_FMT_YUV420P,
  AVCOL_PRI_BT709,
  AVCOL_RANGE_JPEG,
  AVCOL_RANGE_MPEG,
  AVCOL_SPC_BT709,
  AVCOL_TRC_BT709,
} from 'node-av/constants'
import { avGetPixFmtName, type CodecContext, type FilterContext, FilterGraph, Frame, type Stream } from 'node-av/lib'
import type { CopyRange } from '@/lib/domain/playback/port'
import { rotationOf, stretchOf } from '../decode/video'
import { ok, received } from './ffmpeg'
import { addFilter, chain, hasFilter } from './graph'

/** Longest side of a copy, pixels. */
const LONGEST_SIDE = 1920
/** Code points of ITU-T H.273. */
const UNSPECIFIED = 2
const BT709 = 1
const BT601 = 6
/** PQ and HLG, by the names of zscale. */
const HDR_TRANSFERS: Readonly<Record<number, string>> = { 16: 'smpte2084', 18: 'arib-std-b67' }
/** Primaries that differ from BT.709 so that it is seen. */
const WIDE_PRIMARIES: Readonly<Record<number, string>> = { 9: 'bt2020', 11: 'smpte431', 12: 'smpte432' }

const even = (value: number) => Math.max(2, 2 * Math.round(value / 2))

/** Brings decoded frames to what a copy holds: as they are seen, in BT.709, with 8 bits. */
export class VideoFilter {
  readonly format = AV_PIX_FMT_YUV420P
  /** As seen: sample aspect ratio and rotation applied. */
  readonly width: number
  readonly height: number
  dynamicRange: CopyRange = 'sdr'
  isDeinterlaced = false
  private readonly scaled: { width: number; height: number }
  private readonly rotation: number
  private readonly out = new Frame()
  private graph: FilterGraph | null = null
  private source: FilterContext | null = null
  private sink: FilterContext | null = null
  private form = ''

  constructor(private readonly stream: Stream) {
    const { width, height } = stream.codecpar
    const seen = width * stretchOf(stream)
    const scale = Math.min(1, LONGEST_SIDE / Math.max(seen, height))
    this.scaled = { width: even(seen * scale), height: even(height * scale) }
    this.rotation = rotationOf(stream)
    const isTurned = this.rotation % 180 !== 0
    this.width = isTurned ? this.scaled.height : this.scaled.width
    this.height = isTurned ? this.scaled.width : this.scaled.height
    this.out.alloc()
  }

  /** Says to players what the numbers of the copy mean. */
  tag(encoder: CodecContext): void {
    encoder.colorPrimaries = AVCOL_PRI_BT709
    encoder.colorTrc = AVCOL_TRC_BT709
    encoder.colorSpace = AVCOL_SPC_BT709
    encoder.colorRange = AVCOL_RANGE_MPEG
  }

  /** A decoded frame, or null after the last. Times are in the time base of the stream. */
  take(frame: Frame | null, use: (shown: Frame) => void): void {
    if (frame) {
      this.state(frame)
      const form = [frame.width, frame.height, frame.format, frame.colorSpace, frame.colorRange].join(' ')
      if (form !== this.form) {
        this.drain(null, use)
        this.build(frame)
        this.form = form
      }
    }
    this.drain(frame, use)
    if (!frame) this.release()
  }

  private drain(frame: Frame | null, use: (shown: Frame) => void): void {
    const { source, sink } = this
    if (!source || !sink) return
    ok(source.buffersrcAddFrameSync(frame), 'a frame cannot be converted')
    const from = sink.buffersinkGetTimeBase()
    const to = this.stream.timeBase
    const factor = (from.num * to.den) / (from.den * to.num)
    while (received(sink.buffersinkGetFrameSync(this.out), 'a frame cannot be converted')) {
      if (factor !== 1) {
        this.out.pts = BigInt(Math.round(Number(this.out.pts) * factor))
        this.out.duration = BigInt(Math.round(Number(this.out.duration) * factor))
      }
      use(this.out)
      this.out.unref()
    }
  }

  /** What a frame leaves open is what players take it for: by its height, and narrow. */
  private state(frame: Frame): void {
    const name = pixelName(frame)
    if (frame.colorSpace === UNSPECIFIED && !isRgb(name))
      frame.colorSpace = (frame.height > 576 ? BT709 : BT601) as typeof frame.colorSpace
    if (frame.colorRange === 0)
      frame.colorRange = isRgb(name) || name.startsWith('yuvj') ? AVCOL_RANGE_JPEG : AVCOL_RANGE_MPEG
  }

  private build(frame: Frame): void {
    this.release()
    const graph = new FilterGraph()
    graph.alloc()
    this.graph = graph
    const { num, den } = this.stream.timeBase
    const source = addFilter(
      graph,
      'buffer',
      `video_size=${frame.width}x${frame.height}:pix_fmt=${pixelName(frame)}:time_base=${num}/${den}:pixel_aspect=1/1:colorspace=${frame.colorSpace}:range=${frame.colorRange}`,
    )
    const filters = this.steps(frame).map(([name, args]) => addFilter(graph, name, args))
    const sink = addFilter(graph, 'buffersink')
    chain([source, ...filters, sink])
    ok(graph.configSync(), `frames in ${pixelName(frame)} cannot be converted`)
    this.source = source
    this.sink = sink
  }

  private steps(frame: Frame): [name: string, args?: string][] {
    // Rounded, not cut off, to 8 bits: every grey would be a step darker.
    const size = `w=${this.scaled.width}:h=${this.scaled.height}:flags=bicubic+accurate_rnd`
    const interlaced = (frame.flags & AV_FRAME_FLAG_INTERLACED) !== 0
    this.isDeinterlaced ||= interlaced
    const turn: Record<number, [string, string?][]> = {
      90: [['transpose', 'dir=clock']],
      180: [['hflip'], ['vflip']],
      270: [['transpose', 'dir=cclock']],
    }
    return [
      ...(interlaced ? ([['bwdif', 'mode=send_frame:deint=interlaced']] satisfies [string, string][]) : []),
      ...this.colourSteps(frame, size),
      ...(turn[this.rotation] ?? []),
      ['setsar', 'sar=1'],
      ['format', 'pix_fmts=yuv420p'],
    ]
  }

  private colourSteps(frame: Frame, size: string): [name: string, args?: string][] {
    const hdr = HDR_TRANSFERS[frame.colorTrc]
    const wide = WIDE_PRIMARIES[frame.colorPrimaries]
    const plain: [string, string][] = [['scale', `${size}:out_color_matrix=bt709:out_range=tv`]]
    const canConvert = hasFilter('zscale') && hasFilter('tonemap')
    if (hdr) this.dynamicRange = canConvert ? 'tone_mapped' : 'not_mapped'
    if (!canConvert || (!hdr && !wide)) return plain
    if (!hdr)
      return [
        ...plain,
        ['format', 'pix_fmts=yuv444p12le'],
        ['zscale', `pin=${wide}:tin=709:min=709:rin=limited:p=709:t=709:m=709:r=limited`],
      ]
    return [
      ['scale', `${size}:out_color_matrix=bt2020:out_range=tv`],
      ['format', 'pix_fmts=yuv444p12le'],
      ['zscale', `pin=${wide ?? 'bt2020'}:tin=${hdr}:min=2020_ncl:rin=limited:t=linear:npl=100`],
      ['format', 'pix_fmts=gbrpf32le'],
      ['zscale', 'p=709'],
      ['tonemap', 'tonemap=hable:desat=0'],
      ['zscale', 't=709:m=709:r=limited'],
    ]
  }

  private release(): void {
    this.graph?.free()
    this.graph = null
    this.source = null
    this.sink = null
  }

  free(): void {
    this.release()
    this.out.free()
  }
}

const pixelName = (frame: Frame) => avGetPixFmtName(frame.format as Parameters<typeof avGetPixFmtName>[0]) ?? ''

/** Also of what holds no colour difference. */
const isRgb = (name: string) => /^(?:gbr|rgb|bgr|argb|abgr|pal8)/.test(name)

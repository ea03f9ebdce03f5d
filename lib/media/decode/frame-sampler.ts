import type { AVPixelFormat, SwsFlags } from 'node-av/constants'
import {
  AV_PIX_FMT_GRAY8,
  AV_PIX_FMT_YUV420P,
  AV_PIX_FMT_YUV444P,
  AVCOL_RANGE_JPEG,
  AVCOL_SPC_BT709,
  AVCOL_SPC_BT2020_CL,
  AVCOL_SPC_BT2020_NCL,
  AVCOL_SPC_UNSPECIFIED,
  AVCOL_TRC_SMPTE2084,
  SWS_AREA,
  SWS_POINT,
} from 'node-av/constants'
import { avGetPixFmtName, Frame, SoftwareScaleContext } from 'node-av/lib'
import type { Lines } from '../measure/fields'
import type { ColourPoints, Matrix } from '../measure/levels'
import type { LumaPlane } from '../measure/luma-plane'
import { CHROMA_COLUMNS, CHROMA_ROWS, COLUMNS, ROWS, type VideoPoints } from '../measure/video-meter'

/** Formats whose first plane is luma: planar YUV and grey, of 8 bits, or of 9 to 16 in little-endian words. */
const PLANAR = /^(?:yuva?j?4\d\dp|gray|nv(?:12|16|21|24))(?:(9|1[0246])le)?$/

/** Columns in which the lines of a frame are compared. */
const LINE_COLUMNS = 128
/** Points to which frames are averaged before their levels are measured. */
const COLOUR_COLUMNS = 192
const COLOUR_ROWS = 108
/** Rows from which a video that states no matrix is taken for high definition. */
const HIGH_DEFINITION = 720

/** Frames reduced to one form, in memory that is used again. */
class Reducer {
  private to: Frame | null = null
  private planes: Frame['data'] = null
  private scaler: SoftwareScaleContext | null = null
  private form = ''

  constructor(
    private readonly format: AVPixelFormat,
    private readonly method: SwsFlags,
  ) {}

  /** The planes and their strides, until the next frame. Undefined where the scaler cannot read frames of this form. */
  take(from: Frame, columns: number, rows: number): { planes: Uint8Array[]; strides: number[] } | undefined {
    const { width, height, format } = from
    const form = [width, height, format, columns, rows].join(' ')
    if (form !== this.form) {
      this.free()
      const to = new Frame()
      to.alloc()
      this.to = to
      Object.assign(to, { width: columns, height: rows, format: this.format })
      if (to.getBuffer(1) < 0) throw new Error('there is no memory for a frame')
      this.planes = to.data
      this.scaler = new SoftwareScaleContext()
      this.scaler.getContext(width, height, format as AVPixelFormat, columns, rows, this.format, this.method)
      this.form = form
    }
    const { to, scaler, planes } = this
    if (!to || !scaler || !planes || scaler.scaleFrameSync(to, from) < 0) return undefined
    return { planes, strides: to.linesize }
  }

  free(): void {
    this.scaler?.freeContext()
    this.to?.free()
    this.scaler = null
    this.to = null
    this.planes = null
    this.form = ''
  }
}

const nameOf = (frame: Frame) => avGetPixFmtName(frame.format as AVPixelFormat) ?? 'an unknown form'

/**
 * Reduces frames to the points a video is measured in. FFmpeg picks them, and only they cross over: copying whole frames
 * of 1080p costs a fifth of decoding them.
 */
export class FrameSampler {
  private readonly toPoints = new Reducer(AV_PIX_FMT_YUV420P, SWS_POINT)
  private readonly toLines = new Reducer(AV_PIX_FMT_GRAY8, SWS_POINT)
  private readonly toColours = new Reducer(AV_PIX_FMT_YUV444P, SWS_AREA)

  /** Valid until the next frame is taken. */
  points(frame: Frame): VideoPoints {
    const name = nameOf(frame)
    const { planes = [], strides = [] } = this.toPoints.take(frame, COLUMNS, ROWS) ?? {}
    const [luma, u, v] = planes
    if (!luma || !u || !v) throw new Error(`frames in ${name} cannot be read`)
    return {
      luma: unpadded(luma, strides[0], COLUMNS, ROWS),
      u: unpadded(u, strides[1], CHROMA_COLUMNS, CHROMA_ROWS),
      v: unpadded(v, strides[2], CHROMA_COLUMNS, CHROMA_ROWS),
      // Only yuvj and formats without chroma are brought to the narrow range; of others the scaler does not know the range.
      isFullRange: isFullRange(frame, name),
    }
  }

  /** Every line of a frame in some of its columns: points are picked, none is mixed with its neighbours. */
  lines(frame: Frame): Lines {
    const { height } = frame
    const { planes = [], strides = [] } = this.toLines.take(frame, LINE_COLUMNS, height) ?? {}
    const [data] = planes
    if (!data) throw new Error('the lines of a frame cannot be read')
    return {
      data: new Uint8Array(unpadded(data, strides[0], LINE_COLUMNS, height)),
      columns: LINE_COLUMNS,
      rows: height,
    }
  }

  /** A frame averaged to few points, each with colours of its own. */
  colours(frame: Frame): ColourPoints {
    const [columns, rows] = [Math.min(frame.width, COLOUR_COLUMNS), Math.min(frame.height, COLOUR_ROWS)]
    const { planes = [], strides = [] } = this.toColours.take(frame, columns, rows) ?? {}
    const [luma, u, v] = planes.map(
      (plane, index) => new Uint8Array(unpadded(plane, strides[index], columns, rows).subarray(0, columns * rows)),
    )
    if (!luma || !u || !v) throw new Error('the colours of a frame cannot be read')
    const name = nameOf(frame)
    return {
      luma,
      u,
      v,
      columns,
      isFullRange: isFullRange(frame, name),
      matrix: matrixOf(frame, name),
      isPq: frame.colorTrc === AVCOL_TRC_SMPTE2084,
    }
  }

  free(): void {
    for (const each of [this.toPoints, this.toLines, this.toColours]) each.free()
  }
}

const isFullRange = (frame: Frame, name: string) => frame.colorRange === AVCOL_RANGE_JPEG && /^(yuva?\d|nv)/.test(name)

function matrixOf({ colorSpace, height }: Frame, format: string): Matrix {
  // The scaler brings RGB to BT.601.
  if (!/^(yuv|nv|gray|p0|y2)/.test(format)) return 'bt601'
  if (colorSpace === AVCOL_SPC_BT2020_NCL || colorSpace === AVCOL_SPC_BT2020_CL) return 'bt2020'
  if (colorSpace === AVCOL_SPC_BT709) return 'bt709'
  return colorSpace === AVCOL_SPC_UNSPECIFIED && height >= HIGH_DEFINITION ? 'bt709' : 'bt601'
}

function unpadded(plane: Uint8Array, stride: number | undefined, columns: number, rows: number): Uint8Array {
  if (stride === undefined || stride === columns) return plane
  const packed = new Uint8Array(columns * rows)
  for (let row = 0; row < rows; row++) packed.set(plane.subarray(row * stride, row * stride + columns), row * columns)
  return packed
}

/** Hands over the luma of a frame as decoded, or as grey where its form has none. */
export function withLuma(frame: Frame, use: (plane: LumaPlane) => void): void {
  const name = nameOf(frame)
  const planar = PLANAR.exec(name)
  const { width, height } = frame
  const isFullRange = frame.colorRange === AVCOL_RANGE_JPEG || name.startsWith('yuvj') || name.startsWith('gray')
  if (planar) {
    const data = frame.data?.[0]
    if (!data) throw new Error('a frame holds no pixels')
    const bits = Number(planar[1] ?? 8)
    use({
      data,
      stride: frame.linesize[0] ?? width,
      bytesPerSample: bits > 8 ? 2 : 1,
      shift: bits - 8,
      width,
      height,
      isFullRange,
    })
    return
  }
  const grey = new Frame()
  grey.alloc()
  const scaler = new SoftwareScaleContext()
  try {
    Object.assign(grey, { width, height, format: AV_PIX_FMT_GRAY8 })
    const format = frame.format as Parameters<SoftwareScaleContext['getContext']>[2]
    scaler.getContext(width, height, format, width, height, AV_PIX_FMT_GRAY8, SWS_POINT)
    const data = grey.getBuffer(1) >= 0 && scaler.scaleFrameSync(grey, frame) >= 0 ? grey.data?.[0] : null
    if (!data) throw new Error(`frames in ${name} cannot be read`)
    use({ data, stride: grey.linesize[0] ?? width, bytesPerSample: 1, shift: 0, width, height, isFullRange: true })
  } finally {
    scaler.freeContext()
    grey.free()
  }
}

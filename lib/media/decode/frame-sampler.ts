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
import { CHROMA_COLUMNS, CHROMA_ROWS, COLUMNS, type LumaPlane, ROWS, type VideoPoints } from '../measure/video-meter'

/** Formats whose first plane is luma: planar YUV and grey, of 8 bits, or of 9 to 16 in little-endian words. */
const PLANAR = /^(?:yuva?j?4\d\dp|gray|nv(?:12|16|21|24))(?:(9|1[0246])le)?$/

/** Columns in which the lines of a frame are compared. */
const LINE_COLUMNS = 128
/** Points to which frames are averaged before their levels are measured. */
const COLOUR_COLUMNS = 192
const COLOUR_ROWS = 108
/** Rows from which a video that states no matrix is taken for high definition. */
const HIGH_DEFINITION = 720

/**
 * Reduces frames to the points a video is measured in. FFmpeg picks them, and only they cross over: copying whole frames
 * of 1080p costs a fifth of decoding them.
 */
export class FrameSampler {
  private readonly small = new Frame()
  private scaler: SoftwareScaleContext | null = null
  private form = ''

  constructor() {
    this.small.alloc()
    Object.assign(this.small, { width: COLUMNS, height: ROWS, format: AV_PIX_FMT_YUV420P })
    if (this.small.getBuffer(1) < 0) throw new Error('there is no memory for a frame')
  }

  points(frame: Frame): VideoPoints {
    const { width, height, format } = frame
    const form = `${width} ${height} ${format}`
    if (form !== this.form) {
      this.scaler?.freeContext()
      this.scaler = new SoftwareScaleContext()
      const from = format as Parameters<SoftwareScaleContext['getContext']>[2]
      this.scaler.getContext(width, height, from, COLUMNS, ROWS, AV_PIX_FMT_YUV420P, SWS_POINT)
      this.form = form
    }
    const name = avGetPixFmtName(format as Parameters<typeof avGetPixFmtName>[0]) ?? 'an unknown form'
    const planes = (this.scaler?.scaleFrameSync(this.small, frame) ?? -1) >= 0 ? this.small.data : null
    const [luma, u, v] = planes ?? []
    if (!luma || !u || !v) throw new Error(`frames in ${name} cannot be read`)
    const [stride, uStride, vStride] = this.small.linesize
    // Only yuvj and formats without chroma are brought to the narrow range; of others the scaler does not know the range.
    const isFullRange = frame.colorRange === AVCOL_RANGE_JPEG && /^(yuva?\d|nv)/.test(name)
    return {
      luma: unpadded(luma, stride, COLUMNS, ROWS),
      u: unpadded(u, uStride, CHROMA_COLUMNS, CHROMA_ROWS),
      v: unpadded(v, vStride, CHROMA_COLUMNS, CHROMA_ROWS),
      isFullRange,
    }
  }

  /** Every line of a frame in some of its columns: points are picked, none is mixed with its neighbours. */
  lines(frame: Frame): Lines {
    const { width, height, format } = frame
    const lines = new Frame()
    lines.alloc()
    const scaler = new SoftwareScaleContext()
    try {
      Object.assign(lines, { width: LINE_COLUMNS, height, format: AV_PIX_FMT_GRAY8 })
      const from = format as Parameters<SoftwareScaleContext['getContext']>[2]
      scaler.getContext(width, height, from, LINE_COLUMNS, height, AV_PIX_FMT_GRAY8, SWS_POINT)
      const data = lines.getBuffer(1) >= 0 && scaler.scaleFrameSync(lines, frame) >= 0 ? lines.data?.[0] : null
      if (!data) throw new Error('the lines of a frame cannot be read')
      return {
        data: new Uint8Array(unpadded(data, lines.linesize[0], LINE_COLUMNS, height)),
        columns: LINE_COLUMNS,
        rows: height,
      }
    } finally {
      scaler.freeContext()
      lines.free()
    }
  }

  /** A frame averaged to few points, each with colours of its own. */
  colours(frame: Frame): ColourPoints {
    const { width, height, format } = frame
    const [columns, rows] = [Math.min(width, COLOUR_COLUMNS), Math.min(height, COLOUR_ROWS)]
    const points = new Frame()
    points.alloc()
    const scaler = new SoftwareScaleContext()
    try {
      Object.assign(points, { width: columns, height: rows, format: AV_PIX_FMT_YUV444P })
      const from = format as Parameters<SoftwareScaleContext['getContext']>[2]
      scaler.getContext(width, height, from, columns, rows, AV_PIX_FMT_YUV444P, SWS_AREA)
      const planes = points.getBuffer(1) >= 0 && scaler.scaleFrameSync(points, frame) >= 0 ? points.data : null
      const [luma, u, v] = (planes ?? []).map(
        (plane, index) =>
          new Uint8Array(unpadded(plane, points.linesize[index], columns, rows).subarray(0, columns * rows)),
      )
      if (!luma || !u || !v) throw new Error('the colours of a frame cannot be read')
      const name = avGetPixFmtName(format as Parameters<typeof avGetPixFmtName>[0]) ?? ''
      return {
        luma,
        u,
        v,
        columns,
        isFullRange: frame.colorRange === AVCOL_RANGE_JPEG && /^(yuva?\d|nv)/.test(name),
        matrix: matrixOf(frame, name),
        isPq: frame.colorTrc === AVCOL_TRC_SMPTE2084,
      }
    } finally {
      scaler.freeContext()
      points.free()
    }
  }

  free(): void {
    this.scaler?.freeContext()
    this.scaler = null
    this.small.free()
  }
}

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
  const name = avGetPixFmtName(frame.format as Parameters<typeof avGetPixFmtName>[0]) ?? ''
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

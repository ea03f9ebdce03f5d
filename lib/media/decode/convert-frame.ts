import type { AVPixelFormat } from 'node-av/constants'
import { SWS_POINT } from 'node-av/constants'
import { FFmpegError, type Frame, SoftwareScaleContext } from 'node-av/lib'

/** Converts a decoded frame into another format of pixels, at its own size; `to` gets memory for it. */
export function convertFrame(from: Frame, to: Frame, format: AVPixelFormat): void {
  const { width, height } = from
  const scaler = new SoftwareScaleContext()
  try {
    Object.assign(to, { width, height, format })
    check(to.getBuffer(1), 'there is no memory for the image')
    const given = from.format as Parameters<SoftwareScaleContext['getContext']>[2]
    scaler.getContext(width, height, given, width, height, format, SWS_POINT)
    check(scaler.scaleFrameSync(to, from), 'the image cannot be converted')
  } finally {
    scaler.freeContext()
  }
}

/** @throws what FFmpeg says of a failure */
export function check(result: number, what: string): void {
  if (result < 0) throw new Error(`${what} (${new FFmpegError(result).message})`)
}

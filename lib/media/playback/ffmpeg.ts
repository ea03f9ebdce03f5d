import { AVERROR_EAGAIN, AVERROR_EOF } from 'node-av/constants'
import { FFmpegError } from 'node-av/lib'

/** Whether there was something to receive. @throws what FFmpeg says */
export function received(result: number, what: string): boolean {
  if (result === AVERROR_EAGAIN || result === AVERROR_EOF) return false
  ok(result, what)
  return true
}

/** @throws what FFmpeg says */
export function ok(result: number, what: string): void {
  if (result < 0) throw new Error(`${what} (${new FFmpegError(result).message})`)
}

import type { Marker } from '@/lib/domain/review/markers'
import { frameAt, startFrame, timecode } from '@/lib/timecode'

/** A marker on the frames of a file: `frame` from 0, and how many frames it covers, at least one. */
type TimelineMarker = Marker & { frame: number; frames: number }

/** A file as editing tools count it. */
export type Timeline = {
  name: string
  /** Frames a second. */
  rate: number
  /** Seconds of one frame, as a fraction: 1001/30000. */
  frameDuration: readonly [numerator: number, denominator: number]
  /** The timecode of its first frame, as the file states it; null without one. */
  start: string | null
  startFrame: number
  /** Frames. */
  length: number
  width: number | null
  height: number | null
  markers: TimelineMarker[]
}

/** Audio is counted in frames of 25 a second, as the room counts it. */
const AUDIO_RATE = 25

/** Seconds of a frame: 23.976, 29.97 and 59.94 are counted in 1001 parts of 24000, 30000 and 60000 (SMPTE ST 12-1). */
export function frameDurationOf(rate: number): readonly [number, number] {
  const whole = Math.round(rate)
  if (Math.abs(rate - whole) < 0.0005) return [1, whole]
  if (Math.abs(rate - (whole * 1000) / 1001) < 0.005) return [1001, whole * 1000]
  return [1000, Math.round(rate * 1000)]
}

export function timelineOf(
  file: { name: string; kind: string; media: Record<string, unknown> },
  markers: readonly Marker[],
): Timeline {
  const { media } = file
  const measured = (media.frameRate as { average?: number } | undefined)?.average
  const [numerator, denominator] = frameDurationOf(file.kind === 'video' && measured ? measured : AUDIO_RATE)
  const rate = denominator / numerator
  const start = typeof media.timecode === 'string' ? media.timecode : null
  const length = Math.max(1, Math.round(Number(media.durationSeconds ?? 0) * rate))
  return {
    name: file.name,
    rate,
    frameDuration: [numerator, denominator],
    start,
    startFrame: startFrame(start, rate),
    length,
    width: typeof media.displayWidth === 'number' ? media.displayWidth : null,
    height: typeof media.displayHeight === 'number' ? media.displayHeight : null,
    markers: markers
      .map((marker) => {
        const { anchor } = marker
        const time = anchor && 'time' in anchor ? (anchor.time ?? 0) : 0
        const end = anchor?.kind === 'time' ? (anchor.end ?? time) : time
        const frame = Math.min(length - 1, frameAt(time, rate))
        return { ...marker, frame, frames: Math.max(1, Math.min(length, frameAt(end, rate)) - frame) }
      })
      .sort((a, b) => a.frame - b.frame || a.number - b.number),
  }
}

/** The timecode of a frame of the file. */
export const codeOf = ({ startFrame: first, rate, start }: Timeline, frame: number) =>
  timecode(first + frame, rate, start)

/** All that was said in a thread, on one line: line breaks and tabs would begin a new field. */
export const lineOf = ({ body, replies }: Marker) =>
  [body, ...replies.map((reply) => `${reply.author}: ${reply.body}`)]
    .join(' / ')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: what would end a line
    .replace(/[\u0000-\u001f\u007f\u2028\u2029]+/g, ' ')
    .trim()

import { createHash, type Hash } from 'node:crypto'
import type { Packet } from 'node-av/lib'
import type { ClosedCaptions } from '../facts'
import type { MediaMeasures } from '../measurements'
import type { StreamReport } from './stream-report'

/**
 * What was decoded of a file while it came in. It was read from its beginning on, where the finished file is read at any
 * place, so it counts only where both readings give the same packets, stream by stream.
 */
export type DecodeDone = {
  demuxer: string
  streams: StreamDone[]
  measures: MediaMeasures
  /** How the frame was chosen that shows what a video is, by the length that its header said. */
  places: PlaceChosen[]
}

/** For who reads the finished file; `onTaken`: it is of this file, whose streams these are. */
export type DoneAhead = { decoded: DecodeDone; onTaken: (streams: readonly StreamReport[]) => void }

/** One stream, decoded to its end. */
export type StreamDone = Pick<
  StreamReport,
  'kind' | 'codecName' | 'isCover' | 'frames' | 'samples' | 'interlacedFrames' | 'topFieldFirstFrames'
> & {
  /** Of all its packets (PacketList). */
  packets: string
  /** Seconds; null where nothing says when it begins (JSON knows no infinity). */
  firstTime: number | null
  captions: ClosedCaptions | null
  /** Base64. */
  masteringDisplay: string | null
  contentLight: string | null
}

/** A share of the video, the last frame that lay before it, and the first that did not; in seconds, null where there was none. */
export type PlaceChosen = { place: number; before: number | null; at: number | null }

const LINES = 1000

/** The packets of a stream, as a hash over what their container says of each. */
export class PacketList {
  private readonly hash: Hash = createHash('sha256')
  private lines: string[] = []

  add({ pts, dts, size, flags }: Packet): void {
    this.lines.push(`${pts} ${dts} ${size} ${flags}`)
    if (this.lines.length >= LINES) this.flush()
  }

  finish(): string {
    this.flush()
    return this.hash.digest('hex')
  }

  private flush(): void {
    for (const line of this.lines.splice(0)) this.hash.update(`${line}\n`)
  }
}

/** Whether these are the streams that were decoded, to the last packet. */
export function isOfTheseStreams(
  done: DecodeDone,
  demuxer: string,
  streams: readonly StreamReport[],
  lists: readonly PacketList[],
): boolean {
  return (
    done.demuxer === demuxer &&
    done.streams.length === streams.length &&
    streams.every((report, index) => {
      const before = done.streams[index]
      return (
        before !== undefined &&
        before.kind === report.kind &&
        before.codecName === report.codecName &&
        before.isCover === report.isCover &&
        before.packets === lists[index]?.finish() &&
        (report.kind !== 'video' || report.isCover || before.firstTime === report.firstTime)
      )
    })
  )
}

/** Writes into the reports what decoding the streams has said of them. */
export function takeStreams(done: DecodeDone, streams: readonly StreamReport[]): void {
  for (const [index, report] of streams.entries()) {
    const before = done.streams[index]
    if (!before) continue
    const { captions, masteringDisplay, contentLight, frames, samples, interlacedFrames, topFieldFirstFrames } = before
    Object.assign(report, { frames, samples, interlacedFrames, topFieldFirstFrames })
    report.captions = { take: () => {}, finish: () => captions }
    report.masteringDisplay = masteringDisplay === null ? null : Buffer.from(masteringDisplay, 'base64')
    report.contentLight = contentLight === null ? null : Buffer.from(contentLight, 'base64')
  }
}

/** How far into a stream a moment lies, from 0 to 1. */
export const shareOf = (time: number, { firstTime, lastTime }: Pick<StreamReport, 'firstTime' | 'lastTime'>) =>
  (time - firstTime) / (lastTime - firstTime)

/** Whether the same frame would have been chosen, had the length of the video been known. */
export function isRightChoice(places: readonly PlaceChosen[], video: StreamReport | undefined): boolean {
  if (!video) return places.length === 0
  return places.every(
    ({ place, before, at }) =>
      (before === null || shareOf(before, video) < place) && (at === null || shareOf(at, video) >= place),
  )
}

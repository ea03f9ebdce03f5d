import type { Codec, Stream } from 'node-av/lib'
import type { ClosedCaptionReader } from './closed-captions'
import type { GroupMeter } from './groups'

/** What is known of one stream of a media file, once its packets were read and decoded. */
export type StreamReport = {
  /** Not to be read once its format is closed: its memory is freed then. */
  stream: Stream
  /** Its place in the file, from 0. */
  index: number
  /** Seconds of one unit of its times. */
  tick: number
  kind: 'video' | 'audio' | 'subtitle' | 'data'
  isCover: boolean
  codecName: string
  packets: number
  bytes: number
  /** Presentation times in seconds, in the order of the file; video only. */
  times: number[]
  firstTime: number
  lastTime: number
  frames: number
  samples: number
  interlacedFrames: number
  topFieldFirstFrames: number
  decoder: Codec | null
  captions: Pick<ClosedCaptionReader, 'take' | 'finish'>
  groups: GroupMeter
  /** Of the first frame, as FFmpeg lays them out; null where the stream states none. */
  masteringDisplay: Buffer | null
  contentLight: Buffer | null
}

import type { DoneAhead } from '../decode/decode-done'
import type { FrameMeter } from '../decode/media-decoder'
import type { MediaFacts } from '../facts'
import type { InspectionViolation } from '../inspection'
import type { ZipAhead } from './archive/zip-ahead'
import type { ByteSource } from './byte-source'
import type { StoreImage } from './image/raster'

/** What a format's reader gets, and what it returns. It throws a Defect when the file is damaged. */
export type Examination = {
  extension: string
  /** When decoding of long media has to stop, as `performance.now()`. */
  decodeUntil: number
  /** Decode key frames of images only: enough to see what they are. */
  keyFramesOnly?: boolean
  /** Measures long media while they are decoded. */
  meter?: FrameMeter
  /** What was unpacked of it while it came in. */
  ahead?: ZipAhead
  /** What was decoded of it while it came in. */
  done?: DoneAhead
  /** Keeps the image that is decoded for its integrity, so that it is not decoded again. */
  storeImage?: StoreImage
  /** Called as soon as the type is known: it decides how long the rest may take. */
  onSniffed?: (mediaType: string | undefined) => void
}
export type Examined = {
  media: MediaFacts
  complete?: boolean
  engine: string
  /** A container that turned out to be another type than its first bytes said, e.g. an MP4 with audio only. */
  mediaType?: string
  /** Reasons to refuse a file that could be read to its end all the same. */
  violations?: readonly InspectionViolation[]
}
export type Examiner = (source: ByteSource, examination: Examination) => Promise<Examined> | Examined

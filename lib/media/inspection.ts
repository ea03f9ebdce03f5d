import type { MediaMeasures } from '@/lib/media/measurements'
import type { MediaFacts, MediaKind } from './facts'

/** Why a file is refused by its bytes; the closed list of the interface. */
export type ViolationCode =
  | 'empty'
  | 'type_mismatch'
  | 'truncated'
  | 'corrupt'
  | 'encrypted'
  | 'malware'
  | 'decompression_bomb'
  | 'unsupported_type'

export type InspectionViolation = {
  rule: 'integrity' | 'media_type'
  code: ViolationCode
  /** What was wrong and how to fix it, for the person who sent the file. */
  message: string
  expected?: string
}

/** What the inspector found in one file. */
export type Inspection = {
  /** Recognised by the content, never by the name or the client; `application/octet-stream` when nothing fits. */
  mediaType: string
  kind: MediaKind
  /** Null when the file could not be read far enough to measure anything. */
  media: MediaFacts | null
  /** Empty: the file is intact. */
  violations: InspectionViolation[]
  /** False when the packets were walked to the end but the time budget ended before the last one was decoded. */
  complete: boolean
  /** What video and audio show, when they were decoded to their end for it. */
  measures?: MediaMeasures
  /** Decoders and their versions. */
  engine: string
}

export type InspectOptions = {
  /** The extension the file was sent under, with or without the dot. */
  extension: string
  signal?: AbortSignal
  /** Wall clock for the whole inspection, milliseconds. */
  timeoutMs?: number
  /** Of the whole file, where that is known: what was decoded of it while it came in is taken for these bytes alone. */
  sha256?: string
  /** Whose it is: files of one agency may be read by one process, small ones and those that are measured. */
  agencyId?: string
  /** Decode long media to the end however long it takes, within `timeoutMs`. */
  deep?: boolean
  /** Long media by their packets and key frames only: enough to describe them, not to evaluate every frame. */
  quick?: boolean
  /** No user waits for it yet: everything else goes first. */
  isAhead?: boolean
}

import type { DecodeDone } from '../decode/decode-done'
import type { Inspection } from '../inspection'

export type InspectorJobs = {
  examine: {
    request: {
      path: string
      extension: string
      /** How long media may be decoded; null: to the end. */
      decodeForMs: number | null
      /** Key frames only, whatever the time. */
      isQuick: boolean
      /** What was decoded of it while it came in. */
      done?: DecodeDone
    }
    result: Inspection
    /** What it is by its first bytes, before it is decoded. */
    progress: { mediaType: string | undefined }
  }
  /** Decodes and measures what comes through the descriptor of bytes; null where its format cannot be read from its beginning on. */
  decodeArriving: {
    /** Where it is being written: its first bytes are there. */
    request: { path: string }
    result: DecodeDone | null
  }
}

/** Of a file that is still coming in: that there is one, and then how much of it is there. */
export type Arrived = { path: string } | { upTo: number }

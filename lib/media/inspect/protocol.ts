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
    }
    result: Inspection
    /** What it is by its first bytes, before it is decoded. */
    progress: { mediaType: string | undefined }
  }
}

/** Of a file that is still coming in: that there is one, and then how much of it is there. */
export type Arrived = { path: string } | { upTo: number }

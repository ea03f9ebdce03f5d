import type { Inspection } from '../inspection'

/** What a reader is told: perhaps first of a file that still comes in and of how far it has, then what to read. */
export type ChildOrder =
  | { type: 'follow'; path: string }
  | { type: 'arrived'; upTo: number }
  | ({ type: 'read' } & ChildRequest)

export type ChildRequest = {
  path: string
  extension: string
  /** How long media may be decoded; null: to the end. */
  decodeForMs: number | null
  /** Key frames only, whatever the time. */
  isQuick?: boolean
}

export type ChildMessage =
  | { type: 'ready' }
  | { type: 'sniffed'; mediaType: string | undefined }
  | { type: 'inspection'; inspection: Inspection }
  /** The reader itself could not go on; that says nothing about the file. */
  | { type: 'unable'; reason: string }

import type { Inspection } from './inspection'

export type ChildRequest = {
  path: string
  extension: string
  /** How long media may be decoded; null: to the end. */
  decodeForMs: number | null
}

export type ChildMessage =
  | { type: 'ready' }
  | { type: 'sniffed'; mediaType: string | undefined }
  | { type: 'inspection'; inspection: Inspection }
